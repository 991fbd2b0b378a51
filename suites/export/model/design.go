package model

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/record"
)

// What it is worth to show a hypothesis under a setting, once and twice: alone it has to be shown
// for its rule to be verified, and few exports show one of a security rule.
const once, twice, alone, securityFirst = 4, 1, 40, 12

// Design chooses queries of the pool, most of them: they show each hypothesis, alone and under so
// many settings at once, as far as any query of the pool does.
func (u *Universe) Design(
	pool []Query,
	hypotheses []*Hypothesis,
	most, settings int,
) (chosen []Query) {
	type shown struct {
		of    *Hypothesis
		under [2]record.FactorValue // the zero one: none
	}
	homes, numbers, shows := u.homes(nil), map[shown]int{}, make([][]int, len(pool))
	var worth [][]int // by number, of what is still to be shown
	for i := range pool {
		documented := u.plan(&pool[i])
		conditions := under(documented.settings, settings)
		outcome := u.outcome(&documented, homes)
		for _, h := range hypotheses {
			if h.fallback == ofZone || !u.changes(documented, h, outcome, homes) {
				continue
			}
			for _, s := range conditions {
				n, known := numbers[shown{h, s}]
				if !known {
					n = len(worth)
					numbers[shown{h, s}] = n
					worth = append(worth, []int{once, twice})
					if s == (shown{}.under) && !h.optional {
						worth[n][0] = alone
					}
					if h.security {
						worth[n][0], worth[n][1] = securityFirst*worth[n][0], securityFirst*twice
					}
				}
				shows[i] = append(shows[i], n)
			}
		}
	}
	for range min(most, len(pool)) {
		best, most := -1, 0
		for i, all := range shows {
			sum := 0
			for _, n := range all {
				if len(worth[n]) > 0 {
					sum += worth[n][0]
				}
			}
			if sum > most {
				best, most = i, sum
			}
		}
		if best < 0 {
			break
		}
		chosen = append(chosen, pool[best])
		for _, n := range shows[best] {
			worth[n] = worth[n][min(1, len(worth[n])):]
		}
		shows[best] = nil
	}
	return chosen
}

// under are no setting, each of those that are given, and each two of them: so many at once at
// most.
func under(all []record.FactorValue, most int) (conditions [][2]record.FactorValue) {
	given := slices.DeleteFunc(slices.Clone(all),
		func(s record.FactorValue) bool { return s.Value == LeftOut })
	conditions = append(conditions, [2]record.FactorValue{})
	for i, s := range given {
		if most > 0 {
			conditions = append(conditions, [2]record.FactorValue{s})
		}
		for _, other := range given[i+1:] {
			if most > 1 && other.Factor != s.Factor {
				conditions = append(conditions, [2]record.FactorValue{s, other})
			}
		}
	}
	return conditions
}

// changes reports whether a hypothesis would surely show in an export.
func (u *Universe) changes(documented plan, h *Hypothesis, outcome string, homes []Labels) bool {
	p := documented
	if h.edit(&p); p.documented(&documented) {
		return false
	}
	if p.trim != nil {
		return strings.Count(outcome, "+") > 0 && (!h.optional || strings.Count(outcome, "+") > 50)
	}
	for row := range homes {
		if now := u.sure(&p, row, homes); (now == '+') != (outcome[row] == '+') && now != '?' &&
			outcome[row] != '?' {
			return true
		}
	}
	reordered := p.order != documented.order || p.sort != documented.sort || p.written != ""
	return reordered && p.order != anyOrder && strings.Count(outcome, "+") > 1
}
