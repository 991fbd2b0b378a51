package gate_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/gate"
	"github.com/gateassay/gateassay/suites/record"
)

func TestAWholeFreshRunPasses(t *testing.T) {
	dir := folder(t, conformance(nil))
	for _, path := range []string{dir, filepath.Join(dir, runfolder.RunName)} {
		d := decide(t, strict, path)
		expect(t, path, d, 0, "required rules verified")
		if d.Verdict != gate.StateHeld || len(d.Runs) != 1 {
			t.Errorf("%+v", d)
		}
	}
}

func TestAStaleOrInterruptedRunStillShowsViolations(t *testing.T) {
	expect(t, "interrupted", decide(t, strict, folder(t,
		conformance(all(set("auth.bearer", record.VerdictFail),
			func(f *record.UnjudgedRun) { f.Info.Partial = true })))),
		1, "auth.bearer (must): because")
	expect(t, "a load run", decide(t, "max_age: 30m\nload: {}\n",
		folder(t, loaded(func(r *results.Run) { r.Verdict, r.Reason = results.VerdictFail, "p99" }))), 1,
		"failed: p99")
}

func TestRequiredRulesMustBeVerified(t *testing.T) {
	open := conformance(set("export.order.asc", record.VerdictNotVerified)) // a should rule
	expect(t, "a should rule is not required", decide(t, strict, folder(t, open)), 0,
		"requirements met")
	expect(t, "by pattern",
		decide(t, "max_age: 1d\nconformance: {verified: [must, export.*]}", folder(t, open)),
		3, "export.order.asc: not verified, because")
	expect(t, "by level", decide(t, "max_age: 1d\nconformance: {verified: [should]}", folder(t, open)),
		3, "export.order.asc")
	expect(t, "must rules are the default", decide(t, "max_age: 1d\nconformance: {}",
		folder(t, conformance(set("auth.bearer", record.VerdictNotVerified)))), 3,
		"auth.bearer: not verified, because")
	expect(t, "inconclusive",
		decide(t, strict, folder(t, conformance(set("auth.bearer", record.VerdictInconclusive)))),
		3, "auth.bearer: inconclusive, because")
	expect(t, "one left open that is not required",
		decide(t, "max_age: 1d\nconformance: {verified: [export.range.*]}",
			folder(t, conformance(set("auth.bearer", record.VerdictNotVerified)))), 0, "requirements met")

	only := func(prefix string) string {
		return folder(t, conformance(func(f *record.UnjudgedRun) {
			f.Info.ID = "only " + prefix
			var kept []rules.Rule
			for _, r := range f.Catalogue {
				if strings.HasPrefix(r.ID, prefix) {
					kept = append(kept, r)
				}
			}
			var checks []record.CheckResult
			for _, c := range f.Checks {
				if strings.HasPrefix(c.Rule, prefix) {
					checks = append(checks, c)
				}
			}
			f.Catalogue, f.Checks = kept, checks
		}))
	}
	expect(t, "a run of one suite", decide(t, strict, only("auth.")), 3, "not selected, make a run")
	expect(t, "several runs together", decide(t, strict, only("auth."), only("create."),
		only("export."), only("replay.")), 0, "requirements met")
	elsewhere := conformance(func(f *record.UnjudgedRun) { f.Info.Deployment = "canary" })
	expect(t, "runs of another deployment verify nothing",
		decide(t, strict, only("auth."), folder(t, elsewhere)),
		3, "conformance.verified of staging")
}

