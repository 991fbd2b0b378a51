package export

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
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
	ask := func(sort statement.Key, order string) func() query {
		return func() query { return query{fields: s.whole(sort).With("order", order)} }
	}
	s.declareScope()
	s.windowAsc = s.inCompany("the window by quote_created_at, asc", ask(statement.CreatedAt, "asc"), control.First,
		s.window)
	s.settled = s.follow("the window by settled_date, desc", ask(statement.SettledDate, "desc"))
	s.settledAsc = s.inCompany("the window by settled_date, asc", ask(statement.SettledDate, "asc"), control.Second,
		s.settled)
	s.keyed = spec.Observe(s.Plan, "the window by API key", act(func(l look) *sheet {
		for _, o := range []download{s.windowAsc, s.settledAsc} {
			if sh := l.sheet(o); slices.Contains(sh.query.partners(), "x-api-key") {
				return sh
			}
		}
		l.unmet("", "no export of the window by API key was accepted with the same rows as by the main credential")
		return nil
	}))
	s.declareDiffering()
	s.byKey = s.indifferent("export by the API key", [2]int{0, 3},
		func(p control.Partner) bool { return p.Factor == control.ByKey },
		func(q *query) { q.as = s.t.Deployment.Credentials.APIKey })
	s.wallet = s.ofWallet("the window of the default wallet", s.t.Deployment.Fixtures.DefaultWalletID, 1, 0)
	s.theirs = s.follow("the window of another user", func() query {
		return query{fields: s.whole(statement.CreatedAt), as: s.t.Deployment.Credentials.OtherUser}
	})
	s.unnamed = s.follow("the window with a filter type without a filter text", func() query {
		return query{fields: s.whole(statement.CreatedAt).With("filter_type", "client_id")}
	})
}

