package console_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/record/recordtest"
)

// What was violated stands where the eye is when a run ends: directly above the verdict.
func TestViolationsStandLast(t *testing.T) {
	out := report(t, recordtest.Run(), console.Style{})
	last := -1
	for _, part := range []string{"3 observations", "\nNot verified\n", "\nInconclusive\n", "\nWaivers\n", "\nNotes\n", "\noperation ", "\nViolated\n", "\nAt a glance\n", "\nVIOLATIONS "} {
		at := strings.Index(out, part)
		if at <= last {
			t.Errorf("%q stands at %d, what should come before it at %d", part, at, last)
		}
		last = at
	}
	for id, found := range map[string]string{"create.required.mother_name": "201 Created with id 6f1d…", "export.range.end_exclusive": "20 rows, the last one 2025-01-14T08:21:09.417Z"} {
		if _, glance, _ := strings.Cut(out, "\nAt a glance\n"); !strings.Contains(glance, id+" ") || !strings.Contains(glance, found) {
			t.Errorf("at a glance lacks %s with %s", id, found)
		}
	}
}

func TestFurtherChecksOfARuleTakeOneLineEach(t *testing.T) {
	run := recordtest.Run()
	first := run.Rules[9].Checks[0] // of export.range.end_exclusive
	further := first
	further.Name, further.Actual = "another check", strings.Repeat("a row that should not be there ", 20)
	run.Rules[9].Checks = append(run.Rules[9].Checks, further)
	out := report(t, run, console.Style{})
	_, rest, _ := strings.Cut(out, "  - another check: a row")
	line, _, _ := strings.Cut(rest, "\n")
	if !strings.HasSuffix(line, "…") || strings.Contains(strings.SplitAfter(rest, "rerun")[0], "expected") {
		t.Errorf("%q", line)
	}
	if all := report(t, run, console.Style{Verbose: true}); strings.Count(all, first.Expected) != 2 {
		t.Error("verbose does not show every check in full")
	}
}

// Many commands would push the findings off the screen: the page has them.
func TestCommandsAreLeftOutWhereMuchIsViolated(t *testing.T) {
	if out := report(t, recordtest.Run(), console.Style{}); !strings.Contains(out, "    curl -sS") {
		t.Error("three violations come without the command that repeats them")
	}
	many := recordtest.Large(5, 20)
	for _, r := range many.Rules {
		r.Checks[0].Curl = "curl -sS x"
	}
	out := report(t, many, console.Style{})
	if strings.Contains(out, "curl -sS") || !strings.Contains(out, "This is shortened") {
		t.Errorf("got\n%s", out)
	}
}
