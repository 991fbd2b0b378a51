package junit_test

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/junit"
	"github.com/gateassay/gateassay/reports/junit/junittest"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

func write(t *testing.T, run record.Run) []byte {
	t.Helper()
	return testmust.Get(junit.RenderConformance(run))(t)
}

func TestGolden(t *testing.T) {
	recordtest.Golden(t, *update, "junit.xml", write(t, recordtest.SampleRun()))
}

func interrupted() record.Run {
	run := recordtest.CleanRun()
	run.Run.Partial = true
	run.Verdict, run.Reason = record.RunPartlyVerified, "interrupted"
	return run
}

func hostile() record.Run {
	all := strings.Builder{}
	all.WriteString(
		"\x00 \uFEFF\uFFFE\uFFFF\U0001FFFE\xff\xfe\xc0\xaf\xed\xa0\x80 ]]> <![CDATA[ <!DOCTYPE x " +
			"[<!ENTITY e SYSTEM 'file:///etc/passwd'>]> &e; <?xml version=\"1.1\"?>",
	)
	for r := range rune(0x100) {
		all.WriteRune(r)
		// spaces, invisible characters, and changes of the writing direction
		all.WriteRune(0x2000 + r)
	}
	text := all.String()
	check := record.CheckResult{
		Name: text, Verdict: record.VerdictFail, Message: text,
		Finding: record.Finding{Expected: text, Actual: text}, Curl: text, Exchanges: []int{-1},
		DurationMS: -5, Location: text,
	}
	return record.Run{
		Run: record.RunInfo{
			ID: text, Deployment: text, BaseURL: text, File: text,
			Command: text, Version: text, StartedAt: recordtest.StartTime,
			FinishedAt: recordtest.StartTime.Add(-time.Hour),
		},
		Rules: []record.RuleResult{
			{ID: "", Verdict: record.VerdictFail},
			{
				ID: text, Level: text, Section: text, Statement: text, Verdict: record.VerdictFail,
				Reason: text, Checks: []record.CheckResult{check},
			},
			{ID: "  a  b ", Verdict: record.VerdictWaived},
			{ID: "a b", Verdict: record.VerdictPass},
			{ID: "a b (3)", Verdict: record.VerdictPass},
			{ID: "a b", Verdict: record.VerdictFail},
			{
				ID:      "a.b",
				Verdict: record.VerdictWaived,
				Waiver:  &record.Waiver{Rule: text, Reason: text, Until: text},
			},
			{ID: "c", Verdict: "odd"},
			{
				ID: "d", Verdict: record.VerdictNotVerified, Reason: text,
				Checks: []record.CheckResult{{Verdict: record.VerdictNotVerified, MissingKey: text}},
			},
		},
		Verdict: record.RunVerdict(text),
	}
}

func TestEveryRunKeepsToTheSchema(t *testing.T) {
	for name, run := range map[string]record.Run{
		"rich": recordtest.SampleRun(), "clean": recordtest.CleanRun(), "interrupted": interrupted(),
		"unreachable": recordtest.UnreachableRun(300),
		"hostile":     hostile(), "long texts": recordtest.LargeRun(2, 100_000), "empty": {},
	} {
		t.Run(name, func(t *testing.T) { junittest.Read(t, write(t, run)) })
	}
}

func TestTextsComeBackWhole(t *testing.T) {
	for _, c := range cases(t, hostile()) {
		if c.Failure == nil || c.Failure.Message == "no reason is recorded" {
			continue
		}
		for _, want := range []string{"actual    <U+0000> ", "]]> <![CDATA[ <!DOCTYPE x", "&e;"} {
			testmust.Contain(t, c.Failure.Text, want)
		}
	}
}

func TestNoFileIsTooLargeForGitLab(t *testing.T) {
	data := write(t, recordtest.LargeRun(40, 30_000))
	if size, failures := len(data), bytes.Count(data, []byte("<failure ")); size > 40*60_000 ||
		failures != 40 {
		t.Errorf("%d bytes, %d failures", size, failures)
	}
}

