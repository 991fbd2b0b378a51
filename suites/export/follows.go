package export

import (
	"context"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// followsSort: which of the two dates the bounds are about.
func (s *suite) followsSort() {
	const rule = "export.range.follows_sort"
	straddling := func(c choices) cut { return c.straddling }
	own := func(c choices) cut { return c.own }

	// Sorted by settled_date, the bounds apply to settled_date: rows that were created on the other side of the bound tell.
	s.followed(rule, "settled_date, a start between the two dates of a row", statement.SettledDate, straddling, true)
	s.followed(rule, "settled_date, an end between the two dates of a row", statement.SettledDate, straddling, false)
	// They do so to the digit, as they do with the other date.
	s.followed(rule, "settled_date, a start on the date of a row", statement.SettledDate, own, true)
	s.followed(rule, "settled_date, an end on the date of a row", statement.SettledDate, own, false)
	s.followed(rule, "settled_date, a start just after the date of a row", statement.SettledDate, func(c choices) cut { return c.after }, true)
	// Sorted by quote_created_at, the same bound applies to quote_created_at.
	s.followed(rule, "quote_created_at, a start between the two dates of a row", statement.CreatedAt, straddling, true)
	// They do so oldest first, where they stand alone, and beside a wallet.
	s.followedBeside(rule)
	// The window itself is of the date that was chosen.
	s.holds(rule, "settled_date, the window", s.compare("the window by settled_date against its bounds", func(ctx context.Context) ([]matchers.Rows, error) {
		_, _, w, err := s.known(ctx)
		if err != nil {
			return nil, err
		}
		found := within("the export of the window by settled_date", w.sheet, nil, w.key, w.unit, span{w.start, w.end})
		// A quote that is not settled has no date on or after a bound.
		found.Extra = append(found.Extra, undated(w.rows, w.key)...)
		return []matchers.Rows{found}, nil
	}), s.settled)
}

// undated gives the rows of a bounded export that have no date of its sort. Where none has one, the file may not show it.
func undated(rows []statement.Quote, key statement.Key) []statement.Quote {
	none := pick(rows, func(q statement.Quote) bool { return q.Moment(key).Empty })
	if len(none) == len(rows) {
		return nil
	}
	return none
}

// crossing gives every row known, the unit of a sort's date and an instant chosen from the settled dates.
func (s *suite) crossing(ctx context.Context, sort statement.Key, of func(choices) cut) (rows []statement.Quote, w *window, at cut, err error) {
	rows, created, settled, err := s.known(ctx)
	if err != nil {
		return nil, nil, cut{}, err
	}
	at = of(s.choose("settled boundaries", rows, statement.SettledDate, settled.unit))
	if w = settled; sort == statement.CreatedAt {
		w = created
	}
	return rows, w, at, at.need()
}

// followed declares an export of one sort cut at an instant, and the check that its rows are those of that sort's date.
func (s *suite) followed(rule, name string, sort statement.Key, of func(choices) cut, start bool) {
	part := func(w *window, at time.Time) span {
		if start {
			return span{at, w.end}
		}
		return span{w.start, at}
	}
	o := s.export(name, func(ctx context.Context) (wish, error) {
		_, w, at, err := s.crossing(ctx, sort, of)
		if err != nil {
			return wish{}, err
		}
		sp := part(w, at.at)
		// The instant comes from the settled dates, which may show more digits than the sort's own date.
		return wish{fields: bounded(sort, sp.from, sp.until, w.unit)}, nil
	})
	if strings.Contains(name, "between") {
		s.cuts.straddling = append(s.cuts.straddling, o)
	}
	s.holds(rule, name, s.compare("compared: "+name, func(ctx context.Context) ([]matchers.Rows, error) {
		rows, w, at, err := s.crossing(ctx, sort, of)
		if err != nil {
			return nil, err
		}
		got, err := read(ctx, o)
		if err != nil {
			return nil, err
		}
		return []matchers.Rows{within("the export by "+string(sort)+" at "+w.text(at), got, rows, sort, w.unit, part(w, at.at))}, nil
	}), spec.Awaited(o), s.settled)
}

// followedBeside declares exports by settled_date that are cut between the two dates of a row, and differ from the others
// in what stands beside the bounds.
func (s *suite) followedBeside(rule string) {
	wallet := s.t.Deployment.Fixtures.DefaultWalletID
	closed := func(w *window, at time.Time) span { return span{w.start, at} }
	onlyStart := func(_ *window, at time.Time) span { return span{from: at} }
	onlyEnd := func(_ *window, at time.Time) span { return span{until: at} }
	for _, beside := range []struct {
		name   string
		part   func(w *window, at time.Time) span
		order  string
		wallet *string
		alone  *seen // by quote_created_at
	}{
		{"oldest first, an end between the two dates of a row", closed, "asc", nil, nil},
		{"only a start, between the two dates of a row", onlyStart, "desc", nil, s.cuts.onlyStart},
		{"only an end, between the two dates of a row", onlyEnd, "desc", nil, s.cuts.onlyEnd},
		{"of the default wallet, an end between the two dates of a row", closed, "desc", &wallet, nil},
	} {
		if beside.wallet != nil && wallet == "" {
			continue
		}
		name := "settled_date, " + beside.name
		at := func(ctx context.Context) ([]statement.Quote, *window, cut, error) {
			return s.crossing(ctx, statement.SettledDate, func(c choices) cut { return c.straddling })
		}
		o := s.export(name, func(ctx context.Context) (wish, error) {
			_, w, at, err := at(ctx)
			if err != nil {
				return wish{}, err
			}
			sp := beside.part(w, at.at)
			f := bounded(statement.SettledDate, sp.from, sp.until, w.unit).With("order", beside.order)
			if beside.wallet != nil { // a body of its own: a header need not tell requests apart
				f = f.With("date_start", statement.FormatInstant(sp.from, otherDigits(w.unit), time.UTC))
			}
			return wish{fields: f, wallet: beside.wallet}, nil
		})
		awaited := []spec.Awaited{o, s.settled}
		if beside.alone != nil {
			awaited = append(awaited, beside.alone)
		}
		s.holds(rule, name, s.compare("compared: "+name, func(ctx context.Context) ([]matchers.Rows, error) {
			rows, w, at, err := at(ctx)
			if err != nil {
				return nil, err
			}
			got, err := read(ctx, o)
			if err != nil {
				return nil, err
			}
			if beside.wallet != nil {
				rows = nil // whether it holds the rows that no wallet gives is another rule
			}
			found := within("the export by settled_date, "+beside.name+", at "+w.text(at), got, rows, w.key, w.unit, beside.part(w, at.at))
			found.Extra = append(found.Extra, undated(got.rows, w.key)...)
			if beside.alone != nil && !found.Right() {
				if err := s.aloneWrong(ctx, beside.alone); err != nil {
					return nil, err
				}
			}
			return []matchers.Rows{found}, nil
		}), awaited...)
	}
}

// otherDigits is a unit that writes an instant in other digits than this one, where the instant leaves a choice.
func otherDigits(unit time.Duration) time.Duration {
	if unit < time.Second {
		return time.Second
	}
	return time.Millisecond
}
