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
	type run = record.Run
	raw, err := conformance(nil).JSON()
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	failed := func(change func(*run)) run {
		found := conformance(set("auth.bearer", record.Fail))
		change(&found)
		return found
	}
	waived := func(change func(*record.Waiver)) record.Run {
		run := conformance(waive("auth.bearer", now.AddDate(0, 0, 9)))
		change(rule(&run, "auth.bearer").Waiver)
		return run
	}
	for _, c := range []struct {
		content any
		reason  string
	}{
		{text[:len(text)/2], "run.json is damaged: expected JSON"},
		{"", "run.json is damaged: expected JSON"},
		{strings.Repeat("\x00", 4096), "run.json is damaged: expected JSON"},
		{text + "{}", "run.json is damaged: expected JSON"},
		{"[]", "run.json is damaged: expected JSON"},
		{"{}", "run.json is damaged: schema: expected one, found nothing"},
		{
			strings.Replace(text, record.Schema, "gateassay/conformance/v2", 1),
			`run.json: schema: expected gateassay/conformance/v1, .*found "gateassay/conformance/v2"`,
		},
		{`{"schema":"\u001b[31m"}`, `found "<U\+001B>`},
		{`{"schema":1}`, "expected JSON"},
		{strings.Replace(text, `"rules": [`, `"rules": {}, "x": [`, 1), "expected JSON"},
		{edited(func(r *run) { r.Rules = nil }), "rules: expected at least one, found none"},
		{edited(func(r *run) { r.Rules[1].ID = r.Rules[0].ID }), `rules: expected each rule once`},
		{edited(func(r *run) { r.Rules[1].ID = "" }), `rules: expected each rule once`},
		{failed(func(r *run) { r.Verdict = record.Conformant }), `verdict: expected violations, .*found "conformant"`},
		{edited(func(r *run) { r.Verdict = "fine" }), `verdict: expected conformant, .*found "fine"`},
		{
			edited(func(r *run) { r.Counts.Pass++ }),
			"counts: expected those of its rules, \\d+ passed, .*found \\d+ passed",
		},
		{
			failed(func(r *run) {
				rule(r, "auth.bearer").Verdict = record.Pass
				settle(r)
			}), "auth.bearer: verdict: expected violated, which its checks come to, found passed",
		},
		{
			failed(func(r *run) {
				rule(r, "auth.bearer").Verdict = record.NotVerified
				settle(r)
			}), "auth.bearer: verdict: expected violated, which its checks come to, found not verified",
		},
		{
			failed(func(r *run) {
				rule(r, "auth.bearer").Level, rule(r, "auth.bearer").Verdict = "none", record.Observed
				settle(r)
			}), `auth.bearer: level: expected must, should or observe, found "none"`,
		},
		{
			edited(func(r *run) { r.Rules[0].Checks = nil }),
			"verdict: expected not verified, which its checks come to, found passed",
		},
		{edited(func(r *run) { r.Rules[0].Verdict = "great" }), `verdict: expected passed, .*found "great"`},
		{edited(func(r *run) { r.Rules[0].Checks[0].Verdict = "great" }), `expected inconclusive, .*found passed`},
		{
			failed(func(r *run) {
				rule(r, "auth.bearer").Verdict = record.Waived
				settle(r)
			}), "auth.bearer: waiver: expected the one that covers it, found none",
		},
		{
			edited(func(r *run) {
				r.Rules[0].Verdict, r.Rules[0].Waiver = record.Waived,
					&record.Waiver{Rule: r.Rules[0].ID, Until: "2026-12-31"}
				settle(r)
			}), "verdict: expected passed, which its checks come to, found waived",
		},
		{
			waived(func(w *record.Waiver) { w.Rule = "create.*" }),
			`waiver.rule: expected a pattern that covers it, found "create.\*"`,
		},
		{
			waived(func(w *record.Waiver) { w.Until = "soon" }),
			`waiver.until: expected a day such as 2026-12-31, found "soon"`,
		},
		{
			waived(func(w *record.Waiver) { w.Until = "2026-11-20" }),
			"waiver.until: expected no day before the run, found 2026-11-20",
		},
		{edited(func(r *run) { r.Run.ID = "" }), "run.id: expected the ID of the run, found nothing"},
		{
			edited(func(r *run) { r.Run.Deployment = "" }),
			"run.deployment: expected the name of a deployment, found nothing",
		},
		{edited(func(r *run) { r.Run.StartedAt = time.Time{} }), "run.started_at: expected a time, found none"},
		{edited(func(r *run) { r.Run.FinishedAt = time.Time{} }), "run.finished_at: expected a time, found none"},
		{
			edited(func(r *run) { r.Run.FinishedAt = r.Run.StartedAt.Add(-time.Minute) }),
			"run.finished_at: expected a time after",
		},
	} {
		t.Run(c.reason, func(t *testing.T) {
			dir := folder(t, c.content)
			closed{runs: []string{dir}, subject: regexp.QuoteMeta(dir), reason: c.reason}.prove(t)
		})
	}
}

