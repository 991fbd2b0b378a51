package gate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/reports/junit/junittest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

func TestEachRequirementIsATestCase(t *testing.T) {
	run := conformance(set("auth.bearer", record.VerdictFail),
		func(f *record.UnjudgedRun) { f.Info.Deployment = recordtest.HostileText })
	d := decide(t, strict, folder(t, run), filepath.Join(t.TempDir(), "none"))
	all := junittest.Read(t, testmust.Get(gate.JUnit(d))(t))
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
	testmust.Equal(t, said(conformance()), "::notice title=Passes::4 of 4 requirements met\n")
	blocked := said(conformance(set("auth.bearer", record.VerdictFail)))
	if !strings.HasPrefix(blocked, "::error title=Blocked::3 of 4 requirements met, 1 not met\n") ||
		!strings.Contains(blocked, "::error title=conformance.violations of staging%3A expected none") ||
		!strings.Contains(blocked, "auth.bearer (must): because") {
		t.Errorf("%q", blocked)
	}
}
