package model

import (
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/record"
)

// Weights of showing a hypothesis under a setting for the first and the second time. A rule is
// only verified once its hypothesis is shown without a setting (alone), which therefore counts
// more than all settings of an export; an optional one, which few exports may show, counts as some
// of them. Few exports show a violation of a security rule.
const weightOnce, weightTwice, weightAlone, weightOptional, weightSecurity = 4, 1, 1000, 100, 12

// DesignQueries returns up to most queries of the pool. Together they show each hypothesis,
// alone and under combinations of settings, as far as the pool can. settings limits the size of
// a combination.
func (u *Universe) DesignQueries(
	pool []Query, hypotheses []*Hypothesis, most, settings int,
) (chosen []Query) {
	shows, worth := u.weighQueries(pool, hypotheses, settings)
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

// weighQueries numbers the hypotheses under settings that the queries show. It returns the numbers
// of each query and, by number, what showing it once and once more is worth.
func (u *Universe) weighQueries(
	pool []Query, hypotheses []*Hypothesis, settings int,
) (shows, worth [][]int) {
	type shown struct {
		of    *Hypothesis
		under [2]record.FactorValue // zero: no setting
	}
	origins, numbers := u.rowOrigins(nil), map[shown]int{}
	shows = make([][]int, len(pool))
	for i := range pool {
		documented := u.documentedPlan(&pool[i])
		conditions := settingConditions(documented.settings, settings)
		outcome := u.predictOutcome(&documented, origins)
		for _, h := range hypotheses {
			if h.fallback == FallbackZone || !u.wouldShow(documented, h, outcome, origins) {
				continue
			}
			for _, s := range conditions {
				n, known := numbers[shown{h, s}]
				if !known {
					n = len(worth)
					numbers[shown{h, s}] = n
					worth = append(worth, h.weights(s == (shown{}.under)))
				}
				shows[i] = append(shows[i], n)
			}
		}
	}
	return shows, worth
}

// weights returns what it is worth to show the hypothesis for the first and the second time, alone
// or under a setting.
func (h *Hypothesis) weights(alone bool) []int {
	once, twice := weightOnce, weightTwice
	switch {
	case alone && h.optional:
		once = weightOptional
	case alone:
		once = weightAlone
	}
	if h.Rule.Security {
		once, twice = weightSecurity*once, weightSecurity*twice
	}
	return []int{once, twice}
}

// TwinWithinDay returns a copy of one of the queries that ends earlier on the same day and so
// excludes some of its rows. A deployment that caches files by day returns the same file for
// both. found is false where no rows tell the two apart.
func (u *Universe) TwinWithinDay(queries []Query) (of int, twin Query, found bool) {
	origins := u.rowOrigins(nil)
	rows := func(p ExportPlan) int { return strings.Count(u.predictOutcome(&p, origins), "+") }
	for i, q := range queries {
		p := u.documentedPlan(&q)
		if !p.Start.IsGiven() || !p.End.IsGiven() || p.End.Offset != 0 || rows(p) == 0 {
			continue
		}
		for _, r := range u.Rows {
			earlier := p
			earlier.End.At = floorTo(r.Dates[p.By].From, int64(time.Second))
			if r.Dates[p.By].IsExact() && earlier.End.At < p.End.At &&
				earlier.End.At >= floorTo(p.End.At, day) && rows(earlier) < rows(p) {
				q.End = statement.FormatInstant(time.Unix(0, earlier.End.At), 0, time.UTC)
				return i, q, true
			}
		}
	}
	return 0, Query{}, false
}

// settingConditions returns the empty condition, each given setting, and each pair of given
// settings. most (0 to 2) limits the settings in a condition.
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

// wouldShow reports whether a hypothesis would certainly show in an export.
func (u *Universe) wouldShow(
	documented ExportPlan, h *Hypothesis, outcome string, origins []Origins,
) bool {
	p := Reading{{Hypothesis: h}}.apply(documented)
	if p.isDocumented(&documented) {
		return false
	}
	if p.LosesExactly != nil {
		return strings.Count(outcome, "+") > 0 && (!h.optional || strings.Count(outcome, "+") > 50)
	}
	for row := range origins {
		if now := u.predictRow(&p, row, origins); (now == '+') != (outcome[row] == '+') && now != '?' &&
			outcome[row] != '?' {
			return true
		}
	}
	reordered := p.Order != documented.Order || p.Sort != documented.Sort || p.OrderLayout != ""
	return reordered && p.Order != AnyOrder && strings.Count(outcome, "+") > 1
}
