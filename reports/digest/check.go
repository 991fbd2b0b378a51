package digest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/suites/record"
)

// Names of facts.
const (
	Expected = "expected"
	Actual   = "actual"
	Sent     = "sent"
	Seen     = "exchanges"
	Where    = "at"
	OnlyWith = "only with"
)

// Fact is something that a check found, with its name.
type Fact struct{ Name, Value string }

// Facts are what a check found, in the order in which every report shows it: what was sent, what
// was expected and what came, at length or in a few words, then what the defect takes, and where it
// can be seen.
func Facts(c record.CheckResult) []Fact {
	var conditions []string
	for _, s := range c.Condition {
		conditions = append(conditions, s.String())
	}
	return slices.DeleteFunc([]Fact{
		{Sent, c.Sent},
		{Expected, cmp.Or(c.Expected, c.Want)},
		{Actual, cmp.Or(c.Actual, c.Got)},
		{OnlyWith, strings.Join(conditions, ", ")},
		{Seen, Exchanges(Shown(c))},
		{Where, c.Location},
	}, func(f Fact) bool { return f.Value == "" })
}

// Shown are the exchanges of a check that a person needs: what it takes to see a finding again and
// the control; of a check without a finding, all.
func Shown(c record.CheckResult) []int {
	if len(c.Repeat) == 0 {
		return c.Exchanges
	}
	shown := slices.Clone(c.Repeat)
	if c.Control > 0 && !slices.Contains(shown, c.Control) {
		shown = append(shown, c.Control)
	}
	return shown
}

// Exchanges writes exchange numbers: "#12 #13", at most eight of them.
func Exchanges(numbers []int) string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = fmt.Sprintf("#%d", n)
	}
	return printable.JoinFirst(list, 8, " ")
}

// Step is a change of verdict in words.
func Step(before, after record.Verdict) string {
	return cmp.Or(Word(before), "not selected") + " → " + cmp.Or(Word(after), "not selected")
}
