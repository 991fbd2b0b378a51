package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/record"
)

// Explanation is what was seen, in words of the hypotheses.
type Explanation struct {
	// Candidates are the simplest readings that fit the same exports, the likeliest first; empty: none
	// but the documented one is needed, or none was found.
	Candidates []Reading
	Wrong      []*Contradiction // of the documented reading
	// of the first candidate, or of the documented reading where there is none
	Left []*Contradiction
}

// Reading is the best explanation; nil: there is none.
func (x Explanation) Reading() Reading {
	if len(x.Candidates) == 0 {
		return nil
	}
	return x.Candidates[0]
}

// maxSuspectRows is how many rows are looked at first.
const maxSuspectRows = 50

// maxDefects is how many defects at once are told apart.
const maxDefects = 3

// Explain finds the simplest readings that fit every export: one hypothesis, one under a setting
// that all exports have which are wrong, one under two, and then several. Where no reading fits, it
// is the one that leaves the fewest exports unexplained.
func (u *Universe) Explain(hypotheses []*Hypothesis) Explanation {
	x := Explanation{Wrong: u.ContradictionsOf(nil)}
	u.suspects = u.suspects[:0]
	for _, c := range x.Wrong {
		for _, row := range slices.Concat(c.Missing, c.Extra) {
			if !slices.Contains(u.suspects, row) && len(u.suspects) < maxSuspectRows {
				u.suspects = append(u.suspects, row)
			}
		}
	}
	x.Left = x.Wrong
	var base Reading
	for len(x.Left) > 0 && len(base) < maxDefects {
		if x.Candidates = u.simplestReadings(base, x.Left, hypotheses); len(x.Candidates) > 0 {
			x.Left = nil
			return x
		}
		better, left := u.closestReading(base, x.Left, hypotheses)
		if better == nil {
			break
		}
		base, x.Left = better, left
	}
	if base != nil {
		x.Candidates = []Reading{base}
	}
	return x
}

// simplestReadings lists the readings that fit, of those that are equally simple.
func (u *Universe) simplestReadings(
	base Reading, wrong []*Contradiction, hypotheses []*Hypothesis,
) []Reading {
	always, single, double := commonConditions(wrong)
	for _, stage := range []struct {
		fallback   Fallback
		conditions [][]record.FactorValue
	}{
		{FallbackNone, always},
		{FallbackNone, single},
		{FallbackRounded, always},
		{FallbackZone, always},
		{FallbackSomeRows, always},
		{FallbackSomeRows, single},
		{FallbackNone, double},
		{FallbackAnyRows, always},
		{FallbackAnyRows, single},
		{FallbackAnyRows, double},
	} {
		var fit []Reading
		for _, h := range hypotheses {
			if h.fallback != stage.fallback || h.fallback == FallbackAnyRows && len(base) > 0 {
				continue
			}
			for _, condition := range stage.conditions {
				if r := append(slices.Clip(base), ConditionalHypothesis{h, condition}); u.FitsAllExports(r) {
					fit = append(fit, r)
				}
			}
		}
		if len(fit) > 0 {
			return fit
		}
	}
	return nil
}