func TestADamagedLoadRunIsNoPass(t *testing.T) {
	type run = results.Run
	for _, c := range []struct {
		change func(*run)
		reason string
	}{
		{func(r *run) { r.Verdict = "superb" }, `verdict: expected pass, fail or inconclusive, found "superb"`},
		{func(r *run) { r.Requests = results.Requests{} }, "as requests.sent is 0"},
		{
			func(r *run) { r.Requests.Sent = 10 },
			"requests.sent: expected at least as many as there are answers, found 10",
		},
		{func(r *run) { r.Generator.Reliable = false }, "as generator.reliable is false"},
		{func(r *run) { r.Thresholds[0].OK = false }, `as the threshold "p99<300ms" does not hold`},
		{func(r *run) { r.Thresholds[0].Expr = "fast" }, `thresholds: expected one such as p99<300ms, found "fast"`},
		{
			func(r *run) { r.Latency.Response.P99 = 900 },
			`expected that "p99<300ms" does not hold, as its figures say 900ms, found that it does`,
		},
		{func(r *run) { r.Run.ID = "" }, "run.id"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			dir := folder(t, loaded(c.change))
			closed{
				policy: forLoad, runs: []string{dir}, subject: regexp.QuoteMeta(dir),
				reason: "run.json is damaged: .*" + c.reason,
			}.prove(t)
		})
	}
}

func TestADamagedSearchIsNoPass(t *testing.T) {
	for _, c := range []struct {
		change func(*capacity.File)
		reason string
	}{
		{
			func(f *capacity.File) { f.Verdict = "superb" },
			`verdict: expected pass, fail or inconclusive, found "superb"`,
		},
		{func(f *capacity.File) { f.Capacity.Rate = 0 }, "as capacity.rate is 0, found pass"},
		{
			func(f *capacity.File) { f.Capacity.Rate = 2000 },
			"capacity.rate: expected 200, the highest at which its probes held, found 2000",
		},
		{func(f *capacity.File) { f.Probes = nil }, "capacity.rate: expected 0, .*found 200"},
		{func(f *capacity.File) { f.Probes[0].Outcome.Holds = false }, "capacity.rate: expected 0, .*found 200"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			search := searched(200, "pass", "thresholds")
			c.change(&search)
			dir := folder(t, search)
			closed{
				policy: forCapacity, runs: []string{dir}, subject: regexp.QuoteMeta(dir),
				reason: "run.json is damaged: .*" + c.reason,
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
	type found = record.Found
	for reason, dir := range map[string]string{
		`verdict: expected "violations", found "conformant"`: journaled(t, set("auth.bearer", record.Fail)),
		"export.order.asc: expected not verified, found passed": journaled(t,
			set("export.order.asc", record.NotVerified)),
		`run.id: expected that of the journal beside it, "other", found "run-a"`: journaled(t,
			func(f *found) { f.Info.ID = "other" }),
		`run.deployment: expected "production", found "staging"`: journaled(t,
			func(f *found) { f.Info.Deployment = "production" }),
		"run.finished_at: expected .*found .2026-11-21": journaled(t,
			func(f *found) { f.Info.FinishedAt = finished.AddDate(0, -1, 0) }),
		`partial: expected "true", found "false"`: journaled(t, func(f *found) { f.Info.Partial = true }),
		`expected \d+ rules, found \d+`: journaled(t,
			func(f *found) { f.Catalogue, f.Checks = f.Catalogue[1:], f.Checks[1:] }),
		`auth.bearer: level: expected "should, security", found "must"`: journaled(t,
			as("auth.bearer", rules.Should, true)),
		`run.partial: expected "true", found "false"`: torn,
		"its journal cannot be read: expected":        destroyed,
	} {
		closed{runs: []string{dir}, subject: regexp.QuoteMeta(dir), reason: reason}.prove(t)
	}
}
