package matchers

import (
	"fmt"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// matcher judges values of one type: which are right, and what is said about one that is not.
type matcher[T any] struct {
	right   func(T) bool
	finding func(T) (headline, expected, found string)
	negated func(T) (headline, expected, found string) // nil: the opposite of the finding
}

func (m matcher[T]) Match(actual any) (bool, error) {
	v, ok := actual.(T)
	if !ok {
		return false, fmt.Errorf("the matcher judges %T, not %T", v, actual)
	}
	return m.right(v), nil
}

func (m matcher[T]) FailureMessage(actual any) string { return spec.Finding(m.finding(actual.(T))) }

func (m matcher[T]) NegatedFailureMessage(actual any) string {
	if m.negated != nil {
		return spec.Finding(m.negated(actual.(T)))
	}
	headline, expected, found := m.finding(actual.(T))
	return spec.Finding("must not: "+headline, "anything but "+expected, found)
}

// outcomes counts how exchanges ended, in the order in which each outcome came first.
func outcomes(all []*client.Exchange) (order []string, count map[string]int) {
	count = map[string]int{}
	for _, x := range all {
		text := target.Describe(x)
		if count[text] == 0 {
			order = append(order, text)
		}
		count[text]++
	}
	return order, count
}
