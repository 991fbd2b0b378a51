package matchers

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
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

// decides notes the repeat as the exchange that shows it.
func (r Repetition) decides() { spec.Decides(r.Again.Seq, 0) }

// MakeNoSecondRecord holds for a Repetition that got 409, or a success with the record that exists. what names it: "The
// same creation again".
func MakeNoSecondRecord(what string) types.GomegaMatcher {
	return matcher[Repetition]{
		right: func(r Repetition) bool {
			same, _ := r.Kept()
			return r.Again.Status == http.StatusConflict || same
		},
		finding: func(r Repetition) (string, string, string) {
			r.decides()
			found, got := target.Describe(r.Again), brief(r.Again)
			headline := " " + became(r.Again.Status, "accepted") + ": " + got +
				", expected 409 or the record that exists"
			_, other := r.Kept()
			switch {
			case r.Died > 1:
				found += fmt.Sprintf(", %d times in a row, while the first creation was accepted each time", r.Died)
				headline = fmt.Sprintf(" breaks the deployment, %d of %d times: %s, expected 409 or the record", r.Died,
					r.Died, got)
			case other:
				found += " with another id: a second record"
				headline = " makes a second record: " + got + ", expected 409 or the record that exists"
			case r.Again.Success():
				found += " without the id of a record"
				headline = " accepted without an id: " + got + ", expected 409 or the record that exists"
			}
			return spec.Sentence(what, headline), "409, or a 2xx that carries the id of the record that exists", found
		},
	}
}

// MakeOneRecord holds for the answers to identical creations sent at once: every success carries one and the same ID,
// every other answer is 409. Throttling and missing answers say nothing.
func MakeOneRecord() types.GomegaMatcher {
	return matcher[[]*client.Exchange]{
		right: func(all []*client.Exchange) bool { _, faults := raced(all); return len(faults) == 0 },
		finding: func(all []*client.Exchange) (string, string, string) {
			found, faults := raced(all)
			got := "one record"
			if len(faults) > 0 {
				got = faults[0]
			}
			return fmt.Sprintf("%d identical creations at once gave %s, expected one record and 409", len(all), got),
				"one id among all successes, 409 for the rest", strings.Join(found, ", ")
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

// MakeAnotherRecord holds for two creations under different transaction IDs: two ids.
func MakeAnotherRecord() types.GomegaMatcher {
	return matcher[Repetition]{
		right: func(r Repetition) bool { _, other := r.Kept(); return other },
		finding: func(r Repetition) (string, string, string) {
			r.decides()
			return "Two creations under different transaction IDs got the same id: " + brief(r.Again) +
					", expected two records",
				"two records with ids of their own", target.Describe(r.Again) + " with the id of the first record"
		},
		negated: func(r Repetition) (string, string, string) {
			r.decides()
			what := cmp.Or(r.What, "Another body under a used transaction ID")
			return what + " makes a second record: " + brief(r.Again) + ", expected none",
				"no second record", target.Describe(r.Again) + " with another id"
		},
	}
}
