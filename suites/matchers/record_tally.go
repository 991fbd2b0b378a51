package matchers

import (
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"
)

// RecordTally is one rule judged on many records.
type RecordTally struct {
	Judged int
	Broken []string // where and what, one for each record that broke the rule
}

func (t RecordTally) String() string {
	const most = 3 // that a message spells out
	shown := t.Broken[:min(len(t.Broken), most)]
	text := strings.Join(shown, "; ")
	if more := len(t.Broken) - len(shown); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	if t.Judged > 1 {
		text += fmt.Sprintf(" (%d of %d answers)", len(t.Broken), t.Judged)
	}
	return text
}

// HoldThroughout holds for a RecordTally in which no answer broke the rule.
func HoldThroughout(headline, expected string) types.GomegaMatcher {
	return matcher[RecordTally]{
		right:   func(t RecordTally) bool { return len(t.Broken) == 0 },
		finding: func(t RecordTally) (string, string, string) { return headline, expected, t.String() },
	}
}

// BeNothing holds for an empty text; any other is what was found instead of what was expected.
func BeNothing(headline, expected string) types.GomegaMatcher {
	return matcher[string]{
		right:   func(text string) bool { return text == "" },
		finding: func(text string) (string, string, string) { return headline, expected, text },
	}
}
