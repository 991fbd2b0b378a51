package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

// Explanation is the result of Explain: which readings account for the exports seen.
type Explanation struct {
	// Candidates are the equally simple readings that leave Left unexplained, likeliest first. It
	// is empty where no export is wrong, or no reading helps.
	Candidates []Reading
	Wrong      []*Contradiction // contradictions of the documented reading
	// Left are the contradictions of the first candidate, or Wrong where there is none.
	Left []*Contradiction
}

// Reading returns the best explanation, or nil where there is none.
func (x Explanation) Reading() Reading {
	if len(x.Candidates) == 0 {
		return nil
	}
	return x.Candidates[0]
}

// Limits of the search for a combination of hypotheses.
const (
	maxDefects  = 3 // hypotheses in one reading
	maxBranches = 3 // unfinished readings that are pursued side by side
)

// Explain returns the simplest readings that fit every export. It tries one hypothesis without a
// condition, then one under a setting that the wrong exports share, then one under two settings,
// and last combinations of up to maxDefects hypotheses, the most promising first. Where no reading
// fits, it returns the one that leaves the fewest exports unexplained, if that explains at least half
// of the wrong ones: among so many hypotheses, one explains a few exports by chance.
func (u *Universe) Explain(hypotheses []*Hypothesis) Explanation {
	x := Explanation{Wrong: u.ContradictionsOf(nil)}
	if e := u.loneDissenter(x.Wrong); e != nil {
		u.Exports = append(slices.DeleteFunc(u.Exports, func(o *SeenExport) bool { return o == e }), e)
		x.Wrong = u.ContradictionsOf(nil)
	}
	u.suspects = nil
	for _, c := range x.Wrong {
		u.suspects = append(append(u.suspects, c.Missing...), c.Extra...)
	}
	slices.Sort(u.suspects)
	u.suspects = slices.Compact(u.suspects)
	x.Left = x.Wrong
	if len(x.Wrong) == 0 {
		return x
	}
	best := partialReading{left: x.Wrong}
	branches := []partialReading{best}
	for len(branches) > 0 {
		for _, b := range branches {
			if x.Candidates = u.simplestReadings(b.Reading, b.left, hypotheses); len(x.Candidates) > 0 {
				x.Left = nil
				return x
			}
			if len(b.left) < len(best.left) {
				best = b
			}
		}
		if len(branches[0].Reading) == maxDefects-1 {
			break
		}
		branches = u.extendReadings(branches, hypotheses)
	}
	for range maxDefects - len(best.Reading) {
		for _, b := range u.extendReadings([]partialReading{best}, hypotheses) {
			if len(b.left) < len(best.left) {
				best = b
			}
		}
	}
	if best.Reading != nil && 2*len(best.left) <= len(x.Wrong) {
		x.Candidates, x.Left = []Reading{best.Reading}, best.left
	}
	return x
}

// simplestReadings returns the readings that fit at the first stage where any does.
func (u *Universe) simplestReadings(
	base Reading, wrong []*Contradiction, hypotheses []*Hypothesis,
) []Reading {
	always, single, double := commonConditions(wrong)
	for _, stage := range []struct {
		fallback   Fallback
		conditions [][]record.FactorValue
	}{
		{FallbackNone, always},
		{FallbackAlways, always},
		{FallbackNone, single},
		{FallbackRounded, always},
		{FallbackZone, always},
		{FallbackSomeRows, always},
		{FallbackSomeRows, single},
		{FallbackNone, double},
		{FallbackAnyOrder, always},
		{FallbackAnyOrder, single},
		{FallbackAnyRows, always},
		{FallbackAnyRows, single},
		{FallbackAnyRows, double},
	} {
		fit := u.fittingReadings(base, hypotheses, stage.fallback, stage.conditions)
		if u.Zoneless && len(fit) > 0 && stage.fallback < FallbackZone {
			// its dates are as likely to be read in the wrong zone
			fit = append(u.fittingReadings(base, hypotheses, FallbackZone, always), fit...)
		}
		if len(fit) > 0 {
			return fit
		}
	}
	return nil
}

