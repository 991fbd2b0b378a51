package design

import (
	"math/rand/v2"
	"slices"

	"github.com/gateassay/gateassay/suites/record"
)

// candidates is how many blocks are drawn for each one that is kept. More cover a little more.
const candidates = 24

// pair is a value of one factor with one of another.
type pair [2]record.Setting

// Blocks returns contexts in blocks, at most limit in all. The contexts of each block have every value of every factor
// that is no default, as far as the constraints allow; together the blocks cover as many pairs of values as were found.
// So a rule whose request is sent in the contexts of one block meets each value, and the rules share the pairs.
func (d Design) Blocks(rng *rand.Rand, limit int) (blocks [][]Context) {
	size := 0
	for _, f := range d.Factors {
		size = max(size, len(f.Values)-1)
	}
	defaults, covered := d.full(nil), map[pair]bool{}
	isDefault := func(s record.Setting) bool { return slices.Contains(defaults, s) }
	for n := size; n > 0 && n <= max(limit, size); n += size {
		var best []Context
		var most, added int
		for range candidates {
			rows := d.block(size, rng)
			values, found := map[record.Setting]bool{}, map[pair]bool{}
			for p := range pairs(rows) {
				if p[0] != p[1] && !covered[p] {
					found[p] = true
				} else if !isDefault(p[0]) {
					values[p[0]] = true
				}
			}
			const all = 1000 // a value that is left out weighs more than any number of pairs
			if score := all*len(values) + len(found); score > most {
				best, most, added = rows, score, len(found)
			}
		}
		if added == 0 && len(blocks) > 0 {
			break
		}
		for p := range pairs(best) {
			covered[p] = true
		}
		for i, row := range best {
			best[i] = slices.DeleteFunc(row, isDefault)
		}
		blocks = append(blocks, best)
	}
	return blocks
}

// block draws rows, which have a setting for each factor: each value that is no default is in one of them at least, unless a
// constraint takes it away.
func (d Design) block(size int, rng *rand.Rand) []Context {
	rows := make([]Context, size)
	for _, f := range d.Factors {
		for i, at := range rng.Perm(size) {
			v := i + 1
			if v >= len(f.Values) {
				v = rng.IntN(len(f.Values))
			}
			rows[at] = append(rows[at], record.Setting{Factor: f.Name, Value: f.Values[v]})
		}
	}
	for _, row := range rows {
		for _, k := range d.Constraints {
			if k.broken(row) {
				row[slices.IndexFunc(row, func(s record.Setting) bool { return s.Factor == k.Factor })].Value = k.Value
			}
		}
	}
	return rows
}

// pairs are those of rows; a setting is one with itself.
func pairs(rows []Context) map[pair]bool {
	all := map[pair]bool{}
	for _, row := range rows {
		for i, s := range row {
			for _, t := range row[i:] {
				all[pair{s, t}] = true
			}
		}
	}
	return all
}

// Assign returns the contexts in which each of n cases of a rule is sent: those of one block. Each case has one context at
// least; where there are more contexts than cases, the first case has those that are left.
func Assign(blocks [][]Context, n int, rng *rand.Rand) [][]Context {
	block, cases := []Context{nil}, make([][]Context, n)
	if len(blocks) > 0 {
		block = blocks[rng.IntN(len(blocks))]
	}
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

// Spread gives each of n cases the next contexts of all, so that together they have all of them, and least or more each.
func Spread(all []Context, n, least int) [][]Context {
	cases, each := make([][]Context, n), max(least, (len(all)+n-1)/n)
	for i := range cases {
		for j := range min(each, len(all)) {
			cases[i] = append(cases[i], all[(i*each+j)%len(all)])
		}
	}
	return cases
}
