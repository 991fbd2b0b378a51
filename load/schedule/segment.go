package schedule

import (
	"math"
	"time"
)

// shape is how the rate runs within a segment.
type shape uint8

const (
	flat shape = iota
	rising
	falling
	wave
)

// segment is a stretch of the schedule with one closed form.
type segment struct {
	shape  shape
	stage  int
	start  int64 // ns since the start of the schedule
	length int64 // ns

	// C at both ends of the segment is whole + frac, 0 <= frac < 1, so that the distance of a k to either end is exact
	// however many requests came before.
	whole, endWhole int64
	frac, endFrac   float64
	first, next     int64 // the requests of the segment: first <= k < next

	rate float64 // flat: per ns
	gap  float64 // flat: ns between two requests

	from, to float64 // rising and falling: per ns
	slope    float64 // |to-from|/length, per ns²

	mean, amplitude, omega float64 // wave: per ns, per ns, radians per ns
	period                 int64   // ns
}

const second = 1e9 // ns

// count is the integral of the rate over the first ns of the segment.
func (g *segment) count(d float64) float64 {
	switch g.shape {
	case flat:
		return g.rate * d
	case rising:
		return (g.from + g.slope*d/2) * d
	case falling:
		return (g.from - g.slope*d/2) * d
	}
	// Whole periods add nothing to the mean; what is left of the last one does.
	half := math.Sin(g.omega * math.Mod(d, float64(g.period)) / 2)
	return g.mean*d + 2*g.amplitude/g.omega*half*half
}

// at gives the moment of request k, in ns from the start of the schedule.
func (g *segment) at(k int64) time.Duration {
	switch g.shape {
	case flat:
		return time.Duration(g.start + int64(math.Round((float64(k-g.whole)-g.frac)*g.gap)))
	case rising:
		x := float64(k-g.whole) - g.frac
		if x <= 0 {
			return time.Duration(g.start) // also where the ramp begins at nothing, and the quotient would be 0/0
		}
		t := 2 * x / (g.from + math.Sqrt(g.from*g.from+2*x*g.slope))
		return time.Duration(g.start + min(int64(math.Round(t)), g.length))
	case falling:
		// Counted from the end, where nothing cancels out when the rate runs down to nothing.
		y := float64(g.endWhole-k) + g.endFrac
		u := 2 * y / (g.to + math.Sqrt(g.to*g.to+2*y*g.slope))
		return time.Duration(g.start + g.length - min(int64(math.Round(u)), g.length))
	}
	return time.Duration(g.start + min(g.wave(float64(k-g.whole)-g.frac), g.length))
}

// wave solves mean·t + amplitude/omega·(1-cos(omega·t)) = x for t in ns. Whole periods are taken off first: they hold
// mean·period requests each, whatever the amplitude.
func (g *segment) wave(x float64) int64 {
	each := g.mean * float64(g.period)
	n := math.Floor(x / each)
	x -= n * each
	low, high := 0.0, float64(g.period)
	t := math.Min(x/g.mean, high)
	for range 80 {
		sin, cos := math.Sincos(g.omega * t / 2)
		over := g.mean*t + 2*g.amplitude/g.omega*sin*sin - x
		if over > 0 {
			high = t
		} else {
			low = t
		}
		// Newton's step, and halving where it would leave the bracket: at a trough the rate may be nothing.
		next := t - over/(g.mean+2*g.amplitude*sin*cos)
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if math.Abs(next-t) < 0.01 {
			t = next
			break
		}
		t = next
	}
	return int64(n)*g.period + int64(math.Round(t))
}

// rateAt is the rate per ns at a moment, in ns from the start of the segment.
func (g *segment) rateAt(t float64) float64 {
	switch g.shape {
	case flat:
		return g.rate
	case rising:
		return g.from + g.slope*t
	case falling:
		return g.from - g.slope*t
	}
	return g.mean + g.amplitude*math.Sin(g.omega*math.Mod(t, float64(g.period)))
}

// before counts the requests that are due before a moment, in ns from the start of the segment, as a guess that is at
// most a few off.
func (g *segment) before(t int64) int64 {
	return g.whole + int64(math.Ceil(g.count(float64(t))+g.frac))
}
