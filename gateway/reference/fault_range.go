package reference

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// chosen declares a fault that changes how quotes are chosen.
func chosen(name, rule, statement string, change func(c *choice)) faults {
	return fault(name, rule, statement, choosing(change))
}

func choosing(change func(c *choice)) effect { return on(func(_ *call, c *choice) { change(c) }) }

// kept declares a fault that changes the chosen quotes; there is at least one.
func kept(name, rule, statement string, change func(c *choice, quotes []*quote) []*quote) faults {
	return fault(name, rule, statement, on(func(_ *call, s *selected) {
		if len(s.quotes) > 0 {
			s.quotes = change(s.choice, s.quotes)
		}
	}))
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

// later moves a bound that is given.
func later(bound func(c *choice) *time.Time, d time.Duration) func(*choice) {
	return func(c *choice) {
		if t := bound(c); !t.IsZero() {
			*t = t.Add(d)
		}
	}
}

// onOffset moves bounds by a part of their offset.
func onOffset(part func(offset time.Duration) time.Duration) func(*choice) {
	return onBounds(func(t time.Time) time.Time {
		_, seconds := t.Zone()
		return t.Add(part(time.Duration(seconds) * time.Second))
	})
}

// where applies a change to some exports only.
func where(holds func(c *choice) bool, change func(c *choice)) func(*choice) {
	return func(c *choice) {
		if holds(c) {
			change(c)
		}
	}
}

func (c *choice) startBound() *time.Time { return &c.start }
func (c *choice) endBound() *time.Time   { return &c.end }
func (c *choice) noStart()               { c.start = time.Time{} }
func (c *choice) noEnd()                 { c.end = time.Time{} }
func (c *choice) unbounded()             { c.noStart(); c.noEnd() }
func (c *choice) turn()                  { c.start, c.end = c.end, c.start }
func (c *choice) onlyStart() bool        { return !c.start.IsZero() && c.end.IsZero() }
func (c *choice) onlyEnd() bool          { return c.start.IsZero() && !c.end.IsZero() }
func (c *choice) equalBounds() bool      { return !c.start.IsZero() && c.start.Equal(c.end) }
func (c *choice) startAfterEnd() bool    { return !c.end.IsZero() && c.start.After(c.end) }

var (
	startExclusive = later((*choice).startBound, 1)
	endInclusive   = later((*choice).endBound, 1)
	wholeSeconds   = onBounds(func(t time.Time) time.Time { return t.Truncate(time.Second) })
	offsetIgnored  = onOffset(func(d time.Duration) time.Duration { return d })
)

func rangeFaults() faults {
	const start, end, precision, offset = "start_inclusive", "end_exclusive", "precision", "offset"
	const follows, partition = "follows_sort", "partition"
	created, settled := func(c *choice) { c.bounded = byCreated }, func(c *choice) { c.bounded = bySettled }
	return under("export.range.",
		chosen("export.range.start_exclusive", start, "drops quotes exactly on the start", startExclusive),
		chosen("export.range.start_ignored", start, "ignores the start", (*choice).noStart),
		chosen("export.range.start_a_millisecond_late", start, "starts one millisecond late",
			later((*choice).startBound, time.Millisecond)),
		chosen("export.range.end_inclusive", end, "keeps quotes exactly on the end", endInclusive),
		chosen("export.range.end_ignored", end, "ignores the end", (*choice).noEnd),
		chosen("export.range.end_a_millisecond_late", end, "ends one millisecond late",
			later((*choice).endBound, time.Millisecond)),
		chosen("export.range.three_hours_off", start, "reads every bound as if it were local time",
			onBounds(func(t time.Time) time.Time { return t.Add(3 * time.Hour) })),
		chosen("export.range.bounds_ignored", end, "ignores both bounds", (*choice).unbounded),
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
				const behind = 3 * time.Hour
				return t.UTC().Add(-behind).Truncate(24 * time.Hour).Add(behind)
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
				u := t.UTC()
				return time.Date(t.Year(), t.Month(), t.Day(),
					u.Hour(), u.Minute(), u.Second(), u.Nanosecond(), time.UTC)
			})),
		chosen("export.range.always_created", follows, "applies bounds to quote_created_at whatever the sort", created),
		chosen("export.range.always_settled", follows, "applies bounds to settled_date whatever the sort", settled),
		chosen("export.range.asc_by_created", follows, "applies bounds to quote_created_at when the oldest come first",
			where(func(c *choice) bool { return c.ascending }, created)),
		chosen("export.range.alone_by_created", follows, "applies a bound that stands alone to quote_created_at",
			where(func(c *choice) bool { return c.onlyStart() || c.onlyEnd() }, created)),
		chosen("export.range.wallet_by_created", follows, "applies bounds to quote_created_at when a wallet is given",
			where(func(c *choice) bool { return c.Named }, created)),
		chosen("export.range.undated_kept", follows, "keeps quotes without a settled date within bounds on it",
			keepUndated),
		chosen("export.range.undated_kept_before", follows,
			"keeps quotes without a settled date before an end that stands alone", func(c *choice) {
				if c.onlyEnd() {
					keepUndated(c)
				} else {
					undate(c)
				}
			}),
		kept("export.range.dates_swapped", follows, "shows settled_date as quote_created_at and the other way round",
			func(_ *choice, quotes []*quote) []*quote {
				shown := slices.Clone(quotes)
				for i, q := range quotes {
					if swapped := *q; !q.settled.IsZero() {
						swapped.created, swapped.settled = q.settled, q.created
						shown[i] = &swapped
					}
				}
				return shown
			}),
		chosen("export.range.turned", "start_after_end", "swaps the bounds of a range whose start is after its end",
			where((*choice).startAfterEnd, (*choice).turn)),
		fault("export.range.offset_rejected", "offset.accepted", "refuses bounds that are not written in UTC",
			dislikes(exporting, func(q *call) bool { return !inUTC(q.selection.Start) || !inUTC(q.selection.End) })),
		chosen("export.range.start_alone_ignored", "open", "ignores a start without an end",
			where((*choice).onlyStart, (*choice).noStart)),
		chosen("export.range.end_alone_ignored", "open", "ignores an end without a start",
			where((*choice).onlyEnd, (*choice).noEnd)),
		chosen("export.range.end_alone_empty", "open", "gives no row when only an end is given",
			where((*choice).onlyEnd, func(c *choice) { c.start = c.end })),
		chosen("export.range.equal_bounds_open", "empty", "ignores bounds that are equal",
			where((*choice).equalBounds, (*choice).unbounded)),
		chosen("export.range.equal_bounds_inclusive", "empty", "keeps quotes on the bound when both bounds are equal",
			where((*choice).equalBounds, endInclusive)),
		chosen("export.range.undated_vanish", "unbounded",
			"leaves out quotes without a settled date by settled_date where no bound is given", func(c *choice) {
				undate(c)
				c.keeps = func(q *quote) bool { return c.within(q) && (c.sort != bySettled || !q.settled.IsZero()) }
			}),
		chosen("export.range.undated_lost", partition,
			"leaves out quotes without a settled date by quote_created_at", func(c *choice) {
				undate(c)
				c.keeps = func(q *quote) bool { return c.within(q) && (c.sort != byCreated || !q.settled.IsZero()) }
			}),
		chosen("export.range.undated_lost_unbounded", "unbounded",
			"leaves out quotes without a settled date by quote_created_at where no bound is given", func(c *choice) {
				undate(c)
				c.keeps = func(q *quote) bool {
					open := c.start.IsZero() && c.end.IsZero()
					return c.within(q) && (c.sort != byCreated || !open || !q.settled.IsZero())
				}
			}),
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

// inUTC reports whether a bound is absent or written without an offset.
func inUTC(bound string) bool { return bound == "" || strings.HasSuffix(strings.ToUpper(bound), "Z") }

// undate makes sure that some quotes have no settled date.
func undate(c *choice) {
	c.from = c.from.changed("undated", func(quotes []quote) []quote {
		for i := 4; i < len(quotes); i += 9 {
			quotes[i].settled = time.Time{}
		}
		return quotes
	})
}

func keepUndated(c *choice) {
	undate(c)
	c.keeps = func(q *quote) bool { return c.sort == bySettled && q.settled.IsZero() || c.within(q) }
}

// countDigits reads the digits of a fraction as a number of milliseconds.
func countDigits(t time.Time, text string) time.Time {
	_, fraction, found := strings.Cut(text, ".")
	if !found {
		return t
	}
	if end := strings.IndexAny(fraction, "Zz+-"); end >= 0 {
		fraction = fraction[:end]
	}
	count, err := strconv.Atoi(fraction)
	if err != nil {
		return t
	}
	return t.Truncate(time.Second).Add(time.Duration(count) * time.Millisecond)
}
