package compare

import (
	"math"
	"slices"

	"github.com/montanaflynn/stats"
)

// maxExactSamples limits the number of values for an exact p-value.
const maxExactSamples = 60

// rankSumPValue returns the two-sided p-value of the Mann-Whitney U test. It is exact for few
// values, also with ties, and uses the normal approximation for many.
func rankSumPValue(a, b []float64) float64 {
	ranks, err := stats.Rank(slices.Concat(a, b))
	variance, _ := stats.PopulationVariance(ranks)
	// no values, or all values are equal
	if err != nil || len(a) == 0 || len(b) == 0 || variance == 0 {
		return 1
	}
	sum, _ := stats.Sum(ranks[:len(a)])
	if len(ranks) <= maxExactSamples {
		return exactPValue(ranks, len(a), sum)
	}
	taken, left, all := float64(len(a)), float64(len(b)), float64(len(ranks))
	// continuity correction
	away := math.Abs(sum-taken*(all+1)/2) - 0.5
	return min(2*stats.NormSf(away, 0, math.Sqrt(variance*taken*left/(all-1))), 1)
}

// exactPValue returns the two-sided p-value of a rank sum by counting all choices of take ranks.
func exactPValue(ranks []float64, take int, sum float64) float64 {
	// indexed by the number taken and twice their sum: ranks of ties may be halves
	ways := make([][]float64, take+1)
	for k := range ways {
		ways[k] = make([]float64, len(ranks)*(len(ranks)+1)+1)
	}
	ways[0][0] = 1
	for _, rank := range ranks {
		twice := int(2 * rank)
		for k := take; k > 0; k-- {
			for s, n := range ways[k-1][:len(ways[k])-twice] {
				ways[k][s+twice] += n
			}
		}
	}
	all, _ := stats.Sum(ways[take])
	below, _ := stats.Sum(ways[take][:int(2*sum)+1])
	above, _ := stats.Sum(ways[take][int(2*sum):])
	return min(2*min(below, above)/all, 1)
}
