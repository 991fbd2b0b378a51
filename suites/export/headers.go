package export

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/token"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// headers: what the headers of an export may and may not hold.
func (s *Suite) headers() {
	s.nonces()
	s.languages()
	s.products()
	s.walletHeaders()
}

// malformed calls declare with each kind of text that is not a UUID, and says what is wrong with it.
func malformed(declare func(flaw, text string)) {
	for i, flaw := range []string{
		token.NoUUID: "not a UUID at all", token.CutUUID: "a UUID cut short",
		token.NoHex: "36 characters without hexadecimal digits", token.WithinText: "text around a UUID",
	} {
		declare(flaw, token.NotUUIDs()[i])
	}
}

func (s *Suite) nonces() {
	s.Rule("export.header.nonce.absent", Must, ExportOperation, "An export without a nonce is rejected.", func() {
		absent := nonce(func() string { return "" })
		s.refuse("no nonce", absent)
		s.refuse("no nonce, and none to compare", both(absent, uncompared))
	})

	s.Rule("export.header.nonce.malformed", Should, ExportOperation, "A nonce that is not a UUID is rejected.", func() {
		malformed(func(flaw, text string) {
			bad := nonce(func() string { return text })
			s.refuse("a nonce that is "+flaw, bad)
			s.refuse("a nonce that is "+flaw+", and not compared", both(bad, uncompared))
		})
	})

	s.Rule("export.header.nonce.version", Should, ExportOperation,
		"A nonce that is a UUID of another version than 4 is rejected.", func() {
			s.refuse("a nonce of version 1", nonce(token.UUIDv1))
			s.refuse("a nonce of version 5", nonce(token.UUIDv5))
			s.refuse("a nonce of version 7", nonce(token.UUIDv7))
			s.refuse("a nonce of version 7, and not compared", both(nonce(token.UUIDv7), uncompared))
			// Not compared, as an earlier run may have used it.
			s.refuse("the nil UUID as nonce, not compared", both(nonce(func() string { return token.NilUUID }), uncompared))
		})
}

func (s *Suite) languages() {
	s.Rule("export.header.language", Must, ExportOperation,
		"x-lang of pt-BR, of en-US, and none at all are accepted.", func() {
			all := []attempt{
				s.send("language pt-BR", header(target.HeaderLanguage, "pt-BR")),
				s.send("language en-US", header(target.HeaderLanguage, "en-US")),
				s.send("no language", func(c target.ExportCall) target.ExportCall { return c }),
			}
			s.accepted = append(s.accepted, all...)
			for _, language := range all {
				It("accepts "+language.what, func(ctx SpecContext) {
					got := language.Await(ctx)
					if !slices.ContainsFunc(all, func(a attempt) bool { other, ok := a.Settled(ctx); return ok && other.Success() }) {
						spec.Inconclusive("no export was accepted, whatever its language: %s", got)
					}
					Expect(got).To(BeAccepted())
				})
			}
		})
}

func (s *Suite) products() {
	f := s.t.Deployment.Fixtures
	product, user := header(target.HeaderProduct, f.ProductID), header(target.HeaderTarget, f.TargetUserID)

	s.Group(spec.Needs("fixtures.product_id"), func() {
		s.Rule("export.header.product.accepted", Must, ExportOperation, "A product of the user is accepted.", func() {
			s.acceptWith(s.productAlone)
		})

		s.Rule("export.header.product.malformed", Should, ExportOperation, "A product ID that is not a UUID is rejected.",
			func() {
				malformed(func(flaw, text string) { s.refuse("a product that is "+flaw, header(target.HeaderProduct, text)) })
			})

		s.Rule("export.header.default_product", Must, ExportOperation,
			"Without a product the default one is used, as when it is named.",
			spec.Needs("export.file", "fixtures.window"), s.defaultProduct)
	})

	s.Group(spec.Needs("fixtures.product_id", "fixtures.target_user_id"), func() {
		s.Rule("export.header.target_user.accepted", Must, ExportOperation,
			"A target user is accepted together with a product.", func() {
				s.acceptWith(s.vary("a target user with a product", both(product, user)), s.productAlone)
			})

		s.Rule("export.header.target_user.without_product", Must, ExportOperation,
			"A target user is rejected without a product.", func() {
				s.refuse("a target user without a product", both(withoutProduct, user))
			})

		s.Rule("export.header.target_user.malformed", Should, ExportOperation,
			"A target user that is not a UUID is rejected.", func() {
				malformed(func(flaw, text string) {
					s.refuse("a target user that is "+flaw, both(product, header(target.HeaderTarget, text)))
				})
			})
	})
}

