package gate_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/suites/record"
)

// edited is a run that somebody changed after it was judged.
func edited(change func(*record.Run)) record.Run {
	run := conformance(nil)
	change(&run)
	return run
}

// rule finds a rule of a run.
func rule(run *record.Run, id string) *record.Rule {
	for i := range run.Rules {
		if run.Rules[i].ID == id {
			return &run.Rules[i]
		}
	}
	panic("no rule " + id)
}

// settle makes counts and verdict those of the rules, as somebody would who knows how.
func settle(run *record.Run) {
	run.Counts = record.Counts{}
	for _, r := range run.Rules {
		run.Counts.Add(r)
	}
	run.Verdict, run.Reason = record.Conclude(run.Rules, run.Run.Partial)
}

func TestADamagedRunIsNoPass(t *testing.T) {
	raw, err := conformance(nil).JSON()
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	failed := func(change func(*record.Run)) record.Run {
		run := conformance(set("auth.bearer", record.Fail))
		change(&run)
		return run
	}
	waived := func(change func(*record.Waiver)) record.Run {
		run := conformance(waive("auth.bearer", now.AddDate(0, 0, 9)))
		change(rule(&run, "auth.bearer").Waiver)
		return run
	}
	for name, c := range map[string]struct {
		content any
		reason  string
	}{
		"cut off":          {text[:len(text)/2], "run.json is damaged: expected JSON"},
		"empty":            {"", "run.json is damaged: expected JSON"},
		"zeroes":           {strings.Repeat("\x00", 4096), "run.json is damaged: expected JSON"},
		"followed by more": {text + "{}", "run.json is damaged: expected JSON"},
		"a list":           {"[]", "run.json is damaged: expected JSON"},
		"without a schema": {"{}", "run.json is damaged: schema: expected one, found nothing"},
		"of an unknown schema": {
			strings.Replace(text, record.Schema, "gateassay/conformance/v2", 1),
			`run.json: schema: expected gateassay/conformance/v1, .*found "gateassay/conformance/v2"`,
		},
		"of a hostile schema":         {`{"schema":"\u001b[31m"}`, `found "<U\+001B>`},
		"of a schema that is no text": {`{"schema":1}`, "expected JSON"},
		"with a wrong type":           {strings.Replace(text, `"rules": [`, `"rules": {}, "x": [`, 1), "expected JSON"},
		"without rules": {
			edited(func(r *record.Run) { r.Rules = nil }), "rules: expected at least one, found none",
		},
		"with a rule twice": {
			edited(func(r *record.Run) { r.Rules[1].ID = r.Rules[0].ID }), `rules: expected each rule once`,
		},
		"with a nameless rule": {
			edited(func(r *record.Run) { r.Rules[1].ID = "" }), `rules: expected each rule once`,
		},
		"with a changed verdict": {
			failed(func(r *record.Run) { r.Verdict = record.Conformant }),
			`verdict: expected violations, .*found "conformant"`,
		},
		"with a verdict of its own": {
			edited(func(r *record.Run) { r.Verdict = "fine" }), `verdict: expected conformant, .*found "fine"`,
		},
		"with changed counts": {
			edited(func(r *record.Run) { r.Counts.Pass++ }),
			"counts: expected those of its rules, \\d+ passed, .*found \\d+ passed",
		},
		"with a changed rule": {failed(func(r *record.Run) {
			rule(r, "auth.bearer").Verdict = record.Pass
			settle(r)
		}), "auth.bearer: verdict: expected violated, which its checks come to, found passed"},
		"with a violation put aside": {failed(func(r *record.Run) {
			rule(r, "auth.bearer").Verdict = record.NotVerified
			settle(r)
		}), "auth.bearer: verdict: expected violated, which its checks come to, found not verified"},
		"with a rule of a level of its own": {failed(func(r *record.Run) {
			rule(r, "auth.bearer").Level, rule(r, "auth.bearer").Verdict = "none", record.Observed
			settle(r)
		}), `auth.bearer: level: expected must, should or observe, found "none"`},
		"with a pass without a check": {
			edited(func(r *record.Run) { r.Rules[0].Checks = nil }),
			"verdict: expected not verified, which its checks come to, found passed",
		},
		"with an unknown verdict": {
			edited(func(r *record.Run) { r.Rules[0].Verdict = "great" }),
			`verdict: expected passed, .*found "great"`,
		},
		"with an unknown verdict of check": {
			edited(func(r *record.Run) { r.Rules[0].Checks[0].Verdict = "great" }),
			`expected inconclusive, .*found passed`,
		},
		"waived without a waiver": {failed(func(r *record.Run) {
			rule(r, "auth.bearer").Verdict = record.Waived
			settle(r)
		}), "auth.bearer: waiver: expected the one that covers it, found none"},
		"waived though it passed": {edited(func(r *record.Run) {
			r.Rules[0].Verdict, r.Rules[0].Waiver = record.Waived,
				&record.Waiver{Rule: r.Rules[0].ID, Until: "2026-12-31"}
			settle(r)
		}), "verdict: expected passed, which its checks come to, found waived"},
		"waived by another's waiver": {
			waived(func(w *record.Waiver) { w.Rule = "create.*" }),
			`waiver.rule: expected a pattern that covers it, found "create.\*"`,
		},
		"waived until a date of no day": {
			waived(func(w *record.Waiver) { w.Until = "soon" }),
			`waiver.until: expected a day such as 2026-12-31, found "soon"`,
		},
		"waived until a day before": {
			waived(func(w *record.Waiver) { w.Until = "2026-11-20" }),
			"waiver.until: expected no day before the run, found 2026-11-20",
		},
		"without an ID": {
			edited(func(r *record.Run) { r.Run.ID = "" }), "run.id: expected the ID of the run, found nothing",
		},
		"of no deployment": {
			edited(func(r *record.Run) { r.Run.Deployment = "" }),
			"run.deployment: expected the name of a deployment, found nothing",
		},
		"without a beginning": {
			edited(func(r *record.Run) { r.Run.StartedAt = time.Time{} }),
			"run.started_at: expected a moment, found none",
		},
		"without an end": {
			edited(func(r *record.Run) { r.Run.FinishedAt = time.Time{} }),
			"run.finished_at: expected a moment, found none",
		},
		"that ends before it was": {
			edited(func(r *record.Run) { r.Run.FinishedAt = r.Run.StartedAt.Add(-time.Minute) }),
			"run.finished_at: expected a moment after",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, c.content)
			closed{
				policy: strict, runs: []string{dir}, code: 3, subject: regexp.QuoteMeta(dir),
				check: "run", reason: c.reason,
			}.prove(t)
		})
	}
}

