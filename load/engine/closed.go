package engine

import (
	"context"
	"time"
)

// loop runs the closed model: each worker sends its next request once the last is answered, and not before the schedule
// allows it. There is no intended moment but the one when a worker is free, so response time is service time.
func (d *direct) loop(ctx context.Context, s *sleeper) {
	s.until(0) // the start
	if ctx.Err() != nil {
		return
	}
	most := d.e.planned()
	for range d.e.limit {
		d.mu.Lock()
		w := d.hire()
		d.mu.Unlock()
		go func() {
			w.open()
			defer w.leave()
			for {
				n := d.drawn.Add(1) - 1
				if n >= most || !d.allowed(ctx, d.e.o.Schedule.At(d.e.k(n))) {
					return
				}
				d.begun.Add(1)
				w.send(d.e.k(n), time.Since(d.start), false)
			}
		}()
	}
}

// allowed waits for a moment of the schedule. It reports whether a request may be sent then.
func (d *direct) allowed(ctx context.Context, at time.Duration) bool {
	now := time.Since(d.start)
	if now < at {
		timer := time.NewTimer(at - now)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil && !d.e.over(max(now, at))
}
