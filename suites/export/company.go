package export

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
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
		q.label = label
		same := func(with control.Company) (*sheet, bool) {
			q.company = with
			sh, plain := s.take(l, q), l.sheet(base)
			return sh, sh.usable() == nil && plain.usable() == nil && len(plain.rows) > 0 && s.likened(sh, plain)
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
		for _, p := range wanted {
			sh, ok := same(append(slices.Clone(found.query.company), p))
			if ok {
				found = sh
				continue
			}
			if sh.usable() == nil {
				unlike = append(unlike, sh)
			}
			s.c.Drop("the window beside %s holds other rows, or is refused, so no rule about rows was judged by it",
				p.Name)
		}
		found.unlike = unlike
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
	return slices.DeleteFunc(slices.Clone(c), func(p control.Partner) bool { return strings.HasPrefix(p.Name, "no ") })
}

// partners are the names of all that stands beside a query.
func (q query) partners() (names []string) {
	for _, p := range q.company {
		if field, left := strings.CutPrefix(p.Name, "no "); !left || q.fields[field] != string(statement.SettledDate) {
			names = append(names, p.Name)
		}
	}
	for name := range q.header {
		names = append(names, name)
	}
	for _, field := range []string{"sort settled_date", "order asc", "filter_type client_id", "type_extension CSV"} {
		if name, value, _ := strings.Cut(field, " "); q.fields[name] == value && !slices.Contains(names, "no "+name) {
			names = append(names, field)
		}
	}
	return names
}

// alone finds the partner without which a comparison that found something wrong finds nothing wrong: it looks at the
// first of its exports again, without its company and then beside each partner. What no diagnosis is about may also be
// wrong for a type_extension, which nobody has to give.
func (s *Suite) alone(l look, o download, found Rows, find func(look) Rows) string {
	first, ok := l.sheetIfAny(o)
	if !ok {
		return ""
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
			return ""
		}
		if !still {
			for _, p := range company {
				if yes, known := wrong(control.Company{p}); yes && known {
					return "only with " + p.Name
				}
			}
			return company.Only()
		}
	}
	const extension = "type_extension"
	if value := first.query.fields[extension]; value != nil && found.Order+found.Shared != "" {
		if still, known := wrong(nil, extension); known && !still {
			return fmt.Sprintf("only with %s %s", extension, value)
		}
	}
	return ""
}

// few is an export of few rows, from the date of one, or just after it, until the date of another, or just after that.
type few struct {
	what    string
	between download
	rows    func(l look) (w *window, rows []statement.Quote, ok bool) // that the bounds are chosen from
	apart   bool                                                      // the diagnosis does not know the rows
	// whether the start, and the end, is just after the date of a row
	startAfter, endAfter bool
}

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
func (s *Suite) keepFew(after, start bool) {
	GinkgoHelper()
	bound := map[bool]string{true: "a start", false: "an end"}[start]
	bound += map[bool]string{true: " just after", false: " on"}[after]
	for _, f := range s.fewRows() {
		if start && f.startAfter != after || !start && f.endAfter != after {
			continue
		}
		s.holds(bound+" the date of a row of "+f.what, []download{f.between}, func(l look) Rows {
			s.base(l)
			w, rows, ok := f.rows(l)
			got, there := l.rowsIfAny(f.between)
			if !ok || !there || got.dated(w.key) != nil {
				return Rows{Export: "the export of " + f.what}
			}
			a := got.query.selection()
			if _, others := split(got.rows, a.client); a.client != "" && got.table.Has(statement.ClientID) &&
				len(others) > 0 {
				s.notOurs(l, Rows{Extra: others})
				l.unclear("the export of %s holds rows of other clients; see export.filter.client_id", f.what)
			}
			found := within("the export of "+f.what, got, rows, w.asked(got))
			atBound := func(q statement.Quote) bool {
				at, bound := q.Moment(w.key).Time, a.until
				if start {
					bound = a.from
				}
				if after { // farther rows say nothing about precision
					return near(&ground{w: w, at: bound}, q)
				}
				return start && !at.After(bound) || !start && !next(at, w.unit).Before(bound)
			}
			found.Missing, found.Extra = pick(found.Missing, atBound), common(pick(found.Extra, atBound), rows)
			if d, err := s.diagnosis.Get(l); f.apart && !found.Right() && err == nil && d.defect != nil {
				l.end(spec.Explained(d.defect.what, "the deployment %s, which may explain these rows; see %s",
					d.defect.what, strings.Join(d.defect.rules, " and ")))
			}
			return found
		})
	}
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
				what: "one client by settled_date", startAfter: true, between: s.client.after,
				rows: mine(s.settled, statement.SettledDate),
			})
	}
	if f.OtherWalletID != "" {
		all = append(all, s.fewInOtherWallet())
	}
	if f.ProductID != "" && f.TargetUserID != "" {
		all = append(all, few{what: "the target user", between: s.target.between, rows: s.targetRows}, few{
			what: "one client of the target user", startAfter: true, endAfter: true, between: s.target.client,
			rows: func(l look) (*window, []statement.Quote, bool) {
				w, rows, ok := s.targetRows(l)
				id, some := oneClientOf(rows)
				rows, _ = split(rows, id)
				return w, rows, ok && some
			},
		})
	}
	return all
}

// forTarget are exports for the target user.
type forTarget struct {
	window, between, settled, client, part download
}

