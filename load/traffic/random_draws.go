package traffic

import "slices"

// A drawPurpose makes the random decisions about a request independent of each other.
type drawPurpose uint64

const (
	purposeMode drawPurpose = iota + 1
	purposeShape
	purposeVariant
	purposeBounds
	purposeLanguage
	purposeWallet
	purposeRepeat
	purposePair
	purposeDistance // and the following numbers, one per try
)

// drawUint64 returns an evenly distributed number (the finaliser of SplitMix64, twice).
func drawUint64(key uint64, k int64, p drawPurpose) uint64 {
	x := key + uint64(k)*0x9e3779b97f4a7c15
	x = mixBits(x) + uint64(p)*0xd1342543de82ef95
	return mixBits(x)
}

func mixBits(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// unitFraction converts a draw to a number in [0, 1).
func unitFraction(drawn uint64) float64 { return float64(drawn>>11) / (1 << 53) }

type weightedPicker []float64 // cumulative weights, the last is 1

func newWeightedPicker(weights []float64) (p weightedPicker) {
	sum := 0.0
	for _, w := range weights {
		sum += w
		p = append(p, sum)
	}
	for i := range p {
		if p[i] /= sum; p[i] > 1-1e-12 {
			p[i] = 1 // removes rounding errors
		}
	}
	return p
}

func (p weightedPicker) pick(drawn uint64) int {
	return slices.IndexFunc(p, func(until float64) bool { return unitFraction(drawn) < until })
}

func pickOne[T any](values []T, drawn uint64) T { return values[drawn%uint64(len(values))] }
