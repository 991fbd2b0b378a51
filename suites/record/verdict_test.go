package record_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

// judgeOne gives what becomes of one rule with these checks.
func judgeOne(t *testing.T, level rules.Level, checks ...record.Check) record.Rule {
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
		check record.Check
		want  string
	}{
		{rules.Must, record.Check{Verdict: record.Fail, Message: strings.Repeat("é", 320)}, strings.Repeat("é", 320)},
		{rules.Must, record.Check{Verdict: record.Fail, Message: strings.Repeat("é", 321)}, strings.Repeat("é", 319) +
			"…"},
		{rules.Must, record.Check{Verdict: record.Fail, Message: "first\nsecond"}, "first second"},
		{rules.Must, record.Check{Verdict: record.NotVerified, Name: "n"}, "n"},
		{rules.Must, record.Check{Verdict: record.Pass, Message: "fine"}, ""},
		{rules.Must, record.Check{Verdict: record.Observed, Message: "no row"}, "no row"},
		{rules.Must, record.Check{Verdict: record.Observed}, "its checks only observe; none of them judged it"},
		{rules.Observe, record.Check{Verdict: record.Observed, Message: "202"}, ""},
		{rules.Observe, record.Check{Verdict: record.Inconclusive, Message: "no answer"}, "no answer"},
	} {
		if got := judgeOne(t, c.level, c.check); got.Reason != c.want {
			t.Errorf("%s %+v: %q, want %q", c.level, c.check, got.Reason, c.want)
		}
	}
	if got := judgeOne(t, rules.Must); got.Reason != record.NoCheckRan || got.Verdict != record.NotVerified {
		t.Errorf("without checks: %s, %q", got.Verdict, got.Reason)
	}
}

// The sentences themselves: people and pages read them.
func TestConclusionsInWords(t *testing.T) {
	for _, c := range []struct{ want, rules string }{
		{
			"1 of 10 rules violated, 8 inconclusive, 1 not verified",
			"1 must fail, 1 must inconclusive, 2 should inconclusive, 1 must not_verified, 5 observe inconclusive",
		},
		{
			"1 of 14 rules violated, 2 warnings, 2 not verified",
			"1 must fail, 2 should fail, 4 must pass, 2 should not_verified, 5 observe observed",
		},
		{"2 of 3 rules violated, all of them security", "1 must+security fail, 1 should+security fail, 1 must pass"},
		{"2 of 3 rules violated, 1 of them security", "1 must fail, 1 should+security fail, 1 must pass"},
		{"1 rule passed", "1 must pass"},
		{"1 of 1 rule violated", "1 must fail"},
		{"2 rules passed, 3 waived", "2 must pass, 3 must waived"},
		{"2 rules passed, 1 warning", "2 must pass, 1 should fail"},
		{"0 rules passed, 1 waived", "1 must waived"},
		{"2 rules passed, 1 waived", "2 should pass, 1 should waived"},
		{
			"60 rules passed, 2 inconclusive, 3 not verified",
			"60 must pass, 2 should inconclusive, 3 should not_verified",
		},
		{
			"3 of 7 must rules could not be judged; 0 rules passed, 3 inconclusive, 4 not verified",
			"3 must inconclusive, 4 must not_verified",
		},
		{"0 rules passed, 1 not verified, 1 of them should rules", "1 should not_verified"},
		{
			"2 of 25 must rules could not be judged; 19 rules passed, 1 warning, 3 inconclusive, 4 not verified",
			"19 must pass, 2 must inconclusive, 1 should inconclusive, 1 should fail, 4 must not_verified",
		},
		{
			"interrupted: 40 rules passed, 1 inconclusive, 5 not verified",
			"40 must pass, 1 should inconclusive, 2 must not_verified, 3 should not_verified",
		},
		{
			"39 rules passed, 1 warning, 4 not verified, 2 of them must rules",
			"39 must pass, 2 must not_verified, 2 observe not_verified, 1 should fail",
		},
		{
			"only rules that are observed were selected: nothing was judged",
			"1 observe observed, 1 observe inconclusive",
		},
		{"nothing was judged and nothing observed", "2 observe not_verified"},
	} {
		if _, why := record.Conclude(some(t, c.rules), strings.HasPrefix(c.want, "interrupted")); why != c.want {
			t.Errorf("got  %s\nwant %s", why, c.want)
		}
	}
}
