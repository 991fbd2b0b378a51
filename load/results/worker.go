package results

import (
	"strconv"
	"sync"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// worker counts what one worker of the engine sees, until it is emptied, once an interval. Where an engine has very many
// workers, some share one.
type worker struct {
	mu sync.Mutex
	counts
	_ [64]byte // keeps workers off each other's cache lines
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
	w.Times.at(slot{stage, v.Class.String(), threshold.Service}).Record(x.Service)
	w.Times.at(slot{stage, v.Class.String(), threshold.Response}).Record(x.Response)
	if !x.Queued {
		w.Times.at(slot{Stage: stage, Time: threshold.Lag}).Record(x.Lag)
	}
	w.end(stage, x.Intended+x.Lag)
	if v.Failure != judge.NoFailure {
		w.Failures.add(v.Failure.String(), 1)
	}
	if v.Rule != "" {
		w.Rules.add(v.Rule, 1)
	}
	if v.Class.Bad() && x.Status > 0 {
		w.Statuses.add(strconv.Itoa(x.Status), 1)
	}
}

// take empties the worker.
func (w *worker) take() counts {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.counts
	w.counts = counts{}
	return taken
}
