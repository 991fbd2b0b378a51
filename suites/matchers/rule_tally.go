package matchers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// RuleTally collects the judgements of one rule on many answers.
type RuleTally struct {
	Judged     int
	violations []violation
}

// Flaw is what is wrong with an answer. The zero Flaw means nothing is.
type Flaw struct {
	Found    string
	Expected string          // what was expected; empty: the expectation of the matcher
	Outcome  outcome.Outcome // see record.Finding
	DaysLate int             // see record.Finding
	Cause    string          // see record.Finding; shown if most flaws of a tally have it in common
	Evidence spec.Evidence   // without requests, the exchange of the answer is the evidence
}

// FlawUnless returns a Flaw of what was found, and what to expect when it is fixed; the zero Flaw
// if right is true.
func FlawUnless(right bool, found string, sign reproscript.Expectation) Flaw {
	if right {
		return Flaw{}
	}
	return Flaw{Found: found, Evidence: spec.Evidence{Sign: sign}}
}

// ShownBy returns the flaw with these exchanges as evidence, in this order.
func (f Flaw) ShownBy(exchanges ...*client.Exchange) Flaw {
	f.Evidence.Repeat = spec.RepeatInOrder(exchanges...)
	return f
}

type violation struct {
	Flaw
	exchange *client.Exchange
}

// AddAnswer adds an answer and what is wrong with it.
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

// decisive returns the first violation: one with a cause if three quarters have one, else without.
func (t RuleTally) decisive() violation {
	caused := slices.DeleteFunc(slices.Clone(t.violations),
		func(v violation) bool { return v.Cause == "" })
	if 4*len(caused) >= 3*len(t.violations) {
		return caused[0]
	}
	first := t.violations[0]
	first.Cause = ""
	return first
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

// HoldForEveryAnswer holds for a RuleTally without violations. subject describes the answers.
func HoldForEveryAnswer(subject, expected string) Matcher {
	return newMatcher(func(t RuleTally) bool { return len(t.violations) == 0 },
		func(t RuleTally) (record.Finding, spec.Evidence) {
			first := t.decisive()
			return record.Finding{
				Subject: subject, Outcome: first.Outcome, Got: first.Found, DaysLate: first.DaysLate,
				Actual: t.String(), Cause: first.Cause,
				Want: printable.TruncateAtSpace(expected, 50), Expected: cmp.Or(first.Expected, expected),
				Attempts: t.Judged, Failed: len(t.violations),
			}, first.Evidence
		})
}

// BeFlawless holds for the zero Flaw. subject and expected describe a finding.
func BeFlawless(subject, expected string) Matcher {
	return newMatcher(func(f Flaw) bool { return f.Found == "" },
		func(f Flaw) (record.Finding, spec.Evidence) {
			first, _, _ := strings.Cut(f.Found, "\n")
			return record.Finding{
				Subject: subject, Got: first, Want: expected, Expected: expected, Actual: f.Found,
			}, f.Evidence
		})
}
