package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/suites/record"
)

// some makes rules of what is written as "3 must pass, 1 should+security fail".
func some(t *testing.T, text string) (list []record.Rule) {
	t.Helper()
	for part := range strings.SplitSeq(text, ", ") {
		var n int
		var level, verdict string
		if _, err := fmt.Sscan(part, &n, &level, &verdict); text != "" && err != nil {
			t.Fatalf("%s: %v", part, err)
		}
		level, _, secure := strings.Cut(level, "+")
		for range n {
			list = append(list, record.Rule{ID: "a", Level: level, Security: secure, Verdict: record.Verdict(verdict)})
		}
	}
	return list
}

func TestConclude(t *testing.T) {
	const sound, violated, partly, open = record.Conformant, record.Violations, record.Partial, record.NoVerdict
	for _, c := range []struct {
		name    string
		rules   string
		partial bool
		want    record.Outcome
		why     string
	}{
		{"all passed", "3 must pass", false, sound, "3 rules passed"},
		{"passed or waived", "2 must pass, 1 must waived", false, sound, "1 waived"},
		{"a should rule not verified", "2 must pass, 1 should not_verified", false, sound, "1 not verified"},
		{"a should rule inconclusive", "2 must pass, 9 should inconclusive", false, sound, "9 inconclusive"},
		{"all passed, but interrupted", "3 must pass", true, partly, "interrupted"},
		{"a must rule fails", "300 must pass, 1 must fail", false, violated, "1 of 301 rules violated"},
		{"a should rule fails", "3 must pass, 1 should fail", false, sound, "1 warning"},
		{"a security rule fails", "3 must pass, 1 should+security fail", false, violated, "1 of 4"},
		{"a security rule is waived", "3 must pass, 1 should+security waived", false, sound, ""},
		{"a failure outweighs inconclusive", "9 must inconclusive, 1 must fail", false, violated, ""},
		{"a failure outweighs interruption", "9 must not_verified, 1 must fail", true, violated, ""},
		{"a must rule not verified", "3 must pass, 1 must not_verified", false, partly, "1 of them must rules"},
		{"a warning, one unverified", "3 must pass, 1 must not_verified, 1 should fail", false, partly, "1 warning"},
		{"one must rule inconclusive", "300 must pass, 1 must inconclusive", false, open, "1 of 301 must rules"},
		{"unclear outweighs unverified", "3 must pass, 1 must inconclusive, 100 must not_verified", false, open, ""},
		{"inconclusive and interrupted", "3 must pass, 1 must inconclusive", true, open, ""},
		{"no key given", "5 must not_verified", false, partly, "5 of them must rules"},
		{"nothing reached", "5 must inconclusive", false, open, "5 of 5 must rules"},
		{"should rules do not stand for must", "1 must not_verified, 9 should pass", false, partly, ""},
		{"only should rules", "2 should pass", false, sound, "2 rules passed"},
		{"only should rules, some open", "2 should pass, 1 should not_verified", false, partly, ""},
		{"only should rules, not reached", "2 should inconclusive", false, open, ""},
		{"only warnings", "2 should fail", false, sound, "2 warnings"},
		{"only waived", "1 must waived", false, sound, ""},
		{"only observations", "2 observe observed", false, partly, "nothing was judged"},
		{"observations not reached", "2 observe inconclusive", false, open, ""},
		{"observe rules leave a verdict", "18 must pass, 100 observe inconclusive", false, sound, ""},
		{"no rules", "", false, open, ""},
	} {
		got, why := record.Conclude(some(t, c.rules), c.partial)
		if got != c.want || why == "" || !strings.Contains(why, c.why) {
			t.Errorf("%s: %s (%s), want %s with %q", c.name, got, why, c.want, c.why)
		}
	}
}

func TestExitCode(t *testing.T) {
	const open, warned = "1 must pass, 1 must not_verified", "1 must pass, 1 should fail"
	for _, c := range []struct {
		outcome  record.Outcome
		rules    string
		partial  bool
		complete bool
		strict   bool
		want     int
	}{
		{record.Conformant, "", false, false, false, 0},
		{record.Conformant, warned, false, true, false, 0},
		{record.Conformant, warned, false, false, true, 1},
		{record.Conformant, "1 must pass", false, false, true, 0},
		{record.NoVerdict, warned + ", 1 must inconclusive", false, true, true, 1},
		{record.Partial, open, false, false, true, 0},
		{record.Partial, open, false, true, false, 3},
		{record.Conformant, "1 should not_verified", false, true, true, 0},
		{record.Violations, open, false, true, false, 1},
		{record.NoVerdict, "", false, false, false, 3},
		{"", "", false, false, false, 3},
		{record.Violations, "", true, false, true, 130},
		{record.Partial, "", true, true, false, 130},
	} {
		run := record.Run{Verdict: c.outcome, Rules: some(t, c.rules)}
		run.Run.Partial, run.Run.Strict = c.partial, c.strict
		if got := record.ExitCode(run, c.complete); got != c.want {
			t.Errorf("%+v: exit code %d", c, got)
		}
	}
}
