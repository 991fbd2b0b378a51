package engine

import (
	"context"
	"time"
)

// tick is the least time between two wakings of the scheduler. On an idle machine each costs more
// than sending a request does, so above 1,000 requests a second those that fall due within a
// millisecond are sent together: up to that late, never early, and reported as lag.
const tick = time.Millisecond

type sleeper struct {
	start time.Time
	woken time.Duration
	timer *time.Timer
}

func newSleeper(start time.Time) *sleeper {
	return &sleeper{start: start, timer: time.NewTimer(time.Hour)}
}

func (s *sleeper) now() time.Duration { return time.Since(s.start) }

// until waits for a moment, or for the end of the context, and returns the time since the start. It
// wakes once in a tick at most.
func (s *sleeper) until(ctx context.Context, at time.Duration) time.Duration {
	now := s.now()
	if now >= at {
		return now
	}
	s.timer.Reset(max(at, s.woken+tick) - now)
	select {
	case <-s.timer.C:
	case <-ctx.Done():
	}
	s.woken = s.now()
	return s.woken
}
