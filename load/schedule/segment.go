package schedule

import (
	"math"
	"time"
)

// segment is a stage in which the rate is base + slope·t, with t in ns from its start.
type segment struct {
	start, length int64 // ns, since the start of the schedule
	base, slope   float64

	// C at the start of the segment is whole + frac, 0 <= frac < 1, so that the distance of a k to
	// it is exact however many requests came before.
	whole       int64
	frac        float64
	first, next int64 // the requests of the segment: first <= k < next
}

const second = 1e9 // ns

func (g *segment) at(k int64) time.Duration {
	x, t := float64(k-g.whole)-g.frac, 0.0
	if x > 0 { // where a ramp begins at nothing, the quotient would be 0/0
		t = 2 * x / (g.base + math.Sqrt(max(g.base*g.base+2*x*g.slope, 0)))
	}
	return time.Duration(g.start + min(int64(math.Round(t)), g.length))
}

func layOut(stages []Stage) (list []segment, sum float64) {
	var now, whole int64
	var frac float64
	for _, stage := range stages {
		length := float64(stage.For)
		g := segment{
			start: now, length: int64(stage.For), base: stage.From / second,
			slope: (stage.To - stage.From) / second / length,
			whole: whole, frac: frac, first: ceil(whole, frac),
		}
		now += g.length
		sum += (g.base + g.slope*length/2) * length
		// A rate such as 100/m is not a binary fraction: what is a whole number but for that
		// becomes one, or a minute of it would have 101 requests.
		if nearest := math.Round(sum); math.Abs(sum-nearest) <= 1e-9+1e-14*sum {
			sum = nearest
		}
		w, f := math.Modf(min(sum, 4*float64(maxRequests))) // more is refused
		whole, frac = int64(w), f
		g.next = ceil(whole, frac)
		list = append(list, g)
	}
	return list, sum
}

func ceil(whole int64, frac float64) int64 {
	if frac > 0 {
		return whole + 1
	}
	return whole
}
