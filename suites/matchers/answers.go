// Package matchers speaks the domain in assertions: BeAccepted, BeRejected, BeBlocked. A failure says what was expected
// and what was found, in the form that reports show side by side.
package matchers

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// answer makes a matcher of a target.Answer. short is what was expected, in the few words of a headline.
func answer(short, expected string, right func(target.Answer) bool) types.GomegaMatcher {
	return answerTo(func(target.Answer) string { return spec.About() }, short, expected, right)
}

// answerTo is answer for a request that the text of the spec does not name.
func answerTo(request func(target.Answer) string, short, expected string, right func(target.Answer) bool,
) types.GomegaMatcher {
	return matcher[target.Answer]{right: right, finding: func(a target.Answer) (string, string, string) {
		decides(a)
		return Became(request(a), a, "accepted", short), expected, Found(a)
	}}
}

// decides notes the exchange that shows what is wrong with an answer.
func decides(a target.Answer) {
	control := 0
	if a.Control != nil {
		control = a.Control.Seq
	}
	if a.Exchange != nil {
		spec.Decides(a.Seq, control)
	}
}

const anyRefusal = "a 4xx"

// Became is the headline of an answer: what was sent, what became of it, and what was expected. success is the word for
// a 2xx.
func Became(subject string, a target.Answer, success, expected string) string {
	did, got := "got no answer", "nothing was sent"
	if x := a.Exchange; x != nil {
		got = brief(x)
		if x.Err == nil && x.Status != 0 {
			if expected == anyRefusal && x.Status >= 400 && x.Status < 500 { // one that says nothing of the request
				expected = "400 or 422"
			}
			if did = became(x.Status, success); x.Success() && did == "accepted" && target.HoldsError(x) {
				did = "answered with an error inside"
			}
		}
	}
	return spec.Sentence(cmp.Or(subject, "The request"), fmt.Sprintf(" %s: %s, expected %s", did, got, expected))
}

// became is what a status did to a request.
func became(status int, success string) string {
	switch {
	case status >= 500:
		return "ends in a server error"
	case status == http.StatusTooManyRequests:
		return "throttled"
	case status >= 400:
		return "refused"
	case status >= 300:
		return "redirected"
	case status >= 200:
		return success
	}
	return "left without an answer"
}

// BeAccepted holds for a 2xx. A server error that is gone when the request is sent again is a rule of its own.
func BeAccepted() types.GomegaMatcher { return answer("2xx", "2xx", accepted) }

func accepted(a target.Answer) bool { return a.Success() }

// BeAcceptedTogether is BeAccepted for a request of a kind, "Export", that may be refused for what stands beside each
// other in it: its headline names that.
func BeAcceptedTogether(kind string) types.GomegaMatcher {
	return answerTo(func(a target.Answer) string {
		partners, known := strings.CutPrefix(a.Only, "only with ")
		all := strings.Split(partners, ", ")
		switch {
		case !known:
			return spec.About()
		case len(all) == 1:
			return kind + " with " + partners
		}
		return kind + " with " + strings.Join(all, " and ") + " together"
	}, "2xx", "2xx", accepted)
}

// BeAnswered holds for a 2xx and for a 4xx.
func BeAnswered() types.GomegaMatcher {
	return answer("2xx or 4xx", "2xx, or a 4xx that refuses it", func(a target.Answer) bool {
		return a.Success() || a.Refusal()
	})
}

// BeRejected holds for a 4xx that speaks about the request: a 2xx, a 5xx and a dropped connection reject nothing, and
// neither do 401, 403 and 429. For a required parameter the document names the statuses: see BeRejectedWith.
func BeRejected() types.GomegaMatcher {
	return answer(anyRefusal, "a 4xx that rejects the request, such as 400 or 422", func(a target.Answer) bool {
		return a.Refusal() && target.AboutField(a.Exchange)
	})
}

// BeRejectedWith holds for one of the statuses that the document gives a rejection: 400 and 422 where a required
// parameter is missing or invalid, 403 and 404 too where a shareholder is the reason.
func BeRejectedWith(statuses ...int) types.GomegaMatcher { return oneOf("rejected with ", statuses) }

// BeRefused holds for any 4xx but a throttle: whose request it is may be the reason.
func BeRefused() types.GomegaMatcher {
	return answer(anyRefusal, anyRefusal, func(a target.Answer) bool {
		return a.Refusal() && a.Status != http.StatusTooManyRequests
	})
}

// HaveStatus holds for one of the statuses.
func HaveStatus(statuses ...int) types.GomegaMatcher { return oneOf("", statuses) }

// oneOf expects one of some statuses, which a headline lists as "400, 403 or 422".
func oneOf(lead string, statuses []int) types.GomegaMatcher {
	var numbers, names []string
	for _, s := range statuses {
		numbers = append(numbers, strconv.Itoa(s))
		names = append(names, fmt.Sprintf("%d %s", s, http.StatusText(s)))
	}
	last := len(numbers) - 1
	short := strings.Join(append(numbers[:max(last-1, 0)], strings.Join(numbers[max(last-1, 0):], " or ")), ", ")
	return answer(short, lead+strings.Join(names, " or "), func(a target.Answer) bool {
		return slices.Contains(statuses, a.Status)
	})
}

// BeBlocked holds for a repeated request that was not let through. How a block has to look, a 4xx, has a rule of its
// own: a 2xx without a file, a redirect, a 5xx and a dropped connection are judged there.
func BeBlocked() types.GomegaMatcher {
	return matcher[target.Answer]{
		right: func(a target.Answer) bool { return !LetThrough(a.Exchange) },
		finding: func(a target.Answer) (string, string, string) {
			decides(a)
			return Became(spec.About(), a, "is not blocked", "a 4xx"), "blocked with a 4xx", Found(a)
		},
	}
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
	return matcher[target.Answer]{
		right: func(a target.Answer) bool { return a.Success() },
		finding: func(a target.Answer) (string, string, string) {
			last := target.Answer{Exchange: a.Exchange}
			decides(last)
			headline := Became(spec.About(), last, "accepted", "2xx")
			if a.Refusal() && a.Status != http.StatusTooManyRequests {
				headline = spec.Sentence(cmp.Or(spec.About(), "The request"),
					fmt.Sprintf(" is blocked: %d, expected 2xx", a.Status))
			}
			return headline, "2xx", Found(a)
		},
	}
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
		last += "\ncontrol, the same request without the defect: " + target.Describe(a.Control)
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
