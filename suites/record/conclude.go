package record

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/rules"
)

// Conclude gives the verdict of a run and the reason for it in one sentence. The first that applies counts:
//
//   - violations: a must rule or a security rule failed;
//   - inconclusive: a must rule was tried and could not be judged, or no rule was selected;
//   - partial: a must rule stayed unverified, or the run was interrupted;
//   - conformant: every must rule passed or is waived.
//
// The numbers in the reason are those of Counts. A selection without must rules is concluded from its should rules, and
// one of observe rules alone is partial, as nothing in it can be judged.
func Conclude(list []Rule, partial bool) (Outcome, string) {
	var all Counts
	levels := map[rules.Level]*Counts{rules.Must: {}, rules.Should: {}, rules.Observe: {}}
	security := 0
	for _, r := range list {
		all.Add(r)
		cmp.Or(levels[rules.Level(r.Level)], levels[rules.Must]).Add(r)
		if r.Verdict == Fail && r.Security {
			security++
		}
	}
	level := rules.Must
	if levels[level].Total() == 0 {
		level = rules.Should
	}
	deciding := *levels[level]
	plus := func(n int, what string) string { // where there is one
		if n == 0 {
			return ""
		}
		return fmt.Sprintf(", %d %s", n, what)
	}
	warnings := "warnings"
	if all.Warn == 1 {
		warnings = "warning"
	}
	rest := plus(all.Waived, "waived") + plus(all.Warn, warnings) + plus(all.Inconclusive, "inconclusive") +
		plus(all.NotVerified, "not verified")
	passed := printable.Quantity(all.Pass, "rule") + " passed"
	switch {
	case all.Fail > 0:
		return Violations, fmt.Sprintf("%d of %s violated", all.Fail, printable.Quantity(all.Total(), "rule")) +
			plus(security, "of them security") + rest
	case deciding.Total() == 0 && all.Observed > 0:
		return Partial, "only rules that are observed were selected: nothing was judged"
	case deciding.Total() == 0:
		return NoVerdict, "nothing was judged and nothing observed"
	case deciding.Inconclusive > 0:
		return NoVerdict, fmt.Sprintf("%d of %s could not be judged; ", deciding.Inconclusive,
			printable.Quantity(deciding.Total(), string(level)+" rule")) + passed + rest
	case partial:
		return Partial, "interrupted: " + passed + rest
	case deciding.NotVerified > 0:
		return Partial, passed + rest + plus(deciding.NotVerified, "of them "+string(level)+" rules")
	}
	return Conformant, passed + rest
}

// ExitCode is the exit code of a run: 130 when it was interrupted, 1 for violations and, in a strict run, for warnings,
// 3 without a verdict and, where complete, when a must rule stayed unverified, else 0.
func ExitCode(run Run, complete bool) int {
	switch {
	case run.Run.Partial:
		return 130
	case run.Verdict == Violations, run.Run.Strict && Count(run.Rules).Warn > 0:
		return 1
	case run.Verdict != Conformant && run.Verdict != Partial, complete && slices.ContainsFunc(run.Rules, Rule.Open):
		return 3
	}
	return 0
}
