package results

import (
	"sync"
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

// stalls finds the stretches without an answer.
type stalls struct {
	share  *schedule.Share
	length time.Duration // of the schedule

	mu       sync.Mutex
	settled  int64         // requests that ended
	failed   int64         // of these, without an answer
	answered time.Duration // when the latest answer was whole; 0: there was none
	before   int64         // failed, as it was then
	found    []Stall       // since the last interval
	count    int
}

// result takes what became of a request.
func (s *stalls) result(x *engine.Result) {
	if x.Verdict.Failure == judge.Canceled {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled++
	if x.Verdict.Failure != judge.NoFailure {
		s.failed++
		return
	}
	if done := x.Intended + x.Response; done > s.answered {
		s.note(done, s.settled-1, false) // the one that ends a stall had waited, too
		s.answered, s.before = done, s.failed
	}
}

// waiting reports whether since the latest answer there was none for long, at the rate of the schedule, though more
// requests were due than have settled.
func (s *stalls) waiting(to time.Duration, settled int64) bool {
	from := s.answered
	if from == 0 || to-from < shortestStall {
		return false
	}
	rate := s.share.Rate(min(from, s.length-1)) // between two requests lies 1/rate
	return (rate == 0 || (to-from).Seconds()*rate >= 10) && s.share.DueBy(to-shortestStall/2) > settled
}

// note keeps the stretch since the latest answer, where it is a stall.
func (s *stalls) note(to time.Duration, settled int64, open bool) {
	failed := s.failed - s.before
	if !s.waiting(to, settled-failed) {
		return
	}
	if s.count++; s.count <= mostStalls {
		s.found = append(s.found, Stall{
			FromMS: millis(s.answered), MS: millis(to - s.answered), Waited: max(s.share.DueBy(to)-settled, 0), Failed: failed,
			Open: open,
		})
	}
}

// silent is for how long there has been no answer, where that is a stall; 0 else.
func (s *stalls) silent(now time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting(now, s.settled) {
		return now - s.answered
	}
	return 0
}

// take gives the stalls that ended since the last call, at the end of the run also the one that it ended in.
func (s *stalls) take(now time.Duration, final bool) []Stall {
	s.mu.Lock()
	defer s.mu.Unlock()
	if final {
		s.note(now, s.settled, true)
	}
	found := s.found
	s.found = nil
	return found
}
