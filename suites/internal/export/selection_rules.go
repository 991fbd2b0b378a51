package export

import (
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareFilterRules declares the rules on which clients' rows the filter keeps.
func (s *Suite) declareFilterRules() {
	hasFilter := func(p *exportPlan) bool { return p.Asked.Filter.Text != "" }
	s.Rule(ruleClient, Must, SectionExport,
		"The client filter keeps every row of that client and no other.",
		needsWindow("fixtures.client_id"), func() {
			s.itNever("ignores the filter", model.KeepEveryClient).AlsoBreaks(rulePrefix)
			s.itNever("gives no row when a client filter is given", model.KeepNoRows).When(hasFilter)
			s.itNever("keeps the quotes of every client but the one asked for",
				keepClients(func(id, text string) bool { return id != text })).AlsoBreaks(rulePrefix)
			s.itNever("takes the filter text for the ID of a quote", func(p *exportPlan) {
				p.Client = func(r *model.ObservedQuote, text string) bool { return r.ID == text }
			}).AlsoBreaks(rulePrefix)
			s.itRefutes("never runs the filter text as a part of SQL",
				s.hypothesis("runs the filter text as a part of SQL",
					keepClients(func(id, text string) bool { return id == text || isSQL(text) })).
					AlsoBreaks(rulePrefix).AsOptional(),
				s.hypothesis("runs the filter text as a part of SQL, overriding all other conditions",
					func(p *exportPlan) {
						if isSQL(p.Asked.Filter.Text) {
							ignoreBounds(p)
							model.GiveAnything(p)
						}
					}).AlsoBreaks(rulePrefix, ruleIsolation).AsOptional())
			s.itNever("keeps what passes the filter or the bounds, instead of both",
				func(p *exportPlan) { p.FilterOrBounds = true }).AsOptional()
			s.itNever("ignores the filter text 0", keepClients(func(id, text string) bool {
				return id == text || text == string(model.FilterZero)
			})).AlsoBreaks(rulePrefix).AsOptional()
			s.itNever("loses the last row of a filtered file",
				func(p *exportPlan) { p.LosesExactly = model.LosesLastRow }).When(hasFilter).AsOptional()
			s.itNever("ignores the filter when no sort is given", model.KeepEveryClient).When(hasNoSort)
			s.itNever("ignores the filter when no start is given", model.KeepEveryClient).
				When(func(p *exportPlan) bool { return !p.Start.IsGiven() })
			s.itNever("ignores the filter when a start is given", model.KeepEveryClient).
				When(func(p *exportPlan) bool { return p.Start.IsGiven() }).AlsoBreaks(rulePrefix)
			s.itNever("ignores the filter when an end is given", model.KeepEveryClient).
				When(func(p *exportPlan) bool { return p.End.IsGiven() }).AlsoBreaks(rulePrefix)
		})
	s.Rule(rulePrefix, Should, SectionExport,
		"A filter text that is not the ID of a client, such as a part of one, keeps no row.",
		needsWindow("fixtures.client_id"), func() {
			s.itNeverMatches("keeps clients whose ID starts with the filter text",
				strings.HasPrefix, "", "%")
			s.itNeverMatches("keeps clients whose ID contains the filter text",
				strings.Contains, "%", "%")
			s.itNever("keeps clients whose ID ends with the filter text",
				keepClients(strings.HasSuffix)).AlsoBreaks(ruleClient)
			s.itNever("keeps clients whose ID is the beginning of the filter text",
				keepClients(func(id, text string) bool { return id != "" && strings.HasPrefix(text, id) })).
				AlsoBreaks(ruleClient)
			s.itNever("compares client IDs without case", keepClients(strings.EqualFold)).
				AlsoBreaks(ruleClient).AsOptional()
			s.itNever("strips blanks around the filter text",
				keepClients(func(id, text string) bool { return id == strings.TrimSpace(text) }))
			s.itRefutes("never takes the filter text for a pattern of SQL",
				s.hypothesis("takes the filter text for a pattern of SQL", keepClients(likeWith("%_"))),
				s.hypothesis("takes the filter text for a pattern of SQL, in any case",
					keepClients(inAnyCase(likeWith("%_")))).AlsoBreaks(ruleClient).AsOptional())
			s.itNever("reads an underscore in the filter text as any character",
				keepClients(likeWith("_"))).AsOptional()
			s.itNever("reads a percent sign in the filter text as any text",
				keepClients(likeWith("%"))).AsOptional()
			s.itNever("takes the filter text for a regular expression",
				keepClients(matchesRegexp)).AsOptional()
			s.itNever("decodes percent signs in the filter text", keepClients(matchesDecoded)).AsOptional()
			s.itNever("ends the filter text at a NUL", keepClients(matchesBeforeNUL)).AsOptional()
			s.itNever("keeps quotes whose own ID is the filter text", func(p *exportPlan) {
				p.Client = func(r *model.ObservedQuote, text string) bool {
					return r.Client == text || r.ID == text
				}
			}).AsOptional()
		})
}

// declareOwnershipRules declares the rules on whose rows an export holds.
func (s *Suite) declareOwnershipRules() {
	const other = "credentials.other_user"
	s.Rule("export.default.wallet", Must, SectionExport,
		"Without a wallet, the file is that of the default wallet.",
		needsWindow("fixtures.default_wallet_id"), func() {
			none := func(p *exportPlan) bool {
				return p.Asked.Wallet == model.WalletNone || p.Asked.Wallet == model.WalletEmpty
			}
			s.itNever("gives the quotes of another wallet when none is given", model.GiveOtherWallet).
				When(none)
			s.itNever("gives the quotes of all wallets when none is given", model.GiveAllWallets).When(none)
			s.itNever("gives no quote when no wallet is given", model.GiveNoWallet).When(none)
		})
	s.Rule("export.wallet.selects", Should, SectionExport,
		"A wallet that is given selects its own quotes.",
		needsWindow("fixtures.default_wallet_id", "fixtures.other_wallet_id"), func() {
			own := func(p *exportPlan) bool {
				return p.Asked.Wallet == model.WalletDefault || p.Asked.Wallet == model.WalletOther
			}
			s.itNever("ignores the wallet", model.GiveDefaultWallet).When(own)
			s.itNever("gives the quotes of all wallets when one is given", model.GiveAllWallets).When(own)
			s.itNever("gives the quotes of all wallets, whichever is given", model.GiveAllWallets).
				When(func(p *exportPlan) bool { return !namesForeignWallet(p) }).
				AlsoBreaks("export.default.wallet")
		})
	s.Rule("export.wallet.unknown", Should, SectionExport,
		"A wallet that the user does not have is refused, or its file holds no quotes, not even "+
			"the user's own.",
		needsWindow(other), func() {
			s.itNever("gives the quotes of the default wallet for one that the user does not have",
				model.GiveDefaultWallet).When(namesForeignWallet)
			s.itNever("gives the quotes of all wallets for one that the user does not have",
				model.GiveAllWallets).When(namesForeignWallet)
		})
	s.Rule("export.wallet.foreign", Must, SectionExport,
		"Another user's wallet gives access to nothing.", spec.Security, needsWindow(other), func() {
			s.itNever("gives the quotes of a wallet of another user", model.GiveForeignWallet).
				When(namesForeignWallet)
		})
	s.Rule("export.method.same_rows", Must, SectionExport,
		"An export by the API key holds the same quotes as one by the same user's token.",
		needsWindow("credentials.platform_token", "credentials.api_key"), func() {
			byKey := func(p *exportPlan) bool { return p.Asked.Key }
			s.itNever("gives no quote to the API key", model.KeepNoRows).When(byKey)
			s.itNever("leaves out some quotes for the API key", model.LoseUnexplained).
				When(byKey).AsFallback(model.FallbackSomeRows)
		})
	forAnother := needsWindow("fixtures.product_id", "fixtures.target_user_id", other)
	s.Rule("export.target.rows", Must, SectionExport,
		"Quotes exported for a target user are that user's and nobody else's.",
		spec.Security, forAnother, func() {
			forTarget := func(p *exportPlan) bool { return p.Asked.User == model.OwnerTarget }
			s.itNever("adds the quotes of the caller to those of a target user",
				func(p *exportPlan) { p.AddRowsOf(model.OwnerCaller) }).When(forTarget)
			s.itNever("gives the caller's quotes, whatever user is named as the target", giveCallersRows).
				When(forTarget)
			s.itNever("adds quotes of somebody else to those of a target user", model.AddUnexplained).
				When(forTarget).AsFallback(model.FallbackSomeRows)
		})
	s.Rule("export.target.own_rows", Must, SectionExport,
		"Quotes exported without a target user are the caller's, and nobody else's.",
		spec.Security, forAnother, func() {
			s.itNever("adds the quotes of every user that the caller may act for",
				func(p *exportPlan) { p.AddRowsOf(model.OwnerTarget) }).When(isForCaller)
		})
	s.Rule(ruleIsolation, Must, SectionExport,
		"Another user's export holds none of the caller's quotes.",
		spec.Security, needsWindow(other), func() {
			s.itKeepsFilesApart()
			s.itSharesNoFile()
			s.itHidesOtherLegalPersons()
			s.itNever("gives the quotes of every legal person", model.AddOtherUser)
			s.itNever("gives everybody the quotes of the main user", giveCallersRows).
				When(func(p *exportPlan) bool { return !isForCaller(p) })
			s.itNever("gives another user's export the quotes of the main user", giveCallersRows).
				When(func(p *exportPlan) bool { return p.Asked.User == model.OwnerStranger })
			s.itNever("gives the quotes of every legal person for a filter type without a text",
				model.AddOtherUser).
				When(func(p *exportPlan) bool { return p.Asked.Filter.Kind == model.FilterTypeOnly })
			s.itNever("adds quotes of another user", model.AddUnexplained).AsFallback(model.FallbackAnyRows)
		})
}

func namesForeignWallet(p *exportPlan) bool { return p.Asked.Wallet == model.WalletForeign }

func giveCallersRows(p *exportPlan) { p.GiveRowsOf(model.OwnerCaller) }

func isForCaller(p *exportPlan) bool {
	return p.Asked.User == model.OwnerCaller && !namesForeignWallet(p)
}
