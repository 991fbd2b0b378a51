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
	var unordered []Reading // which two other hypotheses may explain better
	for len(branches) > 0 {
		for _, b := range branches {
			fit := u.simplestReadings(b.Reading, b.left, hypotheses)
			switch {
			case len(fit) == 0:
			case len(b.Reading) == 0 && fit[0].allowsAnyOrder():
				unordered = fit
			case unordered == nil || !fit[0].allowsAnyOrder():
				x.Candidates, x.Left = fit, nil
				return x
			}
			if len(b.left) < len(best.left) {
				best = b
			}
		}
		if deep := len(branches[0].Reading); deep == maxDefects-1 || unordered != nil && deep > 0 {
			break
		}
		branches = u.extendReadings(branches, hypotheses)
	}
	if unordered != nil {
		x.Candidates, x.Left = unordered, nil
		return x
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

// allowsAnyOrder reports whether a reading says nothing of the order but that it is wrong.
func (r Reading) allowsAnyOrder() bool {
	return slices.ContainsFunc(r,
		func(h ConditionalHypothesis) bool { return h.fallback >= FallbackAnyOrder })
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
		if stage.fallback == FallbackSomeRows && len(base) > 0 {
			stage.conditions = always // a condition beside another hypothesis would fit by chance
		}
		fit := u.fittingReadings(base, hypotheses, stage.fallback, stage.conditions)
		if len(fit) > 0 && stage.fallback < FallbackZone {
			zones := u.fittingReadings(base, hypotheses, FallbackZone, always)
			if u.Zoneless { // its dates are as likely to be read in the wrong zone
				fit, zones = zones, fit
			}
			fit = append(fit, zones...)
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
