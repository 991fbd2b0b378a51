// Package matchers speaks the domain in assertions: BeAccepted, BeRejected, BeBlocked. What is
// wrong with a value that is not right they say as a record.Finding.
package matchers

import (
	"fmt"

	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// Matcher is one of Gomega's: it judges a value, and finds what is wrong with one that does not
// match.
type Matcher struct {
	match     func(actual any) (bool, error)
	findingOf func(actual any) (record.Finding, spec.Evidence)
}

// newMatcher makes a matcher of values of one type.
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

// Match reports whether a value is right.
func (m Matcher) Match(actual any) (bool, error) { return m.match(actual) }

// Finding is what is wrong with a value, and what shows it.
func (m Matcher) Finding(actual any) (record.Finding, spec.Evidence) { return m.findingOf(actual) }

// FailureMessage is what Gomega shows of the finding.
func (m Matcher) FailureMessage(actual any) string {
	f, _ := m.findingOf(actual)
	return spec.FailureMessage(f)
}

// NegatedFailureMessage is what it shows where a value must not match.
func (m Matcher) NegatedFailureMessage(any) string { return "must not be" }
