package export

import (
	"fmt"
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/spec"
)

const day = 24 * time.Hour

// declareRangeRules declares the rules on which rows the bounds keep.
func (s *Suite) declareRangeRules() {
	s.Rule(ruleStart, Must, SectionExport,
		"date_start keeps quotes dated exactly on it and later, and drops the earlier ones.",
		needsWindow(), func() {
			s.itNever("drops rows dated on the start", dropRowsOnStart)
			s.itNever("drops rows dated on a start with a fraction of a second", dropRowsOnStart).
				When(func(p *exportPlan) bool { return p.Start.HasFraction() }).AsOptional()
			s.itNever("drops rows dated on a start without a fraction of a second", dropRowsOnStart).
				When(func(p *exportPlan) bool { return !p.Start.HasFraction() }).AsOptional()
			s.itNeverIgnores("the start", ignoreStart, nil)
			s.itNever("ignores the start when an end is given", ignoreStart).When(hasBothBounds)
			s.itNever("starts a millisecond late", changeStart(addMillisecond)).
				WithMinUnit(10 * time.Millisecond)
			s.itNever("drops rows dated on the start and keeps those on the end",
				func(p *exportPlan) { dropRowsOnStart(p); keepRowsOnEnd(p) }).AlsoBreaks(ruleEnd)
			s.hypothesis("shows dates rounded to their last digit, so that some seem to be on a bound",
				func(p *exportPlan) { p.Start.Shift(p.Units[p.By] / 2); p.End.Shift(p.Units[p.EndBy] / 2) }).
				AlsoBreaks(ruleEnd).AsFallback(model.FallbackRounded)
			s.itNever("applies the start to quote_created_at whatever the sort",
				func(p *exportPlan) { p.By = model.DateCreated })
			s.itNever("applies the start to settled_date whatever the sort",
				func(p *exportPlan) { p.By = model.DateSettled })
			s.itRefutes("reads no bound as in another time zone", s.zoneHypotheses()...)
		})
	s.Rule(ruleEnd, Must, SectionExport,
		"date_end drops quotes dated exactly on it and later, and keeps the earlier ones.",
		needsWindow(), func() {
			s.itNever("keeps rows dated on the end", keepRowsOnEnd)
			s.itNever("keeps rows dated on the end when a start is given", keepRowsOnEnd).
				When(hasBothBounds) // as BETWEEN does
			s.itNever("keeps rows dated on an end with a fraction of a second", keepRowsOnEnd).
				When(func(p *exportPlan) bool { return p.End.HasFraction() }).AsOptional()
			s.itNever("keeps rows dated on an end without a fraction of a second", keepRowsOnEnd).
				When(func(p *exportPlan) bool { return !p.End.HasFraction() }).AsOptional()
			s.itNever("keeps the day that begins with the end, where that is at midnight",
				changeEnd((*model.Bound).AddDayAtMidnight)).AsOptional()
			s.itNeverIgnores("the end", ignoreEnd, nil)
			s.itNever("ends a millisecond late", changeEnd(addMillisecond)).
				WithMinUnit(10 * time.Millisecond)
			s.itNever("ends a millisecond early",
				changeEnd(func(e *model.Bound) { e.Shift(-time.Millisecond) })).
				WithMinUnit(10 * time.Millisecond).AsOptional()
			s.itNever("ends a second early",
				func(p *exportPlan) { p.End.Shift(p.Units[p.EndBy] - time.Second) }).
				WithMinUnit(time.Second).AsOptional()
			s.itNever("ignores the end when a start is given", ignoreEnd).When(hasBothBounds)
			s.itNeverIgnores("both bounds", ignoreBounds, nil, ruleStart)
			s.itNever("applies the end to quote_created_at whatever the sort",
				func(p *exportPlan) { p.EndBy = model.DateCreated })
			s.itNever("applies the end to settled_date whatever the sort",
				func(p *exportPlan) { p.EndBy = model.DateSettled })
		})
	s.Rule(rulePartition, Must, SectionExport,
		"Two adjacent ranges together hold, without overlap, what the whole range holds.",
		needsWindow(), func() {
			s.itNever("loses the last row of a file",
				func(p *exportPlan) { p.LosesExactly = model.LosesLastRow })
			s.itNever("loses the first row of a file",
				func(p *exportPlan) { p.LosesExactly = model.LosesFirstRow })
			s.itNever("cuts files after N rows",
				func(p *exportPlan) { p.LosesExactly = model.EndsAtPageLimit }).AsOptional()
			s.itNever("loses a row where a page of a file ends",
				func(p *exportPlan) { p.LosesExactly = model.LosesRowsAtPageEnds }).
				AsFallback(model.FallbackAnyRows)
			s.itNever("keeps one row of those that share a date",
				func(p *exportPlan) { p.LosesExactly = model.KeepsOneRowPerDate }).AsOptional()
			s.itNever("leaves out unsettled quotes from exports by quote_created_at", loseUnsettled).
				When(isSortedByCreated).AsOptional()
			s.itNever("leaves out some quotes", model.LoseUnexplained).AsFallback(model.FallbackAnyRows)
		})
	s.Rule("export.range.open", Must, SectionExport,
		"A bound may be given alone: only a start, or only an end.", needsWindow(), func() {
			s.itNeverIgnores("a start without an end", ignoreStart, hasOnlyStart)
			s.itNeverIgnores("an end without a start", ignoreEnd, hasOnlyEnd)
			s.itNever("gives no row when only an end is given", model.KeepNoRows).When(hasOnlyEnd)
			s.itRefutes("never leaves out what is long before an end without a start",
				s.keepsDaysBeforeEnd(7), s.keepsDaysBeforeEnd(30), s.keepsDaysBeforeEnd(31))
			s.itNever("gives no row when only a start is given", model.KeepNoRows).When(hasOnlyStart)
			// the start is 30 days ago by default
			s.itNever("gives no row when no start is given", model.KeepNoRows).When(hasNoStart).
				AlsoBreaks("export.range.unbounded").AsOptional()
		})
	s.Rule("export.range.unbounded", Should, SectionExport,
		"Without bounds, neither a sort nor an order nor a type_extension leaves quotes out.",
		needsWindow(), func() {
			s.itNever("gives no row when no bound is given", model.KeepNoRows).When(hasNoBounds)
			s.itNever("leaves out unsettled quotes from exports by settled_date without bounds",
				loseUnsettled).AsOptional().
				When(func(p *exportPlan) bool { return hasNoBounds(p) && !isSortedByCreated(p) })
			s.itNever("leaves out unsettled quotes from exports by quote_created_at without bounds",
				loseUnsettled).AsOptional().
				When(func(p *exportPlan) bool { return hasNoBounds(p) && isSortedByCreated(p) })
		})
	s.Rule(ruleEmpty, Must, SectionExport,
		"A range whose start equals its end holds no quotes.", needsWindow(), func() {
			s.itNever("ignores bounds that are equal", ignoreBounds).When(hasEqualBounds)
			s.itRefutes("never keeps quotes on the bound when both bounds are equal",
				s.hypothesis("keeps quotes on the bound when both bounds are equal", keepRowsOnEnd).
					When(hasEqualBounds),
				s.hypothesis("keeps the whole day when both bounds are equal", func(p *exportPlan) {
					p.Start.TruncateTo(day, 0)
					p.End = p.Start
					p.End.Shift(day)
				}).When(hasEqualBounds).AsOptional())
		})
	s.Rule(ruleStartAfterEnd, Should, SectionExport,
		"A range whose start is after its end holds no quotes, or is refused.", needsWindow(), func() {
			s.itNever("swaps the bounds of a range whose start is after its end",
				func(p *exportPlan) { p.Start, p.End = p.End, p.Start }).When(hasStartAfterEnd)
			s.itNever("ignores the end of a range whose start is after it", ignoreEnd).When(hasStartAfterEnd)
			s.itNever("ignores the bounds of a range whose start is after its end", ignoreBounds).
				When(hasStartAfterEnd)
		})
}

