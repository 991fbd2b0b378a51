package matchers

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/suites/spec"
)

// RecordTally is one rule judged on many records.
type RecordTally struct {
	Judged int
	Broken []Broken
}

// Broken is a record that broke a rule.
type Broken struct {
	Found string // what is wrong: "income is a string"
	Where string // "exchange 4, valid creation"
	Seq   int    // of the exchange
}

func (t RecordTally) String() string {
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

// HoldThroughout holds for a RecordTally in which no answer broke the rule. lead is what stands before the first
// finding in the headline: "Record: ".
func HoldThroughout(lead, expected string) types.GomegaMatcher {
	return throughout(lead, ", expected "+spec.Shorten(expected, 50), expected)
}

// ComeBackThroughout holds for a RecordTally in which a field came back from each creation as it was sent.
func ComeBackThroughout(path string) types.GomegaMatcher {
	return throughout(path+" came back changed: ", "", "the value that was sent")
}

func throughout(lead, end, expected string) types.GomegaMatcher {
	return matcher[RecordTally]{
		right: func(t RecordTally) bool { return len(t.Broken) == 0 },
		finding: func(t RecordTally) (string, string, string) {
			first := t.Broken[0]
			spec.Decides(first.Seq, 0)
			share := ""
			if t.Judged > 1 {
				share = fmt.Sprintf(" in %d of %d answers", len(t.Broken), t.Judged)
			}
			headline := ""
			for _, rest := range []string{share + end, end, share} { // what was found has to stand whole
				if headline = lead + first.Found + rest; utf8.RuneCountInString(headline) <= spec.HeadlineLimit {
					break
				}
			}
			return headline, expected, t.String()
		},
	}
}

// BeNothing holds for an empty text; any other is what was found instead of what was expected. subject names what it is
// about in the headline: "The file of an export".
func BeNothing(subject, expected string) types.GomegaMatcher {
	return matcher[string]{
		right: func(text string) bool { return text == "" },
		finding: func(text string) (string, string, string) {
			first, _, _ := strings.Cut(text, "\n")
			headline := subject + ": " + first
			if end := ", expected " + expected; utf8.RuneCountInString(headline+end) <= spec.HeadlineLimit {
				headline += end
			}
			return headline, expected, text
		},
	}
}
