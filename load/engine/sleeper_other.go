//go:build !linux

package engine

import (
	"runtime"
	"sync"
	"time"
)

// sleeper waits for moments of a run by the runtime's timers, the last stretch by yielding.
type sleeper struct {
	start time.Time
	once  sync.Once
	done  chan struct{}
	woken time.Duration
}

// spin is the last stretch of a wait.
const spin = 50 * time.Microsecond

func newSleeper(start time.Time) *sleeper { return &sleeper{start: start, done: make(chan struct{})} }

// now is the time since the start.
func (s *sleeper) now() time.Duration { return time.Since(s.start) }

// until waits for a moment, or for interrupt, and returns the time since the start. It wakes once in a tick at most.
func (s *sleeper) until(at time.Duration) time.Duration {
	at = afterTick(at, s.now(), s.woken)
	if wait := at - s.now() - spin; wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-s.done:
			return s.now()
		}
	}
	for {
		if now := s.now(); now >= at {
			s.woken = now
			return now
		}
		runtime.Gosched()
	}
}

// interrupt ends a wait, and all that follow.
func (s *sleeper) interrupt() { s.once.Do(func() { close(s.done) }) }

func (s *sleeper) close() {}
