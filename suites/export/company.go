package export

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// What stands beside an export changes nothing about what its bounds, its filter and its order mean. Some exports of
// the window's parts carry partners beside which the window is the same as without them; others are of one client, and
// of the target user.

// inCompany declares the twin of a row: an export of the window beside it. What makes a difference to the rows of base
// is left out.
func (s *Suite) inCompany(label string, ask func() query, r control.Row, base download) download {
	return spec.Observe(s.Plan, label, act(func(l look) *sheet {
		s.fetchable(l)
		q := ask()
		q.label, q.twin = label, true
		same := func(with control.Company) (*sheet, bool) {
			q.company = with
			sh, plain := s.take(l, q), l.sheet(base)
			return sh, sh.usable() == nil && plain.usable() == nil && len(plain.rows) > 0 && s.likened(sh, plain) &&
				(languageOf(with...) == "" || sameDates(sh.rows, plain.rows))
		}
		wanted := s.c.FileRow(r)
		if found, ok := same(wanted); ok || len(wanted) == 0 {
			return found
		}
		found, ok := same(nil)
		if !ok {
			return found
		}
		var unlike []*sheet
		dropped := map[string]*sheet{}
		for _, p := range wanted {
			sh, ok := same(append(slices.Clone(found.query.company), p))
			if ok {
				found = sh
				continue
			}
			if sh.usable() == nil {
				unlike = append(unlike, sh)
			}
			dropped[p.String()] = sh
			s.c.Drop("with %s the window holds other rows or dates, or is refused, so the other rules about rows were "+
				"judged without it", p)
		}
		found.unlike, found.dropped = unlike, dropped
		return found
	}))
}

// likened reports whether two exports of the window hold the same rows, but for those on its bounds: what bounds keep
// is a rule. So it is what they keep out, whosever rows those are.
func (s *Suite) likened(a, b *sheet) bool {
	w, key := s.extent(), a.query.selection().key
	if w == nil || len(pick(a.rows, span{key, a.table.Precision(key), w.Start, w.End}.outside)) > 0 {
		return w != nil
	}
	other := slices.Concat(statement.Difference(a.rows, b.rows), statement.Difference(b.rows, a.rows))
	return len(pick(other, func(q statement.Quote) bool {
		m := q.Moment(key)
		return !m.Usable() || !m.Time.Equal(w.Start)
	})) == 0
}

// company is the partners of a row that make no difference to rows.
func (s *Suite) company(ctx context.Context, r control.Row) control.Company {
	if r == control.Plain {
		return nil
	}
	twin := map[control.Row]download{control.First: s.windowAsc, control.Second: s.settledAsc}[r]
	if sh, err := twin.Get(ctx); err == nil {
		return sh.query.company
	}
	return nil
}

// spelled is a company without partners that leave a field out: beside others, its default is another rule.
func spelled(c control.Company) control.Company {
	return slices.DeleteFunc(slices.Clone(c), func(p control.Partner) bool { return strings.HasPrefix(p.Factor, "no ") })
}

// settings are what partners of some names choose.
func settings(names ...string) (all []record.Setting) {
	for _, name := range names {
		s := record.Setting{Factor: name}
		if !strings.HasPrefix(name, "no ") {
			s.Factor, s.Value, _ = strings.Cut(name, " ")
		}
		all = append(all, s)
	}
	return all
}

// partners are the names of all that stands beside a query.
func (q query) partners() (names []string) {
	for _, p := range q.company {
		if field, left := strings.CutPrefix(p.Factor, "no "); !left || q.fields[field] != string(statement.SettledDate) {
			names = append(names, p.String())
		}
	}
	for name := range q.header {
		names = append(names, name)
	}
	for _, field := range []string{bySettled, "order asc", "filter_type client_id", "type_extension CSV"} {
		if name, value, _ := strings.Cut(field, " "); q.fields[name] == value && !slices.Contains(names, "no "+name) {
			names = append(names, field)
		}
	}
	return names
}

// alone finds the partner without which a comparison that found something wrong finds nothing wrong: it looks at the
// first of its exports again, without its company and then beside each partner. What no diagnosis explains may also be
// wrong for a type_extension, which nobody has to give.
func (s *Suite) alone(l look, o download, found Rows, find func(look) Rows) []record.Setting {
	first, ok := l.sheetIfAny(o)
	if !ok {
		return nil
	}
	wrong := func(with control.Company, left ...string) (wrong, known bool) {
		rows, err := act(func(l look) Rows {
			q := first.query
			q.company, q.fields = with, q.fields.Without(left...)
			l.instead = map[download]*sheet{o: s.take(l, q)}
			return find(l)
		})(l)
		return !rows.Right(), err == nil
	}
	company := first.query.company
	if len(company) > 0 {
		still, known := wrong(nil)
		if !known {
			return nil
		}
		if !still {
			for _, p := range company {
				if yes, known := wrong(control.Company{p}); yes && known {
					return []record.Setting{p.Setting}
				}
			}
			for _, p := range company { // it takes several
				if yes, known := wrong(company.Without(p.String())); yes && known {
					company = company.Without(p.String())
				}
			}
			return company.Settings()
		}
	}
	const extension = "type_extension"
	if value := first.query.fields[extension]; value != nil && found.Cause == "" {
		if still, known := wrong(nil, extension); known && !still {
			return []record.Setting{{Factor: extension, Value: fmt.Sprint(value)}}
		}
	}
	return nil
}

