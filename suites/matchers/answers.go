// Package matchers speaks the domain in assertions: BeAccepted, BeRejected, BeBlocked. A failure says what was expected
// and what was found, in the form that reports show side by side.
package matchers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/target"
)

// answer makes a matcher of a target.Answer.
func answer(headline, expected string, right func(target.Answer) bool) types.GomegaMatcher {
	return matcher[target.Answer]{right: right, finding: func(a target.Answer) (string, string, string) {
		return headline, expected, Found(a)
	}}
}

// BeAccepted holds for a 2xx; a server error on the way to it counts against.
func BeAccepted() types.GomegaMatcher {
	return answer("was not accepted", "2xx", func(a target.Answer) bool { return a.Success() && !brokeDown(a) })
}

// BeRejected holds for a 4xx that speaks about the request: a 2xx, a 5xx and a dropped connection reject nothing, and
// neither do 401, 403 and 429. For a required parameter the document names the statuses: see BeRejectedWith.
func BeRejected() types.GomegaMatcher {
	return answer("was not rejected", "a 4xx that rejects the request, such as 400 or 422", func(a target.Answer) bool {
		return a.Refusal() && target.AboutField(a.Exchange) && !brokeDown(a)
	})
}

// BeRejectedWith holds for one of the statuses that the document gives a rejection: 400 and 422 where a required
// parameter is missing or invalid, 403 and 404 too where a shareholder is the reason.
func BeRejectedWith(statuses ...int) types.GomegaMatcher {
	return answer("was not rejected", "rejected with "+statusNames(statuses), among(statuses))
}

// BeRefused holds for any 4xx but a throttle: whose request it is may be the reason.
func BeRefused() types.GomegaMatcher {
	return answer("was not refused", "a 4xx", func(a target.Answer) bool {
		return a.Refusal() && a.Status != http.StatusTooManyRequests && !brokeDown(a)
	})
}

// HaveStatus holds for one of the statuses.
func HaveStatus(statuses ...int) types.GomegaMatcher {
	return answer("got another status", statusNames(statuses), among(statuses))
}

func among(statuses []int) func(target.Answer) bool {
	return func(a target.Answer) bool { return slices.Contains(statuses, a.Status) && !brokeDown(a) }
}

func statusNames(statuses []int) string {
	names := make([]string, len(statuses))
	for i, s := range statuses {
		names[i] = fmt.Sprintf("%d %s", s, http.StatusText(s))
	}
	return strings.Join(names, " or ")
}

// BeBlocked holds for a repeated request that was not let through. How a block has to look, a 4xx, has a rule of its
// own: a 2xx without a file, a redirect, a 5xx and a dropped connection are judged there.
func BeBlocked() types.GomegaMatcher {
	return answer("was let through", "blocked with a 4xx", func(a target.Answer) bool { return !LetThrough(a.Exchange) })
}

// LetThrough reports an export that was started: a 2xx that names the file it will make.
func LetThrough(x *client.Exchange) bool {
	if x == nil || !x.Success() {
		return false
	}
	_, named := target.FileID(x)
	return named
}

// Pass holds for a request that replay protection lets through.
func Pass() types.GomegaMatcher {
	return answer("did not pass replay protection", "2xx", func(a target.Answer) bool { return a.Success() })
}

// brokeDown reports a server error among the attempts. 502, 503 and 504 are the deployment being out of order, and only
// count when no attempt at all was clear.
func brokeDown(a target.Answer) bool {
	return slices.ContainsFunc(a.Attempts, func(x *client.Exchange) bool { return x.Status >= 500 && !x.Transient() })
}

// Found describes an answer, and its attempts where they differ.
func Found(a target.Answer) string {
	last := target.Describe(a.Exchange)
	if a.Exchange != nil && a.Success() && a.Operation == client.Export {
		if id, ok := target.FileID(a.Exchange); ok {
			last += ", file_id " + clip(id, 40)
		}
	}
	if len(a.Attempts) > 1 {
		order, count := outcomes(a.Attempts)
		for i, d := range order {
			order[i] = fmt.Sprintf("%d of %d attempts: %s", count[d], len(a.Attempts), d)
		}
		last = strings.Join(order, ", ")
	}
	if a.Control != nil {
		last += "; the same request without the defect got " + target.Describe(a.Control)
	}
	if a.Exchange != nil && len(a.Recorded.ResponseBody) > 0 { // as it was recorded, it holds no secret
		last += "\n" + clip(strings.Join(strings.Fields(string(a.Recorded.ResponseBody)), " "), 200)
	}
	return last
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
