package gate_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

func TestAStaleOrInterruptedRunStillShowsViolations(t *testing.T) {
	expect(t, "interrupted", strict, 1, "auth.bearer (must): because", ran(t, set("auth.bearer",
		record.VerdictFail), func(f *record.UnjudgedRun) { f.Info.Partial = true }))
	expect(t, "a load run", "max_age: 30m\nload: {}\n", 1, "failed: p99", folder(t,
		loaded(func(r *results.Run) { r.Verdict, r.Reason = results.VerdictFail, "p99" })))
}

func TestRequiredRulesMustBeVerified(t *testing.T) {
	open := ran(t, set("export.order.asc", record.VerdictNotVerified)) // a should rule
	expect(t, "a should rule is not required", strict, 0, "requirements met", open)
	expect(t, "by pattern", "max_age: 1d\nconformance: {verified: [must, export.*]}", 3,
		"export.order.asc: not verified, because", open)
	expect(t, "by level", "max_age: 1d\nconformance: {verified: [should]}", 3, "export.order.asc",
		open)
	expect(t, "must rules are the default", "max_age: 1d\nconformance: {}", 3,
		"auth.bearer: not verified, because", ran(t, set("auth.bearer", record.VerdictNotVerified)))
	expect(t, "inconclusive", strict, 3, "auth.bearer: inconclusive, because",
		ran(t, set("auth.bearer", record.VerdictInconclusive)))
	expect(t, "one left open that is not required",
		"max_age: 1d\nconformance: {verified: [export.range.*]}", 0, "requirements met",
		ran(t, set("auth.bearer", record.VerdictNotVerified)))

	only := func(prefix string) string {
		return ran(t, func(f *record.UnjudgedRun) {
			f.Info.ID = "only " + prefix
			f.Catalogue = slices.DeleteFunc(slices.Clone(f.Catalogue),
				func(r rules.Rule) bool { return !strings.HasPrefix(r.ID, prefix) })
			f.Checks = slices.DeleteFunc(f.Checks,
				func(c record.CheckResult) bool { return !strings.HasPrefix(c.Rule, prefix) })
		})
	}
	expect(t, "a run of one suite", strict, 3, "not selected: make a run", only("auth."))
	expect(t, "several runs together", strict, 0, "requirements met", only("auth."),
		only("create."), only("export."), only("replay."))
	elsewhere := ran(t, func(f *record.UnjudgedRun) { f.Info.Deployment = "canary" })
	expect(t, "runs of another deployment verify nothing", strict, 3,
		"conformance.verified of staging", only("auth."), elsewhere)
}

// Runs of the embedded gateway, of another deployment than the policy's or the other runs', and of
// too little depth are no evidence, but their violations count.
func TestRunsOfAnotherDeploymentAreNoEvidence(t *testing.T) {
	run := func(changes ...func(*record.RunInfo)) string {
		return ran(t, func(f *record.UnjudgedRun) {
			f.Info.ID, f.Info.Fingerprint = fmt.Sprint("run-", len(changes)), "f1"
			for _, c := range changes {
				c(&f.Info)
			}
		})
	}
	depth := func(d string) string { return run(func(i *record.RunInfo) { i.Depth = d }) }
	elsewhere := func(i *record.RunInfo) { i.BaseURL = "https://other.example" }
	const any, ours = "max_age: 1d\n", "base_urls: [https://staging.example]\nconformance: {}\n"
	violating := ran(t, set("auth.bearer", record.VerdictFail), func(f *record.UnjudgedRun) {
		f.Info.BaseURL, f.Info.ID = "https://x.example", "x"
	})
	for _, c := range []struct {
		policy, says string
		code         int
		runs         []string
	}{
		{strict, "found one of the embedded gateway", 3, []string{
			run(func(i *record.RunInfo) { i.Embedded = true }),
		}},
		{strict, `base_url "https://other.example": run`, 3, []string{run(), run(elsewhere)}},
		{strict, `fingerprint "f2": run`, 3, []string{run(), run(
			func(i *record.RunInfo) { i.Fingerprint = "f2" })}},
		{strict, `depth "thorough": run`, 3, []string{run(), depth("thorough")}},
		{strict, "auth.bearer (must): because", 1, []string{run(), violating}},
		{strict, "of depth quick: run it again", 3, []string{depth("quick")}},
		{strict, "of depth unknown: run it again", 3, []string{depth("")}},
		{strict, "requirements met", 0, []string{depth("thorough")}},
		{any + "conformance: {depth: quick}", "requirements met", 0, []string{depth("quick")}},
		{any + ours + "fingerprints: [f1]\n", "requirements met", 0, []string{run()}},
		{any + ours, "expected a run of", 3, []string{run(elsewhere)}},
		{any + "fingerprints: [f2]\nconformance: {}", "expected a run of", 3, []string{run()}},
	} {
		expect(t, c.says, c.policy, c.code, c.says, c.runs...)
	}
}

