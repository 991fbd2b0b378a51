package export

import (
	. "github.com/onsi/ginkgo/v2"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// enoughOfEverything is how much is read of a file that no bound keeps small: its first rows show how it is sorted.
const enoughOfEverything = 2 << 20

// defaults: what an export that leaves out sort or order is the same as, whatever else its body holds, or does not.
func (s *Suite) defaults() {
	const created, settled = statement.CreatedAt, statement.SettledDate
	omit := func(label string, sort statement.Key, names ...string) download {
		return s.follow(label, func(look) query {
			f := s.whole(sort)
			for _, name := range names {
				delete(f, name)
			}
			return query{fields: f}
		})
	}

	Describe("defaults", func() {
		s.Rule("export.default.sort", Must, ExportOperation, "Without sort the file is the one of quote_created_at.", func() {
			noSort, neither := omit("the window without sort", created, "sort"), s.neither(omit)
			byCreated := alternative{s.window, created, "by quote_created_at"}
			bySettled := alternative{s.settled, settled, "by settled_date"}
			s.holds("sort left out", []download{noSort, s.window, s.settled}, func(l look) Rows {
				return s.sameFile(l, "the export without sort", noSort, byCreated, bySettled)
			})
			s.holds("sort and order left out", []download{neither, s.window, s.settled}, func(l look) Rows {
				found := s.sameFile(l, "the export without sort and order", neither, byCreated, bySettled)
				found.Order = "" // the other default's
				return found
			})
			everything := s.everything()
			s.holds("an empty object", []download{everything, s.window}, func(l look) Rows {
				got := s.sortable(l, everything)
				return Rows{
					Export: "the export of " + got.query.label, Should: "rows sorted by quote_created_at, one way or the other",
					Held: len(got.rows), Order: unsorted(got.rows, created),
				}
			})
			if s.t.Deployment.Fixtures.ClientID != "" {
				s.holds("sort and order left out beside a client filter", []download{s.client.bare, s.client.window, s.window},
					func(l look) Rows {
						found, got, explicit := s.bareClient(l, "the rows of the same export with sort quote_created_at")
						if found.Refused == "" {
							found.Missing = statement.Difference(explicit.rows, got.rows)
							found.Extra = statement.Difference(got.rows, explicit.rows)
							found.Order = unsorted(got.rows, created)
						}
						return found
					})
			}
		})

		s.Rule("export.default.order", Must, ExportOperation, "Without order the file is the one of desc.", func() {
			noOrder, neither := omit("the window without order", created, "order"), s.neither(omit)
			s.holds("order left out", []download{noOrder, s.window, s.windowAsc}, func(l look) Rows {
				return s.sameFile(l, "the export without order", noOrder,
					alternative{s.window, created, "with desc"}, alternative{s.windowAsc, created, "with asc"})
			})
			bySettled := omit("the window by settled_date without order", settled, "order")
			s.holds("order left out by settled_date", []download{bySettled, s.settled, s.settledAsc}, func(l look) Rows {
				return s.sameFile(l, "the export by settled_date without order", bySettled,
					alternative{s.settled, settled, "by settled_date with desc"},
					alternative{s.settledAsc, settled, "by settled_date with asc"})
			})
			s.holds("sort and order left out", []download{neither, s.window, s.windowAsc, s.settled}, func(l look) Rows {
				return s.fallingOrder(l, "the export without sort and order", neither)
			})
			everything := s.everything()
			s.holds("an empty object", []download{everything, s.window}, func(l look) Rows {
				got := s.sortable(l, everything)
				found := Rows{Export: "the export of " + got.query.label, Should: "rows that fall", Held: len(got.rows)}
				if !fallsBy(got.rows, settled) { // which date is meant is the other rule
					found.Order = Disorder(got.rows, created, false)
				}
				return found
			})
			if s.t.Deployment.Fixtures.ClientID != "" {
				s.holds("sort and order left out beside a client filter",
					[]download{s.client.bare, s.client.window, s.client.settled, s.window}, s.bareClientOrder)
			}
		})
	})
}

func (s *Suite) neither(omit func(string, statement.Key, ...string) download) download {
	return omit("the window without sort and order", statement.CreatedAt, "sort", "order")
}

// alternative is a file that an export without sort or order may be the same as.
type alternative struct {
	seen download
	key  statement.Key
	as   string
}

// sameFile compares an export with the one that it should be the same as. Where that one is the same as the other
// alternative, nothing can be said.
func (s *Suite) sameFile(l look, export string, o download, same, other alternative) Rows {
	w, got := s.rowsOf(l, same.seen, same.key), l.sheet(o)
	should := "the file of the export " + same.as
	if got.refused {
		return notAccepted(export, should, got)
	}
	l.end(got.usable())
	against := l.rows(other.seen)
	if statement.SameRows(w.rows, against.rows) && SameSequence(w.rows, against.rows, w.key) {
		l.end(w.legible(w.key))
		l.unmet("fixtures.window", "the exports %s and %s are the same, so they cannot show which is the default",
			same.as, other.as)
	}
	found := equal(export, should, got.rows, w.rows)
	if found.Right() && !SameSequence(got.rows, w.rows, w.key) { // ties may stand in any order
		found.Order = disorder(got.rows, w.key)
	}
	return found
}

// fallingOrder compares the order of an export with the falling one of the sort whose rows it holds: which sort is
// the default is the other rule.
func (s *Suite) fallingOrder(l look, export string, o download) Rows {
	const should = "the rows in the order of desc"
	w, got := s.base(l), l.sheet(o)
	if got.refused {
		return notAccepted(export, should, got)
	}
	l.end(got.usable())
	rising := s.rowsOf(l, s.windowAsc, statement.CreatedAt)
	l.end(w.legible(w.key))
	if SameSequence(w.rows, rising.rows, w.key) {
		l.unmet("fixtures.window", "asc and desc give the same file, so they cannot show which is the default")
	}
	key, falling := w.key, w.rows
	if other, ok := l.rowsIfAny(s.settled); ok &&
		statement.SameRows(got.rows, other.rows) && !statement.SameRows(got.rows, w.rows) {
		key, falling = statement.SettledDate, other.rows
	}
	if !statement.SameRows(got.rows, falling) {
		l.unclear("the export without sort and order holds other rows than either sort, so its order cannot be compared")
	}
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

// everything is the export of an empty object that was seen accepted, with the beginning of its file. Which format
// comes without a type_extension is not documented: where it is not CSV, an export that asks for CSV and nothing else
// serves.
func (s *Suite) everything() download {
	s.Uses(s.emptyObject)
	finish := func(l look, a attempt, label string) *sheet {
		answer, err := a.Get(l)
		l.end(err)
		q := query{label: label, as: s.t.Deployment.Credentials.Main(), most: enoughOfEverything}
		sh, err := s.finish(l, q, answer.Exchange)
		l.end(err)
		return sh
	}
	return spec.Observe(s.Plan, "the file of an empty object", act(func(l look) *sheet {
		if first := l.sheet(s.window); first.refused || first.fault != nil {
			l.end(first.usable())
		}
		sh := finish(l, s.emptyObject, "an empty object")
		if sh.foreign() {
			sh = finish(l, s.formatAlone, "nothing but type_extension CSV")
		}
		return sh
	}))
}

// sortable waits for the file of an empty object. What cannot be had of it says nothing about its order: how long
// such a file takes is not documented.
func (s *Suite) sortable(l look, o download) *sheet {
	s.ordersAsAsked(l)
	got := l.sheet(o)
	if got.fault != nil {
		l.unmet("", "the file of %s could not be fetched, and may be too large: %s", got.query.label, got.fault.Error())
	}
	l.end(got.legible(statement.CreatedAt))
	if countDates(got.rows, statement.CreatedAt) < 2 {
		l.unmet("", "the file of %s shows fewer than two dates of quote_created_at", got.query.label)
	}
	return got
}

// ordersAsAsked ends the act where no default can be read from the order of rows: not even rows that are asked for in
// an order come in it.
func (s *Suite) ordersAsAsked(l look) {
	if w := s.base(l); Disorder(w.rows, w.key, false) != "" {
		l.unclear("the rows that are asked for with desc are in no falling order either; see export.order.desc")
	}
}

// bareClient waits for the export of one client without sort and order, whose rows are left to compare, and for the
// one that names both.
func (s *Suite) bareClient(l look, should string) (found Rows, got, explicit *sheet) {
	const export = "the export of one client without sort and order"
	s.ordersAsAsked(l)
	if explicit = l.rows(s.client.window); len(explicit.rows) == 0 {
		l.unmet("fixtures.client_id", "the window holds no row of this client")
	}
	if got = l.sheet(s.client.bare); got.refused {
		return notAccepted(export, should, got), got, explicit
	}
	l.end(got.usable())
	return Rows{Export: export, Should: should, Held: len(got.rows)}, got, explicit
}

func (s *Suite) bareClientOrder(l look) Rows {
	found, got, explicit := s.bareClient(l, "the rows in the order of desc")
	if found.Refused != "" {
		return found
	}
	if Disorder(explicit.rows, statement.CreatedAt, false) != "" {
		l.unclear("the rows of one client that are asked for with desc are in no falling order either; see export.order.desc")
	}
	key := statement.CreatedAt
	if other, ok := l.rowsIfAny(s.client.settled); ok &&
		!statement.SameRows(got.rows, explicit.rows) && statement.SameRows(got.rows, other.rows) {
		key = statement.SettledDate // the other default's
	}
	found.Order = Disorder(got.rows, key, false)
	return found
}

// fallsBy reports rows of at least two dates in falling order.
func fallsBy(rows []statement.Quote, key statement.Key) bool {
	return countDates(rows, key) > 1 && Disorder(rows, key, false) == ""
}

// unsorted says how rows are sorted by another date, or by none: in neither order of this one.
func unsorted(rows []statement.Quote, key statement.Key) string {
	if Disorder(rows, key, true) == "" {
		return ""
	}
	return Disorder(rows, key, false)
}
