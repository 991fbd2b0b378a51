package results

import (
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
)

// Whatever workers record at once while others empty the cells, each result is counted once, in its stage and its class,
// also where an answer comes after its stage.
func TestEachResultIsCountedOnceInItsStage(t *testing.T) {
	const stages, each, workers = 8, 50, 4
	var list []schedule.Stage
	for range stages {
		list = append(list, schedule.Stage{Kind: schedule.Constant, Rate: each, For: time.Second})
	}
	s := must.Get(schedule.New(list...))(t)
	dir := t.TempDir()
	r := must.Get(Open(Options{Dir: dir, Schedule: s, Plan: 1, Interval: time.Hour}))(t)
	r.Start(time.Now(), nil)
	class := func(k int64) judge.Class { return judge.Class(k * 7 % 3) }
	want := make([]map[string]int64, stages)
	for k := range s.K() {
		if want[k/each] == nil {
			want[k/each] = map[string]int64{}
		}
		want[k/each][class(k).String()]++
	}
	order := rand.Perm(int(s.K()))
	for i := 0; i < len(order); i += each { // a second, in which answers of any stage come
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for _, n := range order[i : i+each] {
					if k := int64(n); n%workers == w {
						r.Record(&engine.Result{
							K: k, Verdict: judge.Verdict{Class: class(k)}, Intended: s.At(k), Lag: time.Microsecond,
							Service: time.Duration(k+1) * time.Millisecond, Response: time.Duration(k+2) * time.Millisecond,
						})
					}
				}
			})
		}
		wg.Go(func() { r.tick(time.Duration(i/each)*time.Second+500*time.Millisecond, false) })
		wg.Wait()
		r.tick(time.Duration(i/each+1)*time.Second, false)
	}
	run := must.Get(r.Finish(Ending{Elapsed: stages * time.Second}))(t)
	for n, stage := range run.Stages {
		if !reflect.DeepEqual(stage.Requests, want[n]) {
			t.Fatalf("stage %d: %v, not %v", n+1, stage.Requests, want[n])
		}
	}
	if len(run.Stages) != stages {
		t.Errorf("%d stages", len(run.Stages))
	}
	again := must.Get(Read(dir))(t)
	if one, two := must.Get(run.JSON())(t), must.Get(again.JSON())(t); string(one) != string(two) {
		t.Error("the rebuilt run differs")
	}
}
