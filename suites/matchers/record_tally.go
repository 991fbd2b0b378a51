package matchers

import (
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/suites/spec"
)

// RecordTally is one rule judged on many records.
type RecordTally struct {
	Judged int
	Broken []string // where and what, one for each record that broke the rule
}

// mostShown bounds how many broken records a message spells out.
const mostShown = 3

func (t RecordTally) String() string {
	shown := t.Broken[:min(len(t.Broken), mostShown)]
	text := strings.Join(shown, "; ")
	if more := len(t.Broken) - len(shown); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	if t.Judged > 1 {
		text += fmt.Sprintf(" (%d of %d answers)", len(t.Broken), t.Judged)
	}
	return text
}

type tallyMatcher struct{ headline, expected string }

// HoldThroughout holds for a RecordTally in which no answer broke the rule.
func HoldThroughout(headline, expected string) types.GomegaMatcher {
	return tallyMatcher{headline, expected}
}

func (tallyMatcher) Match(actual any) (bool, error) {
	t, ok := actual.(RecordTally)
	if !ok {
		return false, fmt.Errorf("HoldThroughout judges a RecordTally, not %T", actual)
	}
	return len(t.Broken) == 0, nil
}

func (m tallyMatcher) FailureMessage(actual any) string {
	return spec.Finding(m.headline, m.expected, actual.(RecordTally).String())
}

func (m tallyMatcher) NegatedFailureMessage(any) string {
	return spec.Finding("must not hold: "+m.headline, "anything but "+m.expected, "it held throughout")
}