// itNeverIgnores declares a case that the deployment does not ignore bounds of the exports that when
// accepts; nil: of all. Quotes without a date may be left out all the same.
func (s *Suite) itNeverIgnores(
	bounds string, ignore func(*exportPlan), when func(*exportPlan) bool, also ...string,
) {
	spec.Helper()
	does := "ignores " + bounds
	s.itRefutes("never "+does,
		s.hypothesis(does, ignore).When(when).AlsoBreaks(also...),
		s.hypothesis(does+", but leaves out unsettled quotes",
			func(p *exportPlan) { ignore(p); loseUndated(p) }).When(when).AlsoBreaks(also...).AsOptional())
}

// keepsDaysBeforeEnd is the hypothesis that an end without a start has a start by default.
func (s *Suite) keepsDaysBeforeEnd(days int) *model.Hypothesis {
	return s.hypothesis(fmt.Sprintf("keeps only the %d days before the end when no start is given", days),
		func(p *exportPlan) {
			p.Start, p.By = p.End, p.EndBy
			p.Start.Shift(-time.Duration(days) * day)
		}).When(hasOnlyEnd).AsOptional()
}

// zoneHypotheses returns the hypotheses that bounds are read in another time zone.
func (s *Suite) zoneHypotheses() (all []*model.Hypothesis) {
	// half-hour zones are rarer, and none is less than 2.5 hours from UTC
	for _, first := range []time.Duration{time.Hour, 5 * time.Hour / 2} {
		for off := first; off <= 14*time.Hour; off += time.Hour {
			for _, off := range []time.Duration{off, -off} {
				all = append(all,
					s.hypothesis(fmt.Sprintf("reads bounds %gh off, as in another time zone", off.Hours()),
						changeBounds(func(e *model.Bound) { e.Shift(off) })).
						AlsoBreaks(ruleEnd).AsFallback(model.FallbackZone),
					s.hypothesis(
						fmt.Sprintf("takes bounds for local time, %gh off, whatever their offset", off.Hours()),
						changeBounds(func(e *model.Bound) { e.Shift(e.Offset + off) })).
						AlsoBreaks(ruleEnd, ruleOffset).AsFallback(model.FallbackZone),
					s.hypothesis(fmt.Sprintf("takes the first 19 characters of bounds for local time, %gh off",
						off.Hours()),
						changeBounds(func(e *model.Bound) { e.Shift(e.Offset + off); e.TruncateTo(time.Second, 0) })).
						AlsoBreaks(ruleEnd, ruleOffset).WithMinUnit(time.Second).
						AsFallback(model.FallbackZone))
			}
		}
	}
	return all
}

