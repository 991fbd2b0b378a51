package matchers

import (
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
	Died         int // chains in a row in which the repeat alone got no answer; counted when none was answered
}

// Kept tells whether the second answer is a success that carries the first record's ID, or another one.
func (r Repetition) Kept() (same, other bool) {
	first, ok := RecordID(r.First)
	if !ok || !r.Again.Success() {
		return false, false
	}
	second, ok := RecordID(r.Again)
	return ok && first == second, ok && first != second
}

type repeatMatcher struct{}

// MakeNoSecondRecord holds for a Repetition that got 409, or a success with the record that exists.
func MakeNoSecondRecord() types.GomegaMatcher { return repeatMatcher{} }

func (repeatMatcher) Match(actual any) (bool, error) {
	r, ok := actual.(Repetition)
	if !ok {
		return false, fmt.Errorf("MakeNoSecondRecord judges a Repetition, not %T", actual)
	}
	same, _ := r.Kept()
	return r.Again.Status == http.StatusConflict || same, nil
}

func (repeatMatcher) FailureMessage(actual any) string {
	r := actual.(Repetition)
	found := target.Describe(r.Again)
	_, other := r.Kept()
	switch {
	case r.Died > 1:
		found += fmt.Sprintf(", %d times in a row, while the first creation was accepted each time", r.Died)
	case other:
		found += " with another id: a second record"
	case r.Again.Success():
		found += " without the id of a record"
	}
	return spec.Finding("a repeated creation was not recognised", "409, or a 2xx that carries the id of the record that exists", found)
}

func (repeatMatcher) NegatedFailureMessage(actual any) string {
	return spec.Finding("a repeated creation was recognised", "anything else", target.Describe(actual.(Repetition).Again))
}

type raceMatcher struct{}

// MakeOneRecord holds for the answers to identical creations sent at once: every success carries one and the same ID,
// every other answer is 409. Throttling and missing answers say nothing.
func MakeOneRecord() types.GomegaMatcher { return raceMatcher{} }

func (raceMatcher) Match(actual any) (bool, error) {
	answers, ok := actual.([]*client.Exchange)
	if !ok {
		return false, fmt.Errorf("MakeOneRecord judges []*client.Exchange, not %T", actual)
	}
	_, faults := raced(answers)
	return len(faults) == 0, nil
}

// raced tells in words what came back, and what of it breaks the rule.
func raced(answers []*client.Exchange) (found, faults []string) {
	count := map[string]int{}
	var order []string
	ids := map[string]bool{}
	nameless := 0
	for _, x := range answers {
		text := target.Describe(x)
		if count[text] == 0 {
			order = append(order, text)
			if !x.Success() && x.Status != http.StatusConflict && !x.Transient() {
				faults = append(faults, text)
			}
		}
		count[text]++
		if !x.Success() {
			continue
		}
		if id, ok := RecordID(x); ok {
			ids[id] = true
		} else {
			nameless++
		}
	}
	for _, text := range order {
		found = append(found, fmt.Sprintf("%d × %s", count[text], text))
	}
	found = append(found, fmt.Sprintf("%d distinct ids among the successes", len(ids)))
	if len(ids) > 1 {
		faults = append(faults, "several ids")
	}
	if nameless > 0 {
		found = append(found, fmt.Sprintf("%d successes without an id", nameless))
		faults = append(faults, "successes without an id")
	}
	return found, faults
}

func (raceMatcher) FailureMessage(actual any) string {
	found, _ := raced(actual.([]*client.Exchange))
	return spec.Finding("identical creations at once made more than one record, or failed",
		"one id among all successes, 409 for the rest", strings.Join(found, ", "))
}

func (raceMatcher) NegatedFailureMessage(actual any) string {
	found, _ := raced(actual.([]*client.Exchange))
	return spec.Finding("identical creations at once made one record", "anything else", strings.Join(found, ", "))
}

type anotherMatcher struct{}

// MakeAnotherRecord holds for two creations under different transaction IDs: two ids.
func MakeAnotherRecord() types.GomegaMatcher { return anotherMatcher{} }

func (anotherMatcher) Match(actual any) (bool, error) {
	r, ok := actual.(Repetition)
	if !ok {
		return false, fmt.Errorf("MakeAnotherRecord judges a Repetition, not %T", actual)
	}
	_, other := r.Kept()
	return other, nil
}

func (anotherMatcher) FailureMessage(actual any) string {
	return spec.Finding("two creations under different transaction IDs are one record", "two records with ids of their own",
		target.Describe(actual.(Repetition).Again)+" with the id of the first record")
}

func (anotherMatcher) NegatedFailureMessage(actual any) string {
	return spec.Finding("one transaction ID made two records", "no second record",
		target.Describe(actual.(Repetition).Again)+" with another id")
}