// ofWallet is the window with a wallet header; start and end spell its bounds.
func (s *Suite) ofWallet(label, wallet string, start, end int) download {
	return s.follow(label, func() query {
		return query{
			fields: s.spelled(statement.CreatedAt, start, end), header: map[string]string{target.HeaderWallet: wallet},
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
	w := s.shownBy(l, o, key)
	l.end(w.complete())
	return w
}

// shownBy is rowsOf for what only looks at rows that are there: the file may go on beyond what is read of it.
func (s *Suite) shownBy(l look, o download, key statement.Key) *window {
	l.unmetIf(s.t.Deployment.Fixtures.Window == nil, "fixtures.window", "")
	sh := l.sheet(o)
	l.end(sh.dated(key))
	w := sh.in(s.extent(), key)
	if others := sh.table.Others().Count; len(w.rows) == 0 && others > 1 {
		l.unmet("export.csv.columns", "none of the %d rows of the file shows an ID or a date", others)
	}
	s.quotes(l, sh)
	return w
}

// in looks at an export of a window by one of its dates.
func (sh *sheet) in(w *deployment.Window, key statement.Key) *window {
	return &window{sheet: sh, key: key, unit: sh.table.Precision(key), start: w.Start, end: w.End}
}

// quotes ends the act where the window has no rows: it may be the deployment's default that keeps them away.
func (s *Suite) quotes(l look, sh *sheet) {
	if len(sh.rows) > 0 {
		return
	}
	l.unclearIf(s.lost(sh), "the export of a part of the window holds none of the quotes that the whole window has "+
		"there; see %s", spec.Ref(rulePartition))
	if s.t.Deployment.Fixtures.DefaultWalletID != "" {
		first, err := s.window.Get(l)
		named, ok := l.rowsIfAny(s.wallet)
		if err == nil && ok && first.empty() && len(named.rows) > 0 {
			l.unmet("", "the export of the window without a wallet holds no quote, and the one of the default wallet "+
				"holds %d; see %s", len(named.rows), spec.Ref("export.default.wallet"))
		}
	}
	l.unmet("fixtures.window", "the window holds no quote")
}

// known returns every row that either sort shows of the window, and the window by either date.
func (s *Suite) known(l look) (rows []statement.Quote, created, settled *window) {
	created, settled = s.base(l), s.rowsOf(l, s.settled, statement.SettledDate)
	l.end(cmp.Or(created.legible(statement.CreatedAt), settled.legible(statement.SettledDate)))
	return slices.Concat(created.rows, statement.Difference(settled.rows, created.rows)), created, settled
}

// sorts are the two dates that an export can be sorted by.
func sorts() []statement.Key { return []statement.Key{statement.CreatedAt, statement.SettledDate} }

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
	w := s.extent()
	if w == nil {
		f := s.t.Unique(string(sort))
		f["type_extension"] = "CSV"
		return f
	}
	return bounded(sort, w.Start, w.End, 0)
}

// spelled asks for the window with the same bounds in more digits, given in steps of three for each bound. Exports
// that only headers tell apart have bodies of their own by it, whatever of a request replay protection compares.
func (s *Suite) spelled(sort statement.Key, start, end int) target.Fields {
	f := s.whole(sort)
	w := s.extent()
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

// span is a range of a date that a file shows in units; a zero bound is open.
type span struct {
	key         statement.Key
	unit        time.Duration
	from, until time.Time
}

// between is a span of the window's date.
func (w *window) between(from, until time.Time) span { return span{w.key, w.unit, from, until} }

// asked is the span that an export was asked for.
func (w *window) asked(got *sheet) span {
	a := got.query.selection()
	return w.between(a.from, a.until)
}

// side is where a date lies for a bound: -1 before it, 1 on it or after, 0 when that is open: for the digits that the
// file shows, and for a local time that happens twice, before the bound and after it.
func side(m statement.Moment, unit time.Duration, bound time.Time) int {
	if m.Precision == statement.Day && unit < statement.Day {
		return 0
	}
	sides := 0
	for i, at := range m.Instants() {
		of := 0
		switch {
		case !at.Before(bound):
			of = 1
		case !next(at, unit).After(bound):
			of = -1
		}
		if i > 0 && of != sides {
			return 0
		}
		sides = of
	}
	return sides
}

// inside and outside report rows that surely are, and that surely are not, in the span.
func (sp span) inside(q statement.Quote) bool {
	m := q.Moment(sp.key)
	return len(m.Instants()) > 0 && (sp.from.IsZero() || side(m, sp.unit, sp.from) > 0) &&
		(sp.until.IsZero() || side(m, sp.unit, sp.until) < 0)
}

func (sp span) outside(q statement.Quote) bool {
	m := q.Moment(sp.key)
	return !sp.from.IsZero() && side(m, sp.unit, sp.from) < 0 || !sp.until.IsZero() && side(m, sp.unit, sp.until) > 0
}

// within compares an export with the rows that it should hold: those of want that lie in the span, and none outside
// it. Rows in the span that want does not know are not judged here: whether ranges hold together what the whole holds
// is a rule of its own.
func within(export string, got *sheet, want []statement.Quote, sp span) Rows {
	return Rows{
		Export: export, Should: sp.should(), Held: got.held(), Key: sp.key,
		Missing: got.lacks(pick(want, sp.inside), sp.key), Extra: pick(got.rows, sp.outside),
		Beside: sp.beside(slices.Concat(got.rows, statement.Difference(want, got.rows)), got.rows),
	}
}

// beside lists the rows nearest to the bounds of the span, in the order of their dates: whether an export should hold
// them, and does. Rows whose side the digits that the file shows leave open are left out.
func (sp span) beside(all, held []statement.Quote) []record.Row {
	const each = 3 // on either side of a bound
	there := map[string]bool{}
	for _, q := range held {
		there[q.Identity] = true
	}
	date := func(q statement.Quote) time.Time { return q.Moment(sp.key).Time }
	sure := pick(all, func(q statement.Quote) bool { return sp.inside(q) || sp.outside(q) })
	slices.SortStableFunc(sure, func(a, b statement.Quote) int { return date(a).Compare(date(b)) })
	near := map[int]bool{}
	for _, bound := range []time.Time{sp.from, sp.until} {
		if bound.IsZero() {
			continue
		}
		at := slices.IndexFunc(sure, func(q statement.Quote) bool { return !date(q).Before(bound) })
		if at < 0 {
			at = len(sure)
		}
		for i := max(0, at-each); i < min(len(sure), at+each); i++ {
			near[i] = true
		}
	}
	var rows []record.Row
	for i, q := range sure {
		if near[i] {
			rows = append(rows, record.Row{Date: q.Moment(sp.key).Text, Expected: sp.inside(q), Found: there[q.Identity]})
		}
	}
	return rows
}

func (sp span) should() string {
	text := func(t time.Time) string { return statement.FormatInstant(t, sp.unit, time.UTC) }
	from, until := text(sp.from), text(sp.until)
	switch {
	case sp.until.IsZero():
		return fmt.Sprintf("every row whose %s is %s or later, and none before", sp.key, from)
	case sp.from.IsZero():
		return fmt.Sprintf("every row whose %s is before %s, and none on it or after", sp.key, until)
	}
	return fmt.Sprintf("every row whose %s is %s or later and before %s, and no other", sp.key, from, until)
}

// equal compares two exports that should hold the same rows, in any order.
func equal(export, should string, got, want []statement.Quote) Rows {
	return Rows{
		Export: export, Should: should, Held: len(got),
		Missing: statement.Difference(want, got), Extra: statement.Difference(got, want),
	}
}