func changeStart(change func(*model.Bound)) func(*exportPlan) {
	return func(p *exportPlan) { change(&p.Start) }
}

func changeEnd(change func(*model.Bound)) func(*exportPlan) {
	return func(p *exportPlan) { change(&p.End) }
}

func changeBounds(change func(*model.Bound)) func(*exportPlan) {
	return func(p *exportPlan) { change(&p.Start); change(&p.End) }
}

func ignoreStart(p *exportPlan)  { p.Start.Ignore() }
func ignoreEnd(p *exportPlan)    { p.End.Ignore() }
func ignoreBounds(p *exportPlan) { p.Start.Ignore(); p.End.Ignore() }

func addMillisecond(e *model.Bound) { e.Shift(time.Millisecond) }

// dropRowsOnStart and keepRowsOnEnd move a bound past the rows on it.
func dropRowsOnStart(p *exportPlan) { p.Start.Shift(p.Units[p.By]) }
func keepRowsOnEnd(p *exportPlan)   { p.End.Shift(p.Units[p.EndBy]) }

// keepUnsettled and loseUnsettled keep or drop quotes that are not settled.
func keepUnsettled(p *exportPlan) {
	p.Keeps = func(p *exportPlan, r *model.ObservedQuote) bool {
		return p.Sort == model.DateSettled && r.Dates[model.DateSettled].None
	}
}

func loseUnsettled(p *exportPlan) {
	p.Loses = func(_ *exportPlan, r *model.ObservedQuote) bool {
		return r.Dates[model.DateSettled].None
	}
}

// loseUndated drops quotes without the date that bounds apply to, if bounds were asked for.
func loseUndated(p *exportPlan) {
	if p.Asked.Start+p.Asked.End != "" {
		p.Loses = func(p *exportPlan, r *model.ObservedQuote) bool { return r.Dates[p.Sort].None }
	}
}

func hasNoStart(p *exportPlan) bool        { return !p.Start.IsGiven() }
func hasOnlyStart(p *exportPlan) bool      { return p.Start.IsGiven() && !p.End.IsGiven() }
func hasOnlyEnd(p *exportPlan) bool        { return !p.Start.IsGiven() && p.End.IsGiven() }
func hasBothBounds(p *exportPlan) bool     { return p.Start.IsGiven() && p.End.IsGiven() }
func hasNoBounds(p *exportPlan) bool       { return !p.Start.IsGiven() && !p.End.IsGiven() }
func hasEqualBounds(p *exportPlan) bool    { return p.Start.IsGiven() && p.Start.At == p.End.At }
func hasStartAfterEnd(p *exportPlan) bool  { return p.End.IsGiven() && p.Start.At > p.End.At }
func isSortedByCreated(p *exportPlan) bool { return p.Sort == model.DateCreated }
