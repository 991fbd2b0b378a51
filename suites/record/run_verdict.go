package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
)

// decideRunVerdict returns the verdict of a run and its reason in one sentence. The first that
// applies counts:
//
//   - violations: a must rule or a security rule failed;
//   - inconclusive: a must rule was tried and could not be judged, or no rule was selected;
//   - partial: a must rule was not verified, or the run was interrupted;
//   - passed: every must rule of a selection passed or is waived;
//   - conformant: every must rule passed or is waived.
//
// The reason contains the numbers of VerdictCounts. A selection without must rules is judged by its
// should rules. One with observe rules only is partial, because nothing in it can be judged.
func decideRunVerdict(list []RuleResult, info RunInfo) (RunVerdict, string) {
	var all VerdictCounts
	levels := map[rules.Level]*VerdictCounts{rules.Must: {}, rules.Should: {}, rules.Observe: {}}
	security := 0
	for _, r := range list {
		all.addRule(r)
		cmp.Or(levels[rules.Level(r.Level)], levels[rules.Must]).addRule(r)
		if r.Verdict == VerdictFail && r.Security {
			security++
		}
	}
	level := rules.Must
	if levels[level].Total() == 0 {
		level = rules.Should
	}
	deciding, text := *levels[level], all.summary(security)
	binding := func(n int) string { return printable.Quantity(n, string(level)+" rule") }
	switch {
	case all.Fail > 0:
		return RunViolations, text
	case deciding.Total() == 0 && all.Observed > 0:
		return RunPartlyVerified, "only rules that are observed were selected: nothing was judged"
	case deciding.Total() == 0:
		return RunNoVerdict, "nothing was judged and nothing observed"
	case deciding.Inconclusive > 0:
		return RunNoVerdict, fmt.Sprintf("%d of %s could not be judged; ", deciding.Inconclusive,
			binding(deciding.Total())) + text
	case info.Partial:
		return RunPartlyVerified, "interrupted: " + text
	case deciding.NotVerified > 0:
		return RunPartlyVerified, text + ", among them " + binding(deciding.NotVerified)
	case info.Selected.IsPartial():
		return RunSelectionPassed, text
	}
	return RunConformant, text
}

// summary returns the number of verified rules and of each verdict. The numbers add up.
func (c VerdictCounts) summary(security int) string {
	violated, warnings := "violated", "warnings"
	if security > 0 {
		violated = fmt.Sprintf("violated (%d security)", security)
	}
	if c.Warn == 1 {
		warnings = "warning"
	}
	some := func(list ...any) string { // joins numbers and their words, without zeros
		var texts []string
		for i := 0; i < len(list); i += 2 {
			if list[i] != 0 {
				texts = append(texts, fmt.Sprint(list[i], " ", list[i+1]))
			}
		}
		return strings.Join(texts, ", ")
	}
	text := fmt.Sprintf("%d of %s verified", c.verified(), printable.Quantity(c.Total(), "rule"))
	if verified := some(c.Fail, violated, c.Warn, warnings, c.Waived, "waived", c.Pass, "passed",
		c.Observed, "observed"); verified != "" {
		text += ": " + verified
	}
	if open := some(c.Inconclusive, "inconclusive", c.NotVerified, "not verified"); open != "" {
		text += "; " + open
	}
	return text
}

// ExitCode returns the exit code of a run: 130 if it was interrupted; 1 for violations, and for
// warnings of a strict run; 3 without a verdict, and for an unverified must rule if complete is
// set; 0 otherwise.
func ExitCode(run Run, complete bool) int {
	switch {
	case run.Run.Partial:
		return 130
	case run.Verdict == RunViolations, run.Run.Strict && CountVerdicts(run.Rules).Warn > 0:
		return 1
	case !slices.Contains([]RunVerdict{RunConformant, RunSelectionPassed, RunPartlyVerified},
		run.Verdict),
		complete && slices.ContainsFunc(run.Rules, RuleResult.IsUndecided):
		return 3
	}
	return 0
}
