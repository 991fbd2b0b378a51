package record_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/suites/record"
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
	const p, f, i, n, w, o = record.Pass, record.Fail, record.Inconclusive, record.NotVerified, record.Waived,
		record.Observed
	for name, c := range map[string]struct {
		rules   []record.Rule
		partial bool
		want    record.Outcome
		why     string
	}{
		"all passed":       {some(3, "must", p), false, record.Conformant, "3 rules passed"},
		"passed or waived": {join(some(2, "must", p), some(1, "must", w)), false, record.Conformant, "1 waived"},
		"a should rule not verified": {
			join(some(2, "must", p), some(1, "should", n)), false, record.Conformant,
			"1 not verified",
		},
		"a should rule inconclusive": {
			join(some(2, "must", p), some(9, "should", i)), false, record.Conformant,
			"9 inconclusive",
		},
		"all passed, but interrupted": {some(3, "must", p), true, record.Partial, "interrupted"},
		"a must rule fails": {
			join(some(300, "must", p), some(1, "must", f)), false, record.Violations,
			"1 of 301 rules violated",
		},
		"a should rule fails": {join(some(3, "must", p), some(1, "should", f)), false, record.Conformant, "1 warning"},
		"a security rule fails": {
			join(some(3, "must", p), secured(some(1, "should", f))), false,
			record.Violations, "1 of 4",
		},
		"a security rule is waived": {
			join(some(3, "must", p), secured(some(1, "should", w))), false,
			record.Conformant, "",
		},
		"a failure outweighs inconclusive": {
			join(some(9, "must", i), some(1, "must", f)), false, record.Violations,
			"",
		},
		"a failure outweighs interruption": {join(some(9, "must", n), some(1, "must", f)), true, record.Violations, ""},
		"a must rule not verified": {
			join(some(3, "must", p), some(1, "must", n)), false, record.Partial,
			"1 of them must rules",
		},
		"a warning, a must rule unverified": {
			join(some(3, "must", p), some(1, "must", n), some(1, "should", f)),
			false, record.Partial, "1 warning",
		},
		"one must rule inconclusive": {
			join(some(300, "must", p), some(1, "must", i)), false, record.NoVerdict,
			"1 of 301 must rules",
		},
		"inconclusive outweighs unverified": {
			join(some(3, "must", p), some(1, "must", i), some(100, "must", n)),
			false, record.NoVerdict, "",
		},
		"inconclusive and interrupted": {join(some(3, "must", p), some(1, "must", i)), true, record.NoVerdict, ""},
		"no key given":                 {some(5, "must", n), false, record.Partial, "5 of them must rules"},
		"nothing reached":              {some(5, "must", i), false, record.NoVerdict, "5 of 5 must rules"},
		"should rules do not stand for must": {
			join(some(1, "must", n), some(9, "should", p)), false, record.Partial,
			"",
		},
		"only should rules":              {some(2, "should", p), false, record.Conformant, "2 rules passed"},
		"only should rules, some open":   {join(some(2, "should", p), some(1, "should", n)), false, record.Partial, ""},
		"only should rules, not reached": {some(2, "should", i), false, record.NoVerdict, ""},
		"only warnings":                  {some(2, "should", f), false, record.Conformant, "2 warnings"},
		"only waived":                    {some(1, "must", w), false, record.Conformant, ""},
		"only observations":              {some(2, "observe", o), false, record.Partial, "nothing was judged"},
		"observations not reached":       {some(2, "observe", i), false, record.NoVerdict, ""},
		"observe rules leave a verdict": {
			join(some(18, "must", p), some(100, "observe", i)), false,
			record.Conformant, "",
		},
		"no rules": {nil, false, record.NoVerdict, ""},
	} {
		got, why := record.Conclude(c.rules, c.partial)
		if got != c.want || why == "" || !strings.Contains(why, c.why) {
			t.Errorf("%s: %s (%s), want %s with %q", name, got, why, c.want, c.why)
		}
	}
}

func TestExitCode(t *testing.T) {
	open := join(some(1, "must", record.Pass), some(1, "must", record.NotVerified))
	warned := join(some(1, "must", record.Pass), some(1, "should", record.Fail))
	for _, c := range []struct {
		outcome  record.Outcome
		rules    []record.Rule
		partial  bool
		complete bool
		strict   bool
		want     int
	}{
		{record.Conformant, nil, false, false, false, 0},
		{record.Conformant, warned, false, true, false, 0},
		{record.Conformant, warned, false, false, true, 1},
		{record.Conformant, some(1, "must", record.Pass), false, false, true, 0},
		{record.NoVerdict, join(warned, some(1, "must", record.Inconclusive)), false, true, true, 1},
		{record.Partial, open, false, false, true, 0},
		{record.Partial, open, false, true, false, 3},
		{record.Conformant, some(1, "should", record.NotVerified), false, true, true, 0},
		{record.Violations, open, false, true, false, 1},
		{record.NoVerdict, nil, false, false, false, 3},
		{"", nil, false, false, false, 3},
		{record.Violations, nil, true, false, true, 130},
		{record.Partial, nil, true, true, false, 130},
	} {
		run := record.Run{Verdict: c.outcome, Rules: c.rules}
		run.Run.Partial, run.Run.Strict = c.partial, c.strict
		if got := record.ExitCode(run, c.complete); got != c.want {
			t.Errorf("%+v: exit code %d", c, got)
		}
	}
}