// sharedSettings lists the settings that so many of some exports have, those that are given first.
func sharedSettings(wrong []*Contradiction, least int) (settings []record.FactorValue) {
	times := map[record.FactorValue]int{}
	for _, c := range wrong {
		for _, s := range c.Export.plain.settings {
			if times[s]++; times[s] == least {
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

// commonConditions are none, and the settings, and pairs of them, that nearly all wrong exports
// have in common: one of them may be taken for wrong for rows of which nothing says whose they are.
// Rows that most exports lose seem to be too many in the others, so settings that all exports have
// in common which lack rows, or which hold too many, are conditions, too.
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
	var lacking, exceeding []*Contradiction
	for _, c := range wrong {
		if len(c.Missing) > 0 {
			lacking = append(lacking, c)
		}
		if len(c.Extra) > 0 {
			exceeding = append(exceeding, c)
		}
	}
	for _, some := range [][]*Contradiction{lacking, exceeding} {
		for _, setting := range sharedSettings(some, len(some)) {
			if !slices.Contains(common, setting) {
				common = append(common, setting)
				single = append(single, []record.FactorValue{setting})
			}
		}
	}
	return [][]record.FactorValue{nil}, single, double
}

// closestReading is a reading of one hypothesis more that leaves the fewest exports unexplained.
func (u *Universe) closestReading(
	base Reading, wrong []*Contradiction, hypotheses []*Hypothesis,
) (Reading, []*Contradiction) {
	homes := u.rowOrigins(base)
	contradict := func(r Reading) map[*SeenExport]bool {
		all := map[*SeenExport]bool{}
		for _, c := range u.newTrial(r).contradictions(homes) {
			all[c.Export] = true
		}
		return all
	}
	before, settings := contradict(base), sharedSettings(wrong, 2)
	best, fewest := base, len(before)
	for _, h := range hypotheses {
		if h.fallback != FallbackNone { // they explain a part of whatever is wrong
			continue
		}
		after := contradict(append(slices.Clip(base), ConditionalHypothesis{Hypothesis: h}))
		for i := -1; i < len(settings); i++ {
			one, n := ConditionalHypothesis{Hypothesis: h}, 0
			if i >= 0 {
				one.Condition = settings[i : i+1]
			}
			for _, e := range u.Exports {
				if applies := one.AppliesTo(e); applies && after[e] || !applies && before[e] {
					n++
				}
			}
			if n < fewest && (i < 0 || settings[i].Value != ValueLeftOut) {
				best, fewest = append(slices.Clip(base), one), n
			}
		}
	}
	left := u.ContradictionsOf(best)
	if len(left) >= len(wrong) {
		return nil, wrong
	}
	return best, left
}

// reportedAs is what a reading would be reported as: two that say the same need not be told apart.
func (r Reading) reportedAs() string {
	var parts []string
	for _, s := range r {
		parts = append(parts, fmt.Sprint(s.BrokenRules(), s.Name, s.Condition))
	}
	return strings.Join(parts, "; ")
}

// Distinguish chooses the query that tells most of the candidates apart; false: none does.
func (u *Universe) Distinguish(candidates []Reading, pool []Query) (best Query, found bool) {
	said, most := map[string]Reading{}, 1
	for _, r := range slices.Backward(candidates) {
		said[r.reportedAs()] = r
	}
	if len(said) < 2 {
		return best, false
	}
	homes := u.rowOrigins(candidates[0])
	for i := range pool {
		if slices.ContainsFunc(u.Exports, func(e *SeenExport) bool { return e.Query == pool[i] }) {
			continue
		}
		documented, outcomes := u.documentedPlan(&pool[i]), map[string]bool{}
		for _, r := range said {
			p := r.apply(documented)
			outcomes[u.predictOutcome(&p, homes)] = true
		}
		if len(outcomes) > most {
			best, most, found = pool[i], len(outcomes), true
		}
	}
	return best, found
}

// predictOutcome is what an export would surely hold, and how.
func (u *Universe) predictOutcome(p *ExportPlan, homes []Origins) string {
	text := make([]byte, 0, len(homes)+2)
	for row := range u.Rows {
		text = append(text, u.predictRow(p, row, homes))
	}
	text = append(text, byte(p.Sort), byte(p.Order), byte('f'))
	if p.Trim != nil {
		text = append(text, 't')
	}
	return string(text)
}

// predictRow is + for a row that an export would hold, - for one that it would not, and ? where
// that cannot be told.
func (u *Universe) predictRow(p *ExportPlan, row int, homes []Origins) byte {
	switch home, v := homes[row]&^originsUnexplained, p.holdsRow(&u.Rows[row]); {
	case u.Rows[row].Unsteady:
		return '?'
	case v < 0, home != 0 && home&(p.in|p.may) == 0:
		return '-'
	case v > 0 && home != 0 && home&^(p.in&^p.may) == 0:
		return '+'
	}
	return '?'
}

// Refute lists the exports that speak against some ways in which a rule is broken, and those ways
// that none speaks against, of those that any window shows. What the reading explains is taken for
// granted.
func (u *Universe) Refute(
	given Reading, of []*Hypothesis,
) (against []*SeenExport, open []*Hypothesis) {
	for _, h := range of {
		if h.fallback != FallbackNone || h.optional || h.minUnit > 0 && u.Unit[DateCreated] >= h.minUnit {
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
