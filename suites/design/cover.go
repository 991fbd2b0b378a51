package design

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/gateassay/gateassay/suites/record"
)

// row holds the index of a value for each factor; open where none is chosen yet.
type row []int

const open = -1

// candidates is how many rows are drawn for each row that is kept. More make the array a little smaller.
const candidates = 8

// Cover returns a covering array of strength 2: every pair of values of two factors that the constraints allow stands in
// some context. With limit above 0 it has at most so many contexts, which cover as many pairs as the search found. The
// same source of random numbers gives the same array.
func (d Design) Cover(rng *rand.Rand, limit int) []Context {
	missing := d.pairs()
	var array []Context
	for len(missing) > 0 && (limit <= 0 || len(array) < limit) {
		var best row
		most, list := 0, inOrder(missing)
		for range candidates {
			r := d.draw(rng, list[rng.IntN(len(list))], missing)
			if n := len(d.gains(r, missing)); n > most {
				best, most = r, n
			}
		}
		if best == nil {
			break
		}
		for _, p := range d.gains(best, missing) {
			delete(missing, p)
		}
		array = append(array, d.context(best))
	}
	return array
}

// pair is one value of each of two factors, the first with the lower index.
type pair struct{ f, v, g, w int }

// pairs lists the pairs of values that some allowed row has; of a single factor, its values paired with themselves.
func (d Design) pairs() map[pair]bool {
	all := map[pair]bool{}
	for f := range d.Factors {
		for g := f; g < len(d.Factors); g++ {
			for v := range d.Factors[f].Values {
				for w := range d.Factors[g].Values {
					if f == g && v != w {
						continue
					}
					r := d.empty()
					r[f], r[g] = v, w
					if d.completes(r) {
						all[pair{f, v, g, w}] = true
					}
				}
			}
		}
	}
	return all
}

func (d Design) empty() row {
	r := make(row, len(d.Factors))
	for i := range r {
		r[i] = open
	}
	return r
}

// draw builds an allowed row around a missing pair.
func (d Design) draw(rng *rand.Rand, start pair, missing map[pair]bool) row {
	r := d.empty()
	r[start.f], r[start.g] = start.v, start.w
	d.fill(r, rng, missing)
	return r
}

// fill gives each open factor of a row the value that covers most.
func (d Design) fill(r row, rng *rand.Rand, missing map[pair]bool) {
	for _, f := range rng.Perm(len(r)) {
		if r[f] != open {
			continue
		}
		best, most := open, -1
		for _, v := range rng.Perm(len(d.Factors[f].Values)) {
			r[f] = v
			if n := d.gain(r, f, missing); n > most && d.completes(r) {
				best, most = v, n
			}
		}
		r[f] = best
	}
}

// inOrder lists pairs: the order of a map is no source of chance that a seed repeats.
func inOrder(of map[pair]bool) []pair {
	return slices.SortedFunc(maps.Keys(of), func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.g, b.g), cmp.Compare(a.v, b.v), cmp.Compare(a.w, b.w))
	})
}

// gain counts the missing pairs that the value of one factor makes with those chosen so far.
func (d Design) gain(r row, f int, missing map[pair]bool) (n int) {
	for g := range r {
		if r[g] != open && missing[ordered(f, r[f], g, r[g])] {
			n++
		}
	}
	return n
}

// gains lists the missing pairs that a whole row covers.
func (d Design) gains(r row, missing map[pair]bool) (list []pair) {
	for f := range r {
		for g := f; g < len(r); g++ {
			if p := (pair{f, r[f], g, r[g]}); missing[p] {
				list = append(list, p)
			}
		}
	}
	return list
}

func ordered(f, v, g, w int) pair {
	if f > g {
		return pair{g, w, f, v}
	}
	return pair{f, v, g, w}
}

// completes reports whether the open factors of a row can be given values that the constraints allow.
func (d Design) completes(r row) bool {
	if !d.consistent(func(i int) (string, bool) {
		if r[i] == open {
			return "", false
		}
		return d.Factors[i].Values[r[i]], true
	}) {
		return false
	}
	f := slices.IndexFunc(d.Factors, func(f Factor) bool { return d.constrained(f.Name) && r[d.index(f.Name)] == open })
	if f < 0 {
		return true // what is open is free
	}
	for v := range d.Factors[f].Values {
		tried := slices.Clone(r)
		if tried[f] = v; d.completes(tried) {
			return true
		}
	}
	return false
}

func (d Design) constrained(factor string) bool {
	return slices.ContainsFunc(d.Constraints, func(k Constraint) bool {
		return k.When.Factor == factor || k.Factor == factor
	})
}

// context leaves out what has its default.
func (d Design) context(r row) Context {
	var c Context
	for f, v := range r {
		if v > 0 {
			c = append(c, record.Setting{Factor: d.Factors[f].Name, Value: d.Factors[f].Values[v]})
		}
	}
	return c
}
