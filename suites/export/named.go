package export

import (
	"cmp"
	"fmt"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// To name the product that is the default one changes nothing, nor does a wallet header without a value. One export in
// each row does both: by settled_date, oldest first, and of one client. Where it is not the same as the export with
// neither, each is seen by itself.

// likeDefault is an export of the window in a row, with a header that is as good as none.
func (s *Suite) likeDefault(what string, r control.Row, header, value string, digits int) download {
	all := map[string]string{target.HeaderWallet: ""}
	if product := s.t.Deployment.Fixtures.ProductID; product != "" {
		all[target.HeaderProduct] = product
	}
	ask := func(l look, header map[string]string, digits int) query {
		q := query{header: header, company: spelled(s.company(l, r))}
		if r == control.First {
			q.fields = s.spelled(statement.SettledDate, 2, digits).With("order", "asc")
		} else {
			q.fields = s.spelled(statement.CreatedAt, 2, digits)
			if sh, ok := l.rowsIfAny(s.client.window); ok && s.client.id != "" && len(sh.rows) > 0 {
				q.fields = clientFilter(q.fields, s.client.id)
			}
		}
		return q
	}
	label := "the window with the product and an empty wallet header, beside " + optional(r)
	together := s.export(label, func(l look) query {
		s.fetchable(l)
		return ask(l, all, 0)
	})
	label = "the window with " + what + ", beside " + optional(r)
	return spec.Observe(s.Plan, label, act(func(l look) *sheet {
		s.fetchable(l)
		sh, ok := l.rowsIfAny(together)
		if plain, known := l.rowsIfAny(s.plain(sh)); ok && known && statement.SameRows(sh.rows, plain.rows) {
			return sh
		}
		q := ask(l, map[string]string{header: value}, digits)
		q.label = label
		return s.take(l, q)
	}))
}

// plain is the export with none of the headers.
func (s *Suite) plain(sh *sheet) download {
	switch {
	case sh == nil:
		return s.window
	case sh.query.fields["filter_type"] != nil:
		return s.client.window
	case sh.query.selection().key == statement.SettledDate:
		return s.settled
	}
	return s.window
}

const productOfOther = "with the product and no wallet the rows are those of fixtures.other_wallet_id; see " +
	"export.default.wallet"

// ofProduct is the window with the product named, and ofNoWallet with an empty wallet header.
func (s *Suite) ofProduct(r control.Row) download {
	return s.likeDefault("the product", r, target.HeaderProduct, s.t.Deployment.Fixtures.ProductID, 1)
}

func (s *Suite) ofNoWallet(r control.Row) download {
	return s.likeDefault("an empty wallet header", r, target.HeaderWallet, "", 2)
}

// defaultProduct compares exports with the product named with those of no product. Nothing says which product is the
// default one: rows of which none is the same on either side may be those of two products.
func (s *Suite) defaultProduct() {
	spec.Helper()
	if s.t.Deployment.Credentials.OtherUser != nil {
		s.Uses(s.theirs)
	}
	s.likeDefaults(s.ofProduct, "the product", func(l look, named, plain download) Rows {
		l.unmetIf(s.t.ProductRequired(), "",
			"the deployment requires a product, so there is no default to compare with")
		got, want := l.sheet(plain), l.rows(named)
		if !got.empty() {
			l.end(cmp.Or(got.usable(), got.complete()))
			l.keptWhole(got, want)
		}
		s.quotes(l, want)
		l.unclearIf(len(common(want.rows, s.knownTheirs(l))) > 0,
			"the export with the product holds rows of another user; see %s", spec.Ref("export.target.own_rows"))
		found := equal("the export without a product", "the rows of the export with the product", got.rows, want.rows)
		l.unmetIf(s.showsOtherWallet(l, want), "", "%s", productOfOther)
		l.unmetIf(len(got.rows) > 0 && len(found.Extra) == len(got.rows),
			"fixtures.product_id", "the exports with this product and without one have no row in common, "+
				"so it may not be the default product")
		return found
	})
}

// emptyWallet: a wallet header without a value is as good as none.
func (s *Suite) emptyWallet() {
	spec.Helper()
	if s.t.Deployment.Credentials.OtherUser != nil {
		s.Uses(s.theirs)
	}
	s.likeDefaults(s.ofNoWallet, "no wallet header", func(l look, empty, plain download) Rows {
		const export, should = "the export with an empty wallet header", "the rows of the export without that header"
		s.base(l)
		if got := l.sheet(empty); got.refused {
			l.end(got.variation)
			if alone, err := s.walletEmpty.Get(l); err == nil && alone.Success() {
				l.unclear("another export with an empty wallet header is accepted, so the refusal of this one (%s) "+
					"is about something else", target.Describe(got.answer))
			}
		}
		l.keptWhole(l.accepted(empty, export, should), l.rows(plain))
		got := l.rows(empty).rows
		l.unclearIf(len(common(got, s.knownTheirs(l))) > 0, "%s holds rows of another user; see %s", export, spec.Ref("export.isolation"))
		found := equal(export, should, got, l.rows(plain).rows)
		named := l.rows(empty).query.company.Has(target.HeaderProduct)
		l.unmetIf(!found.Right() && named && s.productOpensOther(l), "", "%s", productOfOther)
		return found
	})
}

// keptWhole ends the act where only some rows of an export are kept: far more than the window has.
func (l look) keptWhole(sheets ...*sheet) {
	for _, sh := range sheets {
		l.unclearIf(sh.held() > len(sh.rows), "the export %q holds far more rows than the window has there",
			sh.query.label)
	}
}

// likeDefaults declares the specs that compare exports in each row with those that have nothing beside them.
func (s *Suite) likeDefaults(of func(control.Row) download, what string,
	find func(l look, o, plain download) Rows,
) {
	spec.Helper()
	for _, r := range control.Accompanied(client.File) {
		o := of(r)
		s.holds(fmt.Sprintf("the rows of %s, beside %s", what, optional(r)), []download{o, s.window}, func(l look) Rows {
			sh, ok := l.sheetIfAny(o)
			l.unclearIf(ok && sh.query.fields["filter_type"] != nil && sh.usable() == nil &&
				sh.table.Has(statement.ClientID) && overfull(sh),
				"the export of one client holds rows of other clients; see %s", spec.Ref("export.filter.client_id"))
			return find(l, o, s.plain(sh))
		})
	}
}
