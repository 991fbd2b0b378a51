package export

import (
	"context"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// openRanges: one bound without the other.
func (s *suite) openRanges() {
	const rule = "export.range.open"
	judge := func(name string, at func(choices) cut, of func(w *window, at time.Time) (from, until time.Time)) *seen {
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
		return o
	}
	// A start without an end keeps all that is later.
	between := func(c choices) cut { return c.between }
	own := func(c choices) cut { return c.own }
	start := func(_ *window, at time.Time) (time.Time, time.Time) { return at, time.Time{} }
	s.cuts.onlyStart = judge("only a start", between, start)
	judge("only a start, on a row's date", own, start)
	// An end without a start keeps all that is earlier.
	end := func(_ *window, at time.Time) (time.Time, time.Time) { return time.Time{}, at }
	s.cuts.onlyEnd = judge("only an end", between, end)
	judge("only an end, on a row's date", own, end)
}

// aloneWrong tells why rows of a bound that stands alone say nothing about another rule: such a bound selects other rows
// than it should by quote_created_at, too.
func (s *suite) aloneWrong(ctx context.Context, o *seen) error {
	got, err := read(ctx, o)
	if err != nil {
		return err
	}
	w, err := s.datedWindow(ctx)
	if err != nil {
		return err
	}
	if a := got.wish.asked(); !within("", got, w.rows, w.key, w.unit, span{a.from, a.until}).Right() {
		return spec.Unclear("a bound that stands alone selects other rows by quote_created_at as well; see export.range.open")
	}
	return nil
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
				return nil, spec.Unmet("", "the deployment refuses a range whose start is its end (%d), so there is no file to look at", got.answer.Status)
			case got.blank():
				return []matchers.Rows{{Export: "the empty range"}}, nil
			}
			if err := got.fileless(); err != nil {
				return nil, err
			}
			if err := got.usable(); err != nil {
				return nil, err
			}
			return []matchers.Rows{equal("the export from and until "+w.text(at.of(c)), "no row", got.rows, nil)}, nil
		}), o)
	}
}
