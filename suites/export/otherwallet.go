package export

import (
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// What bounds, sort, order and filter mean does not depend on the wallet.

// inOtherWallet is the window of another wallet.
func (s *Suite) inOtherWallet() download {
	return s.export("the window of another wallet", func(l look) query {
		s.fetchable(l)
		header := map[string]string{target.HeaderWallet: s.t.Deployment.Fixtures.OtherWalletID}
		return query{
			fields: s.spelled(statement.CreatedAt, 0, 1), header: header, company: s.company(l, control.Second),
		}
	})
}

// settledInOtherWallet is the same by the other sort and in the other order.
func (s *Suite) settledInOtherWallet() download {
	return s.export("the window of another wallet by settled_date, asc", func(l look) query {
		s.fetchable(l)
		return query{
			fields:  s.spelled(statement.SettledDate, 1, 1).With("order", "asc"),
			header:  map[string]string{target.HeaderWallet: s.t.Deployment.Fixtures.OtherWalletID},
			company: s.company(l, control.First),
		}
	})
}

// clientInOtherWallet is one client's part of the window of another wallet, without sort and order.
func (s *Suite) clientInOtherWallet() download {
	f := s.t.Deployment.Fixtures
	return s.follow("one client in another wallet, without sort and order", func() query {
		fields := clientFilter(s.spelled(statement.CreatedAt, 0, 1), f.ClientID).Without("sort", "order")
		return query{fields: fields, header: map[string]string{target.HeaderWallet: f.OtherWalletID}}
	})
}

// defaultInOtherWallet declares the spec that a default is the same in another wallet. What filters and wallets keep is
// judged by other rules: where they keep other rows, nothing is said.
func (s *Suite) defaultInOtherWallet(left, should string, wrong func(rows []statement.Quote) string) {
	spec.Helper()
	o := s.clientInOtherWallet()
	exports := []download{o, s.inOtherWallet(), s.client.window, s.window}
	s.holds(left+" left out in another wallet", exports, func(l look) Rows {
		found := Rows{Export: "the export of one client in another wallet without sort and order", Should: should}
		all, got, ok := s.clientOfOtherWallet(l)
		ours, known := l.rowsIfAny(s.client.window)
		if !ok || Disorder(all.rows, statement.CreatedAt, false) != "" ||
			known && Disorder(ours.rows, statement.CreatedAt, false) != "" {
			return found
		}
		if _, others := split(got.rows, s.client.id); len(others) == 0 {
			found.Held, found.Order = len(got.rows), wrong(got.rows)
		}
		return found
	})
}

// clientOfOtherWallet is the window of another wallet and one client's part of it; false where they say nothing, as
// the wallet is not selected or no column shows the client.
func (s *Suite) clientOfOtherWallet(l look) (all, got *sheet, ok bool) {
	w := s.base(l)
	all, known := l.rowsIfAny(s.inOtherWallet())
	got, ok = l.rowsIfAny(s.clientInOtherWallet())
	return all, got, ok && known && len(common(all.rows, w.rows)) == 0 && all.table.Has(statement.ClientID) &&
		got.table.Has(statement.ClientID)
}

// filteredInOtherWallet declares the spec that the filter keeps out other clients of another wallet, too.
func (s *Suite) filteredInOtherWallet() {
	spec.Helper()
	o := s.clientInOtherWallet()
	s.holds("the rows of one client in another wallet", []download{o, s.inOtherWallet(), s.window}, func(l look) Rows {
		found := Rows{
			Export: "the export of one client in another wallet", Should: "no other client's rows",
			Strange: "row of another client",
		}
		if all, got, ok := s.clientOfOtherWallet(l); ok {
			_, others := split(got.rows, s.client.id)
			found.Held, found.Extra = len(got.rows), common(others, all.rows)
		}
		return found
	})
}

// orderedInOtherWallet declares the spec that the rows of another wallet are in order, where those of the default
// wallet are.
func (s *Suite) orderedInOtherWallet(key statement.Key, o, like download, rising bool) {
	spec.Helper()
	if s.t.Deployment.Fixtures.OtherWalletID == "" {
		return
	}
	s.holds("by "+string(key)+" in another wallet", []download{o, like}, func(l look) Rows {
		found := Rows{Export: "the export of another wallet", Should: "rows in the order that was asked for"}
		ours := l.rows(like)
		if got, ok := l.rowsIfAny(o); ok && got.legible(key) == nil && Disorder(ours.rows, key, rising) == "" {
			found.Held, found.Order = len(got.rows), Disorder(got.rows, key, rising)
		}
		return found
	})
}

// fewInOtherWallet is an export of few rows of another wallet.
func (s *Suite) fewInOtherWallet() few {
	rows := func(l look) (*window, []statement.Quote, bool) {
		sh, ok := l.rowsIfAny(s.inOtherWallet())
		ours, known := l.rowsIfAny(s.window)
		bounds := s.extent()
		if !ok || !known || bounds == nil || sh.legible(statement.CreatedAt) != nil ||
			len(common(sh.rows, ours.rows)) > 0 {
			return nil, nil, false
		}
		return &window{
			sheet: sh, key: statement.CreatedAt, unit: sh.table.Precision(statement.CreatedAt), start: bounds.Start,
			end: bounds.End,
		}, sh.rows, true
	}
	between := s.export("rows between two dates in another wallet", func(l look) query {
		w, all, ok := rows(l)
		l.unmetIf(!ok, "", "the export of another wallet shows no rows of its own")
		from, until, ok := edges(all, w.key)
		l.unmetIf(!ok, "", "the export of another wallet shows too few dates")
		return query{
			fields: bounded(w.key, from, until, w.unit).With("order", "asc"),
			header: map[string]string{target.HeaderWallet: s.t.Deployment.Fixtures.OtherWalletID},
		}
	})
	return few{what: "another wallet", between: between, rows: rows, apart: true}
}
