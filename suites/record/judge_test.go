package record

import (
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