// few is an export of few rows, from the date of one, or just after it, until the date of another, or just after that.
type few struct {
	what    string
	between download
	rows    func(l look) (w *window, rows []statement.Quote, ok bool) // that the bounds are chosen from
	apart   bool                                                      // the diagnosis does not know the rows

	start, end bound
}

// bound is where an export of few rows begins or ends.
type bound int

const (
	onTheDate    bound = iota // of a row
	afterTheDate              // just after it
	noBound
)

// edges are two dates of rows: a quarter of the dates lies before the first, and a quarter after the second.
func edges(rows []statement.Quote, key statement.Key) (from, until time.Time, ok bool) {
	var dates []time.Time
	for _, q := range rows {
		if m := q.Moment(key); m.Usable() {
			dates = append(dates, m.Time)
		}
	}
	slices.SortFunc(dates, time.Time.Compare)
	if dates = slices.CompactFunc(dates, time.Time.Equal); len(dates) < 2 {
		return from, until, false
	}
	from, until = dates[len(dates)/4], dates[max(len(dates)*3/4, len(dates)/4+1)]
	return from, until, true
}

// keepFew declares the specs that exports of few rows keep to one of their bounds.
func (s *Suite) keepFew(at bound, start bool) {
	spec.Helper()
	words := map[bool]string{true: "a start", false: "an end"}[start]
	words += map[bound]string{afterTheDate: " just after", onTheDate: " on"}[at]
	for _, f := range s.fewRows() {
		if start && f.start != at || !start && f.end != at {
			continue
		}
		s.holds(words+" the date of a row of "+f.what, []download{f.between},
			func(l look) Rows { return s.fewAt(l, f, at, start) })
	}
}

// fewAt is what an export of few rows holds at one of its bounds.
func (s *Suite) fewAt(l look, f few, at bound, start bool) Rows {
	s.base(l)
	w, rows, ok := f.rows(l)
	got, there := l.rowsIfAny(f.between)
	if !ok || !there || got.dated(w.key) != nil {
		return moot("no rows of %s could be had", f.what)
	}
	l.unclearIf(s.sortedOtherwise(w, rows, got), "its bound selects rows by settled_date; see %s", spec.Ref("export.default.sort"))
	a := got.query.selection()
	if _, others := split(got.rows, a.client); a.client != "" && got.table.Has(statement.ClientID) &&
		len(others) > 0 {
		s.notOurs(l, Rows{Extra: others})
		l.unclear("the export of %s holds rows of other clients; see %s", f.what, spec.Ref("export.filter.client_id"))
	}
	found := within("the export of "+f.what, got, rows, w.asked(got))
	atBound := func(q statement.Quote) bool {
		date, bound := q.Moment(w.key).Time, a.until
		if start {
			bound = a.from
		}
		if at == afterTheDate { // farther rows say nothing about precision
			return near(&ground{w: w, at: bound}, q)
		}
		return start && !date.After(bound) || !start && !next(date, w.unit).Before(bound)
	}
	found.Missing, found.Extra = pick(found.Missing, atBound), common(pick(found.Extra, atBound), rows)
	if f.start == noBound || f.end == noBound {
		s.rightAlone(l, found, s.oneBound)
	}
	if !f.apart || found.Right() {
		return found
	}
	if d, err := s.diagnosis.Get(l); err == nil && d.defect != nil {
		l.end(spec.Explained(d.defect.what, "the deployment %s, which may explain these rows; see %s",
			d.defect.what, spec.Ref(d.defect.rules...)))
	}
	return found
}

// fewRows are those of one client, and those of the target user, as far as the deployment file names them.
func (s *Suite) fewRows() (all []few) {
	f := s.t.Deployment.Fixtures
	if f.ClientID != "" {
		mine := func(o download, key statement.Key) func(l look) (*window, []statement.Quote, bool) {
			return func(l look) (*window, []statement.Quote, bool) {
				sh, ok := l.rowsIfAny(o)
				if !ok || sh.legible(key) != nil || !sh.table.Has(statement.ClientID) {
					return nil, nil, false
				}
				rows, _ := split(sh.rows, s.client.id)
				return s.rowsOf(l, o, key), rows, len(rows) > 0
			}
		}
		all = append(all, few{what: "one client", between: s.client.until, rows: mine(s.window, statement.CreatedAt)},
			few{
				what: "one client by settled_date", start: afterTheDate, between: s.client.after,
				rows: mine(s.settled, statement.SettledDate),
			})
	}
	if f.OtherWalletID != "" {
		all = append(all, s.fewInOtherWallet())
	}
	if f.ProductID != "" && f.TargetUserID != "" {
		const one = "one client of the target user"
		all = append(all, few{what: "the target user", between: s.target.between, rows: s.targetRows},
			few{what: one, start: afterTheDate, end: noBound, between: s.target.from, rows: s.clientOfTarget},
			few{what: one, start: noBound, end: afterTheDate, between: s.target.until, rows: s.clientOfTarget})
	}
	return all
}
