package gate_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
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
	text := string(must.Get(conformance(nil).JSON())(t))
	load := func(change func(*results.Run)) any { return loaded(change) }
	const unread, damaged = "expected a recorded run, found none: .* holds no run that can be read", "found a damaged run.json: "
	for _, c := range []struct {
		content any
		policy  string
		reason  string
	}{
		{text[:len(text)/2], strict, unread},
		{"", strict, unread},
		{strings.Repeat("\x00", 4096), strict, unread},
		{text + "{}", strict, unread},
		{"[]", strict, unread},
		{"{}", strict, unread + ": it names no schema"},
		{strings.Replace(text, record.Schema, "gateassay/conformance/v2", 1), strict, `of schema "gateassay/conformance/v2"`},
		{`{"schema":"\u001b[31m"}`, strict, `of schema "<U\+001B>`},
		{`{"schema":1}`, strict, unread},
		{strings.Replace(text, `"rules": [`, `"rules": {}, "x": [`, 1), strict, unread},
		{edited(func(r *run) { r.Verdict = "fine" }), strict, damaged + `verdict: expected conformant or violations or .*, found "fine"`},
		{edited(func(r *run) { r.Run.ID = "" }), strict, damaged + "run.id: expected the ID of the run, found nothing"},
		{edited(func(r *run) { r.Run.Deployment = "" }), strict, damaged + "run.deployment: expected the name"},
		{edited(func(r *run) { r.Run.FinishedAt = r.Run.StartedAt.Add(-time.Minute) }), strict, damaged + "run.finished_at: expected a time after"},
		{load(func(r *results.Run) { r.Verdict = "superb" }), forLoad, damaged + `verdict: expected pass or fail or inconclusive, found "superb"`},
		{load(func(r *results.Run) { r.Requests = results.Requests{} }), forLoad, damaged + ".*as requests.sent is 0"},
		{load(func(r *results.Run) { r.Run.ID = "" }), forLoad, damaged + "run.id"},
		{func() capacity.File { f := searched(200, "pass", "thresholds"); f.Verdict = "superb"; return f }(), forCapacity, damaged + "verdict"},
	} {
		dir := folder(t, c.content)
		closed{policy: c.policy, runs: []string{dir}, subject: regexp.QuoteMeta(dir), reason: c.reason}.prove(t)
	}
}
