package matchers

import (
	"cmp"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

// Repetition is a creation that was accepted, and the same transaction ID once more.
type Repetition struct {
	First, Again *client.Exchange
	What         string // the second request, where it differs in more than its body
	Died         int    // chains in a row in which the repeat alone got no answer; counted when none was answered
}

// Kept reports whether the second answer is a success that carries the first record's ID, or another one.
func (r Repetition) Kept() (same, other bool) {
	first, ok := RecordID(r.First)
	if !ok || !r.Again.Success() {
		return false, false
	}
	second, ok := RecordID(r.Again)
	return ok && first == second, ok && first != second
}

// found is what the repeat came to; what names it where it has no name of its own.
func (r Repetition) found(what, want, expected string) record.Finding {
	f := record.Finding{
		Subject: cmp.Or(r.What, what), Outcome: Became(r.Again), Status: r.Again.Status, Got: brief(r.Again), Want: want,
		Expected: expected, Actual: target.Describe(r.Again), Decisive: r.Again.Seq,
	}
	switch _, other := r.Kept(); {
	case r.Died > 1:
		f.Attempts, f.Failed = r.Died, r.Died
		f.Actual += fmt.Sprintf(", %d times in a row, while the first creation was accepted each time", r.Died)
	case other:
		f.Outcome = record.SecondRecord
		f.Actual += " with another id: a second record"
	case r.Again.Success():
		f.Got += " without the id of the record"
		f.Actual += " without the id of the record"
	}
	return f
}

// MakeNoSecondRecord holds for a Repetition that got 409, or a success with the record that exists. what names it: "the
// same creation again".
func MakeNoSecondRecord(what string) Matcher {
	return matcher[Repetition]{
		right: func(r Repetition) bool {
			same, _ := r.Kept()
			return r.Again.Status == http.StatusConflict || same
		},
		finding: func(r Repetition) record.Finding {
			return r.found(what, "409 or the record that exists", "409, or a 2xx that carries the id of the record that exists")
		},
	}
}

// MakeNoOtherRecord holds for a Repetition that shows no id of another record, however it was answered.
func MakeNoOtherRecord() Matcher {
	return matcher[Repetition]{
		right: func(r Repetition) bool { _, other := r.Kept(); return !other },
		finding: func(r Repetition) record.Finding {
			return r.found("another body under a used transaction ID", "none", "no second record")
		},
	}
}

// MakeAnotherRecord holds for two creations under different transaction IDs: two ids.
func MakeAnotherRecord() Matcher {
	return matcher[Repetition]{
		right: func(r Repetition) bool { _, other := r.Kept(); return other },
		finding: func(r Repetition) record.Finding {
			return record.Finding{
				Subject: cmp.Or(r.What, "two creations under different transaction IDs"), Status: r.Again.Status, Decisive: r.Again.Seq,
				Got: brief(r.Again) + " with the same id", Want: "two records", Expected: "two records with ids of their own",
				Actual: target.Describe(r.Again) + " with the id of the first record",
			}
		},
	}
}

// MakeOneRecord holds for the answers to identical creations sent at once: every success carries one and the same ID,
// every other answer is 409. Throttling and missing answers say nothing.
func MakeOneRecord() Matcher {
	return matcher[[]*client.Exchange]{
		right: func(all []*client.Exchange) bool { _, faults := raced(all); return len(faults) == 0 },
		finding: func(all []*client.Exchange) record.Finding {
			found, faults := raced(all)
			return record.Finding{
				Subject: fmt.Sprintf("%d identical creations at once", len(all)), Got: append(faults, "one record")[0],
				Want: "one record and 409", Expected: "one id among all successes, 409 for the rest",
				Actual: strings.Join(found, ", "),
			}
		},
	}
}

// raced returns what came back, and what of it breaks the rule, in words.
func raced(answers []*client.Exchange) (found, faults []string) {
	ids, nameless := map[string]bool{}, 0
	for _, x := range answers {
		text := target.Describe(x)
		if !x.Success() {
			if x.Status != http.StatusConflict && !x.Transient() {
				faults = append(faults, text)
			}
		} else if id, ok := RecordID(x); ok {
			ids[id] = true
		} else {
			nameless++
		}
	}
	found = []string{Outcomes(answers), fmt.Sprintf("%d distinct ids among the successes", len(ids))}
	if len(ids) > 1 {
		faults = append([]string{fmt.Sprintf("%d records", len(ids))}, faults...)
	}
	if nameless > 0 {
		found = append(found, fmt.Sprintf("%d successes without an id", nameless))
		faults = append(faults, "successes without an id")
	}
	return found, faults
}

// Changed lists the documented fields that the first answer and the repeat both show, with different values. A repeat
// without a record of the same ID changes nothing: that is judged elsewhere.
func (r Repetition) Changed() []string {
	if same, _ := r.Kept(); !same {
		return nil
	}
	first, broken := representative.Parse(r.First.Body)
	second, brokenToo := representative.Parse(r.Again.Body)
	if broken != nil || brokenToo != nil {
		return nil
	}
	var changed []string
	for _, f := range RecordFields() {
		before, _ := first.Get(f.Path)
		after, _ := second.Get(f.Path)
		if before == nil || after == nil || reflect.DeepEqual(before, after) {
			continue
		}
		a, isA := Instant(before)
		b, isB := Instant(after)
		if f.Kind == "datetime" && isA && isB && a.Equal(b) {
			continue // the same moment in another notation
		}
		// 50 and 50.00 are one value, and a value of the wrong type is judged elsewhere.
		if (Echo{Path: f.Path, Kind: f.Kind, Sent: before, Got: after}).Likeness() == Unlike {
			changed = append(changed, f.Path)
		}
	}
	return changed
}

// GiveTheRecordThatExists holds for a Repetition whose second answer, where it shows the first record's ID, shows the
// same record.
func GiveTheRecordThatExists() Matcher {
	return matcher[Repetition]{
		right: func(r Repetition) bool { return len(r.Changed()) == 0 },
		finding: func(r Repetition) record.Finding {
			changed := strings.Join(r.Changed(), ", ")
			return record.Finding{
				Subject: "the record of a creation that is repeated", Outcome: record.Changed, Status: r.Again.Status,
				Got: changed, Want: "the record as it was", Decisive: r.Again.Seq,
				Expected: "the record that exists, unchanged", Actual: "other values of " + changed,
			}
		},
	}
}
