package export

import (
	"github.com/google/uuid"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// withVersion1 returns two malformed UUIDs, and one of another version than 4.
func withVersion1() []invalidvalues.Text {
	return append(invalidvalues.MalformedUUIDs()[1:], invalidvalues.UUIDv1)
}

// probesWithTexts returns one export per text.
func probesWithTexts(
	what string, texts []invalidvalues.Text, give func(r *target.Request, text string),
) (all []lab.Probe) {
	for _, text := range texts {
		all = append(all, headerProbe(what+" that is "+text.Description,
			func(r *target.Request) { give(r, text.New()) }))
	}
	return all
}

func withoutNonce(r *target.Request) { r.Nonce = "" }

// setNonce sets a new nonce for each attempt.
func setNonce(text invalidvalues.Text) requestEdit {
	return func(r *target.Request) { r.Nonce = text.New() }
}

func (s *Suite) declareNonceRules() {
	transaction := func(r *target.Request) {
		r.Mode, r.Transaction = target.HeaderTransaction, target.NewUUID()
	}
	together := func(r *target.Request) { r.Mode += "&nonce" }
	s.ruleRejects("export.header.nonce.absent", Must, "An export without a nonce is rejected.",
		[]lab.Probe{
			headerProbe("no nonce", withoutNonce),
			headerProbe("no nonce, and none to compare", withoutNonce, leaveReplayDefault),
			headerProbe("no nonce, and a transaction ID to compare", withoutNonce, transaction),
			headerProbe("no nonce, and both identifiers to compare", withoutNonce, transaction, together),
		})
	nonce := func(r *target.Request, text string) { r.Nonce = text }
	malformed := invalidvalues.MalformedUUIDs()
	s.ruleRejects("export.header.nonce.malformed", Should,
		"A nonce that is not a UUID, or is empty, is rejected.",
		append(probesWithTexts("a nonce", append(malformed, invalidvalues.NonHexUUID), nonce),
			headerProbe("a nonce that is a UUID without its first digit",
				func(r *target.Request) { r.Nonce = target.NewUUID()[1:] }),
			headerProbe("a nonce that is a UUID cut short and not compared",
				setNonce(malformed[2]), leaveReplayDefault).Sampled(spec.EveryOtherSeed(1)),
			headerProbe("a nonce that is text after a UUID and not compared",
				setNonce(malformed[1]), leaveReplayDefault).Sampled(spec.EveryOtherSeed(0)),
			headerProbe("a nonce that is empty", setHeader(target.HeaderNonce, ""))))
	s.ruleRejects("export.header.nonce.version", Should,
		"A nonce that is a UUID of a version other than 4, or in another notation, is rejected.",
		[]lab.Probe{
			headerProbe("a nonce of version 1", setNonce(invalidvalues.UUIDv1)).
				Sampled(spec.EveryOtherSeed(1)),
			headerProbe("a nonce of another variant", setNonce(invalidvalues.UUIDOtherVariant)).
				Sampled(spec.EveryOtherSeed(0)),
			headerProbe("a nonce without dashes", setNonce(invalidvalues.UUIDWithoutDashes)),
			headerProbe("a nonce of version 7, and a transaction ID to compare",
				setNonce(invalidvalues.UUIDv7), transaction).Sampled(spec.EveryOtherSeed(1)),
			headerProbe("a nonce of version 7 that is not compared", setNonce(invalidvalues.UUIDv7),
				leaveReplayDefault).Sampled(spec.EveryOtherSeed(0)),
			// Not compared: an earlier run may have used it.
			headerProbe("the nil UUID as a nonce that is not compared", setNonce(invalidvalues.NilUUID),
				leaveReplayDefault),
		})
}

func (s *Suite) declareLanguageRules() {
	s.Rule("export.header.language", Must, SectionExport,
		"An export with x-lang pt-BR, with en-US or without x-lang is accepted.", func() {
			s.itAccepts(validProbe("language pt-BR", setHeader(target.HeaderLanguage, "pt-BR")))
			s.itAccepts(validProbe("language en-US", setHeader(target.HeaderLanguage, "en-US")))
			s.itAccepts(
				validProbe("no language", func(r *target.Request) { r.SetHeader(target.HeaderLanguage) }))
		})
	s.Rule("export.header.language.rows", Must, SectionExport,
		"The language does not change which quotes a file holds.", needsWindow(), func() {
			prefersLanguage := func(p *exportPlan) bool { return p.Asked.Language != "" }
			s.itNever("gives no quote when a language is preferred", model.KeepNoRows).When(prefersLanguage)
			s.itNever("leaves out some quotes in that language", model.LoseUnexplained).
				When(prefersLanguage).AsFallback(model.FallbackSomeRows)
		})
}

func (s *Suite) declareProductRules() {
	f := s.t.Deployment.Fixtures
	of := func(r *target.Request, text string) { r.SetHeader(target.HeaderProduct, text) }
	forUser := func(r *target.Request, text string) {
		of(r, f.ProductID)
		r.SetHeader(target.HeaderTargetUser, text)
	}
	product := validProbe("a product", setHeader(target.HeaderProduct, f.ProductID))
	s.GroupRules(spec.NeedsKeys("fixtures.product_id"), func() {
		s.Rule("export.header.product.accepted", Must, SectionExport,
			"A product of the user is accepted.", func() {
				s.itAccepts(product, s.lab.InconclusiveIfProductInvalid)
			})
		s.ruleRejects("export.header.product.malformed", Should,
			"A product ID that is not a UUID v4 is rejected.",
			concerningCaller(probesWithTexts("a product", withVersion1(), of)...))
		s.ruleRejects("export.header.product.unknown", Should,
			"A product that the user does not have is rejected.",
			concerningCaller(headerProbe("a product that does not exist",
				setHeader(target.HeaderProduct, target.NewUUID()))))
		s.Rule(ruleProduct, Must, SectionExport,
			"Without a product, the default product is used, as if it were named.",
			needsWindow(), func() {
				namesNone := func(p *exportPlan) bool { return !p.Asked.Product }
				s.itNever("gives the quotes of every product when none is named", model.AddOtherProducts).
					When(namesNone).AsFallback(model.FallbackSomeRows).AsOptional()
				s.itNever("gives no quote when no product is named", model.KeepNoRows).When(namesNone)
			})
	})
	s.GroupRules(spec.NeedsKeys("fixtures.product_id", "fixtures.target_user_id"), func() {
		s.Rule("export.header.target_user.accepted", Must, SectionExport,
			"A target user is accepted together with a product.", func() {
				alone := s.lab.ObserveProbe(product)
				s.itAccepts(validProbe("a target user with a product",
					func(r *target.Request) { forUser(r, f.TargetUserID) }),
					func(ctx spec.Context, got target.Answer) {
						if alone := alone.Await(ctx); !got.IsSuccess() && !alone.IsSuccess() {
							ctx.Inconclusivef("the product is refused by itself (%s)", alone)
						}
					}, s.lab.InconclusiveIfTargetUserInvalid)
			})
		s.ruleRejects("export.header.target_user.without_product", Must,
			"A target user is rejected without a product.",
			concerningCaller(headerProbe("a target user without a product",
				func(r *target.Request) { r.Product, r.OnBehalfOf = "", f.TargetUserID })))
		s.ruleRejects("export.header.target_user.malformed", Should,
			"A target user that is not a UUID v4 is rejected, and so is one with an empty product.",
			concerningCaller(append(probesWithTexts("a target user", withVersion1(), forUser),
				headerProbe("a target user and an empty product", setHeader(target.HeaderProduct, ""),
					setHeader(target.HeaderTargetUser, f.TargetUserID)))...))
		s.ruleRejects("export.header.target_user.unknown", Should,
			"A target user who does not belong to the product is rejected.",
			concerningCaller(s.strangerUsers(forUser)...))
	})
}

const forOtherLegalPerson = "a target user of another legal person"

// strangerUsers returns exports for users outside of the product: a nonexistent one, and one of
// another legal person if that person's token names its user.
func (s *Suite) strangerUsers(forUser func(r *target.Request, id string)) []lab.Probe {
	all := []lab.Probe{headerProbe("a target user who does not exist",
		func(r *target.Request) { forUser(r, target.NewUUID()) })}
	if other := s.otherUserID(); other != "" {
		all = append(all, headerProbe(forOtherLegalPerson,
			func(r *target.Request) { forUser(r, other) }))
	}
	return all
}

// otherUserID returns the ID of the user of another legal person; empty: its token names none.
func (s *Suite) otherUserID() string {
	other := s.t.Deployment.Credentials.OtherUser
	if other == nil || uuid.Validate(token.Subject(other.Value)) != nil {
		return ""
	}
	return token.Subject(other.Value)
}

func (s *Suite) declareWalletRules() {
	f := s.t.Deployment.Fixtures
	of := func(r *target.Request, text string) { r.SetHeader(target.HeaderWallet, text) }
	s.Rule("export.header.wallet.accepted", Must, SectionExport, "A wallet of the user is accepted.",
		spec.NeedsKeys("fixtures.default_wallet_id"), func() {
			s.itAccepts(validProbe("a wallet", setHeader(target.HeaderWallet, f.DefaultWalletID)),
				s.lab.InconclusiveIfWalletInvalid)
		})
	s.Rule("export.header.wallet.empty", Must, SectionExport,
		"An empty wallet header is accepted and means the default wallet.", func() {
			s.itAccepts(validProbe("an empty wallet header", setHeader(target.HeaderWallet, "")))
			if f.Window == nil || s.t.Deployment.Export.File == nil {
				return
			}
			isEmpty := func(p *exportPlan) bool { return p.Asked.Wallet == model.WalletEmpty }
			s.itNever("gives the quotes of another wallet for an empty wallet header",
				model.GiveOtherWallet).When(isEmpty)
			s.itNever("gives the quotes of all wallets for an empty wallet header",
				model.GiveAllWallets).When(isEmpty)
			s.itNever("gives no quote for an empty wallet header", model.GiveNoWallet).When(isEmpty)
		})
	s.ruleRejects("export.header.wallet.malformed", Should,
		"A wallet ID that is not a UUID is rejected.",
		probesWithTexts("a wallet", invalidvalues.MalformedUUIDs(), of),
		spec.NeedsKeys("fixtures.default_wallet_id"))
}
