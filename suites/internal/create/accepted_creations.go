package create

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/reproscript"
	. "github.com/gateassay/gateassay/internal/schema"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// acceptedCreation is one accepted creation: what was sent and what came back.
type acceptedCreation struct {
	exchange   *client.Exchange
	sent       representative.Draft
	record     *representative.Record
	parseError error // why the record is empty: the body is not a JSON object
}

func newAcceptedCreation(a target.Answer) acceptedCreation {
	r := acceptedCreation{exchange: a.Exchange, sent: a.Sent.Draft}
	if r.record, r.parseError = representative.Parse(a.Body); r.parseError != nil {
		r.record = &representative.Record{}
	}
	return r
}

// acceptedRecord is an accepted creation. It ends the case where there is no record: another rule
// judges that.
func acceptedRecord(ctx spec.Context, a target.Answer) acceptedCreation {
	r := newAcceptedCreation(a)
	switch {
	case r.parseError != nil:
		ctx.NotVerifiedf("", "the answer is not a JSON object, see create.success.json")
	case !r.hasRecord():
		ctx.NotVerifiedf("", "the answer shows no field of a record, see create.success.fields")
	}
	return r
}

// hasRecord reports whether the answer shows a representative at all, be it broken: any field of
// one.
func (a acceptedCreation) hasRecord() bool {
	return slices.ContainsFunc(RecordFields(), func(f field) bool {
		top, _, _ := strings.Cut(f.Path, ".")
		return top != "id" && a.record.JSONType(top) != "absent" // any answer may have an id
	})
}

// hasParentOf reports whether the record has the object that a field lies in.
func (a acceptedCreation) hasParentOf(path string) bool {
	inside, _, nested := strings.Cut(path, ".")
	return !nested || a.record.JSONType(inside) == "object"
}

// lacksField reports whether a field is absent or null. The objects around fields have rules of
// their own, unless the answer holds no record at all.
func (a acceptedCreation) lacksField(path string) bool {
	value, _ := a.record.Get(path)
	return value == nil && (a.hasParentOf(path) || !a.hasRecord())
}

// echoedValue is what became of a value of a field, by what was sent or should have been.
func (a acceptedCreation) echoedValue(f field, sent any) EchoedValue {
	got, _ := a.record.Get(f.Path)
	return EchoedValue{Field: f, Sent: sent, Got: got}
}

// observeAllAccepted is every valid creation of the run that was accepted, once all was sent. One
// that was answered with the control's record, as if it were a repeat, says nothing of the person
// whom it was for, and amounts that no two programs need agree on have a rule of their own.
func (s *Suite) observeAllAccepted() *spec.Observation[[]acceptedCreation] {
	return spec.Observe(s.Plan, "all accepted creations",
		func(ctx context.Context) ([]acceptedCreation, error) {
			base, err := s.lab.ControlCreation.Get(ctx)
			if err != nil {
				return nil, err
			}
			s.awaitSparseAfterFull(ctx)
			all := []acceptedCreation{newAcceptedCreation(base)}
			for _, a := range s.lab.ValidCreations() {
				if r := newAcceptedCreation(a); !sameRecord(all[0], r) && !r.exceedsDoublePrecision() {
					all = append(all, r)
				}
			}
			return all, nil
		}, spec.PhaseLast)
}

// sameRecord reports that two creations were answered with one record. Two that only share an ID
// are not the same.
func sameRecord(base, other acceptedCreation) bool {
	return !slices.ContainsFunc([]string{"id", "document.number"}, func(path string) bool {
		one, _ := base.record.Get(path)
		two, _ := other.record.Get(path)
		return one == nil || fmt.Sprint(one) != fmt.Sprint(two)
	})
}

// judgeFunc returns what is wrong with an answer, and whether it says anything about the rule.
type judgeFunc func(ctx spec.Context, a acceptedCreation) (wrong Flaw, judged bool)

// exceedsDoublePrecision reports an amount that programs lose which read JSON numbers as doubles,
// as RFC 8259 lets them (section 6).
func (a acceptedCreation) exceedsDoublePrecision() bool {
	return slices.ContainsFunc(fieldsWhere(hasKind(KindCents)), func(f field) bool {
		return slices.Contains([]any{json.Number(centsOver53Bit), json.Number(centsOver63Bit)},
			a.sent.Get(f.Name))
	})
}

// ruleForEveryAnswer declares a rule that is judged on every answer of the run: what each of some
// subjects has to be.
func (s *Suite) ruleForEveryAnswer(
	id string, level Level, section Section, statement, subject, expected string, judge judgeFunc,
) {
	spec.Helper()
	s.Rule(id, level, section, statement,
		func() { s.itHoldsForEveryAnswer(HoldForEveryAnswer(subject, expected), judge) })
}

// itHoldsForEveryAnswer declares the case that judges a rule on every answer of the run.
func (s *Suite) itHoldsForEveryAnswer(matcher Matcher, judge judgeFunc) {
	spec.Helper()
	run := s.observeAllAccepted()
	s.It("holds each time", func(ctx spec.Context) {
		var tally RuleTally
		all := run.Await(ctx)
		for _, a := range all {
			if wrong, judged := judge(ctx, a); judged {
				wrong = withSource(wrong, a, all)
				wrong.Found = s.target.Client.Redactor().Text(wrong.Found)
				tally.AddAnswer(a.exchange, wrong)
			}
		}
		ctx.Expect(tally).To(matcher)
		if tally.Judged == 0 {
			acceptedRecord(ctx, s.lab.ControlCreation.Await(ctx))
			ctx.NotVerifiedf("", "no answer shows it, see create.success.fields")
		}
	})
}

// judgeRecordsOnly judges the answers that show a record.
func judgeRecordsOnly(judge judgeFunc) judgeFunc {
	return func(ctx spec.Context, a acceptedCreation) (wrong Flaw, judged bool) {
		if a.hasRecord() {
			return judge(ctx, a)
		}
		return Flaw{}, false
	}
}

// fieldFlaw describes a field that is not right by the expectation of one that is; without a text:
// it is.
func (a acceptedCreation) fieldFlaw(
	path string, right bool, expectation reproscript.Expectation,
) Flaw {
	shown := "absent"
	if value, there := a.record.Get(path); there {
		shown = MaskPersonal(path, value)
	}
	return FlawUnless(right, path+" is "+shown, expectation)
}
