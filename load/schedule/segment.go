package schedule

import (
	"math"
	"time"
)

// segment is a stretch of the schedule in which the rate is base + slope·t + amplitude·sin(omega·t), with t in ns from
// its start: level, a ramp, or a wave.
type segment struct {
	stage                         int
	start, length                 int64 // ns, since the start of the schedule
	base, slope, amplitude, omega float64

	// C at the start of the segment is whole + frac, 0 <= frac < 1, so that the distance of a k to it is exact however
	// many requests came before.
	whole       int64
	frac        float64
	first, next int64 // the requests of the segment: first <= k < next
}

const second = 1e9 // ns

// rate is per ns.
func (g *segment) rate(t float64) float64 {
	return g.base + g.slope*t + g.amplitude*math.Sin(g.omega*t)
}

// count is the integral of the rate over the first ns of the segment.
func (g *segment) count(t float64) float64 {
	n := (g.base + g.slope*t/2) * t
	if g.amplitude > 0 {
		half := math.Sin(g.omega * t / 2)
		n += 2 * g.amplitude / g.omega * half * half
	}
	return n
}

// at gives the moment of request k, from the start of the schedule.
func (g *segment) at(k int64) time.Duration {
	x, t := float64(k-g.whole)-g.frac, 0.0
	switch {
	case x <= 0: // also where a ramp begins at nothing, and the quotient would be 0/0
	case g.amplitude > 0:
		t = g.wave(x)
	default:
		t = 2 * x / (g.base + math.Sqrt(max(g.base*g.base+2*x*g.slope, 0)))
	}
	return time.Duration(g.start + min(int64(math.Round(t)), g.length))
}

// wave finds where the count of a wave reaches x: by Newton's steps, and halving where one would leave the bracket, as
// at a trough the rate may be nothing. What the wave adds to the mean is never below 0, nor above that of half a period.
func (g *segment) wave(x float64) float64 {
	t := x / g.base
	low, high := t-2*g.amplitude/g.omega/g.base, t
	for range 80 {
		over := g.count(t) - x
		if over > 0 {
			high = t
		} else {
			low = t
		}
		next := t - over/g.rate(t)
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if math.Abs(next-t) < 0.01 {
			return next
		}
		t = next
	}
	return t
}
