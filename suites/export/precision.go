package export

import (
	"context"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
)

// precision: bounds that differ by the smallest unit that the file shows.
func (s *suite) precision() {
	const rule = "export.range.precision"
	judge := func(name string, o *seen, of func(at time.Time) span) {
		s.holds(rule, name, s.compare(name, func(ctx context.Context) ([]matchers.Rows, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return nil, err
			}
			if w.unit >= time.Second {
				return nil, plan.Unmet("", "the file shows %s in %s", w.key, wholeUnits(w.unit))
			}
			if err := c.justAfter.need(); err != nil {
				return nil, err
			}
			got, err := o.Get(ctx)
			if err != nil {
				return nil, err
			}
			export, sp := "the export with a bound at "+w.text(c.justAfter), of(c.justAfter.at)
			if got.refused {
				return []matchers.Rows{notAccepted(export, sp.should(w.key, w.unit), got)}, nil
			}
			if err := got.usable(); err != nil {
				return nil, err
			}
			found := within(export, got, w.rows, w.key, w.unit, sp)
			// Rows further away say nothing about precision.
			near := func(q statement.Quote) bool {
				return q.Moment(w.key).Time.Truncate(time.Second).Equal(c.justAfter.at.Truncate(time.Second))
			}
			found.Missing, found.Extra = pick(found.Missing, near), pick(found.Extra, near)
			return []matchers.Rows{found}, nil
		}), o)
	}
	// A bound is the instant that it names: one unit after a row, in the same second, a start drops that row.
	judge("a start just after a row", s.cuts.fromAfter, func(at time.Time) span { return span{from: at} })
	// and an end keeps it.
	judge("an end just after a row", s.cuts.untilAfter, func(at time.Time) span { return span{until: at} })
}

// wholeUnits names a unit of at least a second.
func wholeUnits(unit time.Duration) string {
	switch {
	case unit >= statement.Day:
		return "whole days"
	case unit >= time.Hour:
		return "whole hours"
	case unit >= time.Minute:
		return "whole minutes"
	}
	return "whole seconds"
}

// wholeSecond: a bound written without a fraction, in the second of a row that has one.
func (s *suite) wholeSecond() {
	for _, start := range []bool{true, false} {
		name := map[bool]string{true: "a start on the whole second before a row", false: "an end on the whole second before a row"}[start]
		at := func(w *window, c choices) (time.Time, error) {
			if w.unit >= time.Second {
				return time.Time{}, plan.Unmet("", "the file shows %s in %s", w.key, wholeUnits(w.unit))
			}
			return c.own.at.Truncate(time.Second), c.own.need()
		}
		ask := func(bound time.Time) span {
			if start {
				return span{from: bound}
			}
			return span{until: bound}
		}
		o := s.export(name, func(ctx context.Context) (wish, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return wish{}, err
			}
			bound, err := at(w, c)
			field := map[bool]string{true: "date_start", false: "date_end"}[start]
			return wish{fields: bounded(w.key, w.start, w.end, w.unit).With(field, bound.UTC().Format(time.RFC3339))}, err
		})
		// A bound without a fraction is the beginning of its second: rows with one come after it.
		s.holds("export.range.precision", name, s.compare("compared: "+name, func(ctx context.Context) ([]matchers.Rows, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return nil, err
			}
			bound, err := at(w, c)
			if err != nil {
				return nil, err
			}
			got, err := read(ctx, o)
			if err != nil {
				return nil, err
			}
			found := within("the export with a bound at "+bound.UTC().Format(time.RFC3339), got, w.rows, w.key, w.unit, ask(bound))
			// Rows of other seconds say nothing about fractions.
			near := func(q statement.Quote) bool { return q.Moment(w.key).Time.Truncate(time.Second).Equal(bound) }
			found.Missing, found.Extra = pick(found.Missing, near), pick(found.Extra, near)
			return []matchers.Rows{found}, nil
		}), o)
	}
}

