// Package matchers speaks the domain in assertions: BeAccepted, BeRejected, BeBlocked. What is wrong with a value that
// is not right they say as a record.Finding.
package matchers

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Matcher judges a value, and finds what is wrong with one that does not match.
type Matcher interface {
	types.GomegaMatcher
	Finding(actual any) record.Finding
}

// matcher judges values of one type.
type matcher[T any] struct {
	right   func(T) bool
	finding func(T) record.Finding
}

func (m matcher[T]) Match(actual any) (bool, error) {
	v, ok := actual.(T)
	if !ok {
		return false, fmt.Errorf("the matcher judges %T, not %T", v, actual)
	}
	return m.right(v), nil
}

func (m matcher[T]) Finding(actual any) record.Finding { return m.finding(actual.(T)) }

func (m matcher[T]) FailureMessage(actual any) string { return spec.Found(m.Finding(actual)) }

func (m matcher[T]) NegatedFailureMessage(actual any) string {
	return "must not: " + m.Finding(actual).Sentence()
}

// more is a matcher of whose findings more is known.
type more struct {
	Matcher
	add func(*record.Finding)
}

func (m more) Finding(actual any) record.Finding {
	f := m.Matcher.Finding(actual)
	m.add(&f)
	return f
}

func (m more) FailureMessage(actual any) string { return spec.Found(m.Finding(actual)) }

// Given is a matcher whose findings take a condition; none: they do not.
func Given(m Matcher, condition []record.Setting) Matcher {
	return more{m, func(f *record.Finding) {
		if len(condition) > 0 {
			f.Condition = condition
		}
	}}
}

// ShownBy is a matcher whose findings an exchange shows, against that of a control; 0 stands for none.
func ShownBy(m Matcher, decisive, control int) Matcher {
	return more{m, func(f *record.Finding) { f.Decisive, f.Control = decisive, control }}
}

// Outcomes counts how exchanges ended: "15 × 409 Conflict, 1 × 200 OK", in the order in which each came first.
func Outcomes(all []*client.Exchange) string {
	var order []string
	count := map[string]int{}
	for _, x := range all {
		text := target.Describe(x)
		if count[text]++; count[text] == 1 {
			order = append(order, text)
		}
	}
	for i, text := range order {
		order[i] = fmt.Sprintf("%d × %s", count[text], text)
	}
	return cmp.Or(strings.Join(order, ", "), "nothing was sent")
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
