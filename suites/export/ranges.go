package export

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// cuts are exports of the window's parts, by quote_created_at; several rules share them.
type cuts struct {
	fromOwn, untilOwn       *seen
	fromShared, untilShared *seen
	fromAfter, untilAfter   *seen
	fromMiddle, untilMiddle *seen
	thirds                  [3]*seen
	onlyStart, onlyEnd      *seen
	straddling              []*seen // by either sort, cut between the two dates of a row
}

// all lists the exports of parts by quote_created_at.
func (c *cuts) all() []*seen {
	return append(c.thirds[:], c.fromOwn, c.untilOwn, c.fromShared, c.untilShared, c.fromAfter, c.untilAfter, c.fromMiddle, c.untilMiddle)
}

// ranges declares the rules about the two bounds. They all sort by quote_created_at; that bounds follow the sort is a
// rule of its own.
func (s *suite) ranges() {
	s.cutWindow()
	s.inclusion()
	s.partition()
	s.precision()
	s.wholeSecond()
	s.fractions()
	s.offsets()
	s.openRanges()
	s.emptyRange()
}

const (
	cutting    = "boundaries"
	sharedDate = "a shared date"
)

// points gives the window and the instants to cut it at.
func (s *suite) points(ctx context.Context) (*window, choices, error) {
	w, err := s.datedWindow(ctx)
	if err != nil {
		return nil, choices{}, err
	}
	return w, s.choose(cutting, w.rows, w.key, w.unit), nil
}

// part declares an export of a part of the window.
func (s *suite) part(label string, span func(w *window, c choices) (from, until time.Time, err error)) *seen {
	return s.export(label, func(ctx context.Context) (wish, error) {
		w, c, err := s.points(ctx)
		if err != nil {
			return wish{}, err
		}
		from, until, err := span(w, c)
		f := bounded(w.key, from, until, w.unit)
		if strings.Contains(label, sharedDate) {
			f = f.With("order", "asc")
		}
		return wish{fields: f}, err
	})
}

func (s *suite) cutWindow() {
	// The exports around the shared date are asked for in rising order: a bound has to hold whatever the order.
	from := func(label string, of func(choices) cut) *seen {
		return s.part("rows from "+label, func(w *window, c choices) (time.Time, time.Time, error) {
			at := of(c)
			return at.at, w.end, at.need()
		})
	}
	until := func(label string, of func(choices) cut) *seen {
		return s.part("rows until "+label, func(w *window, c choices) (time.Time, time.Time, error) {
			at := of(c)
			return w.start, at.at, at.need()
		})
	}
	own := func(c choices) cut { return c.own }
	shared := func(c choices) cut { return c.shared }
	after := func(c choices) cut { return c.after }
	middle := func(c choices) cut { return c.between }
	s.cuts.fromOwn, s.cuts.untilOwn = from("a row's date", own), until("a row's date", own)
	s.cuts.fromShared, s.cuts.untilShared = from(sharedDate, shared), until(sharedDate, shared)
	s.cuts.fromAfter, s.cuts.untilAfter = from("just after a row's date", after), until("just after a row's date", after)
	s.cuts.fromMiddle, s.cuts.untilMiddle = from("between two dates", middle), until("between two dates", middle)
	for i := range s.cuts.thirds {
		s.cuts.thirds[i] = s.part(fmt.Sprintf("part %d of 3 of the window", i+1), func(w *window, c choices) (time.Time, time.Time, error) {
			marks, err := s.thirds(w, c)
			if err != nil {
				return time.Time{}, time.Time{}, err
			}
			return marks[i], marks[i+1], nil
		})
	}
}

// thirds cuts the window at two instants that are no row's date, else at any two.
func (s *suite) thirds(w *window, c choices) ([4]time.Time, error) {
	var marks []time.Time
	for i := range 16 {
		if at := s.choose(fmt.Sprintf("thirds %d", i), w.rows, w.key, w.unit).between; at.missing == "" {
			marks = append(marks, at.at)
		}
	}
	marks = append(marks, s.datesInside(w.rows, w.key)...)
	for _, second := range marks[min(1, len(marks)):] {
		if first := marks[0]; !first.Equal(second) {
			if second.Before(first) {
				first, second = second, first
			}
			return [4]time.Time{w.start, first, second, w.end}, nil
		}
	}
	return [4]time.Time{}, spec.Unmet("fixtures.window", "the rows of the window have too few dates to cut it in three")
}

