package control

import (
	"fmt"

	"github.com/gateassay/gateassay/gateway/client"
)

// candidates is from how many assignments of partners to rows the best is chosen.
const candidates = 64

// cover assigns the partners to rows. The next seeds of a cycle take the assignment that puts the most partners together
// which none before them did.
func (c *Controls) cover(op client.Operation) (spread [rows]Company) {
	epoch, at := c.t.Cycle()
	known := map[[2]string]bool{}
	for block := range at/int(Second) + 1 {
		most, found := -1, map[[2]string]bool{}
		for i := range candidates {
			purpose, pairs := fmt.Sprintf("partners of %s, %d, %d", op, block, i), map[[2]string]bool{}
			tried := c.spread(op, epoch.Chance(purpose))
			if together(tried, known, pairs); len(pairs) > most {
				most, found, spread = len(pairs), pairs, tried
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
