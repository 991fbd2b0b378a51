package matchers

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/repeat"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Repetition is a creation that was accepted, and one that followed it.
type Repetition struct {
	First, Again *client.Exchange
	Between      []*client.Exchange // sent after First and before Again, without which Again gets another answer
	What         string             // the second request
	Condition    []record.Setting
}

// RecordID reads the ID of a creation's answer, in lower case; false when there is no record or its ID is neither a
// UUID nor a number, which is the wrong type and an ID all the same.
func RecordID(x *client.Exchange) (string, bool) {
	if x == nil || !x.Success() {
		return "", false
	}
	if id := strings.ToLower(representative.ID(x.Body)); UUID.Fits(id) || Digits.Fits(id) {
		return id, true
	}
	return "", false
}

// Kept reports whether the second answer is a success that carries the first record's ID, or another one.
func (r Repetition) Kept() (same, other bool) {
	first, ok := RecordID(r.First)
	second, too := RecordID(r.Again)
	return ok && too && first == second, ok && too && first != second
}

// Changed lists the documented fields that the first answer and the repeat both show, with different values, and what a repeat
// that shows whose record it is leaves out. One without a record of the same ID changes nothing: that is judged elsewhere.
func (r Repetition) Changed() (changed []string) {
	first, broken := representative.Parse(r.First.Body)
	second, brokenToo := representative.Parse(r.Again.Body)
	if same, _ := r.Kept(); !same || broken != nil || brokenToo != nil {
		return nil
	}
	for _, f := range RecordFields() {
		before, _ := first.Get(f.Path)
		after, _ := second.Get(f.Path)
		// 50 and 50.00 are one value, and a value of the wrong type is judged elsewhere.
		if same, comparable := (Echo{f, before, after}).Same(); before != nil && after != nil && comparable && !same {
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

// repetition makes a matcher of a Repetition. got is what one that is not right came to, and of what.
func repetition(subject, want string, right func(Repetition) bool, got func(Repetition) (record.Became, string),
	sign func(Repetition) repeat.Sign,
) Matcher {
	return judging(right, func(r Repetition) (record.Finding, spec.Evidence) {
		became, what := got(r)
		shown := append(spec.RepeatInOrder(r.First), spec.RepeatInOrder(r.Between...)...)
		evidence := spec.Evidence{Repeat: append(shown, spec.RepeatInOrder(r.Again)...), Control: r.First, Sign: sign(r)}
		return record.Finding{
			Subject: cmp.Or(subject, r.What), Outcome: became, Got: what, Actual: Found(target.Answer{Exchange: r.Again}), Want: want, Expected: want,
			Condition: r.Condition,
		}, evidence
	})
}

func always(sign repeat.Sign) func(Repetition) repeat.Sign {
	return func(Repetition) repeat.Sign { return sign }
}

// outcome is what a repeat made of the record.
func outcome(r Repetition) (record.Became, string) {
	became, got := Became(r.Again), Brief(r.Again)
	switch same, other := r.Kept(); {
	case other:
		became = record.SecondRecord
	case r.Again.Success() && !same:
		got += " without the id of the record"
	}
	return became, got
}

// MakeNoSecondRecord holds for a Repetition that got 409, or a success with the record that exists.
func MakeNoSecondRecord() Matcher {
	return repetition("", "409 or the record that exists", func(r Repetition) bool {
		same, _ := r.Kept()
		return r.Again.Status == http.StatusConflict || same
	}, outcome, always(repeat.OneRecord{}))
}

// MakeNoOtherRecord holds for a Repetition that shows no id of another record, however it was answered.
func MakeNoOtherRecord() Matcher {
	return repetition("", "none", func(r Repetition) bool { _, other := r.Kept(); return !other }, outcome,
		always(repeat.OneRecord{Other: true}))
}

// MakeAnotherRecord holds for two creations of which the second is no repeat of the first: two ids.
func MakeAnotherRecord() Matcher {
	return repetition("", "two records", func(r Repetition) bool { _, other := r.Kept(); return other },
		func(r Repetition) (record.Became, string) { return "", Brief(r.Again) + " with the same id" },
		always(repeat.OneRecord{Two: true}))
}

// GiveTheRecordThatExists holds for a Repetition whose second answer, where it shows the first record's ID, shows the
// same record.
func GiveTheRecordThatExists() Matcher {
	return repetition("a repeated record", "the record as it was",
		func(r Repetition) bool { return len(r.Changed()) == 0 },
		func(r Repetition) (record.Became, string) { return record.Changed, strings.Join(r.Changed(), ", ") },
		func(r Repetition) repeat.Sign { return repeat.Unchanged{Paths: r.Changed()} })
}

// MakeOneRecord holds for the answers to identical creations sent at once: every success carries one and the same ID,
// every other answer is 409. Throttling and missing answers say nothing.
func MakeOneRecord() Matcher {
	return judging(func(all []*client.Exchange) bool { return raced(all) == "" }, func(all []*client.Exchange,
	) (record.Finding, spec.Evidence) {
		return record.Finding{
			Subject: fmt.Sprintf("%d identical creations at once", len(all)), Got: raced(all), Want: "one record and 409",
			Expected: "one id among all successes, 409 for the rest", Actual: Outcomes(all),
		}, spec.Evidence{Repeat: []spec.RepeatRequest{{Exchange: all[0], Concurrent: len(all)}}, Sign: repeat.AtMostOne{Records: true}}
	})
}

// raced is what of some answers breaks the rule; empty: nothing.
func raced(answers []*client.Exchange) (fault string) {
	ids := map[string]bool{}
	for _, x := range answers {
		id, named := RecordID(x)
		switch {
		case named:
			ids[id] = true
		case x.Success():
			fault = cmp.Or(fault, "successes without an id")
		case x.Status != http.StatusConflict && !x.Transient():
			fault = cmp.Or(fault, target.DescribeAnswer(x))
		}
	}
	if len(ids) > 1 {
		return fmt.Sprintf("%d records", len(ids))
	}
	return fault
}
