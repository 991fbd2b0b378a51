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

// A Stall is a time without any answer while requests waited for one.
type Stall struct {
	FromMS float64 `json:"from_ms"` // last answer before it, from the start of the run
	MS     float64 `json:"ms"`
	Waited int64   `json:"waited"`         // requests due by its end that had no answer
	Open   bool    `json:"open,omitempty"` // it lasted until the end of the run
}

const (
	minStall         = 500 * time.Millisecond
	minStallRequests = 10 // requests due in a stall
)

type stallDetector struct {
	share    *schedule.Share
	settled  int64         // number of requests that ended
	answered time.Duration // when the latest answer was complete; 0: none yet
	found    []Stall       // stalls since the last takeFound
}

func (s *stallDetector) record(x *engine.RequestResult) {
	if x.Judgement.Failure == judge.FailureCanceled {
		return
	}
	s.settled++
	f := x.Judgement.Failure
	answered := f == judge.FailureNone || f == judge.FailureProtocol
	if at := x.Intended + x.Response; answered && at > s.answered {
		s.closeStall(at, s.settled-1, false) // the request answered now waited, too
		s.answered = at
	}
}

// silentFor returns the time since the latest answer if that is a stall, else 0.
func (s *stallDetector) silentFor(now time.Duration) time.Duration {
	took := now - s.answered
	if s.answered == 0 || took < minStall ||
		s.share.DueBy(now)-s.share.DueBy(s.answered) < minStallRequests {
		return 0
	}
	return took
}

// closeStall records the stall that ends now, if there is one.
func (s *stallDetector) closeStall(now time.Duration, settled int64, open bool) {
	if took := s.silentFor(now); took > 0 {
		s.found = append(s.found, Stall{
			FromMS: Milliseconds(s.answered), MS: Milliseconds(took), Open: open,
			Waited: max(s.share.DueBy(now)-settled, 0),
		})
	}
}

// takeFound returns the stalls that ended since the last call. If final is set, it also returns
// the stall that lasts until the end of the run.
func (s *stallDetector) takeFound(now time.Duration, final bool) (found []Stall) {
	if final {
		s.closeStall(now, s.settled, true)
	}
	found, s.found = s.found, nil
	return found
}

// Describe describes the stall: "no answer for 1.2 s from 0:03, 100 requests waited".
func (s Stall) Describe() string {
	text := fmt.Sprintf("no answer for %.1f s from %d:%02d", s.MS/1000, int(s.FromMS/60_000),
		int(s.FromMS/1000)%60)
	if s.Open {
		text += " until the end"
	}
	if s.Waited > 0 {
		text += ", " + printable.Quantity(s.Waited, "request") + " waited"
	}
	return text
}

// DescribeStalls describes the three longest stalls of a run and counts the others. It says if the
// generator may be their cause.
func (r Run) DescribeStalls() (words []string) {
	const most = 3
	longest := slices.SortedStableFunc(slices.Values(r.Stalls),
		func(a, b Stall) int { return cmp.Compare(b.MS, a.MS) })
	for _, s := range longest[:min(len(longest), most)] {
		text := s.Describe()
		if lag := r.Generator.LagMaxMS; lag > s.MS/2 {
			text += fmt.Sprintf("; requests were sent up to %.1f s late", lag/1000)
		}
		words = append(words, text)
	}
	if more := len(longest) - most; more > 0 {
		words = append(words, printable.Quantity(more, "more stall"))
	}
	return words
}
