package reference

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// chosen declares a fault that changes how quotes are chosen.
func chosen(name, rule, statement string, change func(c *choice)) faults {
	return fault(name, rule, statement, on(func(_ *call, c *choice) { change(c) }))
}

// kept declares a fault that changes the chosen quotes; there is at least one.
func kept(name, rule, statement string, change func(c *choice, quotes []*quote) []*quote) faults {
	return fault(name, rule, statement, on(func(_ *call, s *selected) {
		if len(s.quotes) > 0 {
			s.quotes = change(s.choice, s.quotes)
		}
	}))
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
	return where(func(c *choice) bool { return !c.start.IsZero() }, func(c *choice) { c.start = c.start.Add(d) })
}

func endLater(d time.Duration) func(*choice) {
	return where(func(c *choice) bool { return !c.end.IsZero() }, func(c *choice) { c.end = c.end.Add(d) })
}

// onOffset moves bounds by a part of their offset.
func onOffset(part func(offset time.Duration) time.Duration) func(*choice) {
	return onBounds(func(t time.Time) time.Time {
		_, seconds := t.Zone()
		return t.Add(part(time.Duration(seconds) * time.Second))
	})
}

func (c *choice) noStart()            { c.start = time.Time{} }
func (c *choice) noEnd()              { c.end = time.Time{} }
func (c *choice) noBounds()           { c.noStart(); c.noEnd() }
func (c *choice) turn()               { c.start, c.end = c.end, c.start }
func (c *choice) unbound() bool       { return c.start.IsZero() && c.end.IsZero() }
func (c *choice) onlyStart() bool     { return !c.start.IsZero() && c.end.IsZero() }
func (c *choice) onlyEnd() bool       { return c.start.IsZero() && !c.end.IsZero() }
func (c *choice) oneBound() bool      { return c.onlyStart() || c.onlyEnd() }
func (c *choice) equalBounds() bool   { return !c.start.IsZero() && c.start.Equal(c.end) }
func (c *choice) startAfterEnd() bool { return !c.end.IsZero() && c.start.After(c.end) }
func (c *choice) isFiltered() bool    { return c.Client != "" }
func (c *choice) isBare() bool        { return c.Bare }
func (c *choice) anything() bool      { return true }

