package matchers

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

// Tally is one rule judged on many answers.
type Tally struct {
	Judged int
	Broken []Broken

	wrong []*client.Exchange
}

// Broken is an answer that broke a rule.
type Broken struct {
	Found string // what is wrong: "income is a string"
	Where string // "exchange 4, valid creation"
	Seq   int    // of the exchange
}

// Add notes an answer. found is what is wrong with it, where what a message calls it.
func (t *Tally) Add(x *client.Exchange, found, where string) {
	t.Judged++
	if found == "" {
		return
	}
	t.wrong = append(t.wrong, x)
	t.Broken = append(t.Broken, Broken{Found: found, Where: where, Seq: x.Seq})
}

// Steadiness is of so many answers, and of the server errors that came before some of them.
func Steadiness(answers int, gone []*client.Exchange) Tally {
	t := Tally{Judged: answers}
	for _, x := range gone {
		t.Add(x, target.Describe(x), fmt.Sprintf("exchange %d, %s", x.Seq, x.Label))
	}
	return t
}

func (t Tally) String() string {
	const most = 3 // that a message spells out
	var shown []string
	for _, b := range t.Broken[:min(len(t.Broken), most)] {
		shown = append(shown, b.Found+" in "+b.Where)
	}
	text := strings.Join(shown, "\n")
	if more := len(t.Broken) - len(shown); more > 0 {
		text += fmt.Sprintf("\nand %d more", more)
	}
	if t.Judged > 1 {
		text += fmt.Sprintf(" (%d of %d answers)", len(t.Broken), t.Judged)
	}
	return text
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
	return matcher[Tally]{
		right: func(t Tally) bool { return len(t.Broken) == 0 },
		finding: func(t Tally) record.Finding {
			f, first := f, t.Broken[0]
			f.Got, f.Actual, f.Decisive, f.Status = first.Found, t.String(), first.Seq, t.wrong[0].Status
			f.Attempts, f.Failed = t.Judged, len(t.Broken)
			return f
		},
	}
}

// BeNothing holds for an empty text; any other is what was found of a subject instead of what was expected.
func BeNothing(subject, expected string) Matcher {
	return matcher[string]{
		right: func(text string) bool { return text == "" },
		finding: func(text string) record.Finding {
			first, _, _ := strings.Cut(text, "\n")
			return record.Finding{Subject: subject, Got: first, Want: expected, Expected: expected, Actual: text}
		},
	}
}