func TestADamagedLoadRunIsNoPass(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*results.Run)
		reason string
	}{
		"with an unknown verdict": {
			func(r *results.Run) { r.Verdict = "superb" },
			`verdict: expected pass, fail or inconclusive, found "superb"`,
		},
		"with nothing sent": {func(r *results.Run) { r.Requests = results.Requests{} }, "as requests.sent is 0"},
		"with more answers than requests": {
			func(r *results.Run) { r.Requests.Sent = 10 },
			"requests.sent: expected at least as many as there are answers, found 10",
		},
		"with an unreliable generator": {
			func(r *results.Run) { r.Generator.Reliable = false }, "as generator.reliable is false",
		},
		"with a threshold missed": {
			func(r *results.Run) { r.Thresholds[0].OK = false }, `as the threshold "p99<300ms" does not hold`,
		},
		"with a threshold that is none": {
			func(r *results.Run) { r.Thresholds[0].Expr = "fast" },
			`thresholds: expected one such as p99<300ms, found "fast"`,
		},
		"with figures that miss what holds": {
			func(r *results.Run) { r.Latency.Response.P99 = 900 },
			`expected that "p99<300ms" does not hold, as its figures say 900ms, found that it does`,
		},
		"without an ID": {func(r *results.Run) { r.Run.ID = "" }, "run.id"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, loaded(c.change))
			closed{
				policy: forLoad, runs: []string{dir}, code: 3, subject: regexp.QuoteMeta(dir),
				check: "run", reason: "run.json is damaged: .*" + c.reason,
			}.prove(t)
		})
	}
}

