//go:build !race

package engine_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/sink"
)

// counter is a sink that counts what was accepted.
type counter struct{ accepted atomic.Int64 }

func (c *counter) Record(_ int, r *engine.Result) {
	if r.Verdict.Class == judge.Accepted {
		c.accepted.Add(1)
	}
}

func TestTheDirectEngineAllocatesNothingForARequest(t *testing.T) {
	srv := serve(t, sink.Options{})
	const workers, requests = 4, 4000
	o, _ := options(t, srv.URL(), constant(t, requests, time.Second), 0)
	count := &counter{}
	o.Name, o.Sink, o.MaxInFlight = engine.Direct, count, workers
	run(t, t.Context(), o) // connections, buffers
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run(t, t.Context(), o)
	runtime.ReadMemStats(&after)
	if n := float64(after.Mallocs-before.Mallocs) / requests; n > 0.3 {
		t.Errorf("%.2f allocations a request, with what connections need", n)
	}
	if n := count.accepted.Load(); n != 2*requests {
		t.Errorf("%d accepted", n)
	}
}
