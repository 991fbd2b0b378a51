package export

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// window is the rows of the deployment file's window as one export shows them, by the date that key names.
type window struct {
	*sheet
	key        statement.Key
	unit       time.Duration // smallest unit that the date shows
	start, end time.Time
}

// base waits for the window by quote_created_at, newest first: what other exports are compared with.
func (s *suite) base(ctx context.Context) (*window, error) {
	return s.window(ctx, s.first, statement.CreatedAt)
}

// datedWindow is base for what has to read the dates of the rows, and not only to tell rows apart.
func (s *suite) datedWindow(ctx context.Context) (*window, error) {
	w, err := s.base(ctx)
	if err != nil {
		return nil, err
	}
	return w, w.legible(w.key)
}

func (s *suite) window(ctx context.Context, from *seen, key statement.Key) (*window, error) {
	bounds := s.t.Deployment.Fixtures.Window
	if bounds == nil {
		return nil, spec.Unmet("fixtures.window", "")
	}
	sh, err := from.Get(ctx)
	if err != nil {
		return nil, err
	}
	if err := sh.dated(key); err != nil {
		return nil, err
	}
	w := &window{sheet: sh, key: key, unit: sh.table.Precision(key), start: bounds.Start, end: bounds.End}
	switch others := len(sh.table.Others()); {
	case len(w.rows) > 0:
	case others > 1:
		return nil, spec.Unmet("export.csv.columns", "none of the %d rows of the file shows an ID or a date", others)
	default:
		return nil, s.noQuote(ctx)
	}
	return w, nil
}

// noQuote tells why a window without rows shows nothing: it may be the deployment's default that keeps them away.
func (s *suite) noQuote(ctx context.Context) error {
	if s.t.Deployment.Fixtures.DefaultWalletID != "" {
		first, err := s.first.Get(ctx)
		named, ok := s.wallet.Settled(ctx)
		if err == nil && ok && first.empty() && named.usable() == nil && len(named.rows) > 0 {
			return spec.Unmet("", "the export of the window without a wallet holds no quote, and the one of the default wallet holds %d; see export.default.wallet", len(named.rows))
		}
	}
	return spec.Unmet("fixtures.window", "the window holds no quote")
}

// bounded asks for [from, until) of a sort, newest first; a zero bound is left out.
func bounded(sort statement.Key, from, until time.Time, unit time.Duration) target.Fields {
	f := target.Fields{"sort": string(sort), "order": "desc", "type_extension": "CSV"}
	if !from.IsZero() {
		f["date_start"] = statement.FormatInstant(from, unit, time.UTC)
	}
	if !until.IsZero() {
		f["date_end"] = statement.FormatInstant(until, unit, time.UTC)
	}
	return f
}

// whole asks for the window, or where there is none for a range of its own.
func (s *suite) whole(sort statement.Key) target.Fields {
	w := s.t.Deployment.Fixtures.Window
	if w == nil {
		f := s.t.Unique()
		f["type_extension"] = "CSV"
		return f
	}
	return bounded(sort, w.Start, w.End, 0)
}

// spelled asks for the window with the same bounds in more digits, given in steps of three for each bound. Exports that only
// headers tell apart have bodies of their own by it, whatever of a request replay protection compares.
func (s *suite) spelled(sort statement.Key, start, end int) target.Fields {
	f := s.whole(sort)
	w := s.t.Deployment.Fixtures.Window
	if w == nil {
		return f
	}
	for field, bound := range map[string]struct {
		at    time.Time
		steps int
	}{"date_start": {w.Start, start}, "date_end": {w.End, end}} {
		unit := time.Second
		for range bound.steps {
			unit /= 1000
		}
		f[field] = statement.FormatInstant(bound.at, unit, time.UTC)
	}
	return f
}

// windows declares the exports of the whole window: either sort, either order.
func (s *suite) windows() {
	ask := func(sort statement.Key, order string) func(context.Context) (wish, error) {
		return func(context.Context) (wish, error) {
			return wish{fields: s.whole(sort).With("order", order)}, nil
		}
	}
	s.first = s.export("the window by quote_created_at, desc", ask(statement.CreatedAt, "desc"))
	s.createdAsc = s.export("the window by quote_created_at, asc", s.following(ask(statement.CreatedAt, "asc")))
	s.settled = s.export("the window by settled_date, desc", s.following(ask(statement.SettledDate, "desc")))
	s.settledAsc = s.export("the window by settled_date, asc", s.following(ask(statement.SettledDate, "asc")))
}

// following holds an export back until the first file was seen, so that a deployment whose files cannot be fetched is
// found out by one file and not by forty.
func (s *suite) following(ask func(context.Context) (wish, error)) func(context.Context) (wish, error) {
	return func(ctx context.Context) (wish, error) {
		first, err := s.first.Get(ctx)
		if err != nil {
			return wish{}, err
		}
		if first.refused || first.fault != nil {
			return wish{}, first.usable()
		}
		return ask(ctx)
	}
}

// known gives every row that either sort shows of the window, and the smallest units of both dates.
func (s *suite) known(ctx context.Context) (rows []statement.Quote, created, settled *window, err error) {
	if created, err = s.base(ctx); err != nil {
		return nil, nil, nil, err
	}
	if settled, err = s.window(ctx, s.settled, statement.SettledDate); err != nil {
		return nil, nil, nil, err
	}
	if err := cmp.Or(created.legible(statement.CreatedAt), settled.legible(statement.SettledDate)); err != nil {
		return nil, nil, nil, err
	}
	rows = slices.Concat(created.rows, statement.Difference(settled.rows, created.rows))
	return rows, created, settled, nil
}
