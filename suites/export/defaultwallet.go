package export

import (
	"errors"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// blameNamed turns what was found of the export without a wallet round where the rows say that the export which names
// the default one is wrong: those that it lacks show that wallet, and those that only it holds another one, or a date
// beyond the window.
func (s *Suite) blameNamed(named *sheet, found Rows) Rows {
	byDefault := inWallet(s.t.Deployment.Fixtures.DefaultWalletID)
	own := func(q statement.Quote) bool { return showsWallet(q) && byDefault(q) }
	inside := named.in(s.extent(), statement.CreatedAt)
	within := inside.between(inside.start, inside.end).inside
	others := pick(found.Missing, func(q statement.Quote) bool { return showsWallet(q) && !own(q) })
	beyond := pick(found.Missing, func(q statement.Quote) bool { return own(q) && !within(q) })
	if found.Right() || !every(found.Extra, own) ||
		len(others)+len(beyond) < len(found.Missing) {
		if len(named.rows) > 0 && every(named.rows, own) && !slices.ContainsFunc(found.Extra, own) {
			found.Strange = "row of another wallet"
		}
		return found
	}
	turned := Rows{
		Export: "the export with the default wallet's ID",
		Should: "the rows of that wallet in the window, as the export without a wallet does",
		Held:   len(named.rows), Missing: found.Extra, Extra: found.Missing,
	}
	if len(others) > 0 && len(beyond) == 0 {
		turned.Strange = "row of another wallet"
	}
	return turned
}

// otherWallet returns what reports a row of another wallet than the default one, by its column; nil where the export of
// the default wallet does not show that the column is about just that.
func (s *Suite) otherWallet(l look) func(statement.Quote) bool {
	ours := s.t.Deployment.Fixtures.DefaultWalletID
	own := inWallet(ours)
	other := func(q statement.Quote) bool { return showsWallet(q) && !own(q) }
	if ours == "" || !s.wallet.Launched() {
		return nil
	}
	for _, o := range []download{s.wallet, s.window} {
		if sh, ok := l.rowsIfAny(o); !ok || len(sh.rows) == 0 || !every(sh.rows, own) {
			return nil
		}
	}
	return other
}

// noOtherWallet declares the spec that an export that names no wallet holds none of another wallet's quotes, by the
// other sort, without bounds and of one client as well.
func (s *Suite) noOtherWallet() {
	spec.Helper()
	type unnamed struct {
		name   string
		o      download
		rising bool
	}
	all := []unnamed{
		{name: "by settled_date", o: s.settled},
		{name: "by quote_created_at, asc", o: s.windowAsc, rising: true},
		{name: "by settled_date, asc", o: s.settledAsc, rising: true},
		{name: "without bounds", o: s.bare.object},
		{name: "without bounds, asc", o: s.bare.asc},
	}
	if s.t.Deployment.Fixtures.ClientID != "" {
		all = append(all, unnamed{name: "of one client", o: s.client.window},
			unnamed{name: "of one client, without sort and order", o: s.client.bare},
			unnamed{name: "of one client, asc", o: s.client.until, rising: true},
			unnamed{name: "of one client by settled_date", o: s.client.after, rising: true})
	}
	for _, of := range all {
		s.holds("no row of another wallet "+of.name, []download{of.o, s.wallet, s.window}, func(l look) Rows {
			found := Rows{Should: "rows of the default wallet only", Strange: "row of another wallet"}
			var unknown *spec.NeedError // such as a file that may be too large
			if _, err := of.o.Get(l); !errors.As(err, &unknown) {
				l.end(err)
			}
			s.quotes(l, l.rows(s.window))
			l.sheet(s.wallet)
			// nil: what files show of wallets says nothing, and the rule rests on its other specs
			other := s.otherWallet(l)
			got, ok := l.rowsIfAny(of.o)
			if ok && of.rising && len(common(got.rows, s.knownTheirs(l))) > 0 {
				return found // those of everybody are the isolation's matter
			}
			if ok && other != nil && got.query.company.Has(target.HeaderWallet) && len(pick(got.rows, other)) > 0 {
				q := got.query
				q.company = q.company.Without(target.HeaderWallet)
				got = s.take(l, q)
				ok = got.usable() == nil
			}
			if ok && other != nil {
				found.Export, found.Held, found.Extra = "the export of "+got.query.label, got.held(),
					pick(got.rows, other)
			}
			return found
		})
	}
}

// noOtherWalletOfProduct declares the specs that no wallet is the default wallet where a product is named, too.
func (s *Suite) noOtherWalletOfProduct() {
	spec.Helper()
	for _, r := range control.Accompanied(client.File) {
		o := s.ofProduct(r)
		name := "the rows of the default wallet, with a product, beside " + optional(r)
		s.holds(name, []download{o, s.wallet, s.window}, func(l look) Rows {
			found := Rows{
				Export: "the export with a product and no wallet", Should: "rows of the default wallet only",
				Strange: "row of another wallet",
			}
			s.quotes(l, l.rows(s.window))
			l.sheet(s.wallet)
			if got, ok := l.rowsIfAny(o); ok && s.showsOtherWallet(l, got) {
				found.Held, found.Extra = got.held(), got.rows
			}
			return found
		})
	}
}

// showsOtherWallet reports whether an export that names no wallet holds rows of the fixtures' other wallet only, by the
// column of the wallet, while the window holds the default one's.
func (s *Suite) showsOtherWallet(l look, sh *sheet) bool {
	f := s.t.Deployment.Fixtures
	return f.OtherWalletID != "" && !strings.EqualFold(f.OtherWalletID, f.DefaultWalletID) && len(sh.rows) > 0 &&
		!sh.query.company.Has(target.HeaderWallet) && sh.query.header[target.HeaderWallet] == "" &&
		every(sh.rows, inWallet(f.OtherWalletID)) && s.otherWallet(l) != nil
}

// productOpensOther reports whether an export with the product, and no wallet, was seen to be of the other wallet.
func (s *Suite) productOpensOther(l look) bool {
	for _, r := range control.Accompanied(client.File) {
		if got, ok := l.rowsIfAny(s.ofProduct(r)); ok && s.showsOtherWallet(l, got) {
			return true
		}
	}
	return false
}
