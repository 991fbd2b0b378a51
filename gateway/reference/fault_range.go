package reference

import (
	"slices"
	"time"
)

// kept changes the quotes that were chosen, where there are any.
func kept(change func(c *choice, quotes []*quote) []*quote) any {
	return func(s *selected) {
		if len(s.quotes) > 0 {
			s.quotes = change(s.choice, s.quotes)
		}
	}
}

// where applies a change to some exports only.
func where(holds func(c *choice) bool, change func(c *choice)) func(*choice) {
	return func(c *choice) {
		if holds(c) {
			change(c)
		}
	}
}

// onBounds changes each bound that is given.
func onBounds(change func(t time.Time) time.Time) func(*choice) {
	return func(c *choice) {
		for _, bound := range []*time.Time{&c.start, &c.end} {
			if !bound.IsZero() {
				*bound = change(*bound)
			}
		}
	}
}

// startLater and endLater move a bound that is given.
func startLater(d time.Duration) func(*choice) {
	return where(hasStart, func(c *choice) { c.start = c.start.Add(d) })
}

func endLater(d time.Duration) func(*choice) {
	return where(hasEnd, func(c *choice) { c.end = c.end.Add(d) })
}

// onOffset moves bounds by a part of their offset.
func onOffset(part func(offset time.Duration) time.Duration) func(*choice) {
	return onBounds(func(t time.Time) time.Time {
		_, seconds := t.Zone()
		return t.Add(part(time.Duration(seconds) * time.Second))
	})
}

func noStart(c *choice)            { c.start = time.Time{} }
func noEnd(c *choice)              { c.end = time.Time{} }
func noBounds(c *choice)           { noStart(c); noEnd(c) }
func turn(c *choice)               { c.start, c.end = c.end, c.start }
func hasStart(c *choice) bool      { return !c.start.IsZero() }
func hasEnd(c *choice) bool        { return !c.end.IsZero() }
func unbound(c *choice) bool       { return !hasStart(c) && !hasEnd(c) }
func onlyStart(c *choice) bool     { return hasStart(c) && !hasEnd(c) }
func onlyEnd(c *choice) bool       { return hasEnd(c) && !hasStart(c) }
func oneBound(c *choice) bool      { return hasStart(c) != hasEnd(c) }
func equalBounds(c *choice) bool   { return hasStart(c) && c.start.Equal(c.end) }
func startAfterEnd(c *choice) bool { return hasEnd(c) && c.start.After(c.end) }

func rangeFaults() faults {
	const start, end, precision = "range.start_inclusive", "range.end_exclusive", "range.precision"
	const offset, follows, partition = "range.offset", "range.follows_sort", "range.partition"
	created, settled := func(c *choice) { c.bounded = byCreated }, func(c *choice) { c.bounded = bySettled }
	wholeSeconds := onBounds(func(t time.Time) time.Time { return t.Truncate(time.Second) })
	offsetIgnored := onOffset(func(d time.Duration) time.Duration { return d })
	return slices.Concat(
		fault("export.range.start_exclusive", start, "drops quotes exactly on the start", startLater(1)),
		fault("export.range.start_ignored", start, "ignores the start", noStart),
		fault("export.range.start_a_millisecond_late", start, "starts one millisecond late", startLater(time.Millisecond)),
		fault("export.range.end_inclusive", end, "keeps quotes exactly on the end", endLater(1)),
		fault("export.range.end_ignored", end, "ignores the end", noEnd),
		fault("export.range.end_a_millisecond_late", end, "ends one millisecond late", endLater(time.Millisecond)),
		fault("export.range.three_hours_off", start, "reads every bound as if it were local time",
			onBounds(func(t time.Time) time.Time { return t.Add(3 * time.Hour) })),
		fault("export.range.bounds_ignored", end, "ignores both bounds", noBounds),
		fault("export.range.whole_seconds", precision, "cuts bounds to whole seconds", wholeSeconds),
		fault("export.range.whole_days", precision, "cuts bounds to whole days",
			onBounds(func(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) })),
		fault("export.range.offset_ignored", offset, "reads every bound as UTC", offsetIgnored),
		fault("export.range.offset_inverted", offset, "adds offsets instead of subtracting them",
			onOffset(func(d time.Duration) time.Duration { return 2 * d })),
		fault("export.range.half_hours_ignored", offset, "ignores the minutes of offsets",
			onOffset(func(d time.Duration) time.Duration { return d % time.Hour })),
		fault("export.range.always_created", follows, "applies bounds to quote_created_at whatever the sort", created),
		fault("export.range.always_settled", follows, "applies bounds to settled_date whatever the sort", settled),
		fault("export.range.alone_by_created", follows, "applies a bound that stands alone to quote_created_at", where(oneBound, created)),
		fault("export.range.undated_kept", follows, "keeps quotes without a settled date within bounds on it", undate, keepUndated),
		fault("export.range.dates_swapped", follows, "shows settled_date as quote_created_at and the other way round", kept(swapDates)),
		fault("export.range.turned", "range.start_after_end", "swaps bounds whose start is after the end", where(startAfterEnd, turn)),
		fault("export.range.start_alone_ignored", "range.open", "ignores a start without an end", where(onlyStart, noStart)),
		fault("export.range.end_alone_ignored", "range.open", "ignores an end without a start", where(onlyEnd, noEnd)),
		fault("export.range.end_alone_empty", "range.open", "gives no row when only an end is given",
			where(onlyEnd, func(c *choice) { c.start = c.end })),
		fault("export.range.equal_bounds_open", "range.empty", "ignores bounds that are equal", where(equalBounds, noBounds)),
		fault("export.range.equal_bounds_inclusive", "range.empty",
			"keeps quotes on the bound when both bounds are equal", where(equalBounds, endLater(1))),
		fault("export.range.undated_vanish", "range.unbounded",
			"leaves out quotes without a settled date by settled_date where no bound is given",
			undate, where(func(c *choice) bool { return c.sort == bySettled }, loseUndated)),
		fault("export.range.undated_lost", partition, "leaves out quotes without a settled date by quote_created_at",
			undate, where(func(c *choice) bool { return c.sort == byCreated }, loseUndated)),
		fault("export.range.last_row_lost", partition, "loses the last row of every file",
			kept(func(_ *choice, quotes []*quote) []*quote { return quotes[:len(quotes)-1] })),
		fault("export.range.fifty_rows", partition, "cuts files to fifty rows",
			kept(func(_ *choice, quotes []*quote) []*quote { return quotes[:min(50, len(quotes))] })),
		fault("export.range.ties_lost", partition, "keeps one row of those that share a date",
			kept(func(c *choice, quotes []*quote) []*quote {
				return slices.CompactFunc(quotes, func(a, b *quote) bool { return a.date(c.sort).Equal(b.date(c.sort)) })
			})),
	)
}

func swapDates(_ *choice, quotes []*quote) []*quote {
	shown := slices.Clone(quotes)
	for i, q := range quotes {
		if swapped := *q; !q.settled.IsZero() {
			swapped.created, swapped.settled = q.settled, q.created
			shown[i] = &swapped
		}
	}
	return shown
}

// undate makes sure that some quotes have no settled date.
func undate(c *choice) {
	c.from = slices.Clone(c.from)
	for i := 4; i < len(c.from); i += 9 {
		c.from[i].settled = time.Time{}
	}
}

func keepUndated(c *choice) {
	c.keeps = func(q *quote) bool { return c.sort == bySettled && q.settled.IsZero() || c.within(q) }
}

func loseUndated(c *choice) {
	c.keeps = func(q *quote) bool { return c.within(q) && !q.settled.IsZero() }
}
