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
	FactExpected  = "expected"
	FactActual    = "actual"
	FactSent      = "sent"
	FactExchanges = "exchanges"
	FactLocation  = "at"
	FactCondition = "only with"
)

// Fact is something that a check found, with its name.
type Fact struct{ Name, Value string }

// FactsOf are what a check found, in the order in which every report shows it: what was sent, what
// was expected and what came, at length or in a few words, then what the defect takes, and where it
// can be seen.
func FactsOf(c record.CheckResult) []Fact {
	var conditions []string
	for _, s := range c.Condition {
		conditions = append(conditions, s.String())
	}
	return slices.DeleteFunc([]Fact{
		{FactSent, c.Sent},
		{FactExpected, cmp.Or(c.Expected, c.Want)},
		{FactActual, cmp.Or(c.Actual, c.Got)},
		{FactCondition, strings.Join(conditions, ", ")},
		{FactExchanges, ExchangeNumbers(ShownExchanges(c))},
		{FactLocation, c.Location},
	}, func(f Fact) bool { return f.Value == "" })
}

// ShownExchanges are the exchanges of a check that a person needs: what it takes to see a finding
// again and the control; of a check without a finding, all.
func ShownExchanges(c record.CheckResult) []int {
	if len(c.Repeat) == 0 {
		return c.Exchanges
	}
	shown := slices.Clone(c.Repeat)
	if c.Control > 0 && !slices.Contains(shown, c.Control) {
		shown = append(shown, c.Control)
	}
	return shown
}

// ExchangeNumbers writes exchange numbers: "#12 #13", at most eight of them.
func ExchangeNumbers(numbers []int) string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = fmt.Sprintf("#%d", n)
	}
	return printable.JoinFirst(list, 8, " ")
}

// VerdictChange is a change of verdict in words.
func VerdictChange(before, after record.Verdict) string {
	return cmp.Or(RuleVerdictWord(before), "not selected") + " → " +
		cmp.Or(RuleVerdictWord(after), "not selected")
}
