package results

import (
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// Slow is one of the requests that took longest.
type Slow struct {
	K          int64   `json:"k"`
	AtMS       float64 `json:"at_ms"` // when it was meant to be sent, from the start of the run
	ResponseMS float64 `json:"response_ms"`
	ServiceMS  float64 `json:"service_ms"`
	Class      string  `json:"class"`
	Status     int     `json:"status,omitempty"`
	Nonce      string  `json:"nonce"`
	Trace      string  `json:"traceparent,omitempty"`
}

const mostSlow = 10 // of a run, and of an interval

// worker counts what one worker sees, in a histogram for each class and time. Each second it is emptied. Where an
// engine has very many workers, some share one.
type worker struct {
	mu sync.Mutex
	counts
	stage  int // the newest, from 1
	recent recent
	_      [64]byte // keeps workers off each other's cache lines
}

// recent are the distributions of the newest stage: service and response of each class, and lag.
type recent [2*judge.NumClasses + 1]*Distribution

// of is the distribution of a slot. Those of the newest stage, nearly all, are found without a search.
func (w *worker) of(at slot, n int) *Distribution {
	if at.Stage != w.stage {
		return w.Times.at(at)
	}
	if w.recent[n] == nil {
		w.recent[n] = w.Times.at(at)
	}
	return w.recent[n]
}

// workers are the hot path: results in, without an allocation but for what is rare.
type workers struct {
	list  []worker
	last  []int64 // of each stage: the first request of the next
	users bool    // several identities take turns
}

func newWorkers(last []int64, users bool) *workers {
	w := &workers{make([]worker, 2*runtime.GOMAXPROCS(0)), last, users}
	w.take()
	return w
}

// record counts a result.
func (ws *workers) record(n int, x *engine.Result) {
	w := &ws.list[n%len(ws.list)]
	w.mu.Lock()
	defer w.mu.Unlock()
	class, failure := x.Verdict.Class, x.Verdict.Failure
	if failure == judge.Canceled {
		w.Canceled++
		return
	}
	stage, _ := slices.BinarySearch(ws.last, x.K+1)
	stage = min(stage, len(ws.last)-1) + 1
	if stage > w.stage {
		w.stage, w.recent = stage, recent{}
	}
	w.of(slot{stage, class.String(), threshold.Service}, 2*int(class)).Record(x.Service)
	w.of(slot{stage, class.String(), threshold.Response}, 2*int(class)+1).Record(x.Response)
	if !x.Queued {
		w.of(slot{stage, "", threshold.Lag}, len(w.recent)-1).Record(x.Lag)
	}
	w.Ends[stage] = max(w.Ends[stage], int64(x.Intended+x.Lag))
	if x.Response > longest {
		w.Clamped++
	}
	if failure != judge.NoFailure {
		w.Failures.count(failure.String(), 1)
	}
	if x.Verdict.Rule != "" {
		w.Rules.count(x.Verdict.Rule, 1)
	}
	if status := statusOf(x); class.Bad() && status > 0 {
		w.Statuses.count(strconv.Itoa(status), 1)
	}
	if x.Request == nil {
		return
	}
	if ws.users {
		u := w.user(x.Request.Identity)
		u.Classes.count(class.String(), 1)
		u.Response.Record(x.Response)
	}
	if took := millis(x.Response); len(w.Slow) < mostSlow || took > w.Slow[mostSlow-1].ResponseMS {
		w.slow(Slow{
			K: x.K, AtMS: millis(x.Intended), ResponseMS: took, ServiceMS: millis(x.Service),
			Class: class.String(), Status: statusOf(x), Nonce: string(x.Request.Nonce[:]), Trace: traceOf(x),
		})
	}
}

// take empties the workers.
func (ws *workers) take() *counts {
	all := newCounts()
	for i := range ws.list {
		w := &ws.list[i]
		w.mu.Lock()
		taken := w.counts
		w.counts, w.recent = newCounts(), recent{}
		w.mu.Unlock()
		all.add(&taken)
	}
	return &all
}

// statusOf is that of the answer; 0: there was none.
func statusOf(x *engine.Result) int {
	if x.Exchange == nil {
		return 0
	}
	return x.Exchange.Status
}

// traceOf is the traceparent of a request that carried one.
func traceOf(x *engine.Result) string {
	if x.Request.Trace[0] == 0 {
		return ""
	}
	return string(x.Request.Trace[:])
}
