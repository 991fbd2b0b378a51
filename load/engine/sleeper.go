package engine

import (
	"runtime"
	"sync/atomic"
	"time"
)

// tick is the least time between two wakings of the scheduler. On an idle machine each costs more than sending a
// request does, so above 1,000 requests a second those that fall due within a millisecond are sent together: up to that
// late, never early, and reported as lag.
const tick = time.Millisecond

// spin is the last stretch of a wait by the runtime's timers.
const spin = 50 * time.Microsecond

// sleeper waits for moments of a run: by a timer of the system, where there is one, else by the runtime's timers and
// yielding.
type sleeper struct {
	start   time.Time
	woken   time.Duration
	timer   *systemTimer
	done    chan struct{}
	stopped atomic.Bool
}

func newSleeper(start time.Time) *sleeper {
	return &sleeper{start: start, timer: newSystemTimer(), done: make(chan struct{})}
}

// now is the time since the start.
func (s *sleeper) now() time.Duration { return time.Since(s.start) }

// until waits for a moment, or for interrupt, and returns the time since the start. It wakes once in a tick at most.
func (s *sleeper) until(at time.Duration) time.Duration {
	now := s.now()
	if now < at {
		at = max(at, s.woken+tick)
	}
	for ; now < at && !s.stopped.Load(); now = s.now() {
		switch wait := at - now; {
		case s.timer.sleep(wait):
		case wait > spin:
			select {
			case <-time.After(wait - spin):
			case <-s.done:
			}
		default:
			runtime.Gosched()
		}
	}
	s.woken = now
	return now
}

// interrupt ends a wait, and all that follow.
func (s *sleeper) interrupt() {
	if !s.stopped.Swap(true) {
		close(s.done)
		s.timer.interrupt()
	}
}

func (s *sleeper) close() { s.timer.close() }
