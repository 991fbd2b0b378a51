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
