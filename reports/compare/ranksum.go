package compare

import "github.com/aclements/go-moremath/stats"

// rankSum is the p-value of the Mann-Whitney U test, for a difference in either direction; 1 where
// there is nothing to tell apart.
func rankSum(a, b []float64) float64 {
	result, err := stats.MannWhitneyUTest(a, b, stats.LocationDiffers)
	if err != nil {
		return 1
	}
	return result.P
}
