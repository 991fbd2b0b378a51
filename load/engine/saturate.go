package engine

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// saturate runs a closed loop: it finds how much the target, or this machine, can take. There is no intended moment
// but the one when a worker is free, so response time is service time.
func (d *direct) saturate(ctx context.Context, s *sleeper) {
	o := d.e.o.Saturation
	s.until(0) // the start
	if ctx.Err() != nil {
		return
	}
	most := o.Requests
	if most <= 0 {
		most = math.MaxInt64
	}
	var halt atomic.Bool
	if o.For > 0 {
		timer := time.AfterFunc(o.For, func() { halt.Store(true) })
		defer timer.Stop()
	}
	var running atomic.Int64
	idle := make(chan struct{})
	running.Store(int64(o.Workers))
	for range o.Workers {
		d.mu.Lock()
		w := d.hire()
		d.peak = max(d.peak, d.workers)
		d.mu.Unlock()
		go func() {
			w.open()
			var sent int64
			for !halt.Load() {
				n := d.drawn.Add(1) - 1
				if n >= most {
					break
				}
				w.send(d.e.k(n), time.Since(d.start), false)
				sent++
			}
			d.mu.Lock()
			d.taken += sent
			d.released += sent
			d.mu.Unlock()
			w.leave()
			if running.Add(-1) == 0 {
				close(idle)
			}
		}()
	}
	select {
	case <-idle:
	case <-ctx.Done(): // finish gives them their grace
		halt.Store(true)
	}
}