// withoutProduct drops the product that exports name where the deployment requires one.
func withoutProduct(c target.ExportCall) target.ExportCall {
	c.Header = c.Header.Clone()
	delete(c.Header, target.HeaderProduct)
	return c
}

// defaultProduct compares the window of the product with the window of no product. Nothing says which product is the
// default one: rows of which none is the same on either side may be those of two products.
func (s *Suite) defaultProduct() {
	named := s.ofProduct()
	s.holds("the rows of the product", []download{named, s.window}, func(l look) Rows {
		if s.t.ProductRequired() {
			l.unmet("", "the deployment requires a product, so there is no default to compare with")
		}
		got, want := l.sheet(s.window), l.rows(named)
		if !got.empty() {
			l.end(got.usable())
		}
		if len(want.rows) == 0 {
			l.end(s.noQuote(l))
		}
		if s.t.Deployment.Credentials.OtherUser != nil {
			if theirs, ok := l.rowsIfAny(s.theirs); ok && len(common(want.rows, theirs.rows)) > 0 {
				l.unclear("the export with the product holds rows of another user; see export.target.own_rows")
			}
		}
		found := equal("the export without a product", "the rows of the export with the product", got.rows, want.rows)
		if len(got.rows) > 0 && len(found.Extra) == len(got.rows) {
			l.unmet("fixtures.product_id", "the exports with this product and without one have no row in common, "+
				"so it may not be the default product")
		}
		return found
	})
}

func (s *Suite) walletHeaders() {
	f := s.t.Deployment.Fixtures
	s.Rule("export.header.wallet.accepted", Must, ExportOperation, "A wallet of the user is accepted.",
		spec.Needs("fixtures.default_wallet_id"), func() {
			s.acceptWith(s.vary("a wallet", header(target.HeaderWallet, f.DefaultWalletID)))
		})

	s.Rule("export.header.wallet.empty", Must, ExportOperation,
		"An empty wallet header is accepted and stands for the default wallet.", func() {
			s.acceptWith(s.walletEmpty)
			if f.Window != nil && s.t.Deployment.Export.File != nil {
				s.emptyWallet()
			}
		})

	s.Rule("export.header.wallet.malformed", Should, ExportOperation, "A wallet ID that is not a UUID is rejected.",
		spec.Needs("fixtures.default_wallet_id"), func() {
			malformed(func(flaw, text string) { s.refuse("a wallet that is "+flaw, header(target.HeaderWallet, text)) })
		})
}

// emptyWallet: a wallet header without a value is as good as none.
func (s *Suite) emptyWallet() {
	GinkgoHelper()
	empty := s.ofWallet("the window with an empty wallet header", "", 1, 1)
	s.holds("the rows of no wallet header", []download{empty, s.window}, func(l look) Rows {
		const export, should = "the export with an empty wallet header", "the rows of the export without that header"
		w, got := s.base(l), l.sheet(empty)
		if got.refused {
			if alone, err := s.walletEmpty.Get(l); err == nil && alone.Success() {
				l.unclear("another export with an empty wallet header is accepted, so the refusal of this one (%s) is about "+
					"something else", target.Describe(got.answer))
			}
			return notAccepted(export, should, got)
		}
		l.end(got.usable())
		return equal(export, should, got.rows, w.rows)
	})
}
