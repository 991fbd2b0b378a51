package console_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/terminal"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// What was violated stands where the eye is when a run ends: directly above the verdict.
func TestViolationsStandLast(t *testing.T) {
	out := report(t, recordtest.Run(), console.Style{})
	last := -1
	for _, part := range []string{
		"3 observations", "\nNot verified\n", "\nInconclusive\n",
		"\nWaivers\n", "\nNotes\n", "\noperation ", "\nViolated: 3 defects\n", "\nWarnings\n", "\nVIOLATIONS ",
	} {
		at := strings.Index(out, part)
		if at <= last {
			t.Errorf("%q stands at %d, what should come before it at %d", part, at, last)
		}
		last = at
	}
	_, violated, _ := strings.Cut(out, "\nViolated: 3 defects\n\n")
	if _, below, _ := strings.Cut(violated, "\n  auth.confidential (should, security)\n"); !strings.Contains(below,
		"create.required.mother_name") {
		t.Errorf("the security rule is not the first violation:\n%s", violated[:100])
	}
	if !strings.Contains(out,
		"\nWarnings\n\nCreation with a space in the email accepted: 201, expected 400 or 422  create.email.spaces\n") {
		t.Error("the warning has no line of its own that says what was found")
	}
}

// What failed is named once, however much did.
func TestAFailureIsNamedOnce(t *testing.T) {
	run := recordtest.Large(30, 20)
	out := report(t, run, console.Style{})
	for _, r := range run.Rules {
		if n := strings.Count(strings.ReplaceAll(out, "--rule "+r.ID, ""), r.ID); n != 1 {
			t.Errorf("%s is named %d times", r.ID, n)
		}
	}
}

func TestTheVerdictSaysWhatTheExitCodeMeans(t *testing.T) {
	rules := func(list ...record.Rule) record.Run {
		run := record.Run{Rules: list}
		for _, r := range list {
			run.Counts.Add(r)
		}
		run.Verdict, run.Reason = record.Conclude(list, false)
		return run
	}
	pass := record.Rule{ID: "a", Level: "must", Verdict: record.Pass}
	for want, c := range map[string]struct {
		run  record.Run
		code int
	}{
		"CONFORMANT  1 rule passed; exit code 0\n": {rules(pass), 0},
		"CONFORMANT  1 rule passed, 1 warning; exit code 0, --strict makes it 1\n": {rules(pass,
			record.Rule{ID: "b", Level: "should", Verdict: record.Fail}), 0},
		"PARTIAL  1 rule passed, 1 not verified, 1 of them must rules; exit code 0, --complete makes it 3\n": {
			rules(pass, record.Rule{ID: "b", Level: "must", Verdict: record.NotVerified}), 0,
		},
		"VIOLATIONS  1 of 2 rules violated; exit code 1\n": {rules(pass,
			record.Rule{ID: "b", Level: "must", Verdict: record.Fail}), 1},
	} {
		if out := report(t, c.run, console.Style{Width: 120, Exit: &c.code}); !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
}

func TestThePageIsALinkWhereTerminalsKnowLinks(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a b")
	show := func(links bool) string {
		var out bytes.Buffer
		if err := console.Report(&out, recordtest.Clean(), console.Style{Folder: folder, Links: links}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if strings.Contains(show(true), "report.html\n") {
		t.Error("names a page that is not there")
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "report.html"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := show(false); !strings.HasSuffix(out, "\n"+folder+"/report.html\n"+folder+"\n") {
		t.Errorf("ends with %q", out[len(out)-200:])
	}
	if out := show(true); !strings.Contains(out, "\n\x1b]8;;file://"+strings.ReplaceAll(folder,
		" ", "%20")+"/report.html\x1b\\"+folder+"/report.html\x1b]8;;\x1b\\\n") {
		t.Errorf("no link in %q", out[len(out)-200:])
	}
	known := func(env map[string]string) bool { return terminal.Links(true, func(k string) string { return env[k] }) }
	if known(nil) || known(map[string]string{"VTE_VERSION": "7600", "TERM": "dumb"}) ||
		!known(map[string]string{"VTE_VERSION": "7600"}) || !known(map[string]string{"TERM": "foot"}) {
		t.Error("links are shown to the wrong terminals")
	}
}

func TestFurtherChecksOfARuleTakeOneLineEach(t *testing.T) {
	run := recordtest.Run()
	first := run.Rules[10].Checks[0] // of export.range.end_exclusive
	further := first
	further.Name, further.Actual = "another check of the rule than the first",
		strings.Repeat("a row that should not be there ", 20)
	run.Rules[10].Checks = append(run.Rules[10].Checks, further)
	out := report(t, run, console.Style{})
	_, rest, _ := strings.Cut(out, "  - another check of the rule than the first: a row")
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
		t.Error("few violations come without the command that repeats them")
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
