package model

import (
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
)

func rangeRules() []Rule {
	return []Rule{
		newRule(ruleStart, rules.Must, needsWindow(),
			"date_start keeps quotes dated exactly on it and later, and drops the earlier ones.",
			append([]Hypothesis{
				hypothesis("drops rows dated on the start", excludeRowsOnStart),
				hypothesis("ignores the start", changeStart(ignoreBound)),
				hypothesis("starts a millisecond late",
					changeStart(shiftBy(time.Millisecond)),
				).WithMinUnit(10 * time.Millisecond),
				hypothesis("drops rows dated on the start and keeps those on the end",
					func(p *exportPlan) { excludeRowsOnStart(p); includeRowsOnEnd(p) }).AlsoBreaks(ruleEnd),
				hypothesis("shows dates rounded to their last digit, so that some seem to be on a bound",
					func(p *exportPlan) {
						p.start.shift(p.units[p.by] / 2)
						p.end.shift(p.units[p.endBy] / 2)
					}).AlsoBreaks(ruleEnd).AsFallback(fallbackRounded),
				hypothesis("applies the start to quote_created_at whatever the sort",
					func(p *exportPlan) { p.by = DateCreated },
				),
				hypothesis("applies the start to settled_date whatever the sort",
					func(p *exportPlan) { p.by = DateSettled },
				),
			}, shareCase("reads no bound as in another time zone", zoneHypotheses())...)...),
		newRule(
			ruleEnd,
			rules.Must,
			needsWindow(),
			"date_end drops quotes dated exactly on it and later, and keeps the earlier ones.",
			hypothesis("keeps rows dated on the end", includeRowsOnEnd),
			hypothesis("ignores the end", changeEnd(ignoreBound)),
			hypothesis("ends a millisecond late",
				changeEnd(shiftBy(time.Millisecond)),
			).WithMinUnit(10*time.Millisecond),
			hypothesis("ignores both bounds", changeBounds(ignoreBound)).AlsoBreaks(ruleStart),
			hypothesis("applies the end to quote_created_at whatever the sort",
				func(p *exportPlan) { p.endBy = DateCreated },
			),
			hypothesis("applies the end to settled_date whatever the sort",
				func(p *exportPlan) { p.endBy = DateSettled },
			),
		),
		newRule("export.range.partition",
			rules.Must,
			needsWindow(),
			"Two adjacent ranges together hold, without overlap, what the whole range holds.",
			hypothesis("loses the last row of a file", func(p *exportPlan) { p.trim = lacksRowAtEnd(true) }),
			hypothesis("loses the first row of a file",
				func(p *exportPlan) { p.trim = lacksRowAtEnd(false) },
			),
			hypothesis("cuts files after N rows",
				func(p *exportPlan) { p.trim = endsAtPageLimit },
			).AsOptional(),
			hypothesis("keeps one row of those that share a date",
				func(p *exportPlan) { p.trim = keepsOneRowPerDate },
			).AsOptional(),
			hypothesis("leaves out quotes that are not settled by quote_created_at",
				editWhen(isSortedByCreated, loseUnsettled),
			).AsOptional(),
			hypothesis("leaves out some quotes", loseUnexplained).AsFallback(fallbackAnyRows),
		),
		newRule("export.range.open", rules.Must, needsWindow(),
			"A bound may be given alone: only a start, or only an end.",
			hypothesis("ignores a start without an end", editWhen(hasOnlyStart, changeStart(ignoreBound))),
			hypothesis("ignores an end without a start", editWhen(hasOnlyEnd, changeEnd(ignoreBound))),
			hypothesis("gives no row when only an end is given", editWhen(hasOnlyEnd, keepNoRows)),
			hypothesis("gives no row when only a start is given", editWhen(hasOnlyStart, keepNoRows)),
		),
		newRule("export.range.unbounded", rules.Should, needsWindow(),
			"Without bounds, neither a sort nor an order nor a type_extension leaves quotes out.",
			hypothesis("gives no row when no bound is given", editWhen(hasNoBounds, keepNoRows)),
			hypothesis("leaves out quotes that are not settled by settled_date where no bound is given",
				editWhen(
					func(p *exportPlan) bool { return hasNoBounds(p) && isSortedBySettled(p) },
					loseUnsettled,
				),
			).AsOptional(),
			hypothesis("leaves out quotes that are not settled by quote_created_at where no bound is given",
				editWhen(
					func(p *exportPlan) bool { return hasNoBounds(p) && isSortedByCreated(p) },
					loseUnsettled,
				),
			).AsOptional(),
		),
		newRule("export.range.empty",
			rules.Must,
			needsWindow(),
			"A range whose start equals its end holds no quotes.",
			hypothesis("ignores bounds that are equal", editWhen(hasEqualBounds, changeBounds(ignoreBound))),
			hypothesis("keeps quotes on the bound when both bounds are equal",
				editWhen(hasEqualBounds, includeRowsOnEnd),
			),
		),
		newRule("export.range.start_after_end",
			rules.Should,
			needsWindow(),
			"A range whose start is after its end holds no quotes, or is refused.",
			hypothesis("swaps the bounds of a range whose start is after its end",
				editWhen(hasStartAfterEnd, func(p *exportPlan) { p.start, p.end = p.end, p.start })),
			hypothesis("ignores the end of a range whose start is after it",
				editWhen(hasStartAfterEnd, changeEnd(ignoreBound)),
			),
			hypothesis("ignores the bounds of a range whose start is after its end",
				editWhen(hasStartAfterEnd, changeBounds(ignoreBound)),
			),
		),
		newRule("export.range.precision", rules.Must, needsWindow(),
			"Bounds work to the precision that the file shows.",
			shareCase("cuts and rounds no bound", precisionHypotheses())...),
		newRule(
			ruleOffset,
			rules.Must,
			needsWindow(),
			"The same instant written with another offset selects the same quotes.",
			hypothesis("reads every bound as UTC, whatever its offset",
				changeBounds(func(e *rangeBound) { e.shift(e.offset) }),
			).WithMinUnit(day),
			hypothesis("reads a start that stands alone as UTC, whatever its offset",
				editWhen(hasOnlyStart, changeStart(func(e *rangeBound) { e.shift(e.offset) }))).AsOptional(),
			hypothesis("reads an end that stands alone as UTC, whatever its offset",
				editWhen(hasOnlyEnd, changeEnd(func(e *rangeBound) { e.shift(e.offset) }))).AsOptional(),
			hypothesis("adds offsets instead of subtracting them",
				changeBounds(func(e *rangeBound) { e.shift(2 * e.offset) }),
			).WithMinUnit(day),
			hypothesis("reads the end with the offset of the start",
				editWhen(hasBothBounds, func(p *exportPlan) { p.end.shift(p.end.offset - p.start.offset) }),
			).WithMinUnit(time.Hour),
			hypothesis("reads the start with the offset of the end",
				editWhen(hasBothBounds, func(p *exportPlan) { p.start.shift(p.start.offset - p.end.offset) }),
			).WithMinUnit(time.Hour),
			hypothesis("ignores the minutes of offsets",
				changeBounds(func(e *rangeBound) { e.shift(e.offset % time.Hour) }),
			).WithMinUnit(time.Hour),
			hypothesis("ignores that an offset may change the day",
				changeBounds(takeDayFromOffset),
			).WithMinUnit(day),
		),
		newRule("export.range.follows_sort",
			rules.Must,
			needsWindow(),
			"The bounds apply to the date that sort chooses.",
			hypothesis("applies bounds to quote_created_at whatever the sort", applyBoundsTo(DateCreated)),
			hypothesis("applies bounds to settled_date whatever the sort", applyBoundsTo(DateSettled)),
			hypothesis("applies bounds to the date that the sort does not choose",
				func(p *exportPlan) { p.by, p.endBy = p.by.other(), p.endBy.other() }),
			hypothesis("applies a bound that stands alone to quote_created_at",
				editWhen(
					func(p *exportPlan) bool { return hasOnlyStart(p) || hasOnlyEnd(p) },
					applyBoundsTo(DateCreated),
				),
			),
			hypothesis("shows settled_date as quote_created_at and the other way round",
				func(p *exportPlan) { p.sort, p.by, p.endBy = p.sort.other(), p.by.other(), p.endBy.other() }),
			hypothesis("keeps quotes without a settled date within bounds on it",
				keepUnsettled,
			).AsOptional(),
			hypothesis("keeps quotes without a settled date before an end that stands alone",
				editWhen(hasOnlyEnd, keepUnsettled)).AsOptional(),
		),
	}
}

