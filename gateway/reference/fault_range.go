package reference

import (
	"slices"
	"time"
)

// changeQuotes returns an effect on the chosen quotes, if there are any.
func changeQuotes(change func(s *filteredQuotes)) effect {
	return combine(func(s *filteredQuotes) {
		if len(s.quotes) > 0 {
			change(s)
		}
	})
}

// whenFilter limits a change to selections for which holds is true.
func whenFilter(
	holds func(c *quoteSelection) bool, change func(c *quoteSelection),
) func(*quoteSelection) {
	return func(c *quoteSelection) {
		if holds(c) {
			change(c)
		}
	}
}

// changeBounds returns a change of each bound that is given.
func changeBounds(change func(t time.Time) time.Time) func(*quoteSelection) {
	return func(c *quoteSelection) {
		for _, bound := range []*time.Time{&c.start, &c.end} {
			if !bound.IsZero() {
				*bound = change(*bound)
			}
		}
	}
}

// moveStart and moveEnd return a change that moves a bound, if it is given.
func moveStart(d time.Duration) func(*quoteSelection) {
	return whenFilter(hasStart, func(c *quoteSelection) { c.start = c.start.Add(d) })
}

func moveEnd(d time.Duration) func(*quoteSelection) {
	return whenFilter(hasEnd, func(c *quoteSelection) { c.end = c.end.Add(d) })
}

// moveBoundsByOffset returns a change that moves each bound by part of its zone offset.
func moveBoundsByOffset(part func(offset time.Duration) time.Duration) func(*quoteSelection) {
	return changeBounds(func(t time.Time) time.Time { return t.Add(part(offsetOf(t))) })
}

func offsetOf(t time.Time) time.Duration {
	_, seconds := t.Zone()
	return time.Duration(seconds) * time.Second
}

func dropStart(c *quoteSelection)           { c.start = time.Time{} }
func dropEnd(c *quoteSelection)             { c.end = time.Time{} }
func dropBounds(c *quoteSelection)          { dropStart(c); dropEnd(c) }
func swapBounds(c *quoteSelection)          { c.start, c.end = c.end, c.start }
func hasStart(c *quoteSelection) bool       { return !c.start.IsZero() }
func hasEnd(c *quoteSelection) bool         { return !c.end.IsZero() }
func hasNoBounds(c *quoteSelection) bool    { return !hasStart(c) && !hasEnd(c) }
func hasOnlyStart(c *quoteSelection) bool   { return hasStart(c) && !hasEnd(c) }
func hasOnlyEnd(c *quoteSelection) bool     { return hasEnd(c) && !hasStart(c) }
func hasBothBounds(c *quoteSelection) bool  { return hasStart(c) && hasEnd(c) }
func hasOneBound(c *quoteSelection) bool    { return hasStart(c) != hasEnd(c) }
func hasEqualBounds(c *quoteSelection) bool { return hasStart(c) && c.start.Equal(c.end) }
func startsAfterEnd(c *quoteSelection) bool { return hasEnd(c) && c.start.After(c.end) }

// passWholeSecond moves a bound at a whole second to the next one: as text, "04Z" comes after every
// "04.567Z".
func passWholeSecond(t time.Time) time.Time {
	if t.Nanosecond() == 0 {
		return t.Add(time.Second)
	}
	return t
}

