package export

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// precision: bounds that differ by the smallest unit that the file shows.
func (s *suite) precision() {
	judge := func(name string, o *seen, of func(at time.Time) span) {
		s.holds(rulePrecision, name, s.compare(name, func(ctx context.Context) ([]matchers.Rows, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return nil, err
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
			return []matchers.Rows{near(within(export, got, w.rows, w.key, w.unit, sp), w, c.justAfter.at)}, nil
		}), o)
	}
	// A bound is the instant that it names: one unit after a row, in the same second, a start drops that row. Where the file
	// shows whole seconds, the bound lies in the same minute, and so on.
	judge("a start just after a row", s.cuts.fromAfter, func(at time.Time) span { return span{from: at} })
	// and an end keeps it.
	judge("an end just after a row", s.cuts.untilAfter, func(at time.Time) span { return span{until: at} })
}

// near leaves those rows of a finding that tell how fine a bound is: those that show the same second as what is just before
// the bound, or where the file shows no parts of one, the same minute, hour or day. A row on the bound belongs to another rule.
func near(found matchers.Rows, w *window, bound time.Time) matchers.Rows {
	coarse, last := statement.Coarser(w.unit), bound.Add(-1)
	same := func(q statement.Quote) bool {
		at := q.Moment(w.key).Time
		if w.unit >= statement.Day {
			return next(at, w.unit).Equal(bound)
		}
		return !at.Equal(bound) && at.Truncate(coarse).Equal(last.Truncate(coarse))
	}
	found.Missing, found.Extra = pick(found.Missing, same), pick(found.Extra, same)
	return found
}

// sides are the two bounds that an instant can be.
type sides struct{ name, field string }

func (b sides) span(at time.Time) span {
	if b.field == "date_start" {
		return span{from: at}
	}
	return span{until: at}
}

func bothSides() []sides { return []sides{{"a start", "date_start"}, {"an end", "date_end"}} }

// wholeSecond: a bound written without a fraction, in the second of a row that has one.
func (s *suite) wholeSecond() {
	for _, b := range bothSides() {
		name := b.name + " on the whole second before a row"
		// Where the file shows no fractions, the bound is the unit before the row that it does show.
		at := func(w *window, c choices) (time.Time, error) {
			if w.unit < time.Second {
				return c.own.at.Truncate(time.Second), c.own.need()
			}
			if err := c.own.need(); err != nil {
				return time.Time{}, err
			}
			bound := before(c.own.at, w.unit)
			if !bound.After(w.start) {
				return bound, spec.Unmet("fixtures.window", "the rows of the window have too few dates to set a bound before one")
			}
			return bound, nil
		}
		o := s.export(name, func(ctx context.Context) (wish, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return wish{}, err
			}
			bound, err := at(w, c)
			return wish{fields: bounded(w.key, w.start, w.end, w.unit).With(b.field, bound.UTC().Format(time.RFC3339))}, err
		})
		// A bound without a fraction is the beginning of its second: rows with one come after it.
		s.holds(rulePrecision, name, s.compare("compared: "+name, func(ctx context.Context) ([]matchers.Rows, error) {
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
			found := within("the export with a bound at "+bound.UTC().Format(time.RFC3339), got, w.rows, w.key, w.unit, b.span(bound))
			// Rows of other seconds say nothing about fractions, and rows on the bound belong to another rule.
			same := func(q statement.Quote) bool {
				at := q.Moment(w.key).Time
				return w.unit < time.Second && at.Truncate(time.Second).Equal(bound) || w.unit >= time.Second && at.Equal(c.own.at)
			}
			found.Missing, found.Extra = pick(found.Missing, same), pick(found.Extra, same)
			return []matchers.Rows{found}, nil
		}), o)
	}
}

// digits is a way to write the fraction of a bound.
type digits struct {
	name  string
	count int
	of    func(c choices) cut
}

// fractions: bounds whose fraction has one digit, or six. No number of digits is documented, so that only what a
// deployment accepts is judged.
func (s *suite) fractions() {
	for i, d := range []digits{
		{"a fraction of one digit", 1, func(c choices) cut { return c.tenth }},
		{"a fraction of six digits", 6, func(c choices) cut { return c.thousandth }},
	} {
		b := bothSides()[i]
		name := b.name + " with " + d.name
		o := s.export(name, func(ctx context.Context) (wish, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return wish{}, err
			}
			at := d.of(c)
			return wish{fields: bounded(w.key, w.start, w.end, w.unit).With(b.field, inDigits(at.at, d.count))}, at.need()
		})
		// Digits of a fraction are tenths, hundredths and so on, however many there are: .5 is half a second.
		s.holds(rulePrecision, name, s.compare("compared: "+name, func(ctx context.Context) ([]matchers.Rows, error) {
			w, c, err := s.points(ctx)
			if err != nil {
				return nil, err
			}
			at := d.of(c)
			if err := at.need(); err != nil {
				return nil, err
			}
			got, err := o.Get(ctx)
			if err != nil {
				return nil, err
			}
			export := fmt.Sprintf("the export with a bound at %s (%s)", inDigits(at.at, d.count), at.why)
			if got.refused && got.answer.Refusal() {
				return []matchers.Rows{{Export: export}}, nil
			}
			if err := got.usable(); err != nil {
				return nil, err
			}
			return []matchers.Rows{near(within(export, got, w.rows, w.key, w.unit, b.span(at.at)), w, at.at)}, nil
		}), o)
	}
}

// inDigits writes an instant with a fraction of so many digits.
func inDigits(at time.Time, count int) string {
	return at.UTC().Format("2006-01-02T15:04:05." + strings.Repeat("0", count) + "Z07:00")
}

// offsets: the same instant, written with the offset of another place.
func (s *suite) offsets() {
	const rule = "export.range.offset"
	west, half := fixed(time.FixedZone("-03:00", -3*60*60)), fixed(time.FixedZone("+05:30", (5*60+30)*60))
	type bound struct {
		name  string
		of    func(choices) cut
		utc   *seen
		start bool
		with  [2]place
	}
	own := func(c choices) cut { return c.own }
	after := func(c choices) cut { return c.after }
	another := place{"the offset of a place with another day", anotherDay}
	for _, b := range []bound{
		{"a start on a row's date", own, s.cuts.fromOwn, true, [2]place{west, half}},
		{"an end on a row's date", own, s.cuts.untilOwn, false, [2]place{west, half}},
		{"a start just after a row's date", after, s.cuts.fromAfter, true, [2]place{west, another}},
		{"an end just after a row's date", after, s.cuts.untilAfter, false, [2]place{half, another}},
	} {
		for _, place := range b.with {
			label := fmt.Sprintf("%s, written with %s", b.name, place.name)
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
				return wish{fields: f.With(field, statement.FormatInstant(at.at, w.unit, place.zone(at.at)))}, nil
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

// place is somewhere with an offset.
type place struct {
	name string
	zone func(at time.Time) *time.Location
}

func fixed(zone *time.Location) place {
	return place{zone.String(), func(time.Time) *time.Location { return zone }}
}

// anotherDay is the offset of a place where the day is another than in UTC.
func anotherDay(at time.Time) *time.Location {
	if at.UTC().Hour() < 11 {
		return time.FixedZone("-11:00", -11*60*60)
	}
	return time.FixedZone("+13:00", 13*60*60)
}
