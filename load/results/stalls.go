package results

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
)

// Stall is a stretch without any answer, though requests waited for one.
type Stall struct {
	FromMS float64 `json:"from_ms"` // the last answer before, from the start of the run
	MS     float64 `json:"ms"`
	Waited int64   `json:"waited"`           // requests that were due by its end and had no answer
	Failed int64   `json:"failed,omitempty"` // requests that ended within it without an answer
	Open   bool    `json:"open,omitempty"`   // it lasted until the end of the run
}

const (
	shortestStall = 500 * time.Millisecond
	mostStalls    = 200 // of a run
)

// stalls finds the stretches without an answer. Only what ends one takes a lock.
type stalls struct {
	share  *schedule.Share
	length time.Duration // of the schedule

	settled  atomic.Int64 // requests that ended
	failed   atomic.Int64 // of these, without an answer
	answered atomic.Int64 // when the latest answer was whole, in nanoseconds of the run; 0: there was none
	before   atomic.Int64 // failed, as it was then

	mu    sync.Mutex
	found []Stall // since the last interval
	count int
}

// result takes what became of a request.
func (s *stalls) result(x *engine.Result) {
	if x.Verdict.Failure == judge.Canceled {
		return
	}
	s.settled.Add(1)
	if x.Verdict.Failure != judge.NoFailure {
		s.failed.Add(1)
		return
	}
	done := int64(x.Intended + x.Response)
	for last := s.answered.Load(); done > last; last = s.answered.Load() {
		if s.answered.CompareAndSwap(last, done) {
			failed := s.failed.Load()
			if before := s.before.Swap(failed); last > 0 {
				s.note(time.Duration(last), time.Duration(done), failed-before, false)
			}
			return
		}
	}
}

// waiting reports whether from one moment to another there was no answer for long, at the rate of the schedule, though
// more requests were due than have settled.
func (s *stalls) waiting(from, to time.Duration, settled int64) bool {
	rate := s.share.Rate(min(from, s.length-1)) // between two requests lies 1/rate
	return to-from >= shortestStall && (rate == 0 || (to-from).Seconds()*rate >= 10) && s.share.DueBy(to-shortestStall/2) > settled
}

// note keeps a stretch without an answer that is a stall.
func (s *stalls) note(from, to time.Duration, failed int64, open bool) {
	settled := s.settled.Load()
	if !open {
		settled-- // the one that ended it had waited, too
	}
	if !s.waiting(from, to, settled-failed) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count++; s.count <= mostStalls {
		s.found = append(s.found, Stall{
			FromMS: millis(from), MS: millis(to - from), Waited: max(s.share.DueBy(to)-settled, 0), Failed: failed, Open: open,
		})
	}
}

// close notes the stall that the run ended in.
func (s *stalls) close(now time.Duration) {
	if last := time.Duration(s.answered.Load()); last > 0 {
		s.note(last, now, s.failed.Load()-s.before.Load(), true)
	}
}

// silent is for how long there has been no answer, where that is a stall; 0 else.
func (s *stalls) silent(now time.Duration) time.Duration {
	last := time.Duration(s.answered.Load())
	if last > 0 && s.waiting(last, now, s.settled.Load()) {
		return now - last
	}
	return 0
}

// take gives the stalls that ended since the last call.
func (s *stalls) take() []Stall {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.found
	s.found = nil
	return found
}
