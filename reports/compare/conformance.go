package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// ConformanceComparison compares two conformance runs.
type ConformanceComparison struct {
	Before       record.VerdictCounts `json:"before"`
	After        record.VerdictCounts `json:"after"`
	Changes      []RuleChange         `json:"changes"`  // the worst first
	Violated     []string             `json:"violated"` // rules that both runs found violated
	Warned       []string             `json:"warned"`   // should rules that failed in both runs
	Compared     int                  `json:"compared"` // rules of both runs
	Observations []ObservationChange  `json:"observations"`
}

// RuleChange is a rule whose verdict differs.
type RuleChange struct {
	ID        string `json:"id"`
	Level     string `json:"level"`
	Security  bool   `json:"security"`
	Statement string `json:"statement"`
	// as reports show it; empty: the run did not select the rule
	Before record.Verdict `json:"before,omitempty"`
	After  record.Verdict `json:"after,omitempty"`
	Judged Verdict        `json:"judged"` // the judgement of the change
	// headline of the defect that the second run found, or no longer found
	Message string `json:"message,omitempty"`
}

func (r *Comparison) compareConformance(before, after recorded.Run) {
	a, b := before.Conformance, after.Conformance
	old, now := digest.RulesByID(a.Rules), digest.RulesByID(b.Rules)
	c := &ConformanceComparison{
		Before: a.Counts, After: b.Counts, Changes: []RuleChange{}, Violated: []string{},
		Warned: []string{}, Observations: observationChanges(a.Observations, b.Observations, old, now),
	}
	r.Conformance = c
	headlines := [2]map[string]string{headlinesByRule(a), headlinesByRule(b)}
	for _, is := range b.Rules {
		was, known := old[is.ID]
		if known {
			c.Compared++
		}
		switch change := newRuleChange(was, is, headlines); {
		case change.Before != change.After:
			c.Changes = append(c.Changes, change)
		case change.After == record.VerdictFail:
			c.Violated = append(c.Violated, is.ID)
		case change.After == record.VerdictWarning:
			c.Warned = append(c.Warned, is.ID)
		}
	}
	for _, was := range a.Rules {
		if now[was.ID].ID == "" {
			c.Changes = append(c.Changes, newRuleChange(was, record.RuleResult{}, headlines))
		}
	}
	slices.SortStableFunc(c.Changes, func(x, y RuleChange) int {
		worse := slices.Index(verdictsWorstFirst, x.Judged) - slices.Index(verdictsWorstFirst, y.Judged)
		return cmp.Or(worse, x.gravity()-y.gravity(), cmp.Compare(x.ID, y.ID))
	})
	r.addConformanceNotes(a, b)
	r.Verdict, r.Reason = c.conclude()
}

// gravity orders changes of one judgement: violated security rules first, then other violations.
func (c RuleChange) gravity() int {
	switch {
	case c.After != record.VerdictFail:
		return 2
	case c.Security:
		return 0
	}
	return 1
}

// addConformanceNotes notes why verdicts may differ and what both runs found.
func (r *Comparison) addConformanceNotes(a, b record.Run) {
	note := func(applies bool, format string, args ...any) {
		if applies {
			r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
		}
	}
	note(a.Run.Partial, "the first run was interrupted: rules that it did not reach are not verified")
	note(b.Run.Partial, "the second run was interrupted: rules that it did not reach are not verified")
	note(a.Run.Depth != b.Run.Depth,
		"the first run had depth %s, the second %s: what only one run tried says nothing about "+
			"the other", cmp.Or(a.Run.Depth, "unknown"), cmp.Or(b.Run.Depth, "unknown"))
	violated, warned := r.Conformance.Violated, r.Conformance.Warned
	note(len(violated) > 0, "%s violated in both runs: %s",
		printable.Quantity(len(violated), "rule"), joinFirstFew(violated))
	note(len(warned) > 0, "%s in both runs: %s", printable.Quantity(len(warned), "warning"),
		joinFirstFew(warned))
	x, y := a.Run.Version, b.Run.Version
	note(x != y && x != "" && y != "",
		"gateassay %s made the first run and %s the second: their verdicts and "+
			"observations may differ for that reason alone", printable.Clean(x), printable.Clean(y))
}

// headlinesByRule returns the headline of the defect that each rule shows.
func headlinesByRule(run record.Run) map[string]string {
	found := map[string]string{}
	for _, d := range run.Defects {
		for _, id := range d.Rules {
			found[id] = d.Headline
		}
	}
	return found
}

