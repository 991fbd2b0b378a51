package digest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/suites/record"
)

// Names of facts.
const (
	Expected = "expected"
	Actual   = "actual"
	Sent     = "exchanges"
	Where    = "at"
)

// Fact is something that a check found, with its name.
type Fact struct{ Name, Value string }

// Facts are what a check found, in the order in which every report shows it: what was expected and what came first, at
// length or in a few words, then what the defect takes, and where it can be seen.
func Facts(c record.Check) []Fact {
	var conditions []string
	for _, s := range c.Condition {
		conditions = append(conditions, s.String())
	}
	repeats := ""
	if c.Attempts > 1 {
		repeats = fmt.Sprintf("failed %d of %d times", c.Failed, c.Attempts)
	}
	return slices.DeleteFunc([]Fact{
		{Expected, cmp.Or(c.Expected, c.Want)},
		{Actual, cmp.Or(c.Actual, c.Got)},
		{"only with", strings.Join(conditions, ", ")},
		{"repeats", repeats},
		{Sent, Exchanges(c.Exchanges)},
		{Where, c.Location},
	}, func(f Fact) bool { return f.Value == "" })
}

// Exchanges writes exchange numbers: "#12 #13", at most eight of them.
func Exchanges(numbers []int) string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = fmt.Sprintf("#%d", n)
	}
	return printable.First(list, 8, " ")
}

// Step is a change of verdict in words.
func Step(before, after record.Verdict) string {
	return cmp.Or(Word(before), "not selected") + " → " + cmp.Or(Word(after), "not selected")
}
