package control

import (
	"fmt"

	"github.com/gateassay/gateassay/gateway/client"
)

// candidates is from how many assignments of partners to rows the best is chosen.
const candidates = 64

// cover assigns the partners to rows. As many seeds in a row as there are rows share where headers stand, while the
// requests of their rules move from row to row: so each of a rule's requests meets every partner. The next seeds take
// the assignment that puts the most partners together which none before them did.
func (c *Controls) cover(op client.Operation) (spread [rows]Company) {
	epoch, at := c.t.Cycle()
	shifts, known := len(Accompanied(op)), map[[2]string]bool{}
	for block := range at/shifts + 1 {
		most, found := -1, map[[2]string]bool{}
		for i := range candidates {
			purpose, pairs := fmt.Sprintf("partners of %s, %d, %d", op, block, i), map[[2]string]bool{}
			for shift := range shifts {
				together(c.spread(op, epoch.Chance(purpose), shift), known, pairs)
			}
			if len(pairs) > most {
				most, found = len(pairs), pairs
				spread = c.spread(op, epoch.Chance(purpose), at%shifts)
			}
		}
		for pair := range found {
			known[pair] = true
		}
	}
	return spread
}

// together adds the partners that a spread puts together and that are not known to be.
func together(spread [rows]Company, known, pairs map[[2]string]bool) {
	for _, company := range spread {
		for _, p := range company {
			for _, q := range company {
				if pair := [2]string{p.String(), q.String()}; pair[0] < pair[1] && !known[pair] {
					pairs[pair] = true
				}
			}
		}
	}
}
