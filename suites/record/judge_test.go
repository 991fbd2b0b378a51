package record

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestARuleIsAsBadAsItsWorstCheck(t *testing.T) {
	const p, f, i, n, o = VerdictPass, VerdictFail, VerdictInconclusive, VerdictNotVerified, VerdictObserved
	for _, c := range []struct {
		level  rules.Level
		checks []Verdict
		want   Verdict
	}{
		{rules.Must, nil, n},
		{rules.Must, []Verdict{p}, p},
		{rules.Must, []Verdict{p, n}, n},
		{rules.Must, []Verdict{n, i, p}, i},
		{rules.Must, []Verdict{i, f, n}, f},
		{rules.Must, []Verdict{p, "surprise"}, i},
		{rules.Must, []Verdict{o}, n},
		{rules.Must, []Verdict{o, p}, p},
		{rules.Should, []Verdict{p, f}, f},
		{rules.Observe, []Verdict{o}, o},
		{rules.Observe, []Verdict{f}, o},
		{rules.Observe, []Verdict{i, o}, o},
		{rules.Observe, []Verdict{i}, i},
		{rules.Observe, nil, n},
	} {
		var checks []CheckResult
		for _, v := range c.checks {
			checks = append(checks,
				CheckResult{Rule: "a.b", Name: string(v), Verdict: v, Message: "because " +
					string(v)})
		}
		got, _, counts := judge([]rules.Rule{{ID: "a.b", Level: c.level}}, checks, nil, noon)
		if len(got) != 1 || got[0].Verdict != c.want {
			t.Errorf("%s with %v: got %+v, want %s", c.level, c.checks, got, c.want)
			continue
		}
		var want VerdictCounts
		want.addRule(RuleResult{Level: string(c.level), Verdict: c.want})
		if counts != want {
			t.Errorf("%s with %v: counts %+v", c.level, c.checks, counts)
		}
		if clear := c.want == p || c.want == o; clear != (got[0].Reason == "") {
			t.Errorf("%s with %v: reason %q", c.level, c.checks, got[0].Reason)
		}
		if len(got[0].Checks) != len(c.checks) {
			t.Errorf("%s with %v: %d checks kept", c.level, c.checks, len(got[0].Checks))
		}
	}
}

// judgeOne judges one rule with these checks.
func judgeOne(t *testing.T, level rules.Level, checks ...CheckResult) RuleResult {
	t.Helper()
	for i := range checks {
		checks[i].Rule = "a.b"
	}
	judged, _, _ := judge([]rules.Rule{{ID: "a.b", Level: level}}, checks, nil, noon)
	if len(judged) != 1 {
		t.Fatalf("%d rules", len(judged))
	}
	return judged[0]
}

func TestReasons(t *testing.T) {
	for _, c := range []struct {
		level rules.Level
		check CheckResult
		want  string
	}{
		{
			rules.Must,
			CheckResult{Verdict: VerdictFail, Message: strings.Repeat("é", 320)},
			strings.Repeat("é", 320),
		},
		{
			rules.Must,
			CheckResult{Verdict: VerdictFail, Message: strings.Repeat("é", 321)},
			strings.Repeat("é", 319) +
				"…",
		},
		{rules.Must, CheckResult{Verdict: VerdictFail, Message: "first\nsecond"}, "first second"},
		{rules.Must, CheckResult{Verdict: VerdictNotVerified, Name: "n"}, "n"},
		{rules.Must, CheckResult{Verdict: VerdictPass, Message: "fine"}, ""},
		{rules.Must, CheckResult{Verdict: VerdictObserved, Message: "no row"}, "no row"},
		{rules.Must, CheckResult{Verdict: VerdictObserved}, "its checks only observe; none of " +
			"them judged it"},
		{rules.Observe, CheckResult{Verdict: VerdictObserved, Message: "202"}, ""},
		{rules.Observe, CheckResult{Verdict: VerdictInconclusive, Message: "no answer"}, "no answer"},
	} {
		testmust.Equal(t, judgeOne(t, c.level, c.check).Reason, c.want, c.level, c.check)
	}
	if got := judgeOne(t, rules.Must); got.Reason != noCheckRan || got.Verdict != VerdictNotVerified {
		t.Errorf("without checks: %s, %q", got.Verdict, got.Reason)
	}
}

func TestAViolationOfARuleOutsideTheCatalogueIsKept(t *testing.T) {
	got, _, counts := judge(nil,
		[]CheckResult{{Rule: "mistyped.rule", Verdict: VerdictFail}}, nil, noon)
	if len(got) != 1 || got[0].ID != "mistyped.rule" || got[0].Verdict != VerdictFail ||
		counts.Fail != 1 {
		t.Fatalf("got %+v, %+v", got, counts)
	}
}

func TestWaivers(t *testing.T) {
	catalogue := []rules.Rule{
		{ID: "a.required.x", Level: rules.Must},
		{ID: "a.required.y", Level: rules.Must},
		{ID: "b.ok", Level: rules.Must},
		{ID: "b.open", Level: rules.Must},
	}
	checks := []CheckResult{
		{Rule: "a.required.x", Verdict: VerdictFail},
		{Rule: "a.required.y", Verdict: VerdictPass},
		{Rule: "b.ok", Verdict: VerdictPass},
		{Rule: "b.open", Verdict: VerdictNotVerified},
	}
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		rule    string
		until   time.Time
		state   string
		verdict Verdict // of a.required.x
	}{
		{"a.required.*", day(30), WaiverInUse, VerdictWaived},
		{"a.required.x", day(20), WaiverInUse, VerdictWaived}, // its last day
		{"a.required.x", day(19), WaiverExpired, VerdictFail},
		{"a.required.x", time.Time{}, WaiverExpired, VerdictFail},
		{"a.required.y", day(30), WaiverNotNeeded, VerdictFail},
		{"b.*", day(30), WaiverUndecided, VerdictFail},
		{"a.require", day(30), WaiverUnknown, VerdictFail},
	} {
		got, notes, counts := judge(catalogue, checks,
			[]deployment.Waiver{{Rule: c.rule, Reason: "why", Until: c.until}}, noon)
		if len(notes) != 1 || notes[0].State != c.state || notes[0].Reason != "why" {
			t.Errorf("%s until %s: notes %+v, want %s", c.rule, c.until, notes, c.state)
		}
		if got[0].Verdict != c.verdict || (got[0].Waiver != nil) != (c.verdict == VerdictWaived) {
			t.Errorf("%s until %s: rule %+v", c.rule, c.until, got[0])
		}
		if counts.Fail+counts.Waived != 1 {
			t.Errorf("%s: counts %+v", c.rule, counts)
		}
	}
	both := []deployment.Waiver{{Rule: "a.*", Until: day(30)}, {Rule: "a.required.x", Until: day(30)}}
	if _, notes, _ := judge(catalogue, checks, both, noon); notes[0].State != WaiverInUse ||
		notes[1].State != WaiverInUse {
		t.Errorf("two waivers of one failure: %+v", notes)
	}
}

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
