//go:build !race

package engine_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/sink"
)

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