// The file has failures or errors exactly if the exit code is not 0.
func TestTheFileIsAsGreenAsTheExitCode(t *testing.T) {
	rule := func(id, level string, security bool, v record.Verdict) record.RuleResult {
		return record.RuleResult{ID: id, Level: level, Security: security, Verdict: v, Reason: "why"}
	}
	const inconclusive = record.VerdictInconclusive
	pass := rule("a.b.c", "must", false, record.VerdictPass)
	for name, c := range map[string]struct {
		rule   record.RuleResult
		strict bool
		red    bool
	}{
		"a must rule failed":         {rule("a.b", "must", false, record.VerdictFail), false, true},
		"a security rule failed":     {rule("a.b", "should", true, record.VerdictFail), false, true},
		"a warning":                  {rule("a.b", "should", false, record.VerdictFail), false, false},
		"a warning in a strict run":  {rule("a.b", "should", false, record.VerdictFail), true, true},
		"a must rule inconclusive":   {rule("a.b", "must", false, inconclusive), false, true},
		"a should rule inconclusive": {rule("a.b", "should", false, inconclusive), false, false},
		"an observation not made":    {rule("a.b", "observe", false, inconclusive), false, false},
		"a must rule not verified":   {rule("a.b", "must", false, record.VerdictNotVerified), false, false},
	} {
		run := recordtest.RunOf(pass, c.rule)
		run.Run.Strict = c.strict
		all := junittest.Read(t, write(t, run))
		if red := all.Failures+all.Errors > 0; red != c.red || red != (record.ExitCode(run, false) != 0) {
			t.Errorf("%s: %d failures, %d errors, exit code %d", name, all.Failures,
				all.Errors, record.ExitCode(run, false))
		}
	}
}

func TestARunThatCannotStandForItsRulesIsRed(t *testing.T) {
	for name, run := range map[string]record.Run{
		"interrupted": interrupted(),
		"no_verdict":  recordtest.UnreachableRun(40),
	} {
		if c := cases(t, run)["run.verdict"]; c.Error == nil || c.Error.Type != name ||
			c.Error.Message == "" {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for _, s := range junittest.Read(t, write(t, recordtest.CleanRun())).Suites {
		if s.Errors+s.Failures > 0 {
			t.Errorf("%s of a conformant run is red", s.Name)
		}
	}
}

// cases returns the test cases of a run by their name.
func cases(t *testing.T, run record.Run) map[string]junit.TestCase {
	t.Helper()
	found := map[string]junit.TestCase{}
	for _, s := range junittest.Read(t, write(t, run)).Suites {
		for _, c := range s.Cases {
			found[c.Name] = c
		}
	}
	return found
}

func TestLoadRunsAsTestCases(t *testing.T) {
	violated := []results.Violation{{Rule: "replay.nonce.same", Count: 2}}
	for want, run := range map[string]results.Run{
		"p50<1s output, p99<8ms late, load.run no_verdict": {
			Verdict: results.VerdictInconclusive, Thresholds: []threshold.Result{
				{Expr: "p50<1s", Observed: "5ms", OK: true},
				{Expr: "p99<8ms", Observed: "57ms", Late: true, Reason: "send lag"},
			},
		},
		"p99<8ms missed, file.p95<1s no_data, load.run output": {
			Verdict: results.VerdictFail, Thresholds: []threshold.Result{
				{Expr: "p99<8ms", Observed: "57ms"}, {Expr: "file.p95<1s", Observed: threshold.NoData},
			},
		},
		"replay.nonce.same violated, load.run " +
			"output": {Verdict: results.VerdictFail, Violations: violated},
		"replay.nonce.same output, load.run output": {Verdict: results.VerdictPass, Violations: violated},
		"load.run aborted": {Verdict: results.VerdictFail, Run: results.RunInfo{
			Aborted: "errors>20%: observed 30%", Partial: true,
		}},
		"load.run interrupted": {
			Verdict: results.VerdictInconclusive, Run: results.RunInfo{Partial: true},
		},
		"load.run output": {Verdict: results.VerdictPass},
		"load.run failed": {Verdict: results.VerdictFail},
	} {
		got := ""
		run.Reason = "because"
		for _, s := range junittest.Read(t, testmust.Get(junit.RenderLoad(run))(t)).Suites {
			for _, c := range s.Cases {
				how := "output"
				if c.Failure != nil {
					how = c.Failure.Type
				} else if c.Error != nil {
					how = c.Error.Type
				}
				got += fmt.Sprintf(", %s %s", c.Name, how)
			}
		}
		testmust.Equal(t, got, ", "+want)
	}
}

// What limits a verdict stands beside it, whatever the verdict is.
func TestWarningsStandBesideTheVerdict(t *testing.T) {
	for _, run := range []results.Run{
		{Verdict: results.VerdictPass},
		{Verdict: results.VerdictInconclusive},
		{Verdict: results.VerdictFail},
		{Verdict: results.VerdictInconclusive, Run: results.RunInfo{Partial: true}},
	} {
		run.Notes = []string{"64 files not ready"}
		run.Requests = results.RequestCounts{Sent: 200, Canceled: 162}
		run.Generator.Reason = "requests were sent late"
		text := string(testmust.Get(junit.RenderLoad(run))(t))
		for _, want := range []string{
			"note: 64 files not ready", "generator: requests were sent late",
			"162 requests not answered when the run was stopped",
		} {
			testmust.Contain(t, text, want, run.Verdict)
		}
	}
}
