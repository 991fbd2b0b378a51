package matchers

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// RepeatedCreation is a creation that was accepted, and one that followed it.
type RepeatedCreation struct {
	First, Repeat *client.Exchange
	// sent after First and before Repeat, without which that gets another answer
	Between     []*client.Exchange
	Description string // the second request
	Condition   []record.FactorValue
}

// CompareRecordIDs reports whether the second answer is a success that carries the first record's
// ID, or another one.
func (r RepeatedCreation) CompareRecordIDs() (same, other bool) {
	first, ok := answers.RecordID(r.First)
	second, too := answers.RecordID(r.Repeat)
	return ok && too && first == second, ok && too && first != second
}

// ChangedFields lists the documented fields that the first answer and the repeat both show, with
// different values, and what a repeat that shows whose record it is leaves out. One without a
// record of the same ID changes nothing: that is judged elsewhere.
func (r RepeatedCreation) ChangedFields() (changed []string) {
	first, broken := representative.Parse(r.First.Body)
	second, brokenToo := representative.Parse(r.Repeat.Body)
	if same, _ := r.CompareRecordIDs(); !same || broken != nil || brokenToo != nil {
		return nil
	}
	for _, f := range schema.RecordFields() {
		before, _ := first.Get(f.Path)
		after, _ := second.Get(f.Path)
		// 50 and 50.00 are one value, and a value of the wrong type is judged elsewhere.
		both := schema.EchoedValue{Field: f, Sent: before, Got: after}
		if same, comparable := both.CompareValues(); before != nil && after != nil && comparable &&
			!same {
			changed = append(changed, f.Path)
		}
	}
	name, _ := second.Get("name")
	for _, part := range []string{"document", "address"} {
		before, _ := first.Get(part)
		if after, _ := second.Get(part); name != nil && before != nil && after == nil {
			changed = append(changed, part)
		}
	}
	return changed
}

// repetitionMatcher makes a matcher of a RepeatedCreation. got is what one that is not right came
// to, and of what.
func repetitionMatcher(
	subject, want string,
	right func(RepeatedCreation) bool,
	got func(RepeatedCreation) (outcome.Outcome, string),
	expectation func(RepeatedCreation) reproscript.Expectation,
) Matcher {
	return newMatcher(right, func(r RepeatedCreation) (record.Finding, spec.Evidence) {
		how, what := got(r)
		shown := append(spec.RepeatInOrder(r.First), spec.RepeatInOrder(r.Between...)...)
		evidence := spec.Evidence{
			Repeat:  append(shown, spec.RepeatInOrder(r.Repeat)...),
			Control: r.First,
			Sign:    expectation(r),
		}
		return record.Finding{
			Subject: cmp.Or(subject, r.Description), Outcome: how, Got: what,
			Actual: DescribeAttempts(target.Answer{Exchange: r.Repeat}), Want: want, Expected: want,
			Condition: r.Condition,
		}, evidence
	})
}

func constantExpectation(
	expectation reproscript.Expectation,
) func(RepeatedCreation) reproscript.Expectation {
	return func(RepeatedCreation) reproscript.Expectation { return expectation }
}

// repetitionOutcome is what a repeat made of the record.
func repetitionOutcome(r RepeatedCreation) (outcome.Outcome, string) {
	became, got := outcome.Of(r.Repeat), answers.StatusText(r.Repeat)
	switch same, other := r.CompareRecordIDs(); {
	case other:
		became = outcome.SecondRecord
	case r.Repeat.IsSuccess() && !same:
		got += " without the id of the record"
	}
	return became, got
}

// MakeNoSecondRecord holds for a RepeatedCreation that got 409, or a success with the record that
// exists.
func MakeNoSecondRecord() Matcher {
	return repetitionMatcher("", "409 or the record that exists", func(r RepeatedCreation) bool {
		same, _ := r.CompareRecordIDs()
		return r.Repeat.Status == http.StatusConflict || same
	}, repetitionOutcome, constantExpectation(reproscript.ExpectOneRecord{}))
}

// MakeNoOtherRecord holds for a RepeatedCreation that shows no id of another record, however it was
// answered.
func MakeNoOtherRecord() Matcher {
	return repetitionMatcher("", "none",
		func(r RepeatedCreation) bool { _, other := r.CompareRecordIDs(); return !other },
		repetitionOutcome, constantExpectation(reproscript.ExpectOneRecord{Other: true}))
}

// GetNoServerError holds for a RepeatedCreation that was answered with anything but 5xx.
func GetNoServerError() Matcher {
	return repetitionMatcher("", "2xx or 4xx",
		func(r RepeatedCreation) bool { return !r.Repeat.IsServerError() },
		repetitionOutcome, constantExpectation(expectAnswered))
}

// MakeAnotherRecord holds for two creations of which the second is no repeat of the first: two ids.
func MakeAnotherRecord() Matcher {
	return repetitionMatcher("", "two records",
		func(r RepeatedCreation) bool { _, other := r.CompareRecordIDs(); return other },
		func(r RepeatedCreation) (outcome.Outcome, string) {
			return "", answers.StatusText(r.Repeat) + " with the same id"
		},
		constantExpectation(reproscript.ExpectOneRecord{Two: true}))
}

// GiveTheRecordThatExists holds for a RepeatedCreation whose second answer, where it shows the
// first record's ID, shows the same record.
func GiveTheRecordThatExists() Matcher {
	return repetitionMatcher("a repeated record", "the record as it was",
		func(r RepeatedCreation) bool { return len(r.ChangedFields()) == 0 },
		func(r RepeatedCreation) (outcome.Outcome, string) {
			return outcome.Changed, strings.Join(r.ChangedFields(), ", ")
		},
		func(r RepeatedCreation) reproscript.Expectation {
			return reproscript.ExpectUnchanged{Paths: r.ChangedFields()}
		})
}

// MakeOneRecord holds for the answers to identical creations sent at once: every success carries
// one and the same ID, every other answer is a refusal. Throttling and missing answers say nothing.
func MakeOneRecord() Matcher {
	return newMatcher(func(all []*client.Exchange) bool { return raceViolation(all) == "" },
		func(all []*client.Exchange) (record.Finding, spec.Evidence) {
			found := record.Finding{
				Subject: fmt.Sprintf("%d identical creations at once", len(all)), Got: raceViolation(all),
				Want:     "one record and refusals",
				Expected: "one id among all successes, a 4xx for the rest", Actual: answers.CountStatuses(all),
			}
			return found, spec.Evidence{
				Repeat: []spec.RepeatRequest{{Exchange: all[0], Concurrent: len(all)}},
				Sign:   reproscript.ExpectAtMostOne{Records: true},
			}
		})
}

// raceViolation is what of some answers breaks the rule; empty: nothing.
func raceViolation(all []*client.Exchange) (fault string) {
	ids := map[string]bool{}
	for _, x := range all {
		id, named := answers.RecordID(x)
		switch {
		case named:
			ids[id] = true
		case x.IsSuccess():
			fault = cmp.Or(fault, "successes without an id")
		case !x.IsClientError() && !x.IsTransient():
			fault = cmp.Or(fault, answers.Describe(x))
		}
	}
	if len(ids) > 1 {
		return fmt.Sprintf("%d records", len(ids))
	}
	return fault
}