func rangeFaults() faults {
	const start, end, precision = "range.start_inclusive", "range.end_exclusive", "range.precision"
	const offset, follows, partition = "range.offset", "range.follows_sort", "range.partition"
	created, settled := func(c *choice) { c.bounded = byCreated }, func(c *choice) { c.bounded = bySettled }
	wholeSeconds := onBounds(func(t time.Time) time.Time { return t.Truncate(time.Second) })
	offsetIgnored := onOffset(func(d time.Duration) time.Duration { return d })
	const brasilia = 3 * time.Hour
	return slices.Concat(
		chosen("export.range.start_exclusive", start, "drops quotes exactly on the start", startLater(1)),
		chosen("export.range.start_ignored", start, "ignores the start", (*choice).noStart),
		chosen("export.range.start_a_millisecond_late", start, "starts one millisecond late",
			startLater(time.Millisecond)),
		chosen("export.range.end_inclusive", end, "keeps quotes exactly on the end", endLater(1)),
		chosen("export.range.end_ignored", end, "ignores the end", (*choice).noEnd),
		chosen("export.range.end_a_millisecond_late", end, "ends one millisecond late", endLater(time.Millisecond)),
		chosen("export.range.three_hours_off", start, "reads every bound as if it were local time",
			onBounds(func(t time.Time) time.Time { return t.Add(brasilia) })),
		chosen("export.range.bounds_ignored", end, "ignores both bounds", (*choice).noBounds),
		chosen("export.range.whole_seconds", precision, "cuts bounds to whole seconds", wholeSeconds),
		chosen("export.range.dates_in_seconds", precision, "compares dates and bounds in whole seconds",
			func(c *choice) {
				wholeSeconds(c)
				c.keeps = func(q *quote) bool {
					cut := *q
					cut.created, cut.settled = q.created.Truncate(time.Second), q.settled.Truncate(time.Second)
					return c.within(&cut)
				}
			}),
		chosen("export.range.whole_days", precision, "cuts bounds to whole days",
			onBounds(func(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) })),
		chosen("export.range.whole_local_days", precision, "cuts bounds to whole days of Brasília",
			onBounds(func(t time.Time) time.Time {
				return t.UTC().Add(-brasilia).Truncate(24 * time.Hour).Add(brasilia)
			})),
		chosen("export.range.digits_as_milliseconds", precision,
			"reads the digits of a fraction as a number of milliseconds",
			func(c *choice) { c.start, c.end = countDigits(c.start, c.Start), countDigits(c.end, c.End) }),
		chosen("export.range.offset_ignored", offset, "reads every bound as UTC", offsetIgnored),
		chosen("export.range.offset_ignored_without_end", offset, "reads a start that stands alone as UTC",
			where((*choice).onlyStart, offsetIgnored)),
		chosen("export.range.offset_ignored_without_start", offset, "reads an end that stands alone as UTC",
			where((*choice).onlyEnd, offsetIgnored)),
		chosen("export.range.offset_inverted", offset, "adds offsets instead of subtracting them",
			onOffset(func(d time.Duration) time.Duration { return 2 * d })),
		chosen("export.range.half_hours_ignored", offset, "ignores the minutes of offsets",
			onOffset(func(d time.Duration) time.Duration { return d % time.Hour })),
		chosen("export.range.another_day", offset, "ignores that an offset may change the day",
			onBounds(func(t time.Time) time.Time {
				midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
				return midnight.Add(t.Sub(t.UTC().Truncate(24 * time.Hour)))
			})),
		chosen("export.range.always_created", follows, "applies bounds to quote_created_at whatever the sort", created),
		chosen("export.range.always_settled", follows, "applies bounds to settled_date whatever the sort", settled),
		chosen("export.range.alone_by_created", follows, "applies a bound that stands alone to quote_created_at",
			where((*choice).oneBound, created)),
		chosen("export.range.undated_kept", follows, "keeps quotes without a settled date within bounds on it",
			keepUndated),
		chosen("export.range.undated_kept_before", follows,
			"keeps quotes without a settled date before an end that stands alone", func(c *choice) {
				undate(c)
				where((*choice).onlyEnd, keepUndated)(c)
			}),
		kept("export.range.dates_swapped", follows, "shows settled_date as quote_created_at and the other way round",
			swapDates),
		chosen("export.range.turned", "range.start_after_end", "swaps the bounds of a range whose start is after its end",
			where((*choice).startAfterEnd, (*choice).turn)),
		chosen("export.range.start_alone_ignored", "range.open", "ignores a start without an end",
			where((*choice).onlyStart, (*choice).noStart)),
		chosen("export.range.end_alone_ignored", "range.open", "ignores an end without a start",
			where((*choice).onlyEnd, (*choice).noEnd)),
		chosen("export.range.end_alone_empty", "range.open", "gives no row when only an end is given",
			where((*choice).onlyEnd, func(c *choice) { c.start = c.end })),
		chosen("export.range.equal_bounds_open", "range.empty", "ignores bounds that are equal",
			where((*choice).equalBounds, (*choice).noBounds)),
		chosen("export.range.equal_bounds_inclusive", "range.empty",
			"keeps quotes on the bound when both bounds are equal", where((*choice).equalBounds, endLater(1))),
		chosen("export.range.undated_vanish", "range.unbounded",
			"leaves out quotes without a settled date by settled_date where no bound is given",
			loseUndated(func(c *choice) bool { return c.sort == bySettled })),
		chosen("export.range.undated_lost", partition, "leaves out quotes without a settled date by quote_created_at",
			loseUndated(func(c *choice) bool { return c.sort == byCreated })),
		chosen("export.range.undated_lost_unbounded", "range.unbounded",
			"leaves out quotes without a settled date by quote_created_at where no bound is given",
			loseUndated(func(c *choice) bool { return c.sort == byCreated && c.unbound() })),
		kept("export.range.last_row_lost", partition, "loses the last row of every file",
			func(_ *choice, quotes []*quote) []*quote { return quotes[:len(quotes)-1] }),
		kept("export.range.first_row_lost", partition, "loses the first row of every file",
			func(_ *choice, quotes []*quote) []*quote { return quotes[1:] }),
		kept("export.range.fifty_rows", partition, "cuts files to fifty rows",
			func(_ *choice, quotes []*quote) []*quote { return quotes[:min(50, len(quotes))] }),
		kept("export.range.ties_lost", partition, "keeps one row of those that share a date",
			func(c *choice, quotes []*quote) []*quote {
				same := func(a, b *quote) bool { return a.date(c.sort).Equal(b.date(c.sort)) }
				return slices.CompactFunc(quotes, same)
			}),
	)
}

// narrowRanges show for some exports only.
func narrowRanges() faults {
	return slices.Concat(
		chosen("export.range.start_drops_the_next", "range.precision", "drops quotes a millisecond after the start",
			func(c *choice) {
				c.keeps = func(q *quote) bool {
					behind := q.date(c.bounded).Sub(c.start)
					return c.within(q) && (behind <= 0 || behind > time.Millisecond || c.start.IsZero())
				}
			}),
		chosen("export.filter.client_id.needs_sort", "filter.client_id", "ignores the filter when no sort is given",
			where(func(c *choice) bool { return c.Sort == "" }, (*choice).everyClient)),
		chosen("export.filter.client_id.needs_start", "filter.client_id", "ignores the filter when no start is given",
			where(func(c *choice) bool { return c.start.IsZero() }, (*choice).everyClient)),
		fault("export.isolation.newest_file", "isolation",
			"gives the newest file of any user to everyone who fetches a file", newestFile(false)),
		fault("export.file.again.newest", "file.again",
			"gives the newest file of a user in place of one that is fetched again", newestFile(true)),
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
	undate(c)
	c.keeps = func(q *quote) bool { return c.sort == bySettled && q.settled.IsZero() || c.within(q) }
}

func loseUndated(when func(c *choice) bool) func(*choice) {
	return func(c *choice) {
		undate(c)
		c.keeps = func(q *quote) bool { return c.within(q) && !(when(c) && q.settled.IsZero()) }
	}
}

// countDigits reads the digits of a fraction as a number of milliseconds.
func countDigits(t time.Time, text string) time.Time {
	_, fraction, _ := strings.Cut(text, ".")
	if end := strings.IndexAny(fraction, "Zz+-"); end >= 0 {
		fraction = fraction[:end]
	}
	count, err := strconv.Atoi(fraction)
	if err != nil {
		return t
	}
	return t.Truncate(time.Second).Add(time.Duration(count) * time.Millisecond)
}
