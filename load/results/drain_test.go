package results

import (
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
)

// TestStagesThatAreOverAreLetGo goes through many stages, with stragglers, and looks at what stays in memory.
func TestStagesThatAreOverAreLetGo(t *testing.T) {
	const stages, each = 300, 10
	var list []schedule.Stage
	for range stages {
		list = append(list, schedule.Stage{Kind: schedule.Constant, Rate: each, For: time.Second})
	}
	s, err := schedule.New(list...)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	r, err := Open(Options{Dir: dir, Schedule: s, Plan: 1, Interval: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	r.Start(time.Now())
	for stage := range int64(stages) {
		for n := range int64(each) {
			k := stage*each + n
			r.Record(int(k), &engine.Result{
				K: k, Service: 3 * time.Millisecond, Response: 4 * time.Millisecond, Lag: time.Microsecond,
				Intended: s.At(k),
			})
		}
		if stage >= 80 && stage%10 == 0 { // an answer that came very late, to a stage that was let go
			r.Record(0, &engine.Result{
				K: (stage - 80) * each, Verdict: judge.Verdict{Class: judge.Timeout},
				Service: 80 * time.Second, Response: 80 * time.Second,
			})
		}
		r.tick(time.Duration(stage+1)*time.Second, false)
	}
	open, unpacked := 0, 0
	for i := range r.shards.list {
		for c := range r.shards.list[i].cells {
			if r.shards.list[i].cells[c].Load() != nil {
				open++
			}
		}
	}
	for i := range r.totals.stages {
		if r.totals.stages[i].open != nil {
			unpacked++
		}
	}
	if limit := 75 * 3 * len(r.shards.list); open > limit || unpacked > 90 {
		t.Errorf("%d cells (limit %d) and %d stages are kept open", open, limit, unpacked)
	}
	run, err := r.Finish(Ending{Elapsed: stages * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if run.Requests.Accepted != stages*each || run.Requests.Timeouts != 22 || len(run.Stages) != stages {
		t.Errorf("%+v in %d stages", run.Requests, len(run.Stages))
	}
	for i, got := range run.Stages {
		if got.Requests["accepted"] != each || got.Latency.Response.P50 < 4 || got.Latency.Response.P50 > 4.01 {
			t.Fatalf("stage %d: %+v", i+1, got)
		}
	}
	if run.Stages[0].Requests["timeout"] != 1 {
		t.Errorf("the first stage: %+v", run.Stages[0].Requests)
	}
	again, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := run.JSON()
	two, _ := again.JSON()
	if string(one) != string(two) {
		t.Error("the rebuilt run differs")
	}
}
