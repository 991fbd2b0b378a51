package matchers

import (
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
)

// several makes a matcher of exchanges that one rule speaks about.
func several(headline func([]*client.Exchange) string, expected string, right func([]*client.Exchange) bool,
) types.GomegaMatcher {
	return matcher[[]*client.Exchange]{right: right, finding: func(all []*client.Exchange) (string, string, string) {
		return headline(all), expected, Outcomes(all)
	}}
}

// each judges every exchange by itself.
func each(what, expected string, ok func(*client.Exchange) bool) types.GomegaMatcher {
	return several(func(all []*client.Exchange) string {
		return fmt.Sprintf("%d of %d requests %s", len(all)-count(all, ok), len(all), what)
	}, expected, func(all []*client.Exchange) bool { return count(all, ok) == len(all) })
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
	is := func(x *client.Exchange) bool { return x.Status == status }
	return each("got another status", fmt.Sprintf("%d each", status), is)
}

// AcceptAtMostOne holds when no more than one of several equal requests got a 2xx.
func AcceptAtMostOne() types.GomegaMatcher {
	return several(func(all []*client.Exchange) string {
		return fmt.Sprintf("%d of %d identical requests were accepted", Started(all), len(all))
	}, "at most one accepted, all others blocked", func(all []*client.Exchange) bool { return Started(all) <= 1 })
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

// Outcomes counts how exchanges ended: "15 × 409 Conflict, 1 × 200 OK", in the order in which each came first.
func Outcomes(all []*client.Exchange) string {
	order, count := outcomes(all)
	if len(order) == 0 {
		return "nothing was sent"
	}
	for i, d := range order {
		order[i] = fmt.Sprintf("%d × %s", count[d], d)
	}
	return strings.Join(order, ", ")
}
