package record_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestARuleIsAsBadAsItsWorstCheck(t *testing.T) {
	const p, f, i, n, o = record.VerdictPass, record.VerdictFail, record.VerdictInconclusive, record.VerdictNotVerified, record.VerdictObserved
	for _, c := range []struct {
		level  rules.Level
		checks []record.Verdict
		want   record.Verdict
	}{
		{rules.Must, nil, n},
		{rules.Must, []record.Verdict{p}, p},
		{rules.Must, []record.Verdict{p, n}, n},
		{rules.Must, []record.Verdict{n, i, p}, i},
		{rules.Must, []record.Verdict{i, f, n}, f},
		{rules.Must, []record.Verdict{p, "surprise"}, i},
		{rules.Must, []record.Verdict{o}, n},
		{rules.Must, []record.Verdict{o, p}, p},
		{rules.Should, []record.Verdict{p, f}, f},
		{rules.Observe, []record.Verdict{o}, o},
		{rules.Observe, []record.Verdict{f}, o},
		{rules.Observe, []record.Verdict{i, o}, o},
		{rules.Observe, []record.Verdict{i}, i},
		{rules.Observe, nil, n},
	} {
		var checks []record.CheckResult
		for _, v := range c.checks {
			checks = append(checks,
				record.CheckResult{Rule: "a.b", Name: string(v), Verdict: v, Message: "because " +
					string(v)})
		}
		got, _, counts := record.Judge([]rules.Rule{{ID: "a.b", Level: c.level}}, checks, nil, noon)
		if len(got) != 1 || got[0].Verdict != c.want {
			t.Errorf("%s with %v: got %+v, want %s", c.level, c.checks, got, c.want)
			continue
		}
		var want record.VerdictCounts
		want.AddRule(record.RuleResult{Level: string(c.level), Verdict: c.want})
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

// judgeOne gives what becomes of one rule with these checks.
func judgeOne(t *testing.T, level rules.Level, checks ...record.CheckResult) record.RuleResult {
	t.Helper()
	for i := range checks {
		checks[i].Rule = "a.b"
	}
	judged, _, _ := record.Judge([]rules.Rule{{ID: "a.b", Level: level}}, checks, nil, noon)
	if len(judged) != 1 {
		t.Fatalf("%d rules", len(judged))
	}
	return judged[0]
}

func TestReasons(t *testing.T) {
	for _, c := range []struct {
		level rules.Level
		check record.CheckResult
		want  string
	}{
		{
			rules.Must,
			record.CheckResult{Verdict: record.VerdictFail, Message: strings.Repeat("é", 320)},
			strings.Repeat("é",
				320),
		},
		{
			rules.Must,
			record.CheckResult{Verdict: record.VerdictFail, Message: strings.Repeat("é", 321)},
			strings.Repeat("é", 319) +
				"…",
		},
		{rules.Must, record.CheckResult{Verdict: record.VerdictFail, Message: "first\nsecond"}, "first second"},
		{rules.Must, record.CheckResult{Verdict: record.VerdictNotVerified, Name: "n"}, "n"},
		{rules.Must, record.CheckResult{Verdict: record.VerdictPass, Message: "fine"}, ""},
		{rules.Must, record.CheckResult{Verdict: record.VerdictObserved, Message: "no row"}, "no row"},
		{rules.Must, record.CheckResult{Verdict: record.VerdictObserved}, "its checks only observe; none of " +
			"them judged it"},
		{rules.Observe, record.CheckResult{Verdict: record.VerdictObserved, Message: "202"}, ""},
		{rules.Observe, record.CheckResult{Verdict: record.VerdictInconclusive, Message: "no answer"}, "no answer"},
	} {
		if got := judgeOne(t, c.level, c.check); got.Reason != c.want {
			t.Errorf("%s %+v: %q, want %q", c.level, c.check, got.Reason, c.want)
		}
	}
	if got := judgeOne(t, rules.Must); got.Reason != record.NoCheckRan ||
		got.Verdict != record.VerdictNotVerified {
		t.Errorf("without checks: %s, %q", got.Verdict, got.Reason)
	}
}

func TestAViolationOfARuleOutsideTheCatalogueIsKept(t *testing.T) {
	got, _, counts := record.Judge(nil,
		[]record.CheckResult{{Rule: "mistyped.rule", Verdict: record.VerdictFail}}, nil, noon)
	if len(got) != 1 || got[0].ID != "mistyped.rule" || got[0].Verdict != record.VerdictFail ||
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
	checks := []record.CheckResult{
		{Rule: "a.required.x", Verdict: record.VerdictFail},
		{Rule: "a.required.y", Verdict: record.VerdictPass},
		{Rule: "b.ok", Verdict: record.VerdictPass},
		{Rule: "b.open", Verdict: record.VerdictNotVerified},
	}
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		rule    string
		until   time.Time
		state   string
		verdict record.Verdict // of a.required.x
	}{
		{"a.required.*", day(30), record.WaiverInUse, record.VerdictWaived},
		{"a.required.x", day(20), record.WaiverInUse, record.VerdictWaived}, // its last day
		{"a.required.x", day(19), record.WaiverExpired, record.VerdictFail},
		{"a.required.x", time.Time{}, record.WaiverExpired, record.VerdictFail},
		{"a.required.y", day(30), record.WaiverNotNeeded, record.VerdictFail},
		{"b.*", day(30), record.WaiverUndecided, record.VerdictFail},
		{"a.require", day(30), record.WaiverUnknown, record.VerdictFail},
	} {
		got, notes, counts := record.Judge(catalogue, checks,
			[]deployment.Waiver{{Rule: c.rule, Reason: "why", Until: c.until}}, noon)
		if len(notes) != 1 || notes[0].State != c.state || notes[0].Reason != "why" {
			t.Errorf("%s until %s: notes %+v, want %s", c.rule, c.until, notes, c.state)
		}
		if got[0].Verdict != c.verdict || (got[0].Waiver != nil) != (c.verdict == record.VerdictWaived) {
			t.Errorf("%s until %s: rule %+v", c.rule, c.until, got[0])
		}
		if counts.Fail+counts.Waived != 1 {
			t.Errorf("%s: counts %+v", c.rule, counts)
		}
	}
	both := []deployment.Waiver{{Rule: "a.*", Until: day(30)}, {Rule: "a.required.x", Until: day(30)}}
	if _, notes, _ := record.Judge(catalogue, checks, both, noon); notes[0].State != record.WaiverInUse ||
		notes[1].State != record.WaiverInUse {
		t.Errorf("two waivers of one failure: %+v", notes)
	}
}

func TestAFilteredRunDropsWaiversOfOtherRulesOnly(t *testing.T) {
	whole := []rules.Rule{{ID: "a.x"}, {ID: "b.y"}}
	kept := record.WaiversInScope([]deployment.Waiver{{Rule: "a.*"}, {Rule: "b.y"}, {Rule: "nowhere"}},
		whole[:1], whole)
	if len(kept) != 2 || kept[0].Rule != "a.*" || kept[1].Rule != "nowhere" {
		t.Fatalf("kept %+v", kept)
	}
}
