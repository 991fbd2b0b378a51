package model

import (
	"cmp"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
)

// partialReading is a reading that leaves some contradictions.
type partialReading struct {
	Reading
	left   []*Contradiction
	misfit misfit
}

// misfit tells how far exports are from a reading: in how many the rows or their order are wrong,
// and how many rows are.
type misfit struct{ exports, rows int }

func (m misfit) compare(other misfit) int {
	return cmp.Or(cmp.Compare(m.exports, other.exports), cmp.Compare(m.rows, other.rows))
}

func (c *Contradiction) misfit() (m misfit) {
	m.rows = len(c.Missing) + len(c.Extra)
	if m.rows > 0 || c.LosesNothing {
		m.exports++
	}
	if c.Disorder {
		m.exports++
	}
	return m
}

func (m *misfit) add(other misfit) { m.exports += other.exports; m.rows += other.rows }

// extendReadings returns the best of the readings that add one hypothesis to one of some readings
// and leave less unexplained: at most one for each rule, and maxBranches in all.
func (u *Universe) extendReadings(bases []partialReading, hypotheses []*Hypothesis) []partialReading {
	var all []partialReading
	for _, base := range bases {
		all = append(all, u.extensions(base, hypotheses)...)
	}
	slices.SortStableFunc(all, func(a, b partialReading) int { return a.misfit.compare(b.misfit) })
	if len(all) > maxBranches {
		all = all[:maxBranches]
	}
	for i := range all {
		all[i].left = u.ContradictionsOf(all[i].Reading)
	}
	return all
}

// extensions returns the best extensions of a reading by a hypothesis of each rule.
func (u *Universe) extensions(base partialReading, hypotheses []*Hypothesis) (all []partialReading) {
	basis := u.newTrial(base.Reading)
	origins := basis.rowOrigins()
	misfits := func(r Reading) (by map[*SeenExport]misfit, sum misfit) {
		t, of := u.newTrial(r), origins
		if !t.ownsAlike(basis) {
			of = t.rowOrigins()
		}
		by = map[*SeenExport]misfit{}
		for _, c := range t.contradictions(of) {
			by[c.Export] = c.misfit()
			sum.add(c.misfit())
		}
		return by, sum
	}
	before, least := misfits(base.Reading)
	settings := sharedSettings(base.left, 2)
	best := map[*rules.Rule]int{} // index into all
	for _, h := range hypotheses {
		if h.fallback == FallbackRounded || h.fallback > FallbackZone || !u.shows(h) {
			continue // the other fallbacks explain part of any deviation
		}
		after, _ := misfits(append(slices.Clip(base.Reading), ConditionalHypothesis{Hypothesis: h}))
		for i := -1; i < len(settings); i++ {
			one, sum := ConditionalHypothesis{Hypothesis: h}, misfit{}
			if i >= 0 && (settings[i].Value == ValueLeftOut || h.fallback == FallbackAlways) {
				continue
			}
			if i >= 0 { // it has to explain more than chance does
				one.Condition, sum.exports = settings[i:i+1], 1
			}
			for _, e := range u.Exports {
				if one.AppliesTo(e) {
					sum.add(after[e])
				} else {
					sum.add(before[e])
				}
			}
			if sum.compare(least) >= 0 {
				continue
			}
			extended := partialReading{Reading: append(slices.Clip(base.Reading), one), misfit: sum}
			if at, known := best[h.Rule]; !known {
				best[h.Rule] = len(all)
				all = append(all, extended)
			} else if sum.compare(all[at].misfit) < 0 {
				all[at] = extended
			}
		}
	}
	return all
}
