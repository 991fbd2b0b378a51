package model

import (
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/record"
)

// What it is worth to show a hypothesis under a setting, once and twice: alone it has to be shown
// for its rule to be verified, and few exports show one of a security rule.
const weightOnce, weightTwice, weightAlone, weightSecurity = 4, 1, 40, 12

// DesignQueries chooses queries of the pool, most of them: they show each hypothesis, alone and
// under so many settings at once, as far as any query of the pool does.
func (u *Universe) DesignQueries(
	pool []Query,
	hypotheses []*Hypothesis,
	most, settings int,
) (chosen []Query) {
	type shown struct {
		of    *Hypothesis
		under [2]record.FactorValue // the zero one: none
	}
	homes, numbers, shows := u.rowOrigins(nil), map[shown]int{}, make([][]int, len(pool))
	var worth [][]int // by number, of what is still to be shown
	for i := range pool {
		documented := u.documentedPlan(&pool[i])
		conditions := settingConditions(documented.settings, settings)
		outcome := u.predictOutcome(&documented, homes)
		for _, h := range hypotheses {
			if h.fallback == fallbackZone || !u.wouldShow(documented, h, outcome, homes) {
				continue
			}
			for _, s := range conditions {
				n, known := numbers[shown{h, s}]
				if !known {
					n = len(worth)
					numbers[shown{h, s}] = n
					worth = append(worth, []int{weightOnce, weightTwice})
					if s == (shown{}.under) && !h.optional {
						worth[n][0] = weightAlone
					}
					if h.security {
						worth[n][0], worth[n][1] = weightSecurity*worth[n][0], weightSecurity*weightTwice
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

// TwinWithinDay is a query like one of some but for its end, which is another one of the same day:
// a deployment that keeps files by day gives both the same rows. false: no rows tell two apart.
func (u *Universe) TwinWithinDay(queries []Query, whole bool) (twin Query, found bool) {
	homes := u.rowOrigins(nil)
	for _, q := range queries {
		p := u.documentedPlan(&q)
		count := strings.Count(u.predictOutcome(&p, homes), "+")
		if count == 0 || !p.end.isGiven() {
			continue
		}
		for _, r := range u.Rows {
			at := r.Dates[p.by].From
			if whole {
				at = floorTo(at, int64(time.Second))
			}
			if !r.Dates[p.by].IsExact() || floorTo(at, int64(day)) != floorTo(p.end.at, int64(day)) {
				continue
			}
			twin, other := q, p
			twin.End, other.end.at = statement.FormatInstant(time.Unix(0, at), 0, time.UTC), at
			if n := strings.Count(u.predictOutcome(&other, homes), "+"); n > 0 && n != count {
				return twin, true
			}
		}
	}
	return Query{}, false
}

// settingConditions are no setting, each of those that are given, and each two of them: so many at
// once at most.
func settingConditions(all []record.FactorValue, most int) (conditions [][2]record.FactorValue) {
	given := slices.DeleteFunc(slices.Clone(all),
		func(s record.FactorValue) bool { return s.Value == ValueLeftOut })
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

// wouldShow reports whether a hypothesis would surely show in an export.
func (u *Universe) wouldShow(
	documented exportPlan,
	h *Hypothesis,
	outcome string,
	homes []Origins,
) bool {
	p := documented
	if h.edit(&p); p.isDocumented(&documented) {
		return false
	}
	if p.trim != nil {
		return strings.Count(outcome, "+") > 0 && (!h.optional || strings.Count(outcome, "+") > 50)
	}
	for row := range homes {
		if now := u.predictRow(&p, row, homes); (now == '+') != (outcome[row] == '+') && now != '?' &&
			outcome[row] != '?' {
			return true
		}
	}
	reordered := p.order != documented.order || p.sort != documented.sort || p.written != ""
	return reordered && p.order != directionAny && strings.Count(outcome, "+") > 1
}
