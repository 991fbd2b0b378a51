package compare

import (
	"math"
	"testing"
)

// The wanted values were counted by hand: of 70 ways to take four of eight values three have a sum
// as low, and so on.
func TestRankSum(t *testing.T) {
	for name, c := range map[string]struct {
		a, b []float64
		want float64
	}{
		"one in between": {[]float64{1, 2, 4}, []float64{3, 5, 6}, 2 * 2.0 / 20},
		"ties":           {[]float64{1, 1, 2, 2}, []float64{2, 3, 3, 3}, 2 * 3.0 / 70},
		"all the same":   {[]float64{0, 0, 0}, []float64{0, 0, 0}, 1},
		"none":           {nil, []float64{1, 2, 3}, 1},
	} {
		if got := rankSum(c.a, c.b); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}
