package export

import (
	"context"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// headers: what the headers of an export may and may not hold.
func (s *suite) headers() {
	s.nonces()
	s.languages()
	s.products()
	s.walletHeaders()
}

func nonce(make func() string) build {
	return func(c target.ExportCall) target.ExportCall { c.Nonce = make(); return c }
}

// uncompared leaves replay protection at its default, which does not look at the nonce.
func uncompared(c target.ExportCall) target.ExportCall { c.Mode = ""; return c }

func (s *suite) nonces() {
	absent := nonce(func() string { return "" })
	// Every export identifies itself by a nonce, whether replay protection compares it or not.
	s.refuse("export.header.nonce.absent", "nonce absent", "no nonce", absent)
	s.refuse("export.header.nonce.absent", "nonce absent", "no nonce, and none to compare", both(absent, uncompared))
	// The nonce is a UUID.
	for i, label := range notUUIDs {
		bad := nonce(func() string { return token.NotUUIDs()[i] })
		s.refuse("export.header.nonce.malformed", "nonce malformed", "a nonce that is "+label, bad)
		s.refuse("export.header.nonce.malformed", "nonce malformed", "a nonce that is "+label+", and not compared", both(bad, uncompared))
	}
	// Of the versions of UUIDs, the nonce is of the fourth.
	s.refuse("export.header.nonce.version", "nonce of another version", "a nonce of version 1", nonce(token.UUIDv1))
	s.refuse("export.header.nonce.version", "nonce of another version", "a nonce of version 5", nonce(token.UUIDv5))
	s.refuse("export.header.nonce.version", "nonce of another version", "a nonce of version 7", nonce(token.UUIDv7))
	s.refuse("export.header.nonce.version", "nonce of another version", "a nonce of version 7, and not compared", both(nonce(token.UUIDv7), uncompared))
	// Not compared, as an earlier run may have used it.
	s.refuse("export.header.nonce.version", "nonce of another version", "the nil UUID as nonce, not compared", both(nonce(func() string { return token.NilUUID }), uncompared))
}

// notUUIDs says what is wrong with the first of token.NotUUIDs.
var notUUIDs = []string{
	token.NoUUID: "no UUID at all", token.CutUUID: "a UUID cut short",
	token.NoHex: "36 characters without hexadecimal digits", token.WithinText: "text around a UUID",
}

func (s *suite) languages() {
	all := []*spec.Observation[target.Answer]{
		s.send("language pt-BR", header(target.HeaderLanguage, "pt-BR")),
		s.send("language en-US", header(target.HeaderLanguage, "en-US")),
		s.send("no language", func(c target.ExportCall) target.ExportCall { return c }),
	}
	for i, name := range []string{"pt-BR", "en-US", "no language"} {
		// Either language may be preferred, or none. Where all three are refused, the language is not to blame.
		s.p.It("export.header.language", name, spec.After(all[0], all[1], all[2]), func(ctx context.Context) {
			accepted := false
			for _, seen := range all {
				a, ok := seen.Settled(ctx)
				accepted = accepted || ok && a.Success()
			}
			answer := all[i].Await(ctx)
			if !accepted {
				s.p.Inconclusive("no export was accepted, whatever its language: %s", target.Describe(answer.Exchange))
			}
			Expect(answer).To(matchers.BeAccepted())
		})
	}
}

func (s *suite) products() {
	f := s.t.Deployment.Fixtures
	noProduct := func(c target.ExportCall) target.ExportCall {
		c.Header = c.Header.Clone()
		delete(c.Header, target.HeaderProduct)
		return c
	}
	product, user := header(target.HeaderProduct, f.ProductID), header(target.HeaderTarget, f.TargetUserID)

	// A user may choose one of the products.
	s.productAlone = s.acceptWith("export.header.product.accepted", "a product of the user", "a product", product)
	// The product's ID is a UUID.
	for i, label := range notUUIDs {
		s.refuse("export.header.product.malformed", "product malformed", "a product that is "+label,
			header(target.HeaderProduct, token.NotUUIDs()[i]))
	}
	// Within a product, an export may run for another user.
	s.acceptBeside(s.productAlone, "export.header.target_user.accepted", "a target user with a product", both(product, user))
	// A target user says nothing without a product.
	s.refuse("export.header.target_user.without_product", "target user without product", "a target user without a product", both(noProduct, user))
	// The target user's ID is a UUID.
	for i, label := range notUUIDs {
		s.refuse("export.header.target_user.malformed", "target user malformed", "a target user that is "+label,
			both(product, header(target.HeaderTarget, token.NotUUIDs()[i])))
	}
}

func (s *suite) walletHeaders() {
	// A user may name the wallet.
	s.acceptWith("export.header.wallet.accepted", "a wallet of the user", "a wallet", header(target.HeaderWallet, s.t.Deployment.Fixtures.DefaultWalletID))
	// A wallet header without a value leaves the choice to the default.
	s.walletEmpty = s.acceptWith("export.header.wallet.empty", "an empty wallet header", "an empty wallet header", header(target.HeaderWallet, ""))
	// The wallet's ID is a UUID.
	for i, label := range notUUIDs {
		s.refuse("export.header.wallet.malformed", "wallet malformed", "a wallet that is "+label,
			header(target.HeaderWallet, token.NotUUIDs()[i]))
	}
}
