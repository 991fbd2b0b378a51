package model

import (
	"fmt"
	"slices"
	"strings"
)

// reportedAs returns what a report says of a reading. Readings that read the same need not be
// told apart.
func (r Reading) reportedAs() string {
	var parts []string
	for _, s := range r {
		parts = append(parts, fmt.Sprint(s.BrokenRules(), s.Name, s.Condition))
	}
	return strings.Join(parts, "; ")
}

// Distinguish returns the query of the pool that tells most of the candidates apart. found is
// false where none does.
func (u *Universe) Distinguish(candidates []Reading, pool []Query) (best Query, found bool) {
	said, most := map[string]Reading{}, 1
	for _, r := range slices.Backward(candidates) {
		said[r.reportedAs()] = r
	}
	if len(said) < 2 {
		return best, false
	}
	origins := u.rowOrigins(candidates[0])
	for i := range pool {
		if slices.ContainsFunc(u.Exports, func(e *SeenExport) bool { return e.Query == pool[i] }) {
			continue
		}
		documented, outcomes := u.documentedPlan(&pool[i]), map[string]bool{}
		for _, r := range said {
			p := r.apply(documented)
			outcomes[u.predictOutcome(&p, origins)] = true
		}
		if len(outcomes) > most {
			best, most, found = pool[i], len(outcomes), true
		}
	}
	return best, found
}

// predictOutcome encodes what an export would hold: predictRow's sign for each row, then the
// order.
func (u *Universe) predictOutcome(p *ExportPlan, origins []Origins) string {
	text := make([]byte, 0, len(origins)+2)
	for row := range u.Rows {
		text = append(text, u.predictRow(p, row, origins))
	}
	text = append(text, byte(p.Sort), byte(p.Order), byte('f'))
	if p.LosesExactly != nil {
		text = append(text, 't')
	}
	return string(text)
}

// predictRow returns '+' for a row that the export would hold, '-' for one that it would not,
// and '?' where that cannot be told.
func (u *Universe) predictRow(p *ExportPlan, row int, origins []Origins) byte {
	switch possible, v := origins[row]&^originsUnexplained, p.holdsRow(&u.Rows[row]); {
	case u.Rows[row].Unsteady:
		return '?'
	case v < 0, possible != 0 && possible&(p.in|p.may) == 0:
		return '-'
	case v > 0 && possible != 0 && possible&^(p.in&^p.may) == 0:
		return '+'
	}
	return '?'
}
