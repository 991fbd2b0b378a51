package model

import (
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
)

func rangeRules() []Rule {
	return []Rule{
		rule(ruleStart, rules.Must, window(),
			"date_start keeps quotes dated exactly on it and later, and drops the earlier ones.",
			append([]Hypothesis{
				is("drops rows dated on the start", startsAfter),
				is("ignores the start", start(ignored)),
				is("starts a millisecond late", start(later(time.Millisecond))).MinUnit(10 * time.Millisecond),
				is("drops rows dated on the start and keeps those on the end",
					func(p *plan) { startsAfter(p); keepsEnd(p) }).AlsoBreaks(ruleEnd),
				is("shows dates rounded to their last digit, so that some seem to be on a bound",
					func(p *plan) {
						p.start.move(p.units[p.by] / 2)
						p.end.move(p.units[p.endBy] / 2)
					}).AlsoBreaks(ruleEnd).Fallback(ofRounded),
				is("applies the start to quote_created_at whatever the sort", func(p *plan) { p.by = Created }),
				is("applies the start to settled_date whatever the sort", func(p *plan) { p.by = Settled }),
			}, together("reads no bound as in another time zone", zones())...)...),
		rule(ruleEnd, rules.Must, window(),
			"date_end drops quotes dated exactly on it and later, and keeps the earlier ones.",
			is("keeps rows dated on the end", keepsEnd),
			is("ignores the end", end(ignored)),
			is("ends a millisecond late", end(later(time.Millisecond))).MinUnit(10*time.Millisecond),
			is("ignores both bounds", bounds(ignored)).AlsoBreaks(ruleStart),
			is("applies the end to quote_created_at whatever the sort", func(p *plan) { p.endBy = Created }),
			is("applies the end to settled_date whatever the sort", func(p *plan) { p.endBy = Settled }),
		),
		rule("export.range.partition",
			rules.Must,
			window(),
			"Two adjacent ranges together hold, without overlap, what the whole range holds.",
			is("loses the last row of a file", func(p *plan) { p.trim = one(true) }),
			is("loses the first row of a file", func(p *plan) { p.trim = one(false) }),
			is("cuts files after N rows", func(p *plan) { p.trim = cutAt }).Optional(),
			is("keeps one row of those that share a date", func(p *plan) { p.trim = oneOfEach }).Optional(),
			is("leaves out quotes that are not settled by quote_created_at",
				when(byCreated, losesUndated),
			).Optional(),
			is("leaves out some quotes", loseMarked).Fallback(anyRows),
		),
		rule("export.range.open", rules.Must, window(),
			"A bound may be given alone: only a start, or only an end.",
			is("ignores a start without an end", when(onlyStart, start(ignored))),
			is("ignores an end without a start", when(onlyEnd, end(ignored))),
			is("gives no row when only an end is given", when(onlyEnd, none)),
			is("gives no row when only a start is given", when(onlyStart, none)),
		),
		rule("export.range.unbounded", rules.Should, window(),
			"Without bounds, neither a sort nor an order nor a type_extension leaves quotes out.",
			is("gives no row when no bound is given", when(unbounded, none)),
			is("leaves out quotes that are not settled by settled_date where no bound is given",
				when(func(p *plan) bool { return unbounded(p) && bySettled(p) }, losesUndated)).Optional(),
			is("leaves out quotes that are not settled by quote_created_at where no bound is given",
				when(func(p *plan) bool { return unbounded(p) && byCreated(p) }, losesUndated)).Optional(),
		),
		rule("export.range.empty", rules.Must, window(),
			"A range whose start equals its end holds no quotes.",
			is("ignores bounds that are equal", when(equal, bounds(ignored))),
			is("keeps quotes on the bound when both bounds are equal", when(equal, keepsEnd)),
		),
		rule("export.range.start_after_end", rules.Should, window(),
			"A range whose start is after its end holds no quotes, or is refused.",
			is("swaps the bounds of a range whose start is after its end",
				when(turned, func(p *plan) { p.start, p.end = p.end, p.start })),
			is("ignores the end of a range whose start is after it", when(turned, end(ignored))),
			is("ignores the bounds of a range whose start is after its end", when(turned, bounds(ignored))),
		),
		rule("export.range.precision", rules.Must, window(),
			"Bounds work to the precision that the file shows.",
			together("cuts and rounds no bound", precisions())...),
		rule(
			ruleOffset,
			rules.Must,
			window(),
			"The same instant written with another offset selects the same quotes.",
			is("reads every bound as UTC, whatever its offset",
				bounds(func(e *edge) { e.move(e.offset) }),
			).MinUnit(day),
			is("reads a start that stands alone as UTC, whatever its offset",
				when(onlyStart, start(func(e *edge) { e.move(e.offset) }))).Optional(),
			is("reads an end that stands alone as UTC, whatever its offset",
				when(onlyEnd, end(func(e *edge) { e.move(e.offset) }))).Optional(),
			is("adds offsets instead of subtracting them",
				bounds(func(e *edge) { e.move(2 * e.offset) }),
			).MinUnit(day),
			is("reads the end with the offset of the start",
				when(bounded, func(p *plan) { p.end.move(p.end.offset - p.start.offset) }),
			).MinUnit(time.Hour),
			is("reads the start with the offset of the end",
				when(bounded, func(p *plan) { p.start.move(p.start.offset - p.end.offset) }),
			).MinUnit(time.Hour),
			is("ignores the minutes of offsets",
				bounds(func(e *edge) { e.move(e.offset % time.Hour) }),
			).MinUnit(time.Hour),
			is("ignores that an offset may change the day", bounds(onDayOfOffset)).MinUnit(day),
		),
		rule("export.range.follows_sort", rules.Must, window(),
			"The bounds apply to the date that sort chooses.",
			is("applies bounds to quote_created_at whatever the sort", by(Created)),
			is("applies bounds to settled_date whatever the sort", by(Settled)),
			is("applies bounds to the date that the sort does not choose",
				func(p *plan) { p.by, p.endBy = p.by.other(), p.endBy.other() }),
			is("applies a bound that stands alone to quote_created_at",
				when(func(p *plan) bool { return onlyStart(p) || onlyEnd(p) }, by(Created))),
			is("shows settled_date as quote_created_at and the other way round",
				func(p *plan) { p.sort, p.by, p.endBy = p.sort.other(), p.by.other(), p.endBy.other() }),
			is("keeps quotes without a settled date within bounds on it", keepsUndated).Optional(),
			is("keeps quotes without a settled date before an end that stands alone",
				when(onlyEnd, keepsUndated)).Optional(),
		),
	}
}

