package gate_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/reports/junit/junittest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// hostile returns a decision with a hostile text in every possible place.
func hostile(t *testing.T) gate.Decision {
	t.Helper()
	run := conformance(func(f *record.UnjudgedRun) {
		set("auth.bearer", record.VerdictFail)(f)
		f.Info.Deployment = recordtest.HostileText
		for i := range f.Checks {
			f.Checks[i].Message = recordtest.HostileText
		}
	})
	return decide(t, strict, folder(t, run),
		t.TempDir()+"/"+strings.ReplaceAll(recordtest.HostileText, "\x00", ""))
}

func TestTextsOfRunsAreLiteral(t *testing.T) {
	d := hostile(t)
	if d.Verdict != gate.StateBlocked {
		t.Fatalf("%+v", d)
	}
	if out := printed(t, d); strings.ContainsAny(out, "\x1b\x00\x07\r\u202e") {
		t.Errorf("control characters reach the terminal: %q", out)
	}
	md := string(commented(d))
	for _, bad := range []string{
		"<script", "<img", "](javascript", "**bold**", "`tick`", "\x1b", "\n# heading", "\n::error",
	} {
		if strings.Contains(md, bad) {
			t.Errorf("the Markdown holds %q", bad)
		}
	}
	data := testmust.Get(gate.JUnit(d))(t)
	all := junittest.Read(t, data)
	if all.Tests != len(d.Findings) || all.Failures == 0 || all.Errors == 0 {
		t.Errorf("%d cases, %d failures, %d errors for %d findings", all.Tests,
			all.Failures, all.Errors, len(d.Findings))
	}
}

func TestMarkdownSaysWhyFirstAndStaysAComment(t *testing.T) {
	held := string(commented(decide(t, "name: release\n"+strict, ran(t))))
	if !strings.HasPrefix(held, "## ✅ release: passes\n") ||
		!strings.Contains(held, "| run | kind |") || strings.Contains(held, "### Why") {
		t.Error(held)
	}
	blocked := string(commented(decide(t, strict,
		ran(t, set("auth.bearer", record.VerdictFail)))))
	if why, runs := strings.Index(blocked, "auth.bearer"),
		strings.Index(blocked, "### Runs"); !strings.HasPrefix(blocked, "## ❌") || why < 0 || why > runs {
		t.Error(blocked)
	}
	var many []string
	for range 2000 {
		many = append(many, "runs/"+strings.Repeat("<x>", 40))
	}
	if size := len(commented(decide(t, strict, many...))); size > 65_000 {
		t.Errorf("%d bytes", size)
	}
}

func TestAnnotationsSayWhy(t *testing.T) {
	said := func(run record.Run) string {
		return view.WriteAnnotations(gate.Report(decide(t, strict, folder(t, run))))
	}
	if held := said(conformance()); held != "::notice title=Passes::4 of 4 requirements met\n" {
		t.Errorf("%q", held)
	}
	blocked := said(conformance(set("auth.bearer", record.VerdictFail)))
	if !strings.HasPrefix(blocked, "::error title=Blocked::3 of 4 requirements met, 1 not met\n") ||
		!strings.Contains(blocked, "::error title=conformance.violations of staging%3A expected none") ||
		!strings.Contains(blocked, "auth.bearer (must): because") {
		t.Errorf("%q", blocked)
	}
}
