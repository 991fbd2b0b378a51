package design

import (
	"math/rand/v2"
	"slices"

	"github.com/gateassay/gateassay/suites/record"
)

// candidatesPerBlock is how many blocks are drawn for each one kept. More would cover slightly
// more.
const candidatesPerBlock = 24

// settingPair is a pair of settings of two factors.
type settingPair [2]record.FactorValue

// Blocks returns configurations in blocks, at most limit in all. The configurations of each block
// cover every non-default value of every factor, as far as the constraints allow. Together the
// blocks cover many pairs of values. So a rule whose request is sent in the configurations of one
// block covers each value, and all rules together cover the pairs.
func (d Design) Blocks(rng *rand.Rand, limit int) (blocks [][]Configuration) {
	size := 0
	for _, f := range d.Factors {
		size = max(size, len(f.Values)-1)
	}
	defaults, covered := d.withDefaults(nil), map[settingPair]bool{}
	isDefault := func(s record.FactorValue) bool { return slices.Contains(defaults, s) }
	for n := size; n > 0 && n <= max(limit, size); n += size {
		var best []Configuration
		var most, added int
		for range candidatesPerBlock {
			rows := d.drawBlock(size, rng)
			values, found := map[record.FactorValue]bool{}, map[settingPair]bool{}
			for p := range settingPairs(rows) {
				if p[0] != p[1] && !covered[p] {
					found[p] = true
				} else if !isDefault(p[0]) {
					values[p[0]] = true
				}
			}
			const all = 1000 // a missing value outweighs any number of pairs
			if score := all*len(values) + len(found); score > most {
				best, most, added = rows, score, len(found)
			}
		}
		if added == 0 && len(blocks) > 0 {
			break
		}
		for p := range settingPairs(best) {
			covered[p] = true
		}
		for i, row := range best {
			best[i] = slices.DeleteFunc(row, isDefault)
		}
		blocks = append(blocks, best)
	}
	return blocks
}

// drawBlock draws configurations with a setting of each factor. Each non-default value is in at
// least one of them, unless a constraint removes it.
func (d Design) drawBlock(size int, rng *rand.Rand) []Configuration {
	rows := make([]Configuration, size)
	for _, f := range d.Factors {
		for i, at := range rng.Perm(size) {
			v := i + 1
			if v >= len(f.Values) {
				v = rng.IntN(len(f.Values))
			}
			rows[at] = append(rows[at], record.FactorValue{Factor: f.Name, Value: f.Values[v]})
		}
	}
	for _, row := range rows {
		for _, k := range d.Constraints {
			if k.violatedBy(row) {
				row[slices.IndexFunc(row,
					func(s record.FactorValue) bool { return s.Factor == k.Factor })].Value = k.Value
			}
		}
	}
	return rows
}

// settingPairs returns the pairs of settings in the rows. A setting also pairs with itself.
func settingPairs(rows []Configuration) map[settingPair]bool {
	all := map[settingPair]bool{}
	for _, row := range rows {
		for i, s := range row {
			for _, t := range row[i:] {
				all[settingPair{s, t}] = true
			}
		}
	}
	return all
}

// AssignBlocks distributes the configurations of one block over n cases of a rule. Each case has
// at least one. Where there are more configurations than cases, the first case gets the rest.
func AssignBlocks(blocks [][]Configuration, n int, rng *rand.Rand) [][]Configuration {
	block, cases := []Configuration{nil}, make([][]Configuration, n)
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

// DistributeConfigurations distributes the configurations over n cases. Each case gets least or
// more, if there are as many, and together the cases get all.
func DistributeConfigurations(all []Configuration, n, least int) [][]Configuration {
	cases, each := make([][]Configuration, n), max(least, (len(all)+n-1)/n)
	for i := range cases {
		for j := range min(each, len(all)) {
			cases[i] = append(cases[i], all[(i*each+j)%len(all)])
		}
	}
	return cases
}
