package gate_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

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
		{edited(func(r *run) { r.Verdict = "fine" }), `verdict: expected conformant or violations or partial or inconclusive, found "fine"`},
		{
			edited(func(r *run) { r.Counts.Pass++ }),
			"counts: expected those of its rules",
		},
		{
			failed(func(r *run) {
				rule(r, "auth.bearer").Level, rule(r, "auth.bearer").Verdict = "none", record.Observed
				settle(r)
			}), `"auth.bearer": level: expected must, should or observe, found "none"`,
		},
		{edited(func(r *run) { r.Rules[0].Verdict = "great" }), `verdict: expected one that rules have, found "great"`},
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
		{func(r *run) { r.Verdict = "superb" }, `verdict: expected pass or fail or inconclusive, found "superb"`},
		{func(r *run) { r.Requests = results.Requests{} }, "as requests.sent is 0"},
		{func(r *run) { r.Generator.Reliable = false }, "as generator.reliable is false"},
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
			`verdict: expected pass or fail or inconclusive, found "superb"`,
		},
		{func(f *capacity.File) { f.Capacity.Rate = 0 }, "as capacity.rate is 0, found pass"},
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
