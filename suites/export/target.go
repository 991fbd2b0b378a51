package export

import (
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// forTarget are exports for the target user.
type forTarget struct {
	window, between, settled, part download

	until, from download // of one client: together all that there is, but for what sort and order the second has
}

func (s *Suite) targetHeader() map[string]string {
	f := s.t.Deployment.Fixtures
	return map[string]string{target.HeaderProduct: f.ProductID, target.HeaderTarget: f.TargetUserID}
}

// eitherRow names partners of both rows that say nothing about whose rows there are.
func eitherRow() []string { return []string{target.HeaderLanguage, control.ReplayValue} }

func (s *Suite) declareTarget() {
	header := s.targetHeader()
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
	s.declareOwnBounds()
	s.target.window = s.follow("the window for the target user", func() query {
		return query{fields: s.spelled(statement.CreatedAt, 2, 1), header: header}
	})
	either := eitherRow()
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
			if slices.Contains(names, p.Factor) {
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

// clientOfTarget are the target user's rows of one client.
func (s *Suite) clientOfTarget(l look) (*window, []statement.Quote, bool) {
	w, rows, ok := s.targetRows(l)
	id, some := oneClientOf(rows)
	rows, _ = split(rows, id)
	return w, rows, ok && some
}

// oneClientOf is a client that some of the rows are of, and others are not.
func oneClientOf(rows []statement.Quote) (string, bool) {
	known := pick(rows, func(q statement.Quote) bool { return q.Client != "" })
	if !slices.ContainsFunc(known, func(q statement.Quote) bool { return q.Client != known[0].Client }) {
		return "", false
	}
	return known[0].Client, true
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
	spec.Helper()
	if f := s.t.Deployment.Fixtures; f.ProductID == "" || f.TargetUserID == "" {
		return
	}
	s.holds(name, []download{o}, func(l look) Rows {
		base := s.base(l)
		w, rows, ok := s.targetRows(l)
		sh, asked := l.sheetIfAny(o)
		if ok && asked && sh.denied() && o != s.target.part { // a text may be no client's
			l.end(sh.variation)
			return Rows{
				Export: "the export of " + sh.query.label, Should: "rows, as the window for that user does",
				Refused: target.Describe(sh.answer),
			}
		}
		got, there := l.rowsIfAny(o)
		if !ok || !there {
			return moot("no rows of the target user could be had; see %s", spec.Ref("export.target.rows"))
		}
		mine := rows
		if a := got.query.selection(); a.client != "" {
			mine, _ = split(rows, a.client)
		}
		if s.sortedOtherwise(w, mine, got) {
			return moot("its bounds select by settled_date; see %s", spec.Ref("export.default.sort"))
		}
		found := find(w, rows, got)
		if a := got.query.selection(); name != ownStart && name != ownEnd && a.from.IsZero() != a.until.IsZero() {
			s.rightAlone(l, found, s.oneBound)
		}
		callers := beyond(common(got.rows, base.rows), rows)
		if !found.Right() && len(callers) > 0 && len(beyond(found.Extra, callers)) == 0 {
			found.Extra, found.Strange = callers, "row of the caller instead"
		}
		return found
	})
}

// targetUsers: whose quotes an export for another user of the product holds, and one for nobody else. Quotes that both
// exports show are somebody's by their wallet: in the caller's default wallet they are the caller's.
func (s *Suite) targetUsers() {
	named := s.target.window
	s.Describe("target user", func() {
		needs := spec.Needs("fixtures.product_id", "fixtures.target_user_id", "credentials.other_user")
		s.Group(spec.Security, needs, func() {
			s.Rule("export.target.rows", Must, ExportOperation,
				"Quotes exported for a target user are that user's, and nobody else's.", func() {
					if s.t.Deployment.Fixtures.OtherWalletID != "" {
						s.Uses(s.inOtherWallet())
					}
					s.holds("the export for the target user", []download{named, s.theirs, s.window}, func(l look) Rows {
						w, got := s.base(l), l.rows(named)
						l.unmetIf(len(got.rows) == 0,
							"fixtures.target_user_id", "the target user has no quote in the window")
						callers, _ := s.ownedOf(common(w.rows, got.rows))
						if len(callers) == len(got.rows) {
							return s.callersAlone(l, callers)
						}
						callers = append(callers, s.ofOtherWallet(l, got.rows)...)
						return s.leakedOf(l, "the export for the target user", named, named, callers)
					})
					s.noneOfCallers("between two dates", s.target.between)
					s.noneOfCallers("by settled_date", s.target.settled)
					s.noneOfCallers("of one client until one of its rows", s.target.until)
					s.noneOfCallers("of one client from one of its rows on", s.target.from)
					s.noneOfCallers("of a part of a client's ID", s.target.part)
				})

			s.Rule("export.target.own_rows", Must, ExportOperation,
				"Quotes exported without a target user are the caller's, and nobody else's.", func() {
					for _, r := range control.Accompanied(client.File) {
						own := s.ofProduct(r)
						s.holds("the export of the product beside "+optional(r),
							[]download{own, named, s.theirs, s.window}, func(l look) Rows {
								s.base(l)
								l.rows(own)
								_, strange := s.ownedOf(l.rows(named).rows)
								found := s.leakedOf(l, "the export of the product without a target user", own, named,
									strange)
								rising, ok := l.rowsIfAny(s.settledAsc)
								l.unclearIf(ok && r == control.First && len(common(found.Extra, rising.rows)) > 0,
									"an export without a product holds them as well; see %s", spec.Ref("export.isolation"))
								return found
							})
					}
					s.noneByKey()
					s.noneByWallet()
				})
		})
	})
}

// callersAlone is for a target user whose export holds the caller's default wallet and nothing else. The document lets
// that wallet stand in where none is named, and users may share one; but a deployment that gives the same rows for a
// user whom nobody knows does not read whom an export is for.
func (s *Suite) callersAlone(l look, callers []statement.Quote) Rows {
	header := s.targetHeader()
	header[target.HeaderTarget] = target.UUID()
	sh := s.take(l, query{
		label: "the window for a target user who does not exist", fields: s.spelled(statement.CreatedAt, 2, 1),
		header: header,
	})
	l.unclearIf(sh.usable() != nil || !statement.SameRows(sh.rows, callers),
		"the export for the target user holds the caller's quotes and nothing else: either the two share a wallet, or the "+
			"caller's default one stands in where none is named, or the deployment gives the caller's quotes to anyone "+
			"who acts for another user; choose a user with quotes of its own (fixtures.target_user_id)")
	return Rows{
		Export: "the export for the target user, and for one who does not exist", Held: len(callers),
		Should: "a refusal, or rows of another user than the caller", Strange: "row of the caller", Extra: callers,
	}
}

// noneOfCallers declares the spec that an export for the target user holds none of the caller's quotes, where the
// window for that user does not either.
func (s *Suite) noneOfCallers(what string, o download) {
	spec.Helper()
	s.holds("the export for the target user "+what, []download{o, s.target.window, s.window}, func(l look) Rows {
		found := Rows{
			Export: "the export for the target user " + what, Should: "no row of the caller",
			Strange: "row of the caller",
		}
		w := s.base(l)
		_, rows, ok := s.targetRows(l)
		if got, there := l.rowsIfAny(o); ok && there && len(common(w.rows, rows)) == 0 {
			found.Held = got.held()
			found.Extra = common(got.rows, w.rows)
		}
		return found
	})
}

// leakedOf finds the rows of an export that are the other user's, or among others that are not the export's. Where the
// caller and the target user see the same quotes and no wallet shows whose they are, nothing can be said: users of one
// legal person may share them.
func (s *Suite) leakedOf(l look, export string, o, named download, others []statement.Quote) Rows {
	w := s.base(l)
	theirs := s.apart(l, l.rows(s.theirs), w)
	l.unmetIf(len(theirs) == 0, "credentials.other_user", "the other user has no quote in the window")
	found := leaked(l, export, o, slices.Concat(theirs, others))
	shared := common(w.rows, l.rows(named).rows)
	if own, strange := s.ownedOf(shared); found.Right() && len(own)+len(strange) < len(shared) {
		l.unmet("fixtures.target_user_id",
			"the caller and the target user see the same quotes, and no wallet that the "+
				"file shows says whose they are; choose a user with quotes of its own")
	}
	return found
}

// ownedOf parts rows by the wallet that they show: those in the caller's default wallet, and those in another one.
func (s *Suite) ownedOf(rows []statement.Quote) (own, strange []statement.Quote) {
	wallet := s.t.Deployment.Fixtures.DefaultWalletID
	if wallet == "" {
		return nil, nil
	}
	return divide(pick(rows, showsWallet), inWallet(wallet))
}

// ofOtherWallet returns those of a target user's rows that are the caller's: both their wallet and an export of it say
// that they are in the caller's other one. Where all are, the user may share it.
func (s *Suite) ofOtherWallet(l look, rows []statement.Quote) []statement.Quote {
	other := s.t.Deployment.Fixtures.OtherWalletID
	if other == "" {
		return nil
	}
	sh, ok := l.rowsIfAny(s.inOtherWallet())
	if !ok {
		return nil
	}
	found := pick(common(rows, sh.rows), inWallet(other))
	if len(found) == len(rows) {
		return nil
	}
	return found
}
