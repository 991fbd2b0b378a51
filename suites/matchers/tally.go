package matchers

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
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
		if a, ok := seen.Settled(ctx); ok && a.Crashed() {
			t.Add(a.Exchange, target.Describe(a.Exchange))
		} else if ok && a.Status != 0 {
			t.Add(a.Exchange, "")
		} else if seen.Launched() {
			if _, err := seen.Get(ctx); err != nil {
				why = err
			}
		}
	}
	if t.Judged == 0 {
		ctx.GiveUp(why)
	}
	return t
}

func (t Tally) String() string {
	const most = 3 // that a message spells out
	text := ""
	for i, b := range t.broken {
		if i == most {
			text += fmt.Sprintf("and %d more", len(t.broken)-most)
			break
		}
		text += fmt.Sprintf("%s in exchange %d, %s\n", b.found, b.in.Seq, b.in.Label)
	}
	return strings.TrimSuffix(text, "\n") + fmt.Sprintf(" (%d of %d answers)", len(t.broken), t.Judged)
}

// HoldThroughout holds for a Tally of answers to a subject, none of which broke the rule.
func HoldThroughout(subject, expected string) Matcher {
	return throughout(record.Finding{Subject: subject, Want: record.Shorten(expected, 50), Expected: expected})
}

// ComeBackThroughout holds for a Tally in which a field came back from each creation as it was sent.
func ComeBackThroughout(path string) Matcher {
	return throughout(record.Finding{Subject: path, Outcome: record.Changed, Expected: "the value that was sent"})
}

func throughout(f record.Finding) Matcher {
	return judging(func(t Tally) bool { return len(t.broken) == 0 }, func(t Tally) record.Finding {
		f, first := f, t.broken[0]
		f.Got, f.Actual, f.Decisive, f.Status = first.found, t.String(), first.in.Seq, first.in.Status
		f.Attempts, f.Failed = t.Judged, len(t.broken)
		return f
	})
}

// BeNothing holds for an empty text; any other is what was found of a subject instead of what was expected.
func BeNothing(subject, expected string) Matcher {
	return judging(func(text string) bool { return text == "" }, func(text string) record.Finding {
		first, _, _ := strings.Cut(text, "\n")
		return record.Finding{Subject: subject, Got: first, Want: expected, Expected: expected, Actual: text}
	})
}
