package traffic

import "math"

// purpose keeps apart the decisions about one request.
type purpose uint64

const (
	forMode purpose = iota + 1
	forShape
	forVariant
	forBounds
	forLanguage
	forWallet
	forRepeat
	forPair
	forDistance // and the numbers that follow, one for each try
)

// draw is a number that depends on the key, k and the purpose, evenly spread (the finaliser of
// SplitMix64, twice).
func draw(key uint64, k int64, p purpose) uint64 {
	x := key + uint64(k)*0x9e3779b97f4a7c15
	x = scramble(x) + uint64(p)*0xd1342543de82ef95
	return scramble(x)
}

func scramble(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// threshold is the bound below which a draw falls with that probability.
func threshold(share float64) uint64 {
	if share >= 1 {
		return math.MaxUint64
	}
	return uint64(share * (1 << 63) * 2)
}

type picker []uint64 // draws below the i-th choose i

func newPicker(weights []float64) (p picker) {
	total, sum := 0.0, 0.0
	for _, w := range weights {
		total += w
	}
	for _, w := range weights {
		sum += w
		p = append(p, threshold(sum/total))
	}
	return p
}

func (p picker) pick(drawn uint64) int {
	last := len(p) - 1
	// the last with a weight takes what rounding leaves
	for ; last > 0 && p[last-1] == p[last]; last-- {
	}
	for i, until := range p[:last] {
		if drawn < until {
			return i
		}
	}
	return last
}

func one[T any](values []T, drawn uint64) T { return values[drawn%uint64(len(values))] }
