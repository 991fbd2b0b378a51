package matchers

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Tally is one rule judged on many answers.
type Tally struct {
	Judged int
	Broken []Broken

	right, wrong []*client.Exchange
}

// Add notes an answer. found is what is wrong with it, where what a message calls it.
func (t *Tally) Add(x *client.Exchange, found, where string) {
	t.Judged++
	if found == "" {
		t.right = append(t.right, x)
		return
	}
	t.wrong = append(t.wrong, x)
	t.Broken = append(t.Broken, Broken{Found: found, Where: where, Seq: x.Seq})
}

// Open notes a right answer that would be the same with the fault that others show.
func (t *Tally) Open() { t.Judged++ }

// Steadiness is of so many answers, and of the server errors that came before some of them.
func Steadiness(answers int, gone []*client.Exchange) Tally {
	t := Tally{Judged: answers}
	for _, x := range gone {
		t.Add(x, target.Describe(x), fmt.Sprintf("exchange %d, %s", x.Seq, x.Label))
	}
	spec.Attempts(t.Judged, len(t.Broken))
	return t
}

// Broken is an answer that broke a rule.
type Broken struct {
	Found string // what is wrong: "income is a string"
	Where string // "exchange 4, valid creation"
	Seq   int    // of the exchange
}

func (t Tally) String() string {
	const most = 3 // that a message spells out
	var shown []string
	for _, b := range t.Broken[:min(len(t.Broken), most)] {
		shown = append(shown, b.Found+" in "+b.Where)
	}
	text := strings.Join(shown, "; ")
	if more := len(t.Broken) - len(shown); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	if t.Judged > 1 {
		text += fmt.Sprintf(" (%d of %d answers)", len(t.Broken), t.Judged)
	}
	return text
}

// HoldThroughout holds for a Tally in which no answer broke the rule. lead is what stands before the first
// finding in the headline: "Record: ".
func HoldThroughout(lead, expected string) types.GomegaMatcher {
	return throughout(lead, ", expected "+spec.Shorten(expected, 50), expected)
}

// ComeBackThroughout holds for a Tally in which a field came back from each creation as it was sent.
func ComeBackThroughout(path string) types.GomegaMatcher {
	return throughout(path+" came back changed: ", "", "the value that was sent")
}

func throughout(lead, end, expected string) types.GomegaMatcher {
	return matcher[Tally]{
		right: func(t Tally) bool { return len(t.Broken) == 0 },
		finding: func(t Tally) (string, string, string) {
			first := t.Broken[0]
			spec.Decides(first.Seq, 0)
			share := ""
			if t.Judged > 1 {
				share = fmt.Sprintf(" in %d of %d answers", len(t.Broken), t.Judged)
			}
			if with := distinction(t.wrong, t.right); with != "" {
				share += ", only " + with
			}
			headline := lead + first.Found + share + end
			long := func() bool { return utf8.RuneCountInString(headline) > spec.HeadlineLimit }
			if long() && len(t.Broken) == t.Judged { // what was expected says more than that all of them did
				headline = lead + first.Found + end
			}
			if long() { // reports show by themselves what was expected
				headline = spec.Sentence(lead+first.Found, share)
			}
			return headline, expected, t.String()
		},
	}
}

// BeNothing holds for an empty text; any other is what was found instead of what was expected. subject names what it is
// about in the headline, "The file of an export", where the text does not itself.
func BeNothing(subject, expected string) types.GomegaMatcher {
	return matcher[string]{
		right: func(text string) bool { return text == "" },
		finding: func(text string) (string, string, string) {
			first, _, _ := strings.Cut(text, "\n")
			headline := strings.TrimPrefix(subject+": "+first, ": ")
			if end := ", expected " + expected; utf8.RuneCountInString(headline+end) <= spec.HeadlineLimit {
				headline += end
			}
			return headline, expected, text
		},
	}
}
