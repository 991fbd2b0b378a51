package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

// some returns rules described as in "3 must pass, 1 should+security fail".
func some(t *testing.T, text string) (list []RuleResult) {
	t.Helper()
	for part := range strings.SplitSeq(text, ", ") {
		var n int
		var level, verdict string
		if _, err := fmt.Sscan(part, &n, &level, &verdict); text != "" && err != nil {
			t.Fatalf("%s: %v", part, err)
		}
		level, _, secure := strings.Cut(level, "+")
		for range n {
			list = append(list,
				RuleResult{ID: "a", Level: level, Security: secure, Verdict: Verdict(verdict)})
		}
	}
	return list
}

// Expected verdict and reason of a run; an empty reason is not compared.
func TestConclude(t *testing.T) {
	const sound, violated, partly, open = RunConformant, RunViolations, RunPartlyVerified, RunNoVerdict
	for _, c := range []struct {
		want       RunVerdict
		why, rules string
		partial    bool
	}{
		{sound, "1 of 1 rule verified: 1 passed", "1 must pass", false},
		{
			sound, "4 of 4 rules verified: 1 waived, 3 passed", "3 must pass, 1 should+security waived",
			false,
		},
		{
			sound, "60 of 65 rules verified: 60 passed; 2 inconclusive, 3 not verified",
			"60 must pass, 2 should inconclusive, 3 should not_verified", false,
		},
		{sound, "2 of 2 rules verified: 2 warnings", "2 should fail", false},
		{
			violated, "1 of 10 rules verified: 1 violated; 8 inconclusive, 1 not verified",
			"1 must fail, 1 must inconclusive, 2 should inconclusive, 1 must not_verified, 5 observe " +
				"inconclusive",
			false,
		},
		{
			violated, "3 of 3 rules verified: 2 violated (2 security), 1 passed",
			"1 must+security fail, 1 should+security fail, 1 must pass", false,
		},
		{
			violated, "3 of 3 rules verified: 2 violated (1 security), 1 passed",
			"1 must fail, 1 should+security fail, 1 must pass", false,
		},
		{violated, "", "9 must not_verified, 1 must fail", true},
		{
			partly, "interrupted: 40 of 46 rules verified: 40 passed; 1 inconclusive, 5 not verified",
			"40 must pass, 1 should inconclusive, 2 must not_verified, 3 should not_verified", true,
		},
		{partly, "0 of 1 rule verified; 1 not verified, among them 1 should " +
			"rule", "1 should not_verified", false},
		{
			partly, "40 of 44 rules verified: 1 warning, 39 passed; 4 not verified, among them 2 must rules",
			"39 must pass, 2 must not_verified, 2 observe not_verified, 1 should fail", false,
		},
		{partly, "", "1 must not_verified, 9 should pass", false},
		{
			partly, "only rules that are observed were selected: nothing was judged",
			"1 observe observed, 1 observe inconclusive", false,
		},
		{
			open,
			"2 of 25 must rules could not be judged; 20 of 27 rules verified: 1 warning, 19 passed; 3 " +
				"inconclusive, 4 not verified",
			"19 must pass, 2 must inconclusive, 1 should inconclusive, 1 should fail, 4 must not_verified",
			false,
		},
		{open, "", "3 must pass, 1 must inconclusive", true},
		{open, "", "2 should inconclusive", false},
		{open, "nothing was judged and nothing observed", "2 observe not_verified", false},
	} {
		got, why := decideRunVerdict(some(t, c.rules), RunInfo{Partial: c.partial})
		if chosen, same := decideRunVerdict(some(t, c.rules),
			RunInfo{Partial: c.partial, Selected: RuleSelection{Selected: 1, Total: 2}}); same != why ||
			chosen != got && (got != sound || chosen != RunSelectionPassed) {
			t.Errorf("%s: a selection is %s, %q", c.rules, chosen, same)
		}
		if got != c.want || why == "" || c.why != "" && why != c.why {
			t.Errorf("%s: %s, %q, want %s, %q", c.rules, got, why, c.want, c.why)
		}
	}
}

func TestExitCode(t *testing.T) {
	const open, warned = "1 must pass, 1 must not_verified", "1 must pass, 1 should fail"
	for _, c := range []struct {
		outcome  RunVerdict
		rules    string
		partial  bool
		complete bool
		strict   bool
		want     int
	}{
		{RunConformant, "", false, false, false, 0},
		{RunSelectionPassed, "1 must pass", false, true, false, 0},
		{RunConformant, warned, false, true, false, 0},
		{RunConformant, warned, false, false, true, 1},
		{RunConformant, "1 must pass", false, false, true, 0},
		{RunNoVerdict, warned + ", 1 must inconclusive", false, true, true, 1},
		{RunPartlyVerified, open, false, false, true, 0},
		{RunPartlyVerified, open, false, true, false, 3},
		{RunConformant, "1 should not_verified", false, true, true, 0},
		{RunViolations, open, false, true, false, 1},
		{RunNoVerdict, "", false, false, false, 3},
		{"", "", false, false, false, 3},
		{RunViolations, "", true, false, true, 130},
		{RunPartlyVerified, "", true, true, false, 130},
	} {
		run := Run{Verdict: c.outcome, Rules: some(t, c.rules)}
		run.Run.Partial, run.Run.Strict = c.partial, c.strict
		testmust.Equal(t, ExitCode(run, c.complete), c.want, c, "exit code")
	}
}