func TestADamagedSearchIsNoPass(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*capacity.File)
		reason string
	}{
		"with an unknown verdict": {
			func(f *capacity.File) { f.Verdict = "superb" },
			`verdict: expected pass, fail or inconclusive, found "superb"`,
		},
		"that found nothing": {func(f *capacity.File) { f.Capacity.Rate = 0 }, "as capacity.rate is 0, found pass"},
		"that says more than it found": {
			func(f *capacity.File) { f.Capacity.Rate = 2000 },
			"capacity.rate: expected 200, the highest at which its probes held, found 2000",
		},
		"without probes": {func(f *capacity.File) { f.Probes = nil }, "capacity.rate: expected 0, .*found 200"},
		"whose probe did not hold": {
			func(f *capacity.File) { f.Probes[0].Outcome.Holds = false }, "capacity.rate: expected 0, .*found 200",
		},
	} {
		t.Run(name, func(t *testing.T) {
			search := searched(200, "pass", "thresholds")
			c.change(&search)
			dir := folder(t, search)
			closed{
				policy: forCapacity, runs: []string{dir}, code: 3, subject: regexp.QuoteMeta(dir),
				check: "run", reason: "run.json is damaged: .*" + c.reason,
			}.prove(t)
		})
	}
}

// journaled writes the journal of a run with changes beside the run.json of one without.
func journaled(t *testing.T, change func(*record.Found)) string {
	t.Helper()
	dir := folder(t, conformance(nil))
	f := record.Found{}
	conformance(func(found *record.Found) {
		if change != nil {
			change(found)
		}
		f = *found
	})
	j, err := record.OpenJournal(dir, f.Info, f.Catalogue, f.Waivers)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Checks {
		j.Check(c)
	}
	j.End(f.Info)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestARunIsHeldAgainstItsJournal(t *testing.T) {
	expect(t, "the same", decide(t, strict, journaled(t, nil)), 0, "demands held")
	torn, destroyed := journaled(t, nil), journaled(t, nil)
	whole, err := os.ReadFile(filepath.Join(torn, runfolder.JournalName))
	if err != nil {
		t.Fatal(err)
	}
	put(t, torn, runfolder.JournalName, string(whole[:len(whole)*2/3]))
	put(t, destroyed, runfolder.JournalName, "nothing")
	for dir, reason := range map[string]string{
		journaled(t, set("auth.bearer", record.Fail)): `verdict: expected "violations", found "conformant"`,
		journaled(t, all(set("export.order.asc",
			record.NotVerified))): "export.order.asc: expected not verified, found passed",
		journaled(t,
			func(f *record.Found) { f.Info.ID = "other" }): `run.id: expected that of the journal beside it, "other", found "run-a"`,
		journaled(t,
			func(f *record.Found) { f.Info.Deployment = "production" }): `run.deployment: expected "production", found "staging"`,
		journaled(t, func(f *record.Found) {
			f.Info.FinishedAt = finished.AddDate(0, -1, 0)
		}): "run.finished_at: expected .*found .2026-11-21",
		journaled(t, func(f *record.Found) { f.Info.Partial = true }): `run.partial: expected "true", found "false"`,
		journaled(t, func(f *record.Found) {
			f.Catalogue, f.Checks = f.Catalogue[1:], f.Checks[1:]
		}): `expected \d+ rules, found \d+`,
		journaled(t, as("auth.bearer", rules.Should,
			true)): `auth.bearer: level: expected "should, security", found "must"`,
		torn:      `run.partial: expected "true", found "false"`,
		destroyed: "its journal cannot be read: expected",
	} {
		closed{
			policy: strict, runs: []string{dir}, code: 3, subject: regexp.QuoteMeta(dir),
			check: "run", reason: reason,
		}.prove(t)
	}
}
