package design

import (
	"math/rand/v2"

	"github.com/gateassay/gateassay/suites/record"
)

// Assign returns the contexts in which each of n cases of a rule is sent. Together they have every setting that stands
// in the array, so that a rule which is broken with one option only is seen in each run; pairs of settings are spread
// over the rules. Each case has one context at least; where there are more contexts than cases, the first case has those
// that are left.
func (d Design) Assign(array []Context, n int, rng *rand.Rand) [][]Context {
	if n == 0 {
		return nil
	}
	chosen := d.meetAll(array, rng)
	cases := make([][]Context, n)
	for i := range max(n, len(chosen)) {
		at := i
		if i >= n {
			at = 0
		}
		var c Context
		if len(chosen) > 0 {
			c = chosen[i%len(chosen)]
		}
		cases[at] = append(cases[at], c)
	}
	return cases
}

// meetAll picks few contexts of an array that have every setting which the array has.
func (d Design) meetAll(array []Context, rng *rand.Rand) (chosen []Context) {
	missing := map[record.Setting]bool{}
	for _, c := range array {
		for _, s := range c {
			missing[s] = true
		}
	}
	for len(missing) > 0 {
		var best Context
		most := 0
		for _, i := range rng.Perm(len(array)) {
			n := 0
			for _, s := range array[i] {
				if missing[s] {
					n++
				}
			}
			if n > most {
				best, most = array[i], n
			}
		}
		for _, s := range best {
			delete(missing, s)
		}
		chosen = append(chosen, best)
	}
	return chosen
}