func TestViolationsBlockWhateverIsRequired(t *testing.T) {
	for name, c := range map[string]func(*record.UnjudgedRun){
		"a must rule":     as("auth.bearer", rules.Must, false),
		"a security rule": as("auth.bearer", rules.Should, true),
	} {
		run := conformance(c, set("auth.bearer", record.VerdictFail))
		expect(t, name, verifying(""), 1, "    auth.bearer (", folder(t, run))
	}
	expect(t, "a run of a kind that was not asked for", loadOnly, 1, "auth.bearer", folder(t,
		loaded()), ran(t, set("auth.bearer", record.VerdictFail)))
	expect(t, "one violates, another verifies", strict, 1, "auth.bearer", ran(t), ran(t,
		set("auth.bearer", record.VerdictFail), func(f *record.UnjudgedRun) { f.Info.ID = "run-b" }))
}

// A failed should rule is listed, and blocks if the policy is strict or names the rule.
func TestWarningsBlockWhereThePolicySaysSo(t *testing.T) {
	warned := conformance(as("auth.bearer", rules.Should, false),
		set("auth.bearer", record.VerdictFail))
	if warned.Verdict != record.RunConformant || warned.Counts.Warn != 1 {
		t.Fatalf("%s, %+v", warned.Verdict, warned.Counts)
	}
	run := folder(t, warned)
	expect(t, "allowed", verifying(""), 0,
		"conformance.warnings of staging: 1 warning, which the policy allows", run)
	expect(t, "not strict", verifying(", strict: false"), 0, "auth.bearer (should): because", run)
	expect(t, "strict", verifying(", strict: true"), 1, "found 1 warning: see "+run, run)
	expect(t, "asked for", "max_age: 1d\nconformance: {verified: [auth.bearer]}", 1,
		"auth.bearer (should): because", run)
	expect(t, "stale and strict",
		"max_age: 1m\nconformance: {verified: [create.cpf.*], strict: true}", 1, "found 1 warning",
		run)
	expect(t, "no conformance asked for", loadOnly, 0, "1 warning, which the policy allows",
		folder(t, loaded()), run)
	baseline := conformance(as("auth.bearer", rules.Should, false), func(f *record.UnjudgedRun) {
		f.Info.ID = "earlier"
		f.Info.StartedAt = finished.Add(-2 * time.Hour)
		f.Info.FinishedAt = finished.Add(-time.Hour)
	})
	expect(t, "worse than the baseline", fmt.Sprintf(verifying(", baseline: %q"), folder(t,
		baseline)), 1, "auth.bearer: passed → warning", run)
	if none := decide(t, strict, ran(t)); slices.ContainsFunc(none.Findings,
		func(f gate.RequirementFinding) bool { return f.Check == "conformance.warnings" }) {
		t.Error("speaks of warnings where there are none")
	}
	older := conformance(as("auth.bearer", rules.Must, true)) // as marked by another version
	expect(t, "marked otherwise", strict, 3,
		`judged as "must, security" by the version that made the run`, folder(t, older))
}

