// Package matchers provides Gomega matchers for the domain: BeAccepted, BeRejected, BeLetThrough. For
// a mismatch they return a record.Finding.
package matchers

import (
	"fmt"

	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// Matcher is a Gomega matcher and a spec.FindingMatcher.
type Matcher struct {
	match     func(actual any) (bool, error)
	findingOf func(actual any) (record.Finding, spec.Evidence)
}

func newMatcher[T any](
	right func(T) bool, finding func(T) (record.Finding, spec.Evidence),
) Matcher {
	return Matcher{func(actual any) (bool, error) {
		v, ok := actual.(T)
		if !ok {
			return false, fmt.Errorf("the matcher judges %T, not %T", v, actual)
		}
		return right(v), nil
	}, func(actual any) (record.Finding, spec.Evidence) { return finding(actual.(T)) }}
}

// Match reports whether a value matches. The error is for values of another type.
func (m Matcher) Match(actual any) (bool, error) { return m.match(actual) }

// Finding returns what is wrong with a value that does not match, and the evidence for it.
func (m Matcher) Finding(actual any) (record.Finding, spec.Evidence) { return m.findingOf(actual) }

// FailureMessage returns the text of the finding.
func (m Matcher) FailureMessage(actual any) string {
	f, _ := m.findingOf(actual)
	return spec.FailureMessage(f)
}

// NegatedFailureMessage returns the text for a value that must not match.
func (m Matcher) NegatedFailureMessage(any) string { return "must not be" }
