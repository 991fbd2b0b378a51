package matchers

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// answerMatcher returns a matcher of a target.Answer. due is the expected outcome, and want the
// same in a few words.
func answerMatcher(
	due outcome.Outcome, want string, sign reproscript.Expectation, right func(target.Answer) bool,
) Matcher {
	return newMatcher(right, func(a target.Answer) (record.Finding, spec.Evidence) {
		return answerFinding(a, due, want, sign)
	})
}

// answerFinding returns what is wrong with an answer, and the evidence for it.
func answerFinding(
	a target.Answer, due outcome.Outcome, want string, sign reproscript.Expectation,
) (record.Finding, spec.Evidence) {
	f := record.Finding{
		Subject: a.DescribeRequest(), Outcome: outcome.Of(a.Exchange), ExpectedOutcome: due,
		Got: answers.StatusText(a.Exchange), Want: want,
		Condition: a.Condition, Expected: want, Actual: DescribeAttempts(a),
	}
	if len(a.StatedCondition) > 0 {
		f.Condition = a.StatedCondition
	}
	switch {
	case due == outcome.Blocked && f.Outcome == outcome.Accepted:
		f.Outcome = outcome.NotBlocked
	case due == outcome.Passed && f.Outcome == outcome.Refused:
		f.Outcome = outcome.Blocked
	}
	if due == outcome.Refused && f.Outcome == outcome.Refused { // the 4xx is not about the request
		f.Want = strings.Replace(want, "a 4xx", "another 4xx", 1)
	}
	if a.Tolerable != nil && a.IsSuccess() {
		sign = a.Tolerable
	}
	if status, is := sign.(reproscript.ExpectStatus); is && f.Outcome == outcome.Performed {
		member := a.PerformedMember()
		status.Without = strconv.Quote(member)
		f.Got, f.Want, sign = f.Got+", with its "+member, want+" without it", status
	}
	return f, spec.Evidence{
		Repeat:  append(spec.RepeatInOrder(a.Preceding...), spec.RepeatInOrder(a.Exchange)...),
		Control: a.Control, Sign: sign,
	}
}

var (
	expectSuccess  = reproscript.ExpectStatus{Right: []string{"2xx"}}
	expectAnswered = reproscript.ExpectStatus{Right: []string{"2xx", "4xx"}}
)

// BeAccepted holds for a 2xx. A separate rule judges server errors that disappear on retry.
func BeAccepted() Matcher {
	return answerMatcher(outcome.Accepted, "2xx", expectSuccess, target.Answer.IsSuccess)
}

// BeLetThrough is BeAccepted for a request that replay protection must let through.
func BeLetThrough() Matcher {
	return answerMatcher(outcome.Passed, "2xx", expectSuccess, target.Answer.IsSuccess)
}

// BeAnswered holds for a 2xx or a 4xx.
func BeAnswered() Matcher {
	return answerMatcher(outcome.Accepted, "2xx or 4xx", expectAnswered,
		func(a target.Answer) bool { return a.IsSuccess() || a.IsClientError() })
}

// BeRejected holds for a 4xx about the request: not for 401, 403 and 429. A 2xx, a 5xx and a
// dropped connection reject nothing. The document names the statuses for required parameters: see
// HaveStatus.
func BeRejected() Matcher { return BeRefused(http.StatusUnauthorized, http.StatusForbidden) }

// BeRefused holds for any 4xx other than 429 and the excepted statuses. Unlike BeRejected, it
// accepts a refusal because of the caller.
func BeRefused(but ...int) Matcher {
	but = append([]int{http.StatusTooManyRequests}, but...)
	sign := reproscript.ExpectStatus{Right: []string{"4xx"}, Except: statusTexts(but)}
	return answerMatcher(outcome.Refused, "a 4xx", sign, func(a target.Answer) bool {
		return a.IsClientError() && !isPerformed(a) && !slices.Contains(but, a.Status)
	})
}

// HaveStatus holds for one of the statuses. Findings list them as "400, 403 or 422".
func HaveStatus(statuses ...int) Matcher {
	sign := reproscript.ExpectStatus{Right: statusTexts(statuses)}
	last := len(statuses) - 1
	want := sign.Right[last]
	if last > 0 {
		want = strings.Join(sign.Right[:last], ", ") + " or " + want
	}
	return answerMatcher(outcome.Of(&client.Exchange{Status: statuses[0]}), want, sign,
		func(a target.Answer) bool { return slices.Contains(statuses, a.Status) && !isPerformed(a) })
}

func statusTexts(statuses []int) (texts []string) {
	for _, status := range statuses {
		texts = append(texts, strconv.Itoa(status))
	}
	return texts
}

func isPerformed(a target.Answer) bool { return outcome.Of(a.Exchange) == outcome.Performed }

// BeBlockedAfterMore holds for a repeated request that started no export. n others were sent in
// between, and its script sends as many where fewer do not show the finding. A separate rule judges
// the form of a block, which must be a 4xx.
func BeBlockedAfterMore(n int) Matcher {
	return answerMatcher(outcome.Blocked, "a 4xx", reproscript.ExpectBlocked{AfterMore: n},
		func(a target.Answer) bool { return !answers.StartsExport(a.Exchange) })
}

// DescribeAttempts describes an answer, and its attempts if there were several.
func DescribeAttempts(a target.Answer) string {
	found := answers.DescribeWithMessage(a.Exchange)
	if len(a.Attempts) > 1 {
		found = fmt.Sprintf("%d attempts: %s\nthe last: %s", len(a.Attempts),
			answers.CountStatuses(a.Attempts), found)
	}
	if a.ControlAnswered && a.Control != nil {
		found += "\ncontrol, the same request without the defect: " + answers.Describe(a.Control)
	}
	return found
}