// inclusion: which side of a bound the rows on it belong to.
func (s *suite) inclusion() {
	const start, end = "export.range.start_inclusive", "export.range.end_exclusive"
	type side struct {
		seen *seen
		of   func(choices) cut
		name string
	}
	own := func(c choices) cut { return c.own }
	shared := func(c choices) cut { return c.shared }

	// The lower bound is inclusive: rows with date >= date_start are kept, earlier ones are not.
	for _, at := range []side{{s.cuts.fromOwn, own, "the date of a row"}, {s.cuts.fromShared, shared, "a date that several rows share"}} {
		s.holds(start, "a start on "+at.name, s.compare("a start on "+at.name, func(ctx context.Context) ([]matchers.Rows, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return nil, err
			}
			got, err := read(ctx, at.seen)
			if err != nil {
				return nil, err
			}
			b := at.of(c)
			return []matchers.Rows{within("the export from "+w.text(b), got, w.rows, w.key, w.unit, span{from: b.at})}, nil
		}), at.seen)
	}
	s.holds(start, "the start of the window", s.bound(func(w *window) span { return span{from: w.start} }, "lower"))

	// The upper bound is exclusive: rows with date < date_end are kept, later ones are not.
	for _, at := range []side{{s.cuts.untilOwn, own, "the date of a row"}, {s.cuts.untilShared, shared, "a date that several rows share"}} {
		s.holds(end, "an end on "+at.name, s.compare("an end on "+at.name, func(ctx context.Context) ([]matchers.Rows, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return nil, err
			}
			got, err := read(ctx, at.seen)
			if err != nil {
				return nil, err
			}
			b := at.of(c)
			return []matchers.Rows{within("the export until "+w.text(b), got, w.rows, w.key, w.unit, span{until: b.at})}, nil
		}), at.seen)
	}
	s.holds(end, "the end of the window", s.bound(func(w *window) span { return span{until: w.end} }, "upper"))
}

// text writes a cut and why it was chosen.
func (w *window) text(c cut) string {
	return fmt.Sprintf("%s (%s)", statement.FormatInstant(c.at, w.unit, time.UTC), c.why)
}

// bound holds the window's own rows against one of its bounds.
func (s *suite) bound(of func(*window) span, name string) *compared {
	return s.compare("the window against its "+name+" bound", func(ctx context.Context) ([]matchers.Rows, error) {
		w, err := s.datedWindow(ctx)
		if err != nil {
			return nil, err
		}
		return []matchers.Rows{within("the export of the window", w.sheet, nil, w.key, w.unit, of(w))}, nil
	})
}

// partition: ranges that meet hold what the whole range holds.
func (s *suite) partition() {
	const rule = "export.range.partition"
	split := func(name string, parts ...*seen) {
		var exports []spec.Awaited
		for _, part := range parts {
			exports = append(exports, part)
		}
		s.holds(rule, name, s.compare(name, func(ctx context.Context) ([]matchers.Rows, error) {
			w, err := s.base(ctx)
			if err != nil {
				return nil, err
			}
			var together []statement.Quote
			var marks []string
			for i, part := range parts {
				got, err := read(ctx, part)
				if err != nil {
					return nil, err
				}
				together = append(together, got.rows...)
				if i > 0 {
					marks = append(marks, fmt.Sprint(got.wish.fields["date_start"]))
				}
			}
			return []matchers.Rows{equal(fmt.Sprintf("the window split at %s", join(marks)),
				"each row of the whole window in exactly one part", together, w.rows)}, nil
		}), exports...)
	}
	// Wherever a range is split, its parts are disjoint and complete: on the date of a row, on a date that several share,
	split("split on the date of a row", s.cuts.untilOwn, s.cuts.fromOwn)
	split("split on a date that several rows share", s.cuts.untilShared, s.cuts.fromShared)
	// and at an instant that is no row's date.
	split("split between two dates", s.cuts.untilMiddle, s.cuts.fromMiddle)
	split("split in three", s.cuts.thirds[0], s.cuts.thirds[1], s.cuts.thirds[2])

	// The whole range is whole: neither the order nor the sort hides a row that its bounds keep.
	s.holds(rule, "the same rows in either order", s.compare("the window in either order", func(ctx context.Context) ([]matchers.Rows, error) {
		w, err := s.base(ctx)
		if err != nil {
			return nil, err
		}
		asc, err := read(ctx, s.createdAsc)
		if err != nil {
			return nil, err
		}
		return []matchers.Rows{equal("the window in rising order", "the rows of the window in falling order", asc.rows, w.rows)}, nil
	}), s.createdAsc)
	s.holds(rule, "no row that only another sort shows", s.compare("the window by either sort", func(ctx context.Context) ([]matchers.Rows, error) {
		w, err := s.datedWindow(ctx)
		if err != nil {
			return nil, err
		}
		other, err := read(ctx, s.settled)
		if err != nil {
			return nil, err
		}
		if err := other.legible(w.key); err != nil {
			return nil, err
		}
		all := span{w.start, w.end}
		mine := pick(other.rows, all.inside(w.key, w.unit))
		return []matchers.Rows{{
			Export: "the export of the window by quote_created_at", Held: len(w.rows),
			Should:  "every row of the same window by settled_date whose quote_created_at lies in it as well",
			Missing: statement.Difference(mine, w.rows),
		}}, nil
	}), s.settled)
}

func join(marks []string) string {
	slices.Sort(marks)
	text := ""
	for i, m := range marks {
		if i > 0 {
			text += " and "
		}
		text += m
	}
	return text
}
