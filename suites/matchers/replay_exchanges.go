package matchers

import (
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// exchangesMatcher judges several exchanges that one rule speaks about.
type exchangesMatcher struct {
	headline func([]*client.Exchange) string
	expected string
	ok       func([]*client.Exchange) bool
}

func (m exchangesMatcher) Match(actual any) (bool, error) {
	all, ok := actual.([]*client.Exchange)
	if !ok {
		return false, fmt.Errorf("exchanges are judged here, not %T", actual)
	}
	return m.ok(all), nil
}

func (m exchangesMatcher) FailureMessage(actual any) string {
	all := actual.([]*client.Exchange)
	return spec.Finding(m.headline(all), m.expected, Outcomes(all))
}

func (m exchangesMatcher) NegatedFailureMessage(actual any) string {
	all := actual.([]*client.Exchange)
	return spec.Finding("must not: "+m.headline(all), "anything but "+m.expected, Outcomes(all))
}

// each judges every exchange by itself.
func each(what, expected string, ok func(*client.Exchange) bool) types.GomegaMatcher {
	return exchangesMatcher{
		headline: func(all []*client.Exchange) string {
			return fmt.Sprintf("%d of %d requests %s", len(all)-count(all, ok), len(all), what)
		},
		expected: expected,
		ok:       func(all []*client.Exchange) bool { return count(all, ok) == len(all) },
	}
}

// AllBeAccepted holds when every exchange ended with a 2xx.
func AllBeAccepted() types.GomegaMatcher {
	return each("were not accepted", "2xx each", (*client.Exchange).Success)
}

// AllBeRefused holds when every exchange ended with a 4xx.
func AllBeRefused() types.GomegaMatcher {
	return each("were blocked with something else than a 4xx", "a 4xx each", (*client.Exchange).Refusal)
}

// AllHaveStatus holds when every exchange got that status.
func AllHaveStatus(status int) types.GomegaMatcher {
	return each("got another status", fmt.Sprintf("%d each", status), func(x *client.Exchange) bool { return x.Status == status })
}

// AcceptAtMostOne holds when no more than one of several equal requests got a 2xx.
func AcceptAtMostOne() types.GomegaMatcher {
	return exchangesMatcher{
		headline: func(all []*client.Exchange) string {
			return fmt.Sprintf("%d of %d identical requests were accepted", Started(all), len(all))
		},
		expected: "at most one accepted, all others blocked",
		ok:       func(all []*client.Exchange) bool { return Started(all) <= 1 },
	}
}

// Started counts the requests that started an export. Where one names its file, a 2xx without a file is a block in
// disguise, which has a rule of its own.
func Started(all []*client.Exchange) int {
	if n := count(all, LetThrough); n > 0 {
		return n
	}
	return count(all, (*client.Exchange).Success)
}

func count(all []*client.Exchange, ok func(*client.Exchange) bool) int {
	n := 0
	for _, x := range all {
		if ok(x) {
			n++
		}
	}
	return n
}

// Outcomes counts how exchanges ended: "15 × 409 Conflict, 1 × 200 OK", in the order in which each outcome came first.
func Outcomes(all []*client.Exchange) string {
	seen := map[string]int{}
	var order []string
	for _, x := range all {
		d := target.Describe(x)
		if seen[d] == 0 {
			order = append(order, d)
		}
		seen[d]++
	}
	if len(order) == 0 {
		return "nothing was sent"
	}
	for i, d := range order {
		order[i] = fmt.Sprintf("%d × %s", seen[d], d)
	}
	return strings.Join(order, ", ")
}
