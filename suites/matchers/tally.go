package matchers

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Tally is one rule judged on many answers.
type Tally struct {
	Judged int
	broken []broken
}

// broken is an answer that broke a rule, and what is wrong with it: "income is "5"".
type broken struct {
	found string
	in    *client.Exchange
}

// Add notes an answer. found is what is wrong with it; empty: nothing is.
func (t *Tally) Add(x *client.Exchange, found string) {
	if t.Judged++; found != "" {
		t.broken = append(t.broken, broken{found, x})
	}
}

// Steadiness is of so many answers, and of the server errors that came before some of them.
func Steadiness(answers int, gone []*client.Exchange) Tally {
	t := Tally{Judged: answers}
	for _, x := range gone {
		t.Add(x, target.Describe(x))
	}
	return t
}

// ServerErrors is of those of some requests that were answered, and of the server errors among the answers.
func ServerErrors(ctx spec.Context, all []*spec.Observation[target.Answer]) (t Tally) {
	why := spec.Unclear("none of these requests was answered")
	for _, seen := range all {
		switch a, err := seen.Get(ctx); {
		case err == nil && a.Crashed():
			t.Add(a.Exchange, target.Describe(a.Exchange))
		case err == nil && a.Status != 0:
			t.Add(a.Exchange, "")
		case err != nil && seen.Launched():
			why = err
		}
	}
	if t.Judged == 0 {
		ctx.GiveUp(why)
	}
	return t
}

func (t Tally) String() string {
	var lines []string
	for _, b := range t.broken {
		lines = append(lines, fmt.Sprintf("%s in exchange %d, %s", b.found, b.in.Seq, b.in.Label))
	}
	return fmt.Sprintf("%s (%d of %d answers)", printable.First(lines, 3, "\n"), len(t.broken), t.Judged)
}

// HoldThroughout holds for a Tally of answers to a subject, none of which broke the rule. One that did became what is said.
func HoldThroughout(subject, expected string, became ...record.Became) Matcher {
	return judging(func(t Tally) bool { return len(t.broken) == 0 }, func(t Tally) record.Finding {
		first := t.broken[0]
		return record.Finding{
			Subject: subject, Outcome: cmp.Or(became...), Got: first.found, Actual: t.String(),
			Want: record.Shorten(expected, 50), Expected: expected,
			Decisive: first.in.Seq, Status: first.in.Status, Attempts: t.Judged, Failed: len(t.broken),
		}
	})
}

// BeNothing holds for an empty text; any other is what was found of a subject instead of what was expected.
func BeNothing(subject, expected string) Matcher {
	return judging(func(text string) bool { return text == "" }, func(text string) record.Finding {
		first, _, _ := strings.Cut(text, "\n")
		return record.Finding{Subject: subject, Got: first, Want: expected, Expected: expected, Actual: text}
	})
}
