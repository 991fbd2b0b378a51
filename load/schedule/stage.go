// Package schedule is the arithmetic of a load plan: how many requests it has, and the moment at
// which each is meant to be sent.
//
// A schedule is a rate over time. C(t), its integral, is the number of requests that are due by t,
// and request k = 0, 1, ... is sent when C reaches k and goes beyond it:
//
//	T(k) = inf { t : C(t) > k }
//
// So T(0) is 0 where the rate is positive from the start, a constant rate r sends at 0, 1/r, 2/r,
// ..., a time without rate holds its next request until the rate comes back, and a stage that lasts
// from a to b sends in [a, b): the first moment of a stage belongs to it, the last to its
// successor. There are K = ⌈C(end)⌉ requests.
//
// Everything is a pure function of the stages: nothing adds up on the way, so nothing drifts
// however long a run is, and any process can work out its share (shard i of N owns every k with k
// mod N = i) without asking another.
package schedule

import (
	"fmt"
	"time"
)

// Stage is one part of a schedule, in which the rate goes linearly From one To another, in requests
// per second.
type Stage struct {
	Name string        `json:"name,omitempty"` // for thresholds and reports
	From float64       `json:"from"`
	To   float64       `json:"to"`
	For  time.Duration `json:"for_ns"`
}

// Constant returns a stage with one rate, in requests per second.
func Constant(rate float64, length time.Duration) Stage {
	return Stage{From: rate, To: rate, For: length}
}

// Bounds of a schedule. They keep the arithmetic exact, and catch what was surely meant otherwise.
const (
	maxRate     = 10_000_000.0         // requests per second
	MaxDuration = 366 * 24 * time.Hour // of the whole schedule
	maxRequests = int64(1e12)          // of the whole schedule
	maxStages   = 1_000
)

func (s Stage) check(key string, wrong *Problems) {
	for _, rate := range []float64{s.From, s.To} {
		if !(rate >= 0 && rate <= maxRate) {
			wrong.Add(key+".rate", fmt.Sprintf("a rate from 0 to %.0f/s", maxRate),
				fmt.Sprintf("%.6g/s", rate), "")
			break
		}
	}
	if s.For <= 0 || s.For > MaxDuration {
		wrong.Add(key+".for", "a duration greater than 0 and at most "+days(MaxDuration),
			s.For.String(), "")
	}
}

func days(d time.Duration) string {
	if d >= 48*time.Hour {
		return fmt.Sprintf("%.4g days", d.Hours()/24)
	}
	return d.String()
}