// loseMarked leaves the marked rows out, and addMarked adds them, whosever they are.
func loseMarked(p *plan) { p.in &^= marked }
func addMarked(p *plan)  { p.in |= marked }

// zones are the ways to read bounds as of another time zone.
func zones() (all []Hypothesis) {
	// fewer places are half an hour off, none by less
	for _, first := range []time.Duration{time.Hour, 5 * time.Hour / 2} {
		for off := first; off <= 14*time.Hour; off += time.Hour {
			for _, off := range []time.Duration{off, -off} {
				name := fmt.Sprintf("reads bounds %gh off, as in another time zone", off.Hours())
				local := fmt.Sprintf("takes bounds for local time, %gh off, whatever their offset", off.Hours())
				all = append(
					all,
					is(name, bounds(later(off))).AlsoBreaks(ruleEnd).Fallback(ofZone),
					is(local, bounds(func(e *edge) { e.move(e.offset + off) })).AlsoBreaks(ruleEnd, ruleOffset).
						Fallback(ofZone),
				)
			}
		}
	}
	return all
}

// precisions are the ways to read bounds less exactly than they are given.
func precisions() []Hypothesis {
	all := []Hypothesis{
		is("reads the digits of a fraction as a number of milliseconds", bounds(countDigits)).Optional(),
		is("drops quotes a millisecond after the start", func(p *plan) {
			p.loses = func(p *plan, r *Row) bool {
				behind := r.Dates[p.by].From - p.start.at
				return p.start.given() && r.Dates[p.by].Known() && behind > 0 &&
					behind <= int64(time.Millisecond)
			}
		}).Optional(),
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
		cut := func(e *edge) { e.cut(u.unit, u.ahead) }
		nearest := func(e *edge) { e.move(u.unit / 2); e.cut(u.unit, u.ahead) }
		up := func(e *edge) { e.move(u.unit - 1); e.cut(u.unit, u.ahead) }
		all = append(all,
			is("cuts bounds to whole "+u.name, bounds(cut)),
			is("cuts the start to whole "+u.name, start(cut)),
			is("cuts the end to whole "+u.name, end(cut)),
		)
		if u.ahead == 0 {
			all = append(
				all,
				is("compares dates and bounds in whole "+u.name, func(p *plan) { p.unit = u.unit }),
				is(
					"keeps the rest of the end's "+u.name,
					end(func(e *edge) { cut(e); e.move(u.unit) }),
				).AlsoBreaks(ruleEnd),
				is("rounds bounds to whole "+u.name, bounds(nearest)).AlsoBreaks(ruleStart, ruleEnd),
				is("rounds bounds up to whole "+u.name, bounds(up)).AlsoBreaks(ruleStart, ruleEnd),
			)
		}
		for i := first; i < len(all); i++ {
			all[i].minUnit = u.unit
			all[i].optional = all[i].optional || u.unit > time.Hour
		}
	}
	return all
}

// countDigits reads .5 as five milliseconds.
func countDigits(e *edge) {
	if !e.given() || e.digits == "" {
		return
	}
	count := 0
	for _, digit := range e.digits {
		count = 10*count + int(digit-'0')
	}
	e.cut(time.Second, 0)
	e.move(time.Duration(count) * time.Millisecond)
}

// onDayOfOffset takes the day from the place of the offset and the time from UTC.
func onDayOfOffset(e *edge) {
	if !e.given() {
		return
	}
	there := floor(e.at+int64(e.offset), int64(day))
	e.at = there + e.at - floor(e.at, int64(day))
}