// Runs of the embedded gateway, of another deployment than the policy's or the other runs', and of
// too little depth are no evidence, but their violations count.
func TestRunsOfAnotherDeploymentAreNoEvidence(t *testing.T) {
	run := func(changes ...func(*record.RunInfo)) string {
		return folder(t, conformance(func(f *record.UnjudgedRun) {
			f.Info.ID, f.Info.Fingerprint = fmt.Sprint("run-", len(changes)), "f1"
			for _, c := range changes {
				c(&f.Info)
			}
		}))
	}
	elsewhere := func(i *record.RunInfo) { i.BaseURL = "https://other.example" }
	violating := folder(t,
		conformance(all(set("auth.bearer", record.VerdictFail),
			func(f *record.UnjudgedRun) { f.Info.BaseURL, f.Info.ID = "https://x.example", "x" })))
	for _, c := range []struct {
		policy, says string
		code         int
		runs         []string
	}{
		{
			strict,
			"found one of the embedded gateway",
			3,
			[]string{run(func(i *record.RunInfo) { i.Embedded = true })},
		},
		{strict, `base_url "https://other.example": run`, 3, []string{run(), run(elsewhere)}},
		{strict, `fingerprint "f2": run`, 3, []string{run(), run(
			func(i *record.RunInfo) { i.Fingerprint = "f2" })}},
		{strict, `depth "thorough": run`, 3, []string{run(), run(
			func(i *record.RunInfo) { i.Depth = "thorough" })}},
		{strict, "auth.bearer (must): because", 1, []string{run(), violating}},
		{strict, "of depth quick: run it " +
			"again", 3, []string{run(func(i *record.RunInfo) { i.Depth = "quick" })}},
		{strict, "of depth unknown: run it " +
			"again", 3, []string{run(func(i *record.RunInfo) { i.Depth = "" })}},
		{strict, "requirements met", 0, []string{run(func(i *record.RunInfo) { i.Depth = "thorough" })}},
		{
			"max_age: 1d\nconformance: {depth: quick}",
			"requirements met", 0,
			[]string{run(func(i *record.RunInfo) { i.Depth = "quick" })},
		},
		{"max_age: 1d\nbase_urls: [https://staging.example]\nfingerprints: [f1]\nconformance: " +
			"{}", "requirements met", 0, []string{run()}},
		{"max_age: 1d\nbase_urls: [https://staging.example]\nconformance: " +
			"{}", "expected a run of", 3, []string{run(elsewhere)}},
		{"max_age: 1d\nfingerprints: [f2]\nconformance: {}", "expected a run of", 3, []string{run()}},
	} {
		expect(t, c.says, decide(t, c.policy, c.runs...), c.code, c.says)
	}
}

func TestViolationsBlockWhateverIsRequired(t *testing.T) {
	for name, c := range map[string]func(*record.UnjudgedRun){
		"a must rule":     as("auth.bearer", rules.Must, false),
		"a security rule": as("auth.bearer", rules.Should, true),
	} {
		run := conformance(all(c, set("auth.bearer", record.VerdictFail)))
		expect(t, name, decide(t, "max_age: 1d\nconformance: {verified: [create.cpf.*]}", folder(t, run)),
			1, "    auth.bearer (")
	}
	expect(t, "a run of a kind that was not asked for", decide(t, "max_age: 1d\nload: {}",
		folder(t, loaded(nil)), folder(t, conformance(set("auth.bearer", record.VerdictFail)))), 1,
		"auth.bearer")
	expect(t, "one violates, another verifies", decide(t, strict, folder(t, conformance(nil)),
		folder(t,
			conformance(all(set("auth.bearer", record.VerdictFail),
				func(f *record.UnjudgedRun) { f.Info.ID = "run-b" })))),
		1, "auth.bearer")
}

// A failed should rule is listed, and blocks if the policy is strict or names the rule.
func TestWarningsBlockWhereThePolicySaysSo(t *testing.T) {
	warned := conformance(all(as("auth.bearer", rules.Should, false),
		set("auth.bearer", record.VerdictFail)))
	if warned.Verdict != record.RunConformant || warned.Counts.Warn != 1 {
		t.Fatalf("%s, %+v", warned.Verdict, warned.Counts)
	}
	run := folder(t, warned)
	expect(t, "allowed", decide(t, "max_age: 1d\nconformance: {verified: [create.cpf.*]}", run),
		0, "conformance.warnings of staging: 1 warning, which the policy allows")
	expect(t, "not strict",
		decide(t, "max_age: 1d\nconformance: {verified: [create.cpf.*], strict: false}", run),
		0, "auth.bearer (should): because")
	expect(t, "strict",
		decide(t, "max_age: 1d\nconformance: {verified: [create.cpf.*], strict: true}", run),
		1, "found 1 warning: see "+run)
	expect(t, "asked for", decide(t, "max_age: 1d\nconformance: {verified: [auth.bearer]}", run),
		1, "auth.bearer (should): because")
	expect(t, "stale and strict",
		decide(t, "max_age: 1m\nconformance: {verified: [create.cpf.*], strict: true}", run),
		1, "found 1 warning")
	expect(t, "no conformance asked for",
		decide(t, "max_age: 1d\nload: {}", folder(t, loaded(nil)), run),
		0, "1 warning, which the policy allows")
	baseline := conformance(all(as("auth.bearer", rules.Should, false), func(f *record.UnjudgedRun) {
		f.Info.ID = "earlier"
		f.Info.StartedAt = finished.Add(-2 * time.Hour)
		f.Info.FinishedAt = finished.Add(-time.Hour)
	}))
	expect(t, "worse than the baseline",
		decide(t, fmt.Sprintf("max_age: 1d\nconformance: {verified: [create.cpf.*], "+
			"baseline: %q}", folder(t, baseline)), run), 1, "auth.bearer: passed → warning")
	if none := decide(t, strict, folder(t, conformance(nil))); slices.ContainsFunc(none.Findings,
		func(f gate.RequirementFinding) bool { return f.Check == "conformance.warnings" }) {
		t.Error("speaks of warnings where there are none")
	}
	older := conformance(as("auth.bearer", rules.Must, true)) // as marked by another version
	expect(t, "marked otherwise", decide(t, strict, folder(t, older)), 3,
		`judged as "must, security" by the version that made the run`)
}