// A should rule that shares a violated rule's defect is still a warning.
func TestWarningsOfAViolatedDefectAreWarnings(t *testing.T) {
	decision := decide(t, strict, ran(t, set("auth.missing", record.VerdictFail),
		set("auth.missing.before_body", record.VerdictFail)))
	expectDecision(t, "the must rule", decision, 1, "rules violated, found 1: ")
	expectDecision(t, "the should rule", decision, 1, "1 warning")
}

// A rule that several runs judged counts once, and a violated one does not count as holding.
func TestRulesOfSeveralRunsAreCountedOnce(t *testing.T) {
	renamed := func(f *record.UnjudgedRun) { f.Info.ID += "-2" }
	bad := set("auth.bearer", record.VerdictFail)
	first, second := ran(t, bad), ran(t, bad, renamed)
	all := fmt.Sprintf("none of %d rules ", len(conformance().Rules))
	expect(t, "both hold", strict, 0, all+"is violated", ran(t), ran(t, renamed))
	expect(t, "violated in both", strict, 1,
		fmt.Sprintf("expected %sviolated, found 1: see %s, %s", all, first, second), first, second)
	if said := printed(t, decide(t, strict, first, second)); strings.Count(said,
		"auth.bearer (must)") != 1 {
		t.Errorf("the violation is not named once:\n%s", said)
	}
	expect(t, "violated in one", strict, 1, "found 1: see "+first, filepath.Join(first,
		runfolder.RunName))
}

func TestWaiversNeedThePolicysLeave(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	allowing := func(rest string) string {
		return "max_age: 1d\nconformance: {waivers: {allowed: [auth.*]" + rest + "}}"
	}
	run := ran(t, waive("auth.bearer", day(30)))
	expect(t, "none allowed", strict, 1,
		"auth.bearer: expected no waiver, as waivers.allowed does not name it, found one until "+
			"2026-11-30 (GW-1)", run)
	expect(t, "another allowed", "max_age: 1d\nconformance: {waivers: {allowed: [create.*]}}", 1,
		"expected no waiver", run)
	expect(t, "allowed", allowing(""), 0, "1 waived rule, all as the policy allows", run)
	expect(t, "allowed until that day", allowing(", latest: 2026-11-30"), 0, "", run)
	expect(t, "too long", allowing(", latest: 2026-11-29"), 1,
		"expected a waiver until 2026-11-29 at the latest (waivers.latest), found one until "+
			"2026-11-30", run)
	today := ran(t, waive("auth.bearer", day(21)))
	expect(t, "on its last day", allowing(""), 0, "", today)
	later := gate.Decide(policy(t, allowing("")), []string{today}, day(22).Add(time.Second))
	expectDecision(t, "after its last day", later, 1,
		"expected a waiver that is still in force, found one that ended with 2026-11-21")
	expect(t, "without a conformance part", loadOnly, 1, "expected no waiver", folder(t, loaded()),
		run)
}

// The gate decides about any run.json and can report why in every form.
func FuzzDecide(f *testing.F) {
	small := conformance(func(found *record.UnjudgedRun) {
		found.Catalogue, found.Checks = found.Catalogue[:3], found.Checks[:3]
	})
	for _, run := range []any{small, loaded(), searched(200, "pass", "thresholds")} {
		data := testmust.Get(json.Marshal(run))(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		testmust.Succeed(t, os.WriteFile(filepath.Join(dir, runfolder.RunName), data, 0o600))
		d := decide(t,
			"max_age: 1d\nconformance: {}\nload: {thresholds: [p99<1s for 2]}\ncapacity: {at_least: 1/s}\n",
			dir)
		if d.ExitCode() == 0 {
			t.Fatalf("one run fulfils a policy that asks for three: %+v", d.Findings)
		}
		testmust.Succeed(t,
			view.WriteText(io.Discard, gate.Report(d), view.Style{Colour: true, Columns: 40}))
		testmust.Get(gate.JUnit(d))(t)
		if md := commented(d); len(md) > 65_000 || !utf8.Valid(md) {
			t.Fatalf("%d bytes of Markdown", len(md))
		}
		if !utf8.ValidString(view.WriteAnnotations(gate.Report(d))) {
			t.Fatal("annotations that are not text")
		}
	})
}
