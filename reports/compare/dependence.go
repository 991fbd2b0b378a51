package compare

import "math"

// dependence says how many neighbouring pieces are kept together, and by how much resampling such blocks understates
// how a new run would vary. The length is twice the distance from which on pieces no longer depend on each other, as
// their medians and their 99th percentiles show; at least the cube root of their number, at most a sixth of it.
func dependence(pieces []piece) (length int, understated float64) {
	n := len(pieces)
	length = int(math.Ceil(math.Cbrt(float64(n))))
	var both [][]float64
	for _, p := range []float64{50, 99} {
		x := wander(pieces, p)
		both = append(both, x)
		length = max(length, 2*reach(x))
	}
	length = max(1, min(length, n/6))
	understated = 1
	stage := float64(n) / float64(len(stagesOf(pieces)))
	for _, x := range both {
		understated = max(understated, cutOff(neighbours(x, stage), max(1, min(length, int(stage/2)))))
	}
	return length, understated
}

// wander is the logarithm of a percentile of each piece, less the mean of its stage: a plan that climbs does not
// wander.
func wander(pieces []piece, p float64) []float64 {
	var series []float64
	for _, stage := range stagesOf(pieces) {
		from, sum := len(series), 0.0
		for _, x := range pieces[stage[0]:stage[1]] {
			if ms := x.times[1].quantile(p); ms != nil {
				series = append(series, math.Log(*ms))
				sum += math.Log(*ms)
			}
		}
		for i := from; i < len(series); i++ {
			series[i] -= sum / float64(len(series)-from)
		}
	}
	return series
}

// neighbours is the correlation of each value with the next; 0 where chance explains it. Values of which the mean was
// taken seem to depend less on each other than they do, the more so the fewer there are in a stage: that is made up
// for.
func neighbours(x []float64, stage float64) float64 {
	var products, squares float64
	for i, v := range x {
		squares += v * v
		if i > 0 {
			products += v * x[i-1]
		}
	}
	if squares == 0 || len(x) < fewest || stage < fewestEach {
		return 0
	}
	r := (products/squares + 1/stage) / (1 - 3/stage)
	if r < 1/math.Sqrt(float64(len(x))) {
		return 0
	}
	return min(0.95, r)
}

// cutOff is the factor by which the deviation of a mean is understated when dependence of a correlation r from one
// value to the next is cut off at the ends of blocks.
func cutOff(r float64, block int) float64 {
	if r <= 0 {
		return 1
	}
	b := float64(block)
	whole := (1 + r) / (1 - r)
	kept := whole - 2*r*(1-math.Pow(r, b))/(b*(1-r)*(1-r))
	return math.Sqrt(whole / max(kept, 1))
}

// reach is the distance beyond which the autocorrelation of values around 0 stays within what independent values show,
// five times in a row.
func reach(x []float64) int {
	n := len(x)
	if n < fewest {
		return 0
	}
	variance := 0.0
	for _, v := range x {
		variance += v * v
	}
	if variance == 0 {
		return 0
	}
	limit := 2 * math.Sqrt(math.Log10(float64(n))/float64(n))
	quiet := 0
	for lag := 1; lag < n/2; lag++ {
		var c float64
		for i := lag; i < n; i++ {
			c += x[i] * x[i-lag]
		}
		if quiet++; math.Abs(c/variance) > limit {
			quiet = 0
		}
		if quiet == 5 {
			return lag - 5
		}
	}
	return n / 2
}
