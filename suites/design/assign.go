package design

import (
	"math/rand/v2"
	"slices"
)

// Blocks returns contexts in blocks, at most limit in all. The contexts of each block have every value of every factor
// that is no default, as far as the constraints allow; together the blocks cover as many pairs of values as the search
// found. So a rule whose request is sent in the contexts of one block meets each value, and the rules share the pairs.
func (d Design) Blocks(rng *rand.Rand, limit int) (blocks [][]Context) {
	s, size := d.search(), 0
	for _, f := range d.Factors {
		size = max(size, len(f.Values)-1)
	}
	missing := s.pairs()
	for n := size; n > 0 && n <= max(limit, size) && len(missing) > 0; n += size {
		var best []row
		most := -1
		for range candidates {
			found, b := map[pair]bool{}, s.block(size, rng, missing)
			for _, r := range b {
				for _, p := range s.gains(r, missing) {
					found[p] = true
				}
			}
			if len(found) > most {
				best, most = b, len(found)
			}
		}
		var contexts []Context
		for _, r := range best {
			for _, p := range s.gains(r, missing) {
				delete(missing, p)
			}
			contexts = append(contexts, s.context(r))
		}
		blocks = append(blocks, contexts)
	}
	return blocks
}

// block places each value that is no default in one of some rows, those first that constrain others, and then gives the
// open factors the values that cover most.
func (s *search) block(size int, rng *rand.Rand, missing map[pair]bool) []row {
	rows := make([]row, size)
	for i := range rows {
		rows[i] = s.empty()
	}
	order := rng.Perm(len(s.Factors))
	slices.SortStableFunc(order, func(f, g int) int { return s.limiting(g) - s.limiting(f) })
	for _, f := range order {
		for v := 1; v < len(s.Factors[f].Values); v++ {
			for _, i := range rng.Perm(size) {
				if rows[i][f] != open {
					continue
				}
				if rows[i][f] = v; s.completes(rows[i]) {
					break
				}
				rows[i][f] = open
			}
		}
	}
	for _, r := range rows {
		s.fill(r, rng, missing)
	}
	return rows
}

// limiting is how many constraints a value of a factor brings.
func (s *search) limiting(f int) (n int) {
	for _, l := range s.limits {
		if l.when == f {
			n++
		}
	}
	return n
}

// Assign returns the contexts in which each of n cases of a rule is sent: those of one block. Each case has one context at
// least; where there are more contexts than cases, the first case has those that are left.
func Assign(blocks [][]Context, n int, rng *rand.Rand) [][]Context {
	if n == 0 {
		return nil
	}
	block := []Context{nil}
	if len(blocks) > 0 {
		block = blocks[rng.IntN(len(blocks))]
	}
	cases := make([][]Context, n)
	first := rng.IntN(len(block))
	for i := range max(n, len(block)) {
		at := i
		if i >= n {
			at = 0
		}
		cases[at] = append(cases[at], block[(first+i)%len(block)])
	}
	return cases
}

// Spread returns one context for each of n cases, which rules share that need not meet every value by themselves.
func Spread(blocks [][]Context, n int, rng *rand.Rand) []Context {
	all, cases := slices.Concat(blocks...), make([]Context, n)
	for i, at := range rng.Perm(max(n, len(all)))[:n] {
		if len(all) > 0 {
			cases[i] = all[at%len(all)]
		}
	}
	return cases
}