// fittingReadings returns the readings that add one hypothesis of a kind to base and fit every
// export.
func (u *Universe) fittingReadings(
	base Reading, hypotheses []*Hypothesis, kind Fallback, conditions [][]record.FactorValue,
) (fit []Reading) {
	for _, h := range hypotheses {
		if h.fallback != kind || !u.shows(h) || kind == FallbackAnyRows && len(base) > 0 {
			continue
		}
		for _, condition := range conditions {
			if r := append(slices.Clip(base), ConditionalHypothesis{h, condition}); u.FitsAllExports(r) {
				fit = append(fit, r)
			}
		}
	}
	return fit
}

// shows reports whether the file's dates are fine enough to show a hypothesis.
func (u *Universe) shows(h *Hypothesis) bool {
	return h.minUnit == 0 || u.Unit[DateCreated] < h.minUnit
}

// sharedSettings returns the settings that least or more of the wrong exports have, those left
// out last.
func sharedSettings(wrong []*Contradiction, least int) (settings []record.FactorValue) {
	times := map[record.FactorValue]int{}
	for _, c := range wrong {
		for _, s := range c.Export.plain.settings {
			times[s]++
			if times[s] == least {
				settings = append(settings, s)
			}
		}
	}
	slices.SortFunc(settings, func(a, b record.FactorValue) int {
		left := func(s record.FactorValue) string { return fmt.Sprint(s.Value == ValueLeftOut, s) }
		return strings.Compare(left(a), left(b))
	})
	return settings
}

// commonConditions returns no condition (always), and the settings (single) and pairs of
// settings (double) that at least three quarters of the wrong exports share. The rest may be
// listed as wrong only because nothing says whose their rows are. Where most exports lose rows,
// the others seem to hold too many; so settings shared by all exports that lack rows, or by all
// that hold too many, are conditions, too.
func commonConditions(wrong []*Contradiction) (always, single, double [][]record.FactorValue) {
	common := sharedSettings(wrong, (3*len(wrong)+3)/4)
	for i, a := range common {
		single = append(single, []record.FactorValue{a})
		for _, b := range common[i+1:] {
			if a.Factor != b.Factor && a.Value != ValueLeftOut && b.Value != ValueLeftOut {
				double = append(double, []record.FactorValue{a, b})
			}
		}
	}
	complete := func(c *Contradiction) bool { return len(c.Missing) == 0 }
	exact := func(c *Contradiction) bool { return len(c.Extra) == 0 }
	for _, isRight := range []func(*Contradiction) bool{complete, exact} {
		some := slices.DeleteFunc(slices.Clone(wrong), isRight)
		for _, setting := range sharedSettings(some, len(some)) {
			if !slices.Contains(common, setting) {
				common = append(common, setting)
				single = append(single, []record.FactorValue{setting})
			}
		}
	}
	return [][]record.FactorValue{nil}, single, double
}

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
	origins := u.rowOrigins(base.Reading)
	misfits := func(r Reading) (by map[*SeenExport]misfit, sum misfit) {
		by = map[*SeenExport]misfit{}
		for _, c := range u.newTrial(r).contradictions(origins) {
			by[c.Export] = c.misfit()
			sum.add(c.misfit())
		}
		return by, sum
	}
	before, least := misfits(base.Reading)
	settings := sharedSettings(base.left, 2)
	best := map[*rules.Rule]int{} // index into all
	for _, h := range hypotheses {
		// the other fallbacks explain part of any deviation
		if h.fallback != FallbackNone && h.fallback != FallbackZone || !u.shows(h) {
			continue
		}
		after, _ := misfits(append(slices.Clip(base.Reading), ConditionalHypothesis{Hypothesis: h}))
		for i := -1; i < len(settings); i++ {
			one, sum := ConditionalHypothesis{Hypothesis: h}, misfit{}
			if i >= 0 && settings[i].Value == ValueLeftOut {
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

// Refute sorts the hypotheses that any window can show: against has an export that refutes each
// hypothesis refuted, open has the hypotheses that no export refutes. It takes the reading given
// for granted.
func (u *Universe) Refute(
	given Reading, of []*Hypothesis,
) (against []*SeenExport, open []*Hypothesis) {
	for _, h := range of {
		if h.fallback != FallbackNone || h.optional || !u.shows(h) {
			continue
		}
		t := u.newTrial(append(slices.Clip(given), ConditionalHypothesis{Hypothesis: h}))
		t.refusals = true
		if e := t.refutingExport(); e != nil {
			against = append(against, e)
		} else {
			open = append(open, h)
		}
	}
	return against, open
}
