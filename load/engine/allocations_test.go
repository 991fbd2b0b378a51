//go:build !race

package engine_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/sink"
)

// histograms is a sink with a shard of HDR histograms for each worker.
type histograms struct{ shards []*measured }

type measured struct {
	service, response, lag *hdrhistogram.Histogram
	classes                [judge.NumClasses]int64
	_                      [64]byte
}

func newHistograms(workers int) *histograms {
	h := &histograms{}
	for range workers {
		h.shards = append(h.shards, &measured{service: newHistogram(), response: newHistogram(), lag: newHistogram()})
	}
	return h
}

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, int64(time.Minute), 2) }

func (h *histograms) Record(shard int, r *engine.Result) {
	m := h.shards[shard]
	m.service.RecordValue(int64(r.Service))
	m.response.RecordValue(int64(r.Response))
	m.lag.RecordValue(int64(max(r.Lag, 0)))
	m.classes[r.Verdict.Class]++
}

func (h *histograms) accepted() (n int64) {
	for _, m := range h.shards {
		n += m.classes[judge.Accepted]
	}
	return n
}

func TestTheDirectEngineAllocatesNothingForARequest(t *testing.T) {
	srv := serve(t, sink.Options{})
	const workers, requests = 4, 4000
	o, _ := options(t, srv.URL(), constant(t, requests, time.Second), 0)
	sink := newHistograms(workers)
	o.Name, o.Sink, o.MaxInFlight = engine.Direct, sink, workers
	run(t, t.Context(), o) // connections, buffers
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run(t, t.Context(), o)
	runtime.ReadMemStats(&after)
	if n := float64(after.Mallocs-before.Mallocs) / requests; n > 0.3 {
		t.Errorf("%.2f allocations a request, with what connections need", n)
	}
	if sink.accepted() != 2*requests {
		t.Errorf("%d accepted", sink.accepted())
	}
}
