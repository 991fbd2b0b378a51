package results

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
)

// Stall is a stretch without any answer, though requests waited for one.
type Stall struct {
	FromMS float64 `json:"from_ms"` // the last answer before, from the start of the run
	MS     float64 `json:"ms"`
	Waited int64   `json:"waited"`         // requests that were due by its end and had no answer
	Open   bool    `json:"open,omitempty"` // it lasted until the end of the run
}

const (
	shortestStall = 500 * time.Millisecond
	leastDue      = 10 // requests, in a stall
)

// stalls finds the stretches without an answer.
type stalls struct {
	share    *schedule.Share
	settled  int64         // requests that ended
	answered time.Duration // when the latest answer was whole; 0: there was none
	found    []Stall       // since the last interval
}

// result takes what became of a request.
func (s *stalls) result(x *engine.Result) {
	if x.Verdict.Failure == judge.Canceled {
		return
	}
	s.settled++
	if done := x.Intended + x.Response; x.Verdict.Failure == judge.NoFailure && done > s.answered {
		s.note(done, s.settled-1, false) // the one that ends a stall had waited, too
		s.answered = done
	}
}

// since is for how long there has been no answer, where that is a stall; 0 else.
func (s *stalls) since(to time.Duration) time.Duration {
	took := to - s.answered
	if s.answered == 0 || took < shortestStall || s.share.DueBy(to)-s.share.DueBy(s.answered) < leastDue {
		return 0
	}
	return took
}

// note keeps the stretch since the latest answer, where it is a stall.
func (s *stalls) note(to time.Duration, settled int64, open bool) {
	if took := s.since(to); took > 0 {
		s.found = append(s.found, Stall{
			FromMS: millis(s.answered), MS: millis(took), Waited: max(s.share.DueBy(to)-settled, 0), Open: open,
		})
	}
}

// take gives the stalls that ended since the last call, at the end of the run also the one that it ended in; and for how
// long there has been no answer now, where that is a stall.
func (s *stalls) take(now time.Duration, final bool) (found []Stall, silent time.Duration) {
	if final {
		s.note(now, s.settled, true)
	} else {
		silent = s.since(now)
	}
	found, s.found = s.found, nil
	return found, silent
}

// Words says what happened, as a sentence without a full stop: no answer for 1.2 s from 0:03, 100 requests waited.
func (s Stall) Words() string {
	text := fmt.Sprintf("no answer for %s from %d:%02d", seconds(s.MS), int(s.FromMS/60_000), int(s.FromMS/1000)%60)
	if s.Open {
		text += " until the end"
	}
	if s.Waited > 0 {
		text += ", " + printable.Quantity(s.Waited, "request") + " waited"
	}
	return text
}

// StallWords says what happened in the stalls of a run: the longest first, and how many more there were.
func (r Run) StallWords() (words []string) {
	const most = 3
	longest := slices.SortedStableFunc(slices.Values(r.Stalls), func(a, b Stall) int { return cmp.Compare(b.MS, a.MS) })
	for _, s := range longest[:min(len(longest), most)] {
		words = append(words, s.Words())
	}
	if more := len(longest) - most; more > 0 {
		words = append(words, fmt.Sprintf("%d more stretches without an answer", more))
	}
	return words
}
