package record

import (
	"slices"

	"github.com/gateassay/gateassay/internal/knownfaults"
	"github.com/gateassay/gateassay/internal/outcome"
)

// FailedOutcomes returns the outcomes of the failed checks of a rule, sorted, each once.
func FailedOutcomes(r RuleResult) (ends []outcome.Outcome) {
	for _, c := range failedChecks(r) {
		if !slices.Contains(ends, c.Outcome) {
			ends = append(ends, c.Outcome)
		}
	}
	slices.Sort(ends)
	return ends
}

// FailsPartly reports whether some checks of a rule passed.
func FailsPartly(r RuleResult) bool {
	return slices.ContainsFunc(r.Checks,
		func(c CheckResult) bool { return c.Verdict == VerdictPass })
}

// isExplained reports whether a fault explains that a rule failed: it breaks the rule, as much of it
// and by the same cause. Where all checks failed and the fault breaks some, there is more than the
// fault.
func isExplained(f knownfaults.Fault, r RuleResult) bool {
	c, _ := DecisiveCheck(r)
	return f.Outcomes[r.ID] != nil && FailsPartly(r) == slices.Contains(f.Partly, r.ID) &&
		c.Cause == f.Causes[r.ID]
}

// isPartOf reports whether a rule failed in part, and as a fault breaks it whole. It shows no other
// fault, and may get the headline of one that other rules prove.
func isPartOf(f knownfaults.Fault, r RuleResult) bool {
	c, _ := DecisiveCheck(r)
	ends := f.Outcomes[r.ID]
	return len(ends) > 0 && FailsPartly(r) && c.Cause == f.Causes[r.ID] &&
		!slices.ContainsFunc(FailedOutcomes(r),
			func(o outcome.Outcome) bool { return !slices.Contains(ends, o) })
}

// isElsewhere reports whether a rule that a fault breaks has another topic than the one that leads.
func isElsewhere(f knownfaults.Fault, rule string) bool {
	return !slices.Equal(ruleTopic(RuleResult{ID: rule}), ruleTopic(RuleResult{ID: f.LeadRule}))
}

// nameKnownFaults gives headlines by the fewest faults of the dictionary that explain the failed
// rules. A fault explains them if every rule that it breaks failed with the same outcomes or was
// not judged. It explains them in part, as where one operation has the fault, if all of its topic
// failed in part. The dictionary holds the faults of the reference
// gateway, so that package proof finds one headline for each; a real deployment gets such a headline
// if it fails in the same way.
func (s defectGrouping) nameKnownFaults() {
	s.nameFaultsThat(isExplained, 2, false)
	s.nameFaultsThat(isPartOf, 4, true)
}

// nameFaultsThat gives headlines by the faults that explain least or more of the failed rules, of all
// topics or, inPart, of the topic that leads.
func (s defectGrouping) nameFaultsThat(
	explains func(f knownfaults.Fault, r RuleResult) bool, least int, inPart bool,
) {
	judged := map[string]RuleResult{}
	for _, r := range s.all {
		if r.Verdict == VerdictFail || r.Verdict == VerdictPass || r.Verdict == VerdictWaived {
			judged[r.ID] = r
		}
	}
	for {
		var best knownfaults.Fault
		most, unsure := least-1, 0
		for _, f := range knownfaults.All() {
			explained, open := s.countExplained(f, judged, explains, inPart)
			if explained > most || explained == most && open < unsure {
				best, most, unsure = f, explained, open
			}
		}
		if most < least {
			return
		}
		group := slices.DeleteFunc(slices.Clone(s.failed),
			func(r RuleResult) bool {
				return s.hasHeadline(r.ID) || !explains(best, r) && !isPartOf(best, r)
			})
		if best.Description != "" {
			s.setHeadline(group, Finding{Cause: best.Description})
			continue
		}
		lead := max(0, slices.IndexFunc(group, func(r RuleResult) bool { return r.ID == best.LeadRule }))
		s.shareHeadline(group, group[lead])
	}
}

// countExplained returns how many rules without a headline a fault explains, and how many rules
// that it breaks were not judged. It returns 0, 0 if a judged rule contradicts the fault, if its
// lead rule did not fail, or if most of its rules were not judged.
func (s defectGrouping) countExplained(
	f knownfaults.Fault, judged map[string]RuleResult,
	explains func(f knownfaults.Fault, r RuleResult) bool, inPart bool,
) (explained, open int) {
	if judged[f.LeadRule].Verdict != VerdictFail {
		return 0, 0
	}
	for id, ends := range f.Outcomes {
		r, known := judged[id]
		switch {
		case inPart && isElsewhere(f, id):
		case !known:
			open++
		case r.Verdict == VerdictPass, len(ends) > 0 && slices.ContainsFunc(FailedOutcomes(r),
			func(b outcome.Outcome) bool { return !slices.Contains(ends, b) }):
			return 0, 0
		case r.Verdict == VerdictFail && !s.hasHeadline(id) && explains(f, r):
			explained++
		}
	}
	if 2*open > len(f.Outcomes) {
		return 0, 0
	}
	return explained, open
}