func rangeFaults() changes {
	created, settled := func(c *quoteSelection) { c.boundedDate = sortByCreated },
		func(c *quoteSelection) { c.boundedDate = sortBySettled }
	wholeSeconds := changeBounds(func(t time.Time) time.Time { return t.Truncate(time.Second) })
	offsetIgnored := moveBoundsByOffset(func(d time.Duration) time.Duration { return d })
	return changes{
		"export.range.start_exclusive":          moveStart(1),
		"export.range.start_ignored":            dropStart,
		"export.range.start_a_millisecond_late": moveStart(time.Millisecond),
		"export.range.end_inclusive":            moveEnd(1),
		"export.range.end_inclusive_with_start": whenFilter(hasBothBounds, moveEnd(1)),
		"export.range.end_ignored":              dropEnd,
		"export.range.end_a_millisecond_late":   moveEnd(time.Millisecond),
		"export.range.three_hours_off": changeBounds(
			func(t time.Time) time.Time { return t.Add(3 * time.Hour) }),
		"export.range.bounds_ignored": dropBounds,
		"export.range.whole_seconds":  wholeSeconds,
		"export.range.as_text": changeBounds(func(t time.Time) time.Time {
			return t.Add(offsetOf(t) + 24*time.Hour).UTC().Truncate(24 * time.Hour)
		}),
		"export.range.seconds_as_text": changeBounds(passWholeSecond),
		"export.range.offsets_as_text": changeBounds(func(t time.Time) time.Time {
			return passWholeSecond(t).Add(offsetOf(t))
		}),
		"export.range.days_as_text": changeBounds(func(t time.Time) time.Time {
			return t.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		}),
		"export.range.whole_days": changeBounds(
			func(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }),
		"export.range.offset_ignored": offsetIgnored,
		"export.range.offset_inverted": moveBoundsByOffset(
			func(d time.Duration) time.Duration { return 2 * d }),
		"export.range.offset_of_start": whenFilter(hasBothBounds,
			func(c *quoteSelection) { c.end = c.end.Add(offsetOf(c.end) - offsetOf(c.start)) }),
		"export.range.half_hours_ignored": moveBoundsByOffset(
			func(d time.Duration) time.Duration { return d % time.Hour }),
		"export.range.always_created": created,
		"export.range.always_settled": settled,
		"export.range.sort_ignored": combine(created,
			func(c *quoteSelection) { c.sort = sortByCreated }),
		"export.range.alone_by_created":    whenFilter(hasOneBound, created),
		"export.range.undated_kept":        combine(removeSettledDates, keepUnsettled),
		"export.range.undated_by_created":  combine(removeSettledDates, keepUnsettledByCreation),
		"export.range.dates_swapped":       swapDates,
		"export.range.turned":              whenFilter(startsAfterEnd, swapBounds),
		"export.range.start_alone_ignored": whenFilter(hasOnlyStart, dropStart),
		"export.range.end_alone_ignored":   whenFilter(hasOnlyEnd, dropEnd),
		"export.range.end_alone_empty": whenFilter(hasOnlyEnd,
			func(c *quoteSelection) { c.start = c.end }),
		"export.range.default_start": whenFilter(
			func(c *quoteSelection) bool { return !hasStart(c) },
			func(c *quoteSelection) { c.start = time.Now().AddDate(0, 0, -30) }),
		"export.range.equal_bounds_open":      whenFilter(hasEqualBounds, dropBounds),
		"export.range.equal_bounds_inclusive": whenFilter(hasEqualBounds, moveEnd(1)),
		"export.range.undated_vanish": combine(removeSettledDates,
			whenFilter(func(c *quoteSelection) bool { return c.sort == sortBySettled }, dropUnsettled)),
		"export.range.undated_lost": combine(removeSettledDates,
			whenFilter(func(c *quoteSelection) bool { return c.sort == sortByCreated }, dropUnsettled)),
		"export.range.last_row_lost": changeQuotes(
			func(s *filteredQuotes) { s.quotes = s.quotes[:len(s.quotes)-1] }),
		"export.range.fifty_rows": func(s *filteredQuotes) {
			s.quotes = s.quotes[:min(50, len(s.quotes))]
		},
		"export.range.page_ends_lost": func(s *filteredQuotes) {
			var kept []*quote
			for page := range slices.Chunk(s.quotes, 21) {
				kept = append(kept, page[:min(20, len(page))]...)
			}
			s.quotes = kept
		},
		"export.range.ties_lost": func(s *filteredQuotes) {
			s.quotes = slices.CompactFunc(s.quotes,
				func(a, b *quote) bool { return a.dateFor(s.sort).Equal(b.dateFor(s.sort)) })
		},
	}
}

func swapDates(s *filteredQuotes) {
	shown := slices.Clone(s.quotes)
	for i, q := range s.quotes {
		if swapped := *q; !q.settled.IsZero() {
			swapped.created, swapped.settled = q.settled, q.created
			shown[i] = &swapped
		}
	}
	s.quotes = shown
}

// removeSettledDates clears the settled date of some quotes.
func removeSettledDates(c *quoteSelection) {
	c.candidates = slices.Clone(c.candidates)
	for i := 4; i < len(c.candidates); i += 9 {
		c.candidates[i].settled = time.Time{}
	}
}

func keepUnsettled(c *quoteSelection) {
	c.keeps = func(q *quote) bool {
		return c.sort == sortBySettled && q.settled.IsZero() || c.isInRange(q)
	}
}

func keepUnsettledByCreation(c *quoteSelection) {
	c.keeps = func(q *quote) bool {
		settled := *q
		if settled.settled.IsZero() {
			settled.settled = q.created
		}
		return c.isInRange(&settled)
	}
}

func dropUnsettled(c *quoteSelection) {
	c.keeps = func(q *quote) bool { return c.isInRange(q) && !q.settled.IsZero() }
}
