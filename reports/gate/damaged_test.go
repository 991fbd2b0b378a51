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

func TestADamagedRunIsNoPass(t *testing.T) {
	type run = record.Run
	raw, err := conformance(nil).JSON()
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
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
		{edited(func(r *run) { r.Verdict = "fine" }), `verdict: expected conformant or violations or partial or inconclusive, found "fine"`},
		{edited(func(r *run) { r.Run.ID = "" }), "run.id: expected the ID of the run, found nothing"},
		{
			edited(func(r *run) { r.Run.Deployment = "" }),
			"run.deployment: expected the name of a deployment, found nothing",
		},
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
