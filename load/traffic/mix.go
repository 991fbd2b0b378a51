package traffic

import (
	"maps"
	"math"
	"slices"
)

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

// draw is a number that depends on the key, k and the purpose, evenly spread (the finaliser of SplitMix64, twice).
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

// picker chooses among values by weight.
type picker struct {
	values []int
	until  []uint64 // draws below until[i] choose values[i]
}

// newPicker weighs values by their names; names without a weight, or of weight 0, are never chosen.
func newPicker(weights map[string]float64, value func(name string) int) picker {
	var p picker
	total, sum := 0.0, 0.0
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		total += weights[name]
	}
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		if weights[name] > 0 {
			sum += weights[name]
			p.values = append(p.values, value(name))
			p.until = append(p.until, threshold(sum/total))
		}
	}
	return p
}

func (p *picker) pick(drawn uint64) int {
	for i, until := range p.until {
		if drawn < until {
			return p.values[i]
		}
	}
	return p.values[len(p.values)-1]
}

// has reports whether a value can be chosen.
func (p *picker) has(value int) bool { return slices.Contains(p.values, value) }