// loseUnexplained leaves rows out for no reason that can be told, and addUnexplained adds them,
// whosever they are.
func loseUnexplained(p *exportPlan) { p.in &^= originsUnexplained }
func addUnexplained(p *exportPlan)  { p.in |= originsUnexplained }

// zoneHypotheses are the ways to read bounds as of another time zone.
func zoneHypotheses() (all []Hypothesis) {
	// fewer places are half an hour off, none by less
	for _, first := range []time.Duration{time.Hour, 5 * time.Hour / 2} {
		for off := first; off <= 14*time.Hour; off += time.Hour {
			for _, off := range []time.Duration{off, -off} {
				name := fmt.Sprintf("reads bounds %gh off, as in another time zone", off.Hours())
				local := fmt.Sprintf("takes bounds for local time, %gh off, whatever their offset", off.Hours())
				all = append(
					all,
					hypothesis(name, changeBounds(shiftBy(off))).AlsoBreaks(ruleEnd).AsFallback(fallbackZone),
					hypothesis(
						local,
						changeBounds(func(e *rangeBound) { e.shift(e.offset + off) }),
					).AlsoBreaks(ruleEnd, ruleOffset).
						AsFallback(fallbackZone),
				)
			}
		}
	}
	return all
}

// precisionHypotheses are the ways to read bounds less exactly than they are given.
func precisionHypotheses() []Hypothesis {
	all := []Hypothesis{
		hypothesis("reads the digits of a fraction as a number of milliseconds",
			changeBounds(readFractionAsCount),
		).AsOptional(),
		hypothesis("drops quotes a millisecond after the start", func(p *exportPlan) {
			p.loses = func(p *exportPlan, r *ObservedQuote) bool {
				behind := r.Dates[p.by].From - p.start.at
				return p.start.isGiven() && r.Dates[p.by].IsExact() && behind > 0 &&
					behind <= int64(time.Millisecond)
			}
		}).AsOptional(),
	}
	for _, u := range []struct {
		name        string
		unit, ahead time.Duration // of UTC
	}{
		{"seconds", time.Second, 0},
		{"minutes", time.Minute, 0},
		{"hours", time.Hour, 0},
		{"days", day, 0},
		{"days of Brasília", day, -3 * time.Hour},
	} {
		first := len(all)
		cut := func(e *rangeBound) { e.truncateTo(u.unit, u.ahead) }
		nearest := func(e *rangeBound) { e.shift(u.unit / 2); e.truncateTo(u.unit, u.ahead) }
		up := func(e *rangeBound) { e.shift(u.unit - 1); e.truncateTo(u.unit, u.ahead) }
		all = append(all,
			hypothesis("cuts bounds to whole "+u.name, changeBounds(cut)),
			hypothesis("cuts the start to whole "+u.name, changeStart(cut)),
			hypothesis("cuts the end to whole "+u.name, changeEnd(cut)),
		)
		if u.ahead == 0 {
			all = append(
				all,
				hypothesis(
					"compares dates and bounds in whole "+u.name,
					func(p *exportPlan) { p.unit = u.unit },
				),
				hypothesis(
					"keeps the rest of the end's "+u.name,
					changeEnd(func(e *rangeBound) { cut(e); e.shift(u.unit) }),
				).AlsoBreaks(ruleEnd),
				hypothesis(
					"rounds bounds to whole "+u.name,
					changeBounds(nearest),
				).AlsoBreaks(ruleStart, ruleEnd),
				hypothesis(
					"rounds bounds up to whole "+u.name,
					changeBounds(up),
				).AlsoBreaks(ruleStart, ruleEnd),
			)
		}
		for i := first; i < len(all); i++ {
			all[i].minUnit = u.unit
			all[i].optional = all[i].optional || u.unit > time.Hour
		}
	}
	return all
}

// readFractionAsCount reads .5 as five milliseconds.
func readFractionAsCount(e *rangeBound) {
	if !e.isGiven() || e.digits == "" {
		return
	}
	count := 0
	for _, digit := range e.digits {
		count = 10*count + int(digit-'0')
	}
	e.truncateTo(time.Second, 0)
	e.shift(time.Duration(count) * time.Millisecond)
}

// takeDayFromOffset takes the day from the place of the offset and the time from UTC.
func takeDayFromOffset(e *rangeBound) {
	if !e.isGiven() {
		return
	}
	there := floorTo(e.at+int64(e.offset), int64(day))
	e.at = there + e.at - floorTo(e.at, int64(day))
}