func joinFirstFew(list []string) string { return printable.JoinFirst(list, 3, ", ") }

// newRuleChange returns the change of a rule's verdict. A rule without an ID was not selected.
// headlines are those of both runs, by rule.
func newRuleChange(was, is record.RuleResult, headlines [2]map[string]string) RuleChange {
	rule := is
	if is.ID == "" {
		rule = was
	}
	c := RuleChange{
		ID: rule.ID, Level: rule.Level, Security: rule.Security, Statement: rule.Statement,
		Before: was.DisplayVerdict(), After: is.DisplayVerdict(), Judged: VerdictChanged,
	}
	held := rule.Level != string(rules.Observe) &&
		(was.Verdict == record.VerdictPass || was.Verdict == record.VerdictWaived)
	switch {
	case was.ID == "" && c.After != record.VerdictFail: // new
	case was.ID == "":
		c.Judged = VerdictInconclusive
	case c.After == record.VerdictFail, c.After == record.VerdictWarning && held:
		c.Judged = VerdictRegression
	case held && (is.ID == "" || is.Verdict == record.VerdictNotVerified ||
		is.Verdict == record.VerdictInconclusive):
		c.Judged = VerdictInconclusive // the rule may hold or not
	case is.Verdict == record.VerdictPass:
		c.Judged = VerdictImprovement
	}
	switch {
	case is.ID != "" && is.Verdict != record.VerdictPass:
		c.Message = cmp.Or(headlines[1][is.ID], record.Headline(is))
	case is.ID != "" && was.Verdict == record.VerdictFail:
		c.Message = "no longer: " + cmp.Or(headlines[0][was.ID], record.Headline(was))
	}
	return c
}

// changeGroup is a group of rules with the same change and cause, such as one defect.
type changeGroup = digest.Group[RuleChange, RuleChange]

func groupChanges(list []RuleChange) []changeGroup {
	return digest.GroupBy(list, func(c RuleChange) RuleChange {
		return RuleChange{Message: c.Message, Judged: c.Judged, Before: c.Before, After: c.After}
	})
}

func changeIDs(list []RuleChange) (ids []string) {
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}

// changeSummary names up to three changes: groups of rules by their message, single rules by their
// ID. A change that is the only one has both.
func changeSummary(list []RuleChange) string {
	var names []string
	all := groupChanges(list)
	for _, b := range all {
		name, message := b.Items[0].ID, printable.Truncate(b.Key.Message, 120)
		if n := len(b.Items); n > 1 {
			name = fmt.Sprintf("%s (%d rules)", cmp.Or(message, name), n)
		} else if len(all) == 1 && message != "" {
			name = message + " (" + name + ")"
		}
		names = append(names, name)
	}
	return printable.JoinFirst(names, 3, "; ")
}

func (c *ConformanceComparison) conclude() (Verdict, string) {
	var texts []string
	say := func(n int, noun, what string) {
		if n > 0 {
			texts = append(texts, printable.Quantity(n, noun)+what)
		}
	}
	worse, open := c.changesJudged(VerdictRegression), c.changesJudged(VerdictInconclusive)
	switch better := c.changesJudged(VerdictImprovement); {
	case len(worse) > 0:
		fresh := map[record.Verdict][]RuleChange{}
		for _, one := range worse {
			fresh[one.After] = append(fresh[one.After], one)
		}
		say(len(fresh[record.VerdictFail]), "new violation",
			": "+changeSummary(fresh[record.VerdictFail]))
		say(len(fresh[record.VerdictWarning]), "new warning",
			": "+changeSummary(fresh[record.VerdictWarning]))
		return VerdictRegression, strings.Join(texts, "; ")
	case len(open) > 0:
		say(len(open), "rule",
			" not judged in both runs and possibly worse: "+joinFirstFew(changeIDs(open)))
		return VerdictInconclusive, texts[0]
	case c.After.Judged()+c.After.Observed == 0:
		return VerdictInconclusive, "the second run judged no rule"
	case len(better) > 0:
		say(len(better), "rule",
			" passed that did not before: "+joinFirstFew(changeIDs(better))+"; none is worse")
		return VerdictImprovement, texts[0]
	}
	say(len(c.Changes), "verdict", " changed")
	say(len(c.Observations), "observation", " changed")
	if len(texts) > 0 {
		return VerdictChanged, "no rule is worse; " + strings.Join(texts, ", ")
	}
	return VerdictSame, fmt.Sprintf("%s with the same verdicts and observations",
		printable.Quantity(c.Compared, "rule"))
}
