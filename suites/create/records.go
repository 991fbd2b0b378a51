package create

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/repeat"
	"github.com/gateassay/gateassay/internal/representative"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// answered is one accepted creation: what was sent and what came back.
type answered struct {
	x      *client.Exchange
	sent   representative.Draft
	record *representative.Record
	fault  error // why the record is empty: the body is not a JSON object
}

func read(a target.Answer) answered {
	r := answered{x: a.Exchange, sent: a.Sent.Draft}
	if r.record, r.fault = representative.Parse(a.Body); r.fault != nil {
		r.record = &representative.Record{}
	}
	return r
}

// holdsRecord reports whether the answer shows a representative at all, be it broken: any field of one.
func (a answered) holdsRecord() bool {
	return slices.ContainsFunc(RecordFields(), func(f field) bool {
		top, _, _ := strings.Cut(f.Path, ".")
		return top != "id" && a.record.Type(top) != "absent" // any answer may have an id
	})
}

// shows reports whether the record has the object that a field lies in.
func (a answered) shows(path string) bool {
	inside, _, nested := strings.Cut(path, ".")
	return !nested || a.record.Type(inside) == "object"
}

// lacks reports whether a field is absent or null. The objects around fields have rules of their own, unless the answer
// holds no record at all.
func (a answered) lacks(path string) bool {
	value, _ := a.record.Get(path)
	return value == nil && (a.shows(path) || !a.holdsRecord())
}

// echo is what became of a value of a field, by what was sent or should have been.
func (a answered) echo(f field, sent any) Echo {
	got, _ := a.record.Get(f.Path)
	return Echo{Field: f, Sent: sent, Got: got}
}

// everything is every valid creation of the run that was accepted, once all was sent. One that was answered with the
// control's record, as if it were a repeat, says nothing of the person whom it was for, and amounts that no two programs need
// agree on have a rule of their own.
func (s *Suite) everything() *spec.Observation[[]answered] {
	return spec.Observe(s.Plan, "all accepted creations", func(ctx context.Context) ([]answered, error) {
		base, err := s.lab.ControlCreation.Get(ctx)
		if err != nil {
			return nil, err
		}
		all := []answered{read(base)}
		for _, a := range s.lab.ValidCreations() {
			if r := read(a); !sameRecord(all[0], r) && !r.beyondDoubles() {
				all = append(all, r)
			}
		}
		return all, nil
	}, spec.PhaseLast)
}

// sameRecord reports that two creations were answered with one record. Two that only share an ID are not the same.
func sameRecord(base, other answered) bool {
	return !slices.ContainsFunc([]string{"id", "document.number"}, func(path string) bool {
		one, _ := base.record.Get(path)
		two, _ := other.record.Get(path)
		return one == nil || fmt.Sprint(one) != fmt.Sprint(two)
	})
}

// judging returns what is wrong with an answer, and whether it says anything about the rule.
type judging func(ctx spec.Context, a answered) (wrong Flaw, judged bool)

// beyondDoubles reports an amount that programs lose which read JSON numbers as doubles, as RFC 8259 lets them (section 6).
func (a answered) beyondDoubles() bool {
	return slices.ContainsFunc(where(of(Cents)), func(f field) bool {
		return slices.Contains([]any{json.Number(over53), json.Number(over63)}, a.sent.Get(f.Name))
	})
}

// always declares a rule that is judged on every answer of the run: what each of some subjects has to be.
func (s *Suite) always(id string, level Level, section Section, statement, subject, expected string, judge judging) {
	spec.Helper()
	s.Rule(id, level, section, statement, func() { s.throughout(HoldThroughout(subject, expected), judge) })
}

// throughout declares the case that judges a rule on every answer of the run.
func (s *Suite) throughout(matcher Matcher, judge judging) {
	spec.Helper()
	run := s.everything()
	s.It("holds each time", func(ctx spec.Context) {
		var tally Tally
		for _, a := range run.Await(ctx) {
			if wrong, judged := judge(ctx, a); judged {
				wrong.Found = s.t.Client.Redactor().Text(wrong.Found)
				tally.Add(a.x, wrong)
			}
		}
		ctx.Expect(tally).To(matcher)
		if tally.Judged == 0 {
			needRecord(ctx, read(s.lab.ControlCreation.Await(ctx)))
			ctx.NotVerifiedf("", "no answer shows it, see create.success.fields")
		}
	})
}

// ofRecords judges the answers that show a record.
func ofRecords(judge judging) judging {
	return func(ctx spec.Context, a answered) (wrong Flaw, judged bool) {
		if a.holdsRecord() {
			return judge(ctx, a)
		}
		return Flaw{}, false
	}
}

// found describes a field that is not right by the sign of one that is; without a text: it is.
func (a answered) found(path string, right bool, sign repeat.Sign) Flaw {
	shown := "absent"
	if value, there := a.record.Get(path); there {
		shown = Shown(path, value)
	}
	return unlessRight(right, path+" is "+shown, sign)
}

// unlessRight is what was found, and the sign that it is gone, or nothing when it is right.
func unlessRight(right bool, found string, sign repeat.Sign) Flaw {
	if right {
		return Flaw{}
	}
	return Flaw{Found: found, Evidence: spec.Evidence{Sign: sign}}
}

// needRecord ends the case where there is no record: another rule judges that.
func needRecord(ctx spec.Context, a answered) {
	switch {
	case a.fault != nil:
		ctx.NotVerifiedf("", "the answer is not a JSON object, see create.success.json")
	case !a.holdsRecord():
		ctx.NotVerifiedf("", "the answer shows no field of a record, see create.success.fields")
	}
}
