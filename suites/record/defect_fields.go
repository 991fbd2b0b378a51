package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/outcome"
)

// nameFieldsAlike groups rules that state the same of different fields of a creation if all of them
// that were judged failed alike: what checks one of the fields checks the others, too.
func (s defectGrouping) nameFieldsAlike() {
	alike := map[string][]RuleResult{}
	for _, r := range s.all {
		isJudged := r.Verdict == VerdictFail || r.Verdict == VerdictPass || r.Verdict == VerdictWaived
		if id, ofField := idWithoutField(r.ID); ofField && isJudged {
			alike[id] = append(alike[id], r)
		}
	}
	for _, group := range alike {
		differs := func(r RuleResult) bool {
			return r.Verdict != VerdictFail || s.hasHeadline(r.ID) ||
				!slices.Equal(checkEnds(r), checkEnds(group[0]))
		}
		if len(group) < 2 || slices.ContainsFunc(group, differs) ||
			slices.Contains(FailedOutcomes(group[0]), outcome.ServerError) { // grouped by topic
			continue
		}
		for _, r := range group {
			s.headlines[r.ID] = fmt.Sprintf("%s, %d fields alike", Headline(group[0]), len(group))
		}
	}
}

// checkEnd is how a check ended.
type checkEnd struct {
	verdict Verdict
	outcome outcome.Outcome
	status  int
}

func checkEnds(r RuleResult) (all []checkEnd) {
	for _, c := range r.Checks {
		all = append(all, checkEnd{c.Verdict, c.Outcome, c.Status})
	}
	return all
}

// idWithoutField replaces the field in the ID of a rule on one field of a creation.
func idWithoutField(id string) (without string, ofField bool) {
	parts := strings.SplitN(id, ".", 4)
	if len(parts) < 3 || parts[0] != "create" ||
		!slices.Contains(creationfields.Names(), parts[2]) {
		return "", false
	}
	parts[2] = "*"
	return strings.Join(parts, "."), true
}
