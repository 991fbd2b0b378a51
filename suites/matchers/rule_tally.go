package matchers

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// RuleTally is one rule judged on many answers.
type RuleTally struct {
	Judged     int
	violations []violation
}

// Flaw is what is wrong with an answer: "income is "5""; empty: nothing is.
type Flaw struct {
	Found    string
	Expected string        // in values; empty: what the matcher expects
	Evidence spec.Evidence // without requests: the answer's own shows it
}

// FlawUnless is what was found, and the expectation that it is gone; nothing where it is right.
func FlawUnless(right bool, found string, sign reproscript.Expectation) Flaw {
	if right {
		return Flaw{}
	}
	return Flaw{Found: found, Evidence: spec.Evidence{Sign: sign}}
}

// ShownBy is the flaw with the exchanges that show it, in this order, in place of the answer's own.
func (f Flaw) ShownBy(exchanges ...*client.Exchange) Flaw {
	f.Evidence.Repeat = spec.RepeatInOrder(exchanges...)
	return f
}

// violation is an answer that broke a rule.
type violation struct {
	Flaw
	exchange *client.Exchange
}

// AddAnswer notes an answer, and what is wrong with it.
func (t *RuleTally) AddAnswer(x *client.Exchange, f Flaw) {
	t.Judged++
	if f.Found == "" {
		return
	}
	if f.Evidence.Repeat == nil {
		f.Evidence.Repeat = spec.RepeatInOrder(x)
	}
	t.violations = append(t.violations, violation{f, x})
}

func (t RuleTally) String() string {
	if len(t.violations) == 1 && t.Judged == 1 {
		return t.violations[0].Found
	}
	var lines []string
	for _, b := range t.violations {
		lines = append(lines,
			fmt.Sprintf("%s in exchange %d, %s", b.Found, b.exchange.Seq, b.exchange.Label))
	}
	return fmt.Sprintf("%s (%d of %d answers)", printable.JoinFirst(lines, 3, "\n"), len(t.violations),
		t.Judged)
}

// HoldForEveryAnswer holds for a RuleTally of answers to a subject, none of which broke the rule.
// how is what became of one that did; none: it is not said.
func HoldForEveryAnswer(subject, expected string, how ...outcome.Outcome) Matcher {
	return newMatcher(func(t RuleTally) bool { return len(t.violations) == 0 },
		func(t RuleTally) (record.Finding, spec.Evidence) {
			first := t.violations[0]
			return record.Finding{
				Subject: subject, Outcome: cmp.Or(how...), Got: first.Found, Actual: t.String(),
				Want: printable.TruncateAtSpace(expected, 50), Expected: cmp.Or(first.Expected, expected),
				Attempts: t.Judged, Failed: len(t.violations),
			}, first.Evidence
		})
}

// BeFlawless holds where nothing was found; else that is what a subject is instead of what was
// expected.
func BeFlawless(subject, expected string) Matcher {
	return newMatcher(func(f Flaw) bool { return f.Found == "" },
		func(f Flaw) (record.Finding, spec.Evidence) {
			first, _, _ := strings.Cut(f.Found, "\n")
			return record.Finding{
				Subject:  subject,
				Got:      first,
				Want:     expected,
				Expected: expected,
				Actual:   f.Found,
			}, f.Evidence
		})
}
