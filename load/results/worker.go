package results

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// worker counts what one worker of the engine sees, until it is emptied, once an interval. Where an engine has very many
// workers, some share one.
type worker struct {
	mu sync.Mutex
	counts
	stage int // that requests are of now, from 1
	last  time.Duration
	cells [judge.NumClasses]cell // of that stage
	_     [64]byte               // keeps workers off each other's cache lines
}

// cell is where the times of a stage's requests of one class are counted.
type cell struct{ service, response, lag *Distribution }

// turn goes on with requests of another stage, or of an emptied worker.
func (w *worker) turn(stage int) {
	if w.last > 0 {
		w.end(w.stage, w.last)
	}
	w.stage, w.last, w.cells = stage, 0, [judge.NumClasses]cell{}
}

// cell finds that of a request.
func (w *worker) cell(stage int, class judge.Class) *cell {
	if stage != w.stage {
		w.turn(stage)
	}
	c := &w.cells[class]
	if c.service == nil {
		name := class.String()
		*c = cell{
			w.of(slot{stage, name, threshold.Service}), w.of(slot{stage, name, threshold.Response}),
			w.of(slot{stage, "", threshold.Lag}),
		}
	}
	return c
}

// record counts a result of a stage, without an allocation but for what is rare.
func (w *worker) record(stage int, x *engine.Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	v := x.Verdict
	if v.Failure == judge.Canceled {
		w.Canceled++
		return
	}
	c := w.cell(stage, v.Class)
	c.service.Record(x.Service)
	c.response.Record(x.Response)
	if !x.Queued {
		c.lag.Record(x.Lag)
	}
	w.last = max(w.last, x.Intended+x.Lag)
	if v.Failure != judge.NoFailure {
		w.Failures.add(v.Failure.String(), 1)
	}
	if v.Rule != "" {
		w.Rules.add(v.Rule, 1)
	}
	if v.Class.Bad() && x.Status > 0 {
		w.Statuses.add(strconv.Itoa(x.Status), 1)
	}
	if took := millis(x.Response); x.Request != nil && (len(w.Slow) < mostSlow || took > w.Slow[mostSlow-1].ResponseMS) {
		w.slow(Slow{
			K: x.K, AtMS: millis(x.Intended), ResponseMS: took, ServiceMS: millis(x.Service),
			Class: v.Class.String(), Status: x.Status, Nonce: x.Request.Nonce,
		})
	}
}

// take empties the worker.
func (w *worker) take() counts {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.turn(0)
	taken := w.counts
	w.counts = counts{}
	return taken
}

// stageOf is the stage of request k, from 1, where ends are the first requests of the stages that follow.
func stageOf(ends []int64, k int64) int {
	stage, _ := slices.BinarySearch(ends, k+1)
	return min(stage, len(ends)-1) + 1
}
