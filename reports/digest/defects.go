package digest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

// Defect is a defect with the rules that show it, the gravest first.
type Defect struct {
	record.Defect
	Failed []record.RuleResult
}

// LevelText returns the level of the gravest rule, marked if a rule protects data or money.
func (d Defect) LevelText() string { return FormatLevel(d.Level, d.Security) }

// Defects returns the violations, security first, and the defects that break should rules only.
func Defects(run record.Run) (violated, warned []Defect) {
	at := RulesByID(run.Rules)
	for _, d := range record.Defects(run.Rules) {
		one := Defect{Defect: d}
		for _, id := range d.Rules {
			one.Failed = append(one.Failed, at[id])
		}
		if d.Violated() {
			violated = append(violated, one)
		} else {
			warned = append(warned, one)
		}
	}
	return violated, warned
}

// RulesByID indexes rules by ID.
func RulesByID(list []record.RuleResult) map[string]record.RuleResult {
	found := map[string]record.RuleResult{}
	for _, r := range list {
		found[r.ID] = r
	}
	return found
}

// CountFailing returns the numbers of failed checks and of judged ones (failed or passed).
func CountFailing(r record.RuleResult) (failed, judged int) {
	for _, c := range r.Checks {
		switch c.Verdict {
		case record.VerdictFail:
			failed, judged = failed+1, judged+1
		case record.VerdictPass:
			judged++
		}
	}
	return failed, judged
}

// OperationOf returns the first part of a rule's ID.
func OperationOf(id string) string { return rules.Rule{ID: id}.Operation() }

// Names of facts.
const (
	FactExpected  = "expected"
	factActual    = "actual"
	factSent      = "sent"
	factExchanges = "exchanges"
	FactLocation  = "at"
	FactCondition = "only with"
)

// IsOfRequest reports whether a fact is what was sent, expected or received.
func IsOfRequest(f view.Fact) bool {
	return f.Name == factSent || f.Name == FactExpected || f.Name == factActual
}

// FactsOf returns the facts of a check in the order of all reports: what was sent, expected and
// received, the condition, and where to see it.
func FactsOf(c record.CheckResult) []view.Fact {
	var conditions []string
	for _, s := range c.Condition {
		conditions = append(conditions, s.String())
	}
	return view.WithValues([]view.Fact{
		{Name: factSent, Value: c.Sent},
		{Name: FactExpected, Value: cmp.Or(c.Expected, c.Want), Tone: view.ToneGood},
		{Name: factActual, Value: cmp.Or(c.Actual, c.Got), Tone: view.ToneBad},
		{Name: FactCondition, Value: strings.Join(conditions, ", ")},
		{Name: factExchanges, Value: ExchangeNumbers(ShownExchanges(c)), Tone: view.ToneFaint},
		{Name: FactLocation, Value: c.Location, Tone: view.ToneFaint},
	})
}

// ShownExchanges returns the exchanges to show with a check: those that repeat the finding and the
// control; without a finding, all.
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

// ExchangeNumbers formats at most eight exchange numbers: "#12 #13".
func ExchangeNumbers(numbers []int) string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = fmt.Sprintf("#%d", n)
	}
	return printable.JoinFirst(list, 8, " ")
}

// VerdictChange returns a change of verdict in words.
func VerdictChange(before, after record.Verdict) string {
	return cmp.Or(RuleVerdictWord(before), "not selected") + " → " +
		cmp.Or(RuleVerdictWord(after), "not selected")
}
