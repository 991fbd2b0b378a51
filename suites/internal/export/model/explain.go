package model

import (
	"fmt"
	"slices"
	"strings"

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

// maxDefects limits the hypotheses that Explain combines in one reading.
const maxDefects = 3

// Explain returns the simplest readings that fit every export. It tries one hypothesis without a
// condition, then one under a setting that the wrong exports share, then one under two settings,
// and last a combination of up to maxDefects hypotheses. Where no reading fits, it returns the
// one that leaves the fewest exports unexplained, if that explains at least half of the wrong ones:
// among so many hypotheses, one explains a few exports by chance.
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
	var base Reading
	for len(x.Left) > 0 && len(base) < maxDefects {
		x.Candidates = u.simplestReadings(base, x.Left, hypotheses)
		if len(x.Candidates) > 0 {
			x.Left = nil
			return x
		}
		better, left := u.closestReading(base, x.Left, hypotheses)
		if better == nil {
			break
		}
		base, x.Left = better, left
	}
	x.Candidates = nil
	if base != nil && 2*len(x.Left) <= len(x.Wrong) {
		x.Candidates = []Reading{base}
	} else {
		x.Left = x.Wrong
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

// closestReading adds to base the hypothesis that leaves the fewest exports unexplained. It also
// returns the contradictions left; nil where no hypothesis helps.
func (u *Universe) closestReading(
	base Reading, wrong []*Contradiction, hypotheses []*Hypothesis,
) (Reading, []*Contradiction) {
	origins := u.rowOrigins(base)
	contradict := func(r Reading) map[*SeenExport]bool {
		all := map[*SeenExport]bool{}
		for _, c := range u.newTrial(r).contradictions(origins) {
			all[c.Export] = true
		}
		return all
	}
	before, settings := contradict(base), sharedSettings(wrong, 2)
	best, fewest := base, len(before)
	for _, h := range hypotheses {
		if h.fallback != FallbackNone || !u.shows(h) { // fallbacks explain part of any deviation
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
