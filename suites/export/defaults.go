package export

import (
	"fmt"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// defaults: what an export that leaves out sort or order is the same as, whatever else its body holds, or does not.
func (s *Suite) defaults() {
	const created, settled = statement.CreatedAt, statement.SettledDate
	filtered := s.t.Deployment.Fixtures.ClientID != ""
	omit := func(label string, sort statement.Key, in control.Row, names ...string) download {
		return s.export(label, func(l look) query {
			s.fetchable(l)
			return query{fields: s.whole(sort).Without(names...), company: s.company(l, in)}
		})
	}
	neither := omit("the window without sort and order", created, control.Plain, "sort", "order")
	const without = "the export without sort and order"

	s.Describe("defaults", func() {
		s.Rule("export.default.sort", Must, ExportOperation, "A sort that is left out defaults to quote_created_at.",
			func() {
				byCreated := alternative{s.window, created, "by quote_created_at"}
				bySettled := alternative{s.settled, settled, "by settled_date"}
				for _, in := range []control.Row{control.First, control.Second} {
					name := "sort left out beside " + optional(in)
					label := "the window without sort, asc, beside " + optional(in)
					noSort := spec.Observe(s.Plan, label, act(func(l look) *sheet {
						s.fetchable(l)
						if twin := l.sheet(s.windowAsc); in == control.First && twin.query.company.Has("no sort") {
							return twin // which is such an export
						}
						return s.take(l, query{
							label: label, fields: s.whole(created).With("order", "asc").Without("sort"),
							company: s.company(l, in),
						})
					}))
					s.sameFile(name, "the export without sort, asc", noSort, false,
						alternative{s.windowAsc, created, "by quote_created_at, asc"},
						alternative{s.settledAsc, settled, "by settled_date, asc"})
				}
				s.sameFile("sort and order left out", without, neither, false, byCreated, bySettled)
				const sorted = "rows sorted by quote_created_at, one way or the other"
				byDate := func(rows []statement.Quote) string { return unsorted(rows, created) }
				if filtered && s.t.Deployment.Fixtures.OtherWalletID != "" {
					s.defaultInOtherWallet("sort", sorted, byDate)
				}
				s.defaultForTarget("sort", sorted, func(w *window, mine []statement.Quote, got *sheet) (found Rows) {
					if s.sortedOtherwise(w, mine, got) {
						found = within("", got, mine, w.asked(got))
					}
					found.Order = unsorted(got.rows, created)
					return found
				})
				s.bareOrder("an empty object", s.bare.object, sorted, byDate)
				s.bareOrder("nothing but order asc", s.bare.asc, sorted, byDate)
				if filtered {
					s.holds("sort and order left out beside a client filter",
						[]download{s.client.bare, s.client.window, s.window}, func(l look) Rows {
							const should = "the rows of the same export with sort quote_created_at"
							explicit, got := s.bareClient(l, should)
							found := equal(bareExport, should, got.rows, explicit.rows)
							found.Order = unsorted(got.rows, created)
							return found
						})
				}
			})

		s.Rule("export.default.order", Must, ExportOperation, "An order that is left out defaults to desc.", func() {
			s.sameFile("order left out", "the export without order",
				omit("the window without order", created, control.Second, "order"), true,
				alternative{s.window, created, "with desc"}, alternative{s.windowAsc, created, "with asc"})
			s.sameFile("order left out by settled_date", "the export by settled_date without order",
				omit("the window by settled_date without order", settled, control.First, "order"), true,
				alternative{s.settled, settled, "by settled_date with desc"},
				alternative{s.settledAsc, settled, "by settled_date with asc"})
			s.holds("sort and order left out", []download{neither, s.window, s.windowAsc, s.settled},
				func(l look) Rows { return s.fallingOrder(l, without, neither) })
			s.defaultForTarget("order", "rows that fall", func(w *window, mine []statement.Quote, got *sheet) (found Rows) {
				if !s.sortedOtherwise(w, mine, got) && unsorted(got.rows, created) == "" {
					found.Order = Disorder(got.rows, created, false)
				}
				return found // which date is meant is the other rule
			})
			s.bareOrder("an empty object", s.bare.object, "rows that fall", func(rows []statement.Quote) string {
				if countDates(rows, settled) > 1 && Disorder(rows, settled, false) == "" {
					return "" // which date is meant is the other rule
				}
				return Disorder(rows, created, false)
			})
			if filtered {
				s.holds("sort and order left out beside a client filter",
					[]download{s.client.bare, s.client.window, s.settled, s.window}, s.bareClientOrder)
			}
			if filtered && s.t.Deployment.Fixtures.OtherWalletID != "" {
				s.defaultInOtherWallet("sort and order", "rows that fall", func(rows []statement.Quote) string {
					if unsorted(rows, created) != "" {
						return "" // which date is meant is the other rule
					}
					return Disorder(rows, created, false)
				})
			}
		})
	})
}

// alternative is a file that an export without sort or order may be the same as.
type alternative struct {
	seen download
	key  statement.Key
	as   string
}

// sameFile declares the spec that an export is the same as another. Where that one is the same as the other
// alternative, nothing can be said.
func (s *Suite) sameFile(name, export string, o download, ordered bool, same, other alternative) {
	spec.Helper()
	should := "the file of the export " + same.as
	s.holds(name, []download{o, same.seen, other.seen}, func(l look) Rows {
		w, got := s.rowsOf(l, same.seen, same.key), l.accepted(o, export, should)
		against := l.rows(other.seen)
		l.differ(w.sheet, against, same.key, other.key)
		found := equal(export, should, got.rows, w.rows)
		if len(got.query.company) > 0 && !found.Right() && !statement.SameRows(got.rows, against.rows) {
			return moot("%s matches neither file; what other headers and fields select is judged by other rules", export)
		}
		// Rows that are not in the order that was asked for are another rule's matter, and ties may stand in any order.
		switch asked := Disorder(w.rows, w.key, w.query.fields["order"] == "asc"); {
		case asked != "" || !found.Right():
		case !ordered:
			found.Order = unsorted(got.rows, w.key) // which way is the other default's
		case !SameSequence(got.rows, w.rows, w.key):
			found.Order = disorder(got.rows, w.key)
			for _, o := range []download{s.cuts.from[onRow], s.cuts.until[onRow]} {
				part, ok := l.rowsIfAny(o)
				l.unclearIf(ok && Disorder(part.rows, statement.CreatedAt, false) != "",
					"not even rows requested with desc are in falling order; see %s", spec.Ref("export.order.desc"))
			}
		}
		return found
	})
}

// differ ends the act where two exports gave the same file, so that none other can be said to be either. The window is
// to blame for that only where both files are sorted as they were asked for.
func (l look) differ(a, b *sheet, of, ofOther statement.Key) {
	if !statement.SameRows(a.rows, b.rows) || !SameSequence(a.rows, b.rows, of) {
		return
	}
	l.end(a.legible(of))
	for _, one := range []struct {
		*sheet
		key statement.Key
	}{{a, of}, {b, ofOther}} {
		order := one.query.fields["order"]
		l.unclearIf(Disorder(one.rows, one.key, order == "asc") != "",
			"%s and %s gave the same file, so they cannot show which is the default; see %s",
			a.query.label, b.query.label, spec.Ref(fmt.Sprint("export.order.", order)))
	}
	l.unmet("fixtures.window", "%s and %s gave the same file, so they cannot show which is the default",
		a.query.label, b.query.label)
}

// fallingOrder compares the order of an export with the falling one of the sort whose rows it holds: which sort is
// the default is the other rule.
func (s *Suite) fallingOrder(l look, export string, o download) Rows {
	const should = "the rows in the order of desc"
	w, got := s.base(l), l.accepted(o, export, should)
	rising := s.rowsOf(l, s.windowAsc, statement.CreatedAt)
	l.differ(w.sheet, rising.sheet, w.key, w.key)
	key, falling := w.key, w.rows
	if other, ok := l.rowsIfAny(s.settled); ok &&
		statement.SameRows(got.rows, other.rows) && !statement.SameRows(got.rows, w.rows) {
		key, falling = statement.SettledDate, other.rows
	}
	l.unclearIf(!statement.SameRows(got.rows, falling),
		"the export without sort and order holds other rows than either sort, so its order cannot be compared")
	found := Rows{Export: export, Should: should, Held: len(got.rows)}
	if !SameSequence(got.rows, falling, key) {
		found.Order = disorder(got.rows, key)
	}
	return found
}

// disorder says how rows that should fall do not.
func disorder(rows []statement.Quote, key statement.Key) string {
	if text := Disorder(rows, key, false); text != "" {
		return text
	}
	return "the same rows in another order"
}

// bareOrder declares the spec that an export without bounds is sorted as it should. What cannot be had of its file says
// nothing about its order: how long such a file takes is not documented.
func (s *Suite) bareOrder(name string, o download, should string, disorder func(rows []statement.Quote) string) {
	spec.Helper()
	s.holds(name, []download{o, s.window}, func(l look) Rows {
		s.ordersAsAsked(l)
		if sh, err := o.Get(l); o != s.bare.object && (err != nil || sh.foreign()) {
			return moot("this export gave no CSV file; that of an empty object is enough")
		}
		got := unbounded(l, o)
		l.end(got.legible(statement.CreatedAt))
		l.unmetIf(countDates(got.rows, statement.CreatedAt) < 2,
			"", "the file of %s shows fewer than two dates of quote_created_at", got.query.label)
		return Rows{
			Export: "the export of " + got.query.label, Should: should, Held: len(got.rows), Order: disorder(got.rows),
		}
	})
}

// ordersAsAsked ends the act where no default can be read from the order of rows: not even rows that are asked for in
// an order come in it.
func (s *Suite) ordersAsAsked(l look) {
	if w := s.base(l); Disorder(w.rows, w.key, false) != "" {
		l.unclear("rows requested with desc are not in falling order either; see %s", spec.Ref("export.order.desc"))
	}
}

const bareExport = "the export of one client without sort and order"

// bareClient waits for the export of one client without sort and order, and for the one that names both.
func (s *Suite) bareClient(l look, should string) (explicit, got *sheet) {
	s.ordersAsAsked(l)
	if explicit = l.rows(s.client.window); len(explicit.rows) == 0 {
		l.unmet("fixtures.client_id", "the window holds no row of this client")
	}
	l.unclearIf(explicit.table.Has(statement.ClientID) && overfull(explicit),
		"the export of one client with sort and order holds rows of other clients; see %s", spec.Ref("export.filter.client_id"))
	return explicit, l.accepted(s.client.bare, bareExport, should)
}

func (s *Suite) bareClientOrder(l look) Rows {
	const should = "the rows in the order of desc"
	explicit, got := s.bareClient(l, should)
	l.unclearIf(Disorder(explicit.rows, statement.CreatedAt, false) != "",
		"one client's rows requested with desc are not in falling order either; see %s", spec.Ref("export.order.desc"))
	key := statement.CreatedAt
	if other, ok := l.rowsIfAny(s.settled); ok && !statement.SameRows(got.rows, explicit.rows) {
		if mine, _ := split(other.rows, s.client.id); statement.SameRows(got.rows, mine) {
			key = statement.SettledDate // the other default's
		}
	}
	return Rows{Export: bareExport, Should: should, Held: len(got.rows), Order: Disorder(got.rows, key, false)}
}

// unsorted says how rows are sorted by another date, or by none: in neither order of this one.
func unsorted(rows []statement.Quote, key statement.Key) string {
	if Disorder(rows, key, true) == "" {
		return ""
	}
	return Disorder(rows, key, false)
}
