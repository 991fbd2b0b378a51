package create

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/reproscript"
	. "github.com/gateassay/gateassay/internal/schema"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// acceptedCreation is an accepted creation: what was sent and what came back.
type acceptedCreation struct {
	exchange   *client.Exchange
	sent       representative.Draft
	record     *representative.Record
	parseError error // why record is empty: the body is not a JSON object
	// another creation of the run, whose document number the record shows; nil: it shows its own
	mixedUpWith *client.Exchange
}

func newAcceptedCreation(a target.Answer) acceptedCreation {
	r := acceptedCreation{exchange: a.Exchange, sent: a.Sent.Draft}
	r.record, r.parseError = representative.Parse(a.Body)
	if r.parseError != nil {
		r.record = &representative.Record{}
	}
	return r
}

// acceptedRecord returns the record of an accepted creation, or ends the case if there is none.
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

// hasRecord reports whether the answer shows any field of a representative other than its ID.
func (a acceptedCreation) hasRecord() bool {
	return slices.ContainsFunc(RecordFields(), func(f field) bool {
		top, _, _ := strings.Cut(f.Path, ".")
		return top != "id" && a.record.JSONType(top) != "absent" // any answer may have an id
	})
}

// hasParentOf reports whether the record has the object that contains a field.
func (a acceptedCreation) hasParentOf(path string) bool {
	inside, _, nested := strings.Cut(path, ".")
	return !nested || a.record.JSONType(inside) == "object"
}

// lacksField reports whether a field is absent or null. It is false where the enclosing object
// is missing, which has its own rule, unless the answer holds no record at all.
func (a acceptedCreation) lacksField(path string) bool {
	value, _ := a.record.Get(path)
	return value == nil && (a.hasParentOf(path) || !a.hasRecord())
}

// echoedValue compares the value of a field in the record with the value sent.
func (a acceptedCreation) echoedValue(f field, sent any) EchoedValue {
	got, _ := a.record.Get(f.Path)
	return EchoedValue{Field: f, Sent: sent, Got: got}
}

// observeAllAccepted declares all accepted valid creations, after the last was sent. It leaves
// out those answered with the control's record, as these show nothing about their person, and
// those with amounts beyond double precision, which have their own rule.
func (s *Suite) observeAllAccepted() *spec.Observation[[]acceptedCreation] {
	return spec.ObserveAsCase(s.Plan, "all accepted creations",
		func(ctx spec.Context) (all []acceptedCreation) {
			all = append(all, newAcceptedCreation(s.lab.ControlCreation.Await(ctx)))
			if sparse := s.observeSparseAfterFull(); sparse != nil && sparse.Launched() {
				sparse.WaitDone(ctx)
			}
			for _, a := range s.lab.ValidCreations() {
				if r := newAcceptedCreation(a); !sameRecord(all[0], r) && !r.exceedsDoublePrecision() {
					all = append(all, r)
				}
			}
			s.findMixUps(all)
			return all
		}, spec.PhaseLast)
}

// findMixUps sets mixedUpWith.
func (s *Suite) findMixUps(all []acceptedCreation) {
	number := fieldByName("document_number")
	path := creationfields.RequestPaths(s.target.Deployment.LegalRepresentative.Fields)[number.Name]
	by := map[string]*client.Exchange{}             // by the number sent
	for _, x := range s.target.Client.Creations() { // refused ones, too: their values were read
		if sent, _ := x.SentValue(path); sent != nil {
			by[fmt.Sprint(sent)] = x
		}
	}
	for i, a := range all {
		got, _ := a.record.Get(number.Path)
		if x := by[fmt.Sprint(got)]; fmt.Sprint(got) != fmt.Sprint(a.sent.Get(number.Name)) {
			all[i].mixedUpWith = x
		}
	}
}

// sameRecord reports whether two answers show one record: the same ID and document number.
func sameRecord(base, other acceptedCreation) bool {
	return !slices.ContainsFunc([]string{"id", "document.number"}, func(path string) bool {
		one, _ := base.record.Get(path)
		two, _ := other.record.Get(path)
		return one == nil || fmt.Sprint(one) != fmt.Sprint(two)
	})
}

// exceedsDoublePrecision reports whether an amount is lost on programs that read JSON numbers as
// doubles, as RFC 8259, section 6 allows.
func (a acceptedCreation) exceedsDoublePrecision() bool {
	return slices.ContainsFunc(fieldsWhere(hasKind(KindCents)), func(f field) bool {
		return slices.Contains([]any{json.Number(centsOver53Bit), json.Number(centsOver63Bit)},
			a.sent.Get(f.Name))
	})
}

// judgeFunc returns what is wrong with an answer, and whether it shows anything about the rule.
type judgeFunc func(a acceptedCreation) (wrong Flaw, judged bool)

// itHoldsForEveryAnswer declares a case that judges every answer of the run.
func (s *Suite) itHoldsForEveryAnswer(matcher Matcher, judge judgeFunc) {
	spec.Helper()
	run := s.observeAllAccepted()
	s.It("holds each time",
		func(ctx spec.Context) { s.expectEach(ctx, run.Await(ctx), matcher, judge) })
}

// ruleForEveryAnswer declares a rule that judges every answer of the run. Findings call what is
// judged subject.
func (s *Suite) ruleForEveryAnswer(
	id string, level Level, section Section, statement, subject, expected string, judge judgeFunc,
) {
	spec.Helper()
	s.Rule(id, level, section, statement, func() {
		s.itHoldsForEveryAnswer(HoldForEveryAnswer(subject, expected), judge)
	})
}

// expectEach asserts that the matcher holds for what is wrong with all accepted creations.
func (s *Suite) expectEach(
	ctx spec.Context, all []acceptedCreation, matcher Matcher, judge judgeFunc,
) {
	var tally RuleTally
	for _, a := range all {
		if wrong, judged := judge(a); judged {
			if a.mixedUpWith != nil && wrong.Found != "" {
				wrong = s.ofMixUp(wrong, a, all[0])
			} else {
				wrong = withSource(wrong, a, all)
			}
			wrong.Found = s.target.Client.Redactor().Text(wrong.Found)
			tally.AddAnswer(a.exchange, wrong)
		}
	}
	ctx.Expect(tally).To(matcher)
	if tally.Judged == 0 {
		acceptedRecord(ctx, s.lab.ControlCreation.Await(ctx))
		ctx.NotVerifiedf("", "no answer shows it, see create.success.fields")
	}
}

// ofMixUp returns a flaw of a record with the values of another creation, which may have been sent at
// the same time. Sent together with the plainest one, the document number shows it again.
func (s *Suite) ofMixUp(wrong Flaw, a, plainest acceptedCreation) Flaw {
	other := plainest.exchange
	if other == a.exchange {
		other = a.mixedUpWith
	}
	number, _ := s.changedValue(a, fieldByName("document_number"))
	wrong.Cause = "gives a creation the values of another one"
	wrong.Evidence.Sign = number.Evidence.Sign
	wrong.Evidence.Repeat = []spec.RepeatRequest{
		{Exchange: other, WithNext: true}, {Exchange: a.exchange},
	}
	return wrong
}

// fieldFlaw describes a wrong field, unless right. expectation matches a valid value.
func (a acceptedCreation) fieldFlaw(
	path string, right bool, expectation reproscript.Expectation,
) Flaw {
	shown := "absent"
	if value, there := a.record.Get(path); there {
		shown = MaskPersonal(path, value)
	}
	return FlawUnless(right, path+" is "+shown, expectation)
}