// A should rule that shares a violated rule's defect is still a warning.
func TestWarningsOfAViolatedDefectAreWarnings(t *testing.T) {
	broken := all(set("auth.missing", record.VerdictFail),
		set("auth.missing.before_body", record.VerdictFail))
	decision := decide(t, strict, folder(t, conformance(broken)))
	expect(t, "the must rule", decision, 1, "rules violated, found 1: ")
	expect(t, "the should rule", decision, 1, "1 warning")
}

// A rule that several runs judged counts once, and a violated one does not count as holding.
func TestRulesOfSeveralRunsAreCountedOnce(t *testing.T) {
	renamed := func(f *record.UnjudgedRun) { f.Info.ID += "-2" }
	bad := set("auth.bearer", record.VerdictFail)
	first, second := folder(t, conformance(bad)), folder(t, conformance(all(bad, renamed)))
	all := fmt.Sprintf("none of %d rules ", len(conformance(nil).Rules))
	expect(t, "both hold",
		decide(t, strict, folder(t, conformance(nil)), folder(t, conformance(renamed))),
		0, all+"is violated")
	expect(t, "violated in both", decide(t, strict, first, second), 1,
		fmt.Sprintf("expected %sviolated, found 1: see %s, %s", all, first, second))
	if said := printed(t, decide(t, strict, first, second)); strings.Count(said,
		"auth.bearer (must)") != 1 {
		t.Errorf("the violation is not named once:\n%s", said)
	}
	expect(t, "violated in one", decide(t, strict, filepath.Join(first, runfolder.RunName)),
		1, "found 1: see "+first)
}

func TestWaiversNeedThePolicysLeave(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	allowing := func(rest string) string {
		return "max_age: 1d\nconformance: {waivers: {allowed: [auth.*]" + rest + "}}"
	}
	run := folder(t, conformance(waive("auth.bearer", day(30))))
	expect(
		t,
		"none allowed",
		decide(t, strict, run),
		1,
		"auth.bearer: expected no waiver, as waivers.allowed does not name it, found one until "+
			"2026-11-30 (GW-1)",
	)
	expect(t, "another allowed",
		decide(t, "max_age: 1d\nconformance: {waivers: {allowed: [create.*]}}", run),
		1, "expected no waiver")
	expect(t, "allowed", decide(t, allowing(""), run), 0, "1 waived rule, all as the policy allows")
	expect(t, "allowed until that day", decide(t, allowing(", latest: 2026-11-30"), run), 0, "")
	expect(t, "too long", decide(t, allowing(", latest: 2026-11-29"), run),
		1,
		"expected a waiver until 2026-11-29 at the latest (waivers.latest), found one until 2026-11-30")
	today := folder(t, conformance(waive("auth.bearer", day(21))))
	expect(t, "on its last day", decide(t, allowing(""), today), 0, "")
	later := gate.Decide(policy(t, allowing("")), []string{today}, day(22).Add(time.Second))
	expect(t, "after its last day", later, 1,
		"expected a waiver that is still in force, found one that ended with 2026-11-21")
	expect(t, "without a conformance part",
		decide(t, "max_age: 1d\nload: {}", folder(t, loaded(nil)), run),
		1, "expected no waiver")
}
