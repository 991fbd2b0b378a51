package record

import (
	"fmt"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Conclude gives the verdict of a run and the reason for it in one sentence.
//
//   - violations: a must or should rule failed, whatever else happened;
//   - inconclusive: no must rule passed or is waived, or more than 5 % of the judged must and should rules are
//     inconclusive, so that the rest says little about the deployment;
//   - partial: none failed, and a must rule stayed unverified or the run was interrupted;
//   - conformant: every must rule passed or is waived. Should rules that stayed unverified are named in the reason.
//
// A selection without must rules is concluded from its should rules, and one of observe rules alone is partial, as
// nothing in it can be judged.
func Conclude(list []Rule, partial bool) (Outcome, string) {
	var must, should, seen Counts
	for _, r := range list {
		switch r.Level {
		case string(rules.Observe):
			seen.Add(r.Verdict)
		case string(rules.Should):
			should.Add(r.Verdict)
		default:
			must.Add(r.Verdict)
		}
	}
	failed, inconclusive := must.Fail+should.Fail, must.Inconclusive+should.Inconclusive
	judged, total := must.Judged()+should.Judged(), must.Total()+should.Total()
	deciding, level := must, "must"
	if must.Total() == 0 {
		deciding, level = should, "should"
	}
	open := deciding.NotVerified + deciding.Inconclusive
	switch {
	case failed > 0:
		return Violations, fmt.Sprintf("%d of %s violated", failed, quantity(total, "rule")) + undecided(inconclusive, must.NotVerified+should.NotVerified)
	case total == 0 && seen.Observed > 0:
		return Partial, "only rules that are observed were selected: nothing was judged"
	case total == 0:
		return NoVerdict, "nothing was judged and nothing observed"
	case deciding.Pass+deciding.Waived == 0:
		return NoVerdict, fmt.Sprintf("none of %s passed: %d inconclusive, %d not verified",
			quantity(deciding.Total(), level+" rule"), deciding.Inconclusive, deciding.NotVerified)
	case inconclusive*20 > judged:
		return NoVerdict, fmt.Sprintf("%d of %s inconclusive, more than 5 %%", inconclusive, quantity(judged, "judged rule"))
	case partial:
		return Partial, fmt.Sprintf("interrupted: %s not verified, %d inconclusive, none of the others failed", quantity(must.NotVerified+should.NotVerified, "rule"), inconclusive)
	case open > 0:
		return Partial, fmt.Sprintf("no rule failed, %d of %s unverified", open, quantity(deciding.Total(), level+" rule"))
	}
	why := fmt.Sprintf("%s passed", quantity(deciding.Pass, level+" rule"))
	if deciding.Waived > 0 {
		why += fmt.Sprintf(", %d waived", deciding.Waived)
	}
	if left := should.NotVerified + should.Inconclusive; left > 0 && level == "must" {
		why += fmt.Sprintf("; %s unverified", quantity(left, "should rule"))
	}
	return Conformant, why
}

// undecided tells how many rules may hide further violations.
func undecided(inconclusive, notVerified int) string {
	text := ""
	if inconclusive > 0 {
		text += fmt.Sprintf(", %d inconclusive", inconclusive)
	}
	if notVerified > 0 {
		text += fmt.Sprintf(", %d not verified", notVerified)
	}
	return text
}

func quantity(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// ExitCode is the exit code of a run: 130 when it was interrupted, 1 for violations, 3 without a verdict and, where
// complete is asked for, when a must rule stayed unverified, else 0.
func ExitCode(run Run, complete bool) int {
	switch {
	case run.Run.Partial:
		return 130
	case run.Verdict == Violations:
		return 1
	case run.Verdict != Conformant && run.Verdict != Partial:
		return 3
	case complete && unverified(run.Rules):
		return 3
	}
	return 0
}

func unverified(list []Rule) bool {
	for _, r := range list {
		if r.Level == string(rules.Must) && (r.Verdict == NotVerified || r.Verdict == Inconclusive) {
			return true
		}
	}
	return false
}
