package digest

import (
	"strings"

	"github.com/gateassay/gateassay/suites/record"
)

// Defect is one thing that is wrong, with the rules that show it, the weightiest first.
type Defect struct {
	record.Defect
	Failed []record.RuleResult
}

// FormatLevel is the level of the weightiest rule, with the mark of what protects data or money
// where one of them does.
func (d Defect) LevelText() string {
	return FormatLevel(record.RuleResult{Level: d.Level, Security: d.Security})
}

// Defects are what is wrong: violations, those of security rules first, and what only breaks should
// rules.
func Defects(run record.Run) (violated, warned []Defect) {
	at := map[string]record.RuleResult{}
	for _, r := range run.Rules {
		at[r.ID] = r
	}
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

// RuleIDs of the rules that show it.
func (d Defect) RuleIDs() []string { return RuleIDs(d.Failed) }

// OtherRuleIDs are those behind the first.
func (d Defect) OtherRuleIDs() []string { return d.RuleIDs()[min(1, len(d.Failed)):] }

// CountFailing counts the checks of a rule that failed, and those that failed or passed.
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

// OperationOf is the first part of a rule's ID.
func OperationOf(id string) string {
	name, _, _ := strings.Cut(id, ".")
	return name
}