func (s *Suite) declareTarget() {
	f := s.t.Deployment.Fixtures
	header := map[string]string{target.HeaderProduct: f.ProductID, target.HeaderTarget: f.TargetUserID}
	// The user to act for is read whatever the method of authentication, the language and the replay value.
	of := func(label string, partners []string, in control.Row,
		ask func(w *window, rows []statement.Quote) (target.Fields, bool),
	) download {
		return s.export(label+" for the target user", func(l look) query {
			w, rows, ok := s.targetRows(l)
			if ok {
				if fields, ok := ask(w, rows); ok {
					return query{fields: fields, header: header, company: s.partners(l, partners, in)}
				}
			}
			l.unmet("", "the export for the target user shows too few rows")
			return query{}
		})
	}
	s.target.window = s.follow("the window for the target user", func() query {
		return query{fields: s.spelled(statement.CreatedAt, 2, 1), header: header}
	})
	either := []string{target.HeaderLanguage, control.ReplayValue}
	s.target.between = of("rows between two dates", either, control.First,
		func(w *window, rows []statement.Quote) (target.Fields, bool) {
			from, until, ok := edges(rows, w.key)
			return bounded(w.key, from, until, w.unit).With("order", "asc"), ok
		})
	s.target.settled = of("rows between two settled dates", []string{"x-api-key"}, control.Plain,
		func(w *window, rows []statement.Quote) (target.Fields, bool) {
			from, until, ok := edges(rows, statement.SettledDate)
			unit := w.table.Precision(statement.SettledDate)
			return bounded(statement.SettledDate, from, until, unit).With("order", "asc"), ok &&
				w.legible(statement.SettledDate) == nil
		})
	s.target.client = of("the rows of one client", either, control.Second,
		func(w *window, rows []statement.Quote) (target.Fields, bool) {
			id, some := oneClientOf(rows)
			mine, _ := split(rows, id)
			from, until, ok := edges(mine, w.key)
			return clientFilter(bounded(w.key, next(from, w.unit), next(until, w.unit), w.unit), id), some && ok
		})
	s.target.part = of("the rows of a part of a client's ID", either, control.Second,
		func(_ *window, rows []statement.Quote) (target.Fields, bool) {
			part, ok := partOfClient(rows)
			return clientFilter(s.whole(statement.CreatedAt), part), ok
		})
}

// partners are those of some names as company, where the window is the same beside them: of a row, or of any.
func (s *Suite) partners(l look, names []string, in control.Row) (found control.Company) {
	for _, r := range []control.Row{control.First, control.Second} {
		if in != control.Plain && r != in {
			continue
		}
		for _, p := range s.company(l, r) {
			if name, _, _ := strings.Cut(p.Name, " "); slices.Contains(names, name) {
				found = append(found, p)
			}
		}
	}
	return found
}

// targetRows are the rows of the window for the target user, where they can be had.
func (s *Suite) targetRows(l look) (*window, []statement.Quote, bool) {
	sh, ok := l.rowsIfAny(s.target.window)
	bounds := s.extent()
	if !ok || bounds == nil || sh.legible(statement.CreatedAt) != nil || len(sh.rows) == 0 {
		return nil, nil, false
	}
	if len(common(sh.rows, s.knownTheirs(l))) > 0 {
		return nil, nil, false // rows of somebody else are export.target.rows
	}
	return sh.in(bounds, statement.CreatedAt), sh.rows, true
}

// oneClientOf is a client that some of the rows are of, and others are not.
func oneClientOf(rows []statement.Quote) (string, bool) {
	i := slices.IndexFunc(rows, func(q statement.Quote) bool { return q.Client != "" && q.Client != rows[0].Client })
	if i < 0 || rows[0].Client == "" {
		return "", false
	}
	return rows[0].Client, true
}

// partOfClient is what the client's ID begins with, and no other is.
func partOfClient(rows []statement.Quote) (string, bool) {
	id, ok := oneClientOf(rows)
	if !ok {
		return "", false
	}
	for _, part := range prefixesOf(id) {
		if namesake, _ := split(rows, part); len(namesake) == 0 {
			return part, true
		}
	}
	return "", false
}

// forTargetUser declares the spec that an export for the target user holds what it should; what cannot be had of it
// says nothing, but for a refusal of what the window for that user is not refused for.
func (s *Suite) forTargetUser(name string, o download, find func(w *window, rows []statement.Quote, got *sheet) Rows) {
	GinkgoHelper()
	if f := s.t.Deployment.Fixtures; f.ProductID == "" || f.TargetUserID == "" {
		return
	}
	s.holds(name, []download{o}, func(l look) Rows {
		base := s.base(l)
		nothing := Rows{Export: "the export for the target user", Should: "rows, as the window for that user does"}
		w, rows, ok := s.targetRows(l)
		sh, asked := l.sheetIfAny(o)
		if ok && asked && sh.denied() && o != s.target.part { // a text may be no client's
			l.end(sh.variation)
			nothing.Export, nothing.Refused = "the export of "+sh.query.label, target.Describe(sh.answer)
		}
		got, there := l.rowsIfAny(o)
		if !ok || !there {
			return nothing
		}
		found := find(w, rows, got)
		callers := beyond(common(got.rows, base.rows), rows)
		if !found.Right() && len(callers) > 0 && len(beyond(found.Extra, callers)) == 0 {
			found.Extra, found.Strange = callers, "row of the caller instead"
		}
		return found
	})
}
