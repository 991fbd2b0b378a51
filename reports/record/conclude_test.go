package record_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/reports/record"
)

// some makes n rules of a level with a verdict.
func some(n int, level string, v record.Verdict) []record.Rule {
	list := make([]record.Rule, n)
	for i := range list {
		list[i] = record.Rule{ID: "a", Level: level, Verdict: v}
	}
	return list
}

func join(lists ...[]record.Rule) []record.Rule {
	var all []record.Rule
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func TestConclude(t *testing.T) {
	const p, f, i, n, w, o = record.Pass, record.Fail, record.Inconclusive, record.NotVerified, record.Waived, record.Observed
	for name, c := range map[string]struct {
		rules   []record.Rule
		partial bool
		want    record.Outcome
		why     string
	}{
		"all passed":                          {some(3, "must", p), false, record.Conformant, "3 must rules passed"},
		"passed or waived":                    {join(some(2, "must", p), some(1, "must", w)), false, record.Conformant, "1 waived"},
		"a should rule not verified":          {join(some(2, "must", p), some(1, "should", n)), false, record.Conformant, "1 should rule unverified"},
		"all passed, but interrupted":         {some(3, "must", p), true, record.Partial, "interrupted"},
		"a must rule fails":                   {join(some(300, "must", p), some(1, "must", f)), false, record.Violations, "1 of 301 rules violated"},
		"a should rule fails":                 {join(some(3, "must", p), some(1, "should", f)), false, record.Violations, "1 of 4"},
		"a failure outweighs inconclusive":    {join(some(9, "must", i), some(1, "must", f)), false, record.Violations, ""},
		"a failure outweighs interruption":    {join(some(9, "must", n), some(1, "must", f)), true, record.Violations, ""},
		"a must rule not verified":            {join(some(3, "must", p), some(1, "must", n)), false, record.Partial, "1 of 4 must rules"},
		"a twentieth inconclusive":            {join(some(19, "must", p), some(1, "must", i)), false, record.Partial, ""},
		"more than a twentieth inconclusive":  {join(some(18, "must", p), some(1, "must", i)), false, record.NoVerdict, "more than 5 %"},
		"should rules inconclusive count too": {join(some(18, "must", p), some(1, "should", i)), false, record.NoVerdict, "more than 5 %"},
		"not verified does not dilute":        {join(some(18, "must", p), some(1, "must", i), some(100, "must", n)), false, record.NoVerdict, ""},
		"nothing passed":                      {some(5, "must", n), false, record.NoVerdict, "none of 5 must rules passed"},
		"nothing reached":                     {some(5, "must", i), false, record.NoVerdict, "5 inconclusive"},
		"should passes cannot stand for must": {join(some(1, "must", n), some(9, "should", p)), false, record.NoVerdict, ""},
		"only should rules":                   {some(2, "should", p), false, record.Conformant, "2 should rules passed"},
		"only should rules, some open":        {join(some(2, "should", p), some(1, "should", n)), false, record.Partial, ""},
		"only waived":                         {some(1, "must", w), false, record.Conformant, ""},
		"only observations":                   {some(2, "observe", o), false, record.Partial, "nothing was judged"},
		"observations not reached":            {some(2, "observe", i), false, record.NoVerdict, ""},
		"observe rules never dilute":          {join(some(18, "must", p), some(1, "must", i), some(100, "observe", o)), false, record.NoVerdict, ""},
		"no rules":                            {nil, false, record.NoVerdict, ""},
	} {
		got, why := record.Conclude(c.rules, c.partial)
		if got != c.want || why == "" || !strings.Contains(why, c.why) {
			t.Errorf("%s: %s (%s), want %s with %q", name, got, why, c.want, c.why)
		}
	}
}

func TestExitCode(t *testing.T) {
	open := join(some(1, "must", record.Pass), some(1, "must", record.NotVerified))
	for _, c := range []struct {
		outcome  record.Outcome
		rules    []record.Rule
		partial  bool
		complete bool
		want     int
	}{
		{record.Conformant, nil, false, false, 0},
		{record.Partial, open, false, false, 0},
		{record.Partial, open, false, true, 3},
		{record.Partial, some(1, "must", record.Inconclusive), false, true, 3},
		{record.Conformant, some(1, "should", record.NotVerified), false, true, 0},
		{record.Violations, open, false, true, 1},
		{record.NoVerdict, nil, false, false, 3},
		{"", nil, false, false, 3},
		{record.Violations, nil, true, false, 130},
		{record.Partial, nil, true, true, 130},
	} {
		run := record.Run{Verdict: c.outcome, Rules: c.rules}
		run.Run.Partial = c.partial
		if got := record.ExitCode(run, c.complete); got != c.want {
			t.Errorf("%+v: exit code %d", c, got)
		}
	}
}
