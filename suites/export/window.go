package export

import (
	"cmp"
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

// declareWindows declares the exports of the whole window: either sort, either order, and whose it is.
func (s *Suite) declareWindows() {
	ask := func(sort statement.Key, order string) func(look) query {
		return func(look) query { return query{fields: s.whole(sort).With("order", order)} }
	}
	s.window = s.export("the window by quote_created_at, desc", ask(statement.CreatedAt, "desc"))
	s.windowAsc = s.follow("the window by quote_created_at, asc", ask(statement.CreatedAt, "asc"))
	s.settled = s.follow("the window by settled_date, desc", ask(statement.SettledDate, "desc"))
	s.settledAsc = s.follow("the window by settled_date, asc", ask(statement.SettledDate, "asc"))
	s.wallet = s.ofWallet("the window of the default wallet", s.t.Deployment.Fixtures.DefaultWalletID, 1, 0)
	s.theirs = s.follow("the window of another user", func(look) query {
		return query{fields: s.whole(statement.CreatedAt), as: s.t.Deployment.Credentials.OtherUser}
	})
}

// ofWallet is the window with a wallet header.
func (s *Suite) ofWallet(label, wallet string, start, end int) download {
	return s.follow(label, func(look) query {
		return query{
			fields: s.spelled(statement.CreatedAt, start, end),
			header: map[string]string{target.HeaderWallet: wallet},
		}
	})
}

// base waits for the window by quote_created_at, newest first: what other exports are compared with.
func (s *Suite) base(l look) *window { return s.rowsOf(l, s.window, statement.CreatedAt) }

// dates is base for what has to read the dates of the rows, and not only to tell rows apart.
func (s *Suite) dates(l look) *window {
	w := s.base(l)
	l.end(w.legible(w.key))
	return w
}

// rowsOf waits for an export of the window that has rows, each with the date that key names where it shows one.
func (s *Suite) rowsOf(l look, o download, key statement.Key) *window {
	bounds := s.t.Deployment.Fixtures.Window
	if bounds == nil {
		l.unmet("fixtures.window", "")
	}
	sh := l.sheet(o)
	l.end(sh.dated(key))
	w := &window{sheet: sh, key: key, unit: sh.table.Precision(key), start: bounds.Start, end: bounds.End}
	if others := len(sh.table.Others()); len(w.rows) == 0 && others > 1 {
		l.unmet("export.csv.columns", "none of the %d rows of the file shows an ID or a date", others)
	}
	if len(w.rows) == 0 {
		l.end(s.noQuote(l))
	}
	return w
}

// noQuote returns why a window without rows shows nothing: it may be the deployment's default that keeps them away.
func (s *Suite) noQuote(l look) error {
	if s.t.Deployment.Fixtures.DefaultWalletID != "" {
		first, err := s.window.Get(l)
		named, ok := l.rowsIfAny(s.wallet)
		if err == nil && ok && first.empty() && len(named.rows) > 0 {
			return spec.Unmet("", "the export of the window without a wallet holds no quote, and the one of the default "+
				"wallet holds %d; see export.default.wallet", len(named.rows))
		}
	}
	return spec.Unmet("fixtures.window", "the window holds no quote")
}

// known returns every row that either sort shows of the window, and the window by either date.
func (s *Suite) known(l look) (rows []statement.Quote, created, settled *window) {
	created, settled = s.base(l), s.rowsOf(l, s.settled, statement.SettledDate)
	l.end(cmp.Or(created.legible(statement.CreatedAt), settled.legible(statement.SettledDate)))
	return slices.Concat(created.rows, statement.Difference(settled.rows, created.rows)), created, settled
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
func (s *Suite) whole(sort statement.Key) target.Fields {
	w := s.t.Deployment.Fixtures.Window
	if w == nil {
		f := s.t.Unique()
		f["type_extension"] = "CSV"
		return f
	}
	return bounded(sort, w.Start, w.End, 0)
}

// spelled asks for the window with the same bounds in more digits, given in steps of three for each bound. Exports
// that only headers tell apart have bodies of their own by it, whatever of a request replay protection compares.
func (s *Suite) spelled(sort statement.Key, start, end int) target.Fields {
	f := s.whole(sort)
	w := s.t.Deployment.Fixtures.Window
	if w == nil {
		return f
	}
	digits := func(at time.Time, steps int) string {
		unit := time.Second
		for range steps {
			unit /= 1000
		}
		return statement.FormatInstant(at, unit, time.UTC)
	}
	return f.With("date_start", digits(w.Start, start)).With("date_end", digits(w.End, end))
}
