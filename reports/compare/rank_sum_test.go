package compare

import (
	"math"
	"testing"
)

// The expected values were counted by hand: of 70 choices of four out of eight values, three have
// a sum this low, and so on.
func TestRankSum(t *testing.T) {
	numbers := func(from, to int, step float64) (list []float64) {
		for i := from; i <= to; i++ {
			list = append(list, float64(i)*step)
		}
		return list
	}
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"apart", numbers(1, 12, 1), numbers(13, 24, 1), 2.0 / 2704156},
		{"the other way", numbers(13, 24, 1), numbers(1, 12, 1), 2.0 / 2704156},
		{"one in between", []float64{1, 2, 4}, []float64{3, 5, 6}, 2 * 2.0 / 20},
		{"ties", []float64{1, 1, 2, 2}, []float64{2, 3, 3, 3}, 2 * 3.0 / 70},
		{"alike", numbers(1, 12, 1), numbers(1, 12, 1), 1},
		{"all the same", []float64{0, 0, 0}, []float64{0, 0, 0}, 1},
		{"none", nil, numbers(1, 3, 1), 1},
	} {
		if got := rankSumPValue(c.a, c.b); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
	few := rankSumPValue(numbers(1, 30, 1), numbers(1, 30, 1.2))
	many := rankSumPValue(numbers(1, 31, 1), numbers(1, 31, 1.2))
	if math.Abs(few-many) > 0.03 {
		t.Errorf("counted %g, of the normal distribution %g", few, many)
	}
}
