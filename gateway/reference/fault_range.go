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
	return onBounds(func(t time.Time) time.Time { return t.Add(part(offsetOf(t))) })
}

func offsetOf(t time.Time) time.Duration {
	_, seconds := t.Zone()
	return time.Duration(seconds) * time.Second
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
func bothBounds(c *choice) bool    { return hasStart(c) && hasEnd(c) }
func oneBound(c *choice) bool      { return hasStart(c) != hasEnd(c) }
func equalBounds(c *choice) bool   { return hasStart(c) && c.start.Equal(c.end) }
func startAfterEnd(c *choice) bool { return hasEnd(c) && c.start.After(c.end) }

func rangeFaults() faults {
	created, settled := func(c *choice) { c.bounded = byCreated }, func(c *choice) { c.bounded = bySettled }
	wholeSeconds := onBounds(func(t time.Time) time.Time { return t.Truncate(time.Second) })
	offsetIgnored := onOffset(func(d time.Duration) time.Duration { return d })
	return slices.Concat(
		fault("export.range.start_exclusive", startLater(1)),
		fault("export.range.start_ignored", noStart),
		fault("export.range.start_a_millisecond_late", startLater(time.Millisecond)),
		fault("export.range.end_inclusive", endLater(1)),
		fault("export.range.end_ignored", noEnd),
		fault("export.range.end_a_millisecond_late", endLater(time.Millisecond)),
		fault("export.range.three_hours_off",
			onBounds(func(t time.Time) time.Time { return t.Add(3 * time.Hour) })),
		fault("export.range.bounds_ignored", noBounds),
		fault("export.range.whole_seconds", wholeSeconds),
		fault("export.range.whole_days",
			onBounds(func(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) })),
		fault("export.range.offset_ignored", offsetIgnored),
		fault("export.range.offset_inverted",
			onOffset(func(d time.Duration) time.Duration { return 2 * d })),
		fault("export.range.offset_of_start", where(bothBounds, func(c *choice) {
			c.end = c.end.Add(offsetOf(c.end) - offsetOf(c.start))
		})),
		fault("export.range.half_hours_ignored",
			onOffset(func(d time.Duration) time.Duration { return d % time.Hour })),
		fault("export.range.always_created", created),
		fault("export.range.always_settled", settled),
		fault("export.range.alone_by_created", where(oneBound, created)),
		fault("export.range.undated_kept", undate, keepUndated),
		fault("export.range.dates_swapped", kept(swapDates)),
		fault("export.range.turned", where(startAfterEnd, turn)),
		fault("export.range.start_alone_ignored", where(onlyStart, noStart)),
		fault("export.range.end_alone_ignored", where(onlyEnd, noEnd)),
		fault("export.range.end_alone_empty", where(onlyEnd, func(c *choice) { c.start = c.end })),
		fault("export.range.equal_bounds_open", where(equalBounds, noBounds)),
		fault("export.range.equal_bounds_inclusive", where(equalBounds, endLater(1))),
		fault("export.range.undated_vanish",
			undate, where(func(c *choice) bool { return c.sort == bySettled }, loseUndated)),
		fault("export.range.undated_lost",
			undate, where(func(c *choice) bool { return c.sort == byCreated }, loseUndated)),
		fault("export.range.last_row_lost",
			kept(func(_ *choice, quotes []*quote) []*quote { return quotes[:len(quotes)-1] })),
		fault("export.range.fifty_rows",
			kept(func(_ *choice, quotes []*quote) []*quote { return quotes[:min(50, len(quotes))] })),
		fault("export.range.ties_lost", kept(func(c *choice, quotes []*quote) []*quote {
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
