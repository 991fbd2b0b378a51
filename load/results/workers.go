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

// worker counts what one worker sees, in a histogram for each stage, class and time. Each second it is emptied. Where
// an engine has very many workers, some share one.
type worker struct {
	mu sync.Mutex
	counts
	_ [64]byte // keeps workers off each other's cache lines
}

// workers are the hot path: results in, without an allocation but for what is rare.
type workers struct {
	list  []worker
	last  []int64 // of each stage: the first request of the next
	users bool    // several identities take turns
}

func newWorkers(last []int64, users bool) *workers {
	return &workers{make([]worker, 2*runtime.GOMAXPROCS(0)), last, users}
}

// record counts a result.
func (ws *workers) record(n int, x *engine.Result) {
	w := &ws.list[n%len(ws.list)]
	w.mu.Lock()
	defer w.mu.Unlock()
	failure, class := x.Verdict.Failure, x.Verdict.Class.String()
	if failure == judge.Canceled {
		w.Canceled++
		return
	}
	stage, _ := slices.BinarySearch(ws.last, x.K+1)
	stage = min(stage, len(ws.last)-1) + 1
	w.of(slot{stage, class, threshold.Service}).Record(x.Service)
	w.of(slot{stage, class, threshold.Response}).Record(x.Response)
	if !x.Queued {
		w.of(slot{stage, "", threshold.Lag}).Record(x.Lag)
	}
	w.end(stage, int64(x.Intended+x.Lag))
	if x.Response > longest {
		w.Clamped++
	}
	if failure != judge.NoFailure {
		w.Failures.add(failure.String(), 1)
	}
	if x.Verdict.Rule != "" {
		w.Rules.add(x.Verdict.Rule, 1)
	}
	status := 0
	if x.Exchange != nil {
		status = x.Exchange.Status
	}
	if x.Verdict.Class.Bad() && status > 0 {
		w.Statuses.add(strconv.Itoa(status), 1)
	}
	if x.Request == nil {
		return
	}
	if ws.users {
		u := w.user(x.Request.Identity)
		u.Classes.add(class, 1)
		u.Response.Record(x.Response)
	}
	if took := millis(x.Response); len(w.Slow) < mostSlow || took > w.Slow[mostSlow-1].ResponseMS {
		w.slow(Slow{
			K: x.K, AtMS: millis(x.Intended), ResponseMS: took, ServiceMS: millis(x.Service),
			Class: class, Status: status, Nonce: string(x.Request.Nonce[:]), Trace: traceOf(x),
		})
	}
}

// take empties the workers.
func (ws *workers) take() (all counts) {
	for i := range ws.list {
		w := &ws.list[i]
		w.mu.Lock()
		taken := w.counts
		w.counts = counts{}
		w.mu.Unlock()
		all.add(&taken)
	}
	return all
}

// traceOf is the traceparent of a request that carried one.
func traceOf(x *engine.Result) string {
	if x.Request.Trace[0] == 0 {
		return ""
	}
	return string(x.Request.Trace[:])
}
