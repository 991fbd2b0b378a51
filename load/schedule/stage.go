// Package schedule computes how many requests a load plan has, and when each is due.
//
// A schedule is a rate over time. C(t), its integral, is the number of requests that are due by t,
// and request k = 0, 1, ... is sent when C reaches k and goes beyond it:
//
//	T(k) = inf { t : C(t) > k }
//
// So T(0) is 0 if the rate is positive from the start, and a constant rate r sends at 0, 1/r,
// 2/r, ... While the rate is 0, the next request waits. A stage from a to b sends in [a, b): its
// first moment belongs to it, its last to the next stage. There are K = ⌈C(end)⌉ requests.
// Everything is a pure function of the stages. No errors add up, so a long run does not drift,
// and any process can compute its share without the others (see Share).
package schedule

import (
	"fmt"
	"math"
	"time"

	"github.com/gateassay/gateassay/internal/strictyaml"
)

// A Stage is a part of a schedule in which the rate changes linearly from From to To, in
// requests per second.
type Stage struct {
	Name string        `json:"name,omitempty"` // for thresholds and reports
	From float64       `json:"from"`
	To   float64       `json:"to"`
	For  time.Duration `json:"for_ns"`
}

// ConstantStage returns a stage with one rate, in requests per second.
func ConstantStage(rate float64, length time.Duration) Stage {
	return Stage{From: rate, To: rate, For: length}
}

// Limits of a schedule. They keep the arithmetic exact and catch obvious mistakes.
const (
	maxRate     = 10_000_000.0         // requests per second
	MaxDuration = 366 * 24 * time.Hour // of the whole schedule
	maxRequests = int64(1e12)          // of the whole schedule
	maxStages   = 1_000
)

func (s Stage) check(key string, wrong *strictyaml.Problems) {
	for _, rate := range []float64{s.From, s.To} {
		if !(rate >= 0 && rate <= maxRate) {
			wrong.Add(key+".rate", fmt.Sprintf("a rate from 0 to %.0f/s", maxRate),
				fmt.Sprintf("%.6g/s", rate), "")
			break
		}
	}
	if s.For <= 0 || s.For > MaxDuration {
		wrong.Add(key+".for", "a duration greater than 0 and at most "+formatDuration(MaxDuration),
			s.For.String(), "")
	}
}

func formatDuration(d time.Duration) string {
	if d >= 48*time.Hour {
		return fmt.Sprintf("%.4g days", d.Hours()/24)
	}
	return d.String()
}

// A segment is a stage in which the rate is base + slope·t, with t in ns from its start.
type segment struct {
	start, length int64 // ns, since the start of the schedule
	base, slope   float64

	// C at the start of the segment is whole + frac, 0 <= frac < 1. So k - whole is exact for any
	// k.
	whole       int64
	frac        float64
	first, next int64 // the requests of the segment: first <= k < next
}

const nsPerSecond = 1e9 // ns

func (g *segment) dueAt(k int64) time.Duration {
	x, t := float64(k-g.whole)-g.frac, 0.0
	if x > 0 { // for a ramp from 0 the quotient would be 0/0
		t = 2 * x / (g.base + math.Sqrt(max(g.base*g.base+2*x*g.slope, 0)))
	}
	return time.Duration(g.start + min(int64(math.Round(t)), g.length))
}

func buildSegments(stages []Stage) (list []segment, sum float64) {
	var now, whole int64
	var frac float64
	for _, stage := range stages {
		length := float64(stage.For)
		g := segment{
			start: now, length: int64(stage.For), base: stage.From / nsPerSecond,
			slope: (stage.To - stage.From) / nsPerSecond / length,
			whole: whole, frac: frac, first: whole + int64(math.Ceil(frac)),
		}
		now += g.length
		sum += (g.base + g.slope*length/2) * length
		// A rate such as 100/m is not a binary fraction. Round a sum that is almost whole, or a
		// minute would have 101 requests.
		if nearest := math.Round(sum); math.Abs(sum-nearest) <= 1e-9+1e-14*sum {
			sum = nearest
		}
		w, f := math.Modf(min(sum, 4*float64(maxRequests))) // more is an error
		whole, frac = int64(w), f
		g.next = whole + int64(math.Ceil(frac))
		list = append(list, g)
	}
	return list, sum
}