// offsets: the same instant, written with the offset of another place.
func (s *suite) offsets() {
	const rule = "export.range.offset"
	places := []*time.Location{time.FixedZone("-03:00", -3*60*60), time.FixedZone("+05:30", (5*60+30)*60)}
	type bound struct {
		name  string
		of    func(choices) cut
		utc   *seen
		start bool
	}
	own := func(c choices) cut { return c.own }
	after := func(c choices) cut { return c.after }
	for _, b := range []bound{
		{"a start on a row's date", own, s.cuts.fromOwn, true},
		{"an end on a row's date", own, s.cuts.untilOwn, false},
		{"a start just after a row's date", after, s.cuts.fromAfter, true},
		{"an end just after a row's date", after, s.cuts.untilAfter, false},
	} {
		for _, place := range places {
			label := fmt.Sprintf("%s, written with %s", b.name, place)
			field := map[bool]string{true: "date_start", false: "date_end"}[b.start]
			shifted := s.export(label, func(ctx context.Context) (wish, error) {
				w, c, err := s.points(ctx)
				if err != nil {
					return wish{}, err
				}
				at := b.of(c)
				if err := at.need(); err != nil {
					return wish{}, err
				}
				f := bounded(w.key, w.start, w.end, w.unit)
				return wish{fields: f.With(field, statement.FormatInstant(at.at, w.unit, place))}, nil
			})
			// A date-time is an instant, whichever offset it is written with.
			s.holds(rule, label, s.compare("compared: "+label, func(ctx context.Context) ([]matchers.Rows, error) {
				utc, err := read(ctx, b.utc)
				if err != nil {
					return nil, err
				}
				got, err := shifted.Get(ctx)
				if err != nil {
					return nil, err
				}
				export := fmt.Sprintf("the export with %s %v", field, got.wish.fields[field])
				should := fmt.Sprintf("the rows of the export with %s %v", field, utc.wish.fields[field])
				if got.refused {
					return []matchers.Rows{notAccepted(export, should, got)}, nil
				}
				if err := got.usable(); err != nil {
					return nil, err
				}
				return []matchers.Rows{equal(export, should, got.rows, utc.rows)}, nil
			}), b.utc, shifted)
		}
	}
}

// openRanges: one bound without the other.
func (s *suite) openRanges() {
	const rule = "export.range.open"
	judge := func(name string, at func(choices) cut, of func(w *window, at time.Time) (from, until time.Time)) {
		o := s.part(name, func(w *window, c choices) (time.Time, time.Time, error) {
			from, until := of(w, at(c).at)
			return from, until, at(c).need()
		})
		s.holds(rule, name, s.compare("compared: "+name, func(ctx context.Context) ([]matchers.Rows, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return nil, err
			}
			got, err := o.Get(ctx)
			if err != nil {
				return nil, err
			}
			from, until := of(w, at(c).at)
			sp := span{from, until}
			export := fmt.Sprintf("the export with %s, %s", name, w.text(at(c)))
			if got.refused {
				return []matchers.Rows{notAccepted(export, sp.should(w.key, w.unit), got)}, nil
			}
			if err := got.usable(); err != nil {
				return nil, err
			}
			return []matchers.Rows{within(export, got, w.rows, w.key, w.unit, sp)}, nil
		}), o)
	}
	// A start without an end keeps all that is later.
	between := func(c choices) cut { return c.between }
	own := func(c choices) cut { return c.own }
	start := func(_ *window, at time.Time) (time.Time, time.Time) { return at, time.Time{} }
	judge("only a start", between, start)
	judge("only a start, on a row's date", own, start)
	// An end without a start keeps all that is earlier.
	end := func(_ *window, at time.Time) (time.Time, time.Time) { return time.Time{}, at }
	judge("only an end", between, end)
	judge("only an end, on a row's date", own, end)
}

// emptyRange: no date is on or after a bound and before it.
func (s *suite) emptyRange() {
	for _, at := range []struct {
		name string
		of   func(choices) cut
	}{
		{"start and end on a row's date", func(c choices) cut { return c.own }},
		{"start and end between two dates", func(c choices) cut { return c.between }},
	} {
		o := s.part(at.name, func(_ *window, c choices) (time.Time, time.Time, error) {
			b := at.of(c)
			return b.at, b.at, b.need()
		})
		// A range whose bounds are equal holds nothing, not even the row on them.
		s.holds("export.range.empty", at.name, s.compare("compared: "+at.name, func(ctx context.Context) ([]matchers.Rows, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return nil, err
			}
			got, err := o.Get(ctx)
			if err != nil {
				return nil, err
			}
			switch {
			case got.refused && got.answer.Refusal():
				return nil, plan.Unmet("", "the deployment refuses a range whose start is its end (%d), so there is no file to look at", got.answer.Status)
			case got.blank():
				return []matchers.Rows{{Export: "the empty range"}}, nil
			}
			if err := got.usable(); err != nil {
				return nil, err
			}
			return []matchers.Rows{equal("the export from and until "+w.text(at.of(c)), "no row", got.rows, nil)}, nil
		}), o)
	}
}
