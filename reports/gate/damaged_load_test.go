package gate_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/gate"
)

// sent records a load run in a folder as load run does: 100 requests in one second.
func sent(t *testing.T, dir string, exprs ...string) results.Run {
	t.Helper()
	var slo []threshold.Threshold
	for _, expr := range exprs {
		parsed, err := threshold.Parse(expr)
		if err != nil {
			t.Fatal(err)
		}
		slo = append(slo, parsed)
	}
	plan, err := schedule.New(schedule.Stage{Kind: schedule.Constant, Rate: 100, For: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := results.Open(results.Options{
		Dir: dir, Schedule: plan, Plan: map[string]int{},
		Thresholds: slo, Info: results.Info{ID: filepath.Base(dir), Deployment: "staging"},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Start(time.Now())
	for k := range plan.K() {
		r.Record(0, &engine.Result{K: k, Service: time.Millisecond, Response: time.Millisecond, Intended: plan.At(k)})
	}
	run, err := r.Finish(results.Ending{Elapsed: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// rewrite changes run.json of a folder.
func rewrite[T any](t *testing.T, dir string, change func(*T)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, runfolder.RunName))
	if err != nil {
		t.Fatal(err)
	}
	var run T
	if err := json.Unmarshal(data, &run); err != nil {
		t.Fatal(err)
	}
	change(&run)
	put(t, dir, runfolder.RunName, run)
}

func TestALoadRunIsHeldAgainstItsIntervals(t *testing.T) {
	for reason, change := range map[string]func(*results.Run){
		"": func(*results.Run) {},
		"expected 100 requests with a p99 of 1ms, found 90 with 1ms": func(r *results.Run) {
			r.Requests.Sent, r.Requests.Accepted = 90, 90
		},
		"expected 100 requests with a p99 of 1ms, found 100 with 0.5ms": func(r *results.Run) {
			r.Latency.Response.P99 = 0.5
		},
		`run.deployment: expected "staging", found "production"`: func(r *results.Run) {
			r.Run.Deployment = "production"
		},
		"run.finished_at: expected": func(r *results.Run) {
			r.Run.FinishedAt = r.Run.FinishedAt.Add(time.Hour)
		},
		"run.id: expected that of intervals.ndjson beside it": func(r *results.Run) { r.Run.ID = "another" },
	} {
		dir := filepath.Join(t.TempDir(), "run")
		run := sent(t, dir)
		rewrite(t, dir, change)
		d := gate.Decide(policy(t, forLoad), []string{dir}, run.Run.FinishedAt.Add(2*time.Hour))
		damaged := strings.Contains(d.Findings[0].Message, "run.json is damaged")
		if damaged != (reason != "") || !strings.Contains(d.Findings[0].Message, reason) ||
			damaged && d.ExitCode() != 3 {
			t.Errorf("want %q, exit code %d: %s", reason, d.ExitCode(), d.Findings[0].Message)
		}
	}
	torn := folder(t, loaded(nil))
	put(t, torn, runfolder.IntervalsName, "{")
	closed{
		policy: forLoad, runs: []string{torn}, subject: regexp.QuoteMeta(torn),
		reason: "run.json is damaged: its intervals cannot be read: expected",
	}.prove(t)
}

func TestASearchIsHeldAgainstItsProbes(t *testing.T) {
	dir := folder(t, searched(200, "pass", "thresholds"))
	sent(t, filepath.Join(dir, capacity.Name(1)), "p99<1us")
	closed{
		policy: forCapacity, runs: []string{dir}, subject: regexp.QuoteMeta(dir),
		reason: `probes\[0\].outcome.holds: expected false, which the record in probes/001 comes to, found true`,
	}.prove(t)
}
