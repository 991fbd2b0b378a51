package design

import (
	"math/rand/v2"
	"slices"

	"github.com/gateassay/gateassay/suites/record"
)

// row holds the index of a value for each factor; open where none is chosen yet.
type row []int

const open = -1

// search is a design by the places of its factors and values.
type search struct {
	Design
	limits      []limit
	constrained []int // factors
}

// limit is a constraint: a row with a value of one factor has one of those allowed of another.
type limit struct {
	when, value, then int
	allowed           []int
}

func (d Design) search() *search {
	s := &search{Design: d}
	for _, k := range d.Constraints {
		l := limit{when: d.index(k.When.Factor), then: d.index(k.Factor)}
		if l.when < 0 || l.then < 0 {
			continue // a factor that this deployment has no values for
		}
		if l.value = slices.Index(d.Factors[l.when].Values, k.When.Value); l.value < 0 {
			continue
		}
		for v, value := range d.Factors[l.then].Values {
			if slices.Contains(k.Values, value) {
				l.allowed = append(l.allowed, v)
			}
		}
		s.limits = append(s.limits, l)
		s.constrained = append(s.constrained, l.when, l.then)
	}
	slices.Sort(s.constrained)
	s.constrained = slices.Compact(s.constrained)
	return s
}

// candidates is how many rows are drawn for each row that is kept. More make the array a little smaller.
const candidates = 8

// pair is one value of each of two factors, the first with the lower index.
type pair struct{ f, v, g, w int }

// pairs lists the pairs of values that some allowed row has; of a single factor, its values paired with themselves.
func (s *search) pairs() map[pair]bool {
	all := map[pair]bool{}
	for f := range s.Factors {
		for g := f; g < len(s.Factors); g++ {
			for v := range s.Factors[f].Values {
				for w := range s.Factors[g].Values {
					if f == g && v != w {
						continue
					}
					r := s.empty()
					r[f], r[g] = v, w
					if s.completes(r) {
						all[pair{f, v, g, w}] = true
					}
				}
			}
		}
	}
	return all
}

func (s *search) empty() row {
	r := make(row, len(s.Factors))
	for i := range r {
		r[i] = open
	}
	return r
}

// fill gives each open factor of a row the value that covers most.
func (s *search) fill(r row, rng *rand.Rand, missing map[pair]bool) {
	for _, f := range rng.Perm(len(r)) {
		if r[f] != open {
			continue
		}
		best, most := open, -1
		for _, v := range rng.Perm(len(s.Factors[f].Values)) {
			r[f] = v
			if n := s.gain(r, f, missing); n > most && s.completes(r) {
				best, most = v, n
			}
		}
		r[f] = best
	}
}

// gain counts the missing pairs that the value of one factor makes with those chosen so far.
func (s *search) gain(r row, f int, missing map[pair]bool) (n int) {
	for g := range r {
		if r[g] != open && missing[ordered(f, r[f], g, r[g])] {
			n++
		}
	}
	return n
}

// gains lists the missing pairs that a whole row covers.
func (s *search) gains(r row, missing map[pair]bool) (list []pair) {
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
func (s *search) completes(r row) bool {
	if !s.consistent(r) {
		return false
	}
	f := slices.IndexFunc(s.constrained, func(f int) bool { return r[f] == open })
	if f < 0 {
		return true // what is open is free
	}
	tried := slices.Clone(r)
	for v := range s.Factors[s.constrained[f]].Values {
		if tried[s.constrained[f]] = v; s.completes(tried) {
			return true
		}
	}
	return false
}

// consistent reports whether the values chosen so far break no constraint.
func (s *search) consistent(r row) bool {
	for _, l := range s.limits {
		if r[l.when] == l.value && r[l.then] != open && !slices.Contains(l.allowed, r[l.then]) {
			return false
		}
	}
	return true
}

// context leaves out what has its default.
func (s *search) context(r row) Context {
	var c Context
	for f, v := range r {
		if v > 0 {
			c = append(c, record.Setting{Factor: s.Factors[f].Name, Value: s.Factors[f].Values[v]})
		}
	}
	return c
}
