package model

import (
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

const ruleClient, rulePrefix = "export.filter.client_id", "export.filter.prefix"

func hasFilter(p *exportPlan) bool { return p.filtered }

// namesWallet reports an export that names a wallet, and namesNoWallet one that names none.
func namesWallet(p *exportPlan) bool {
	return p.asked.Wallet == WalletDefault || p.asked.Wallet == WalletOther
}

func namesNoWallet(p *exportPlan) bool {
	return p.asked.Wallet == WalletNone || p.asked.Wallet == WalletEmpty
}

func withoutProduct(p *exportPlan) bool { return !p.asked.Product }
func isForTarget(p *exportPlan) bool    { return p.asked.User == OwnerTarget }
func isForCaller(p *exportPlan) bool {
	return p.asked.User == OwnerCaller && p.asked.Wallet != WalletForeign
}
func isForStranger(p *exportPlan) bool      { return p.asked.User == OwnerStranger }
func namesForeignWallet(p *exportPlan) bool { return p.asked.Wallet == WalletForeign }
func namesEmptyWallet(p *exportPlan) bool   { return p.asked.Wallet == WalletEmpty }
func usesAPIKey(p *exportPlan) bool         { return p.asked.Key }
func prefersLanguage(p *exportPlan) bool    { return p.asked.Language != "" }

func keepNoRows(p *exportPlan)      { p.nothing = true }
func keepEveryClient(p *exportPlan) { p.client = func(*ObservedQuote, string) bool { return true } }

// keepMatchingClients keeps clients whose ID is like the text.
func keepMatchingClients(like func(id, text string) bool) func(*exportPlan) {
	return func(p *exportPlan) {
		p.client = func(r *ObservedQuote, text string) bool { return like(r.Client, text) }
	}
}

// replaceWalletWith puts others in place of the wallet, where some exports ask for it.
func replaceWalletWith(holds func(p *exportPlan) bool, others Origins) func(*exportPlan) {
	return editWhen(
		holds,
		func(p *exportPlan) { p.in = originsOfOwner[p.asked.User] & originsOfProduct[choiceDefault] & others },
	)
}

// addOrigins has an export hold the rows of some origins as well.
func addOrigins(holds func(p *exportPlan) bool, more Origins) func(*exportPlan) {
	return editWhen(holds, func(p *exportPlan) { p.in |= more; p.may &^= more })
}

// otherUser is a user whose rows the export does not ask for.
func (p *exportPlan) otherUser() Owner {
	if p.asked.User == OwnerStranger {
		return OwnerCaller
	}
	return OwnerStranger
}

// addOtherUser adds the rows of another user, of either wallet: which of them do not belong to the
// default one is not known.
func addOtherUser(p *exportPlan) {
	p.in |= originsOfOwner[p.otherUser()] & originsOfProduct[choiceDefault]
}

// replaceOwnerWith gives the rows of somebody in place of those of the user whom the export is for.
func replaceOwnerWith(holds func(p *exportPlan) bool, of Owner) func(*exportPlan) {
	return editWhen(holds, func(p *exportPlan) {
		w := choiceDefault
		if p.asked.Wallet == WalletOther {
			w = choiceOther
		}
		p.in, p.may = originsOfOwner[of]&originsInWallet[w]&originsOfProduct[choiceDefault], 0
	})
}

func selectionRules() []Rule {
	const client, other = "fixtures.client_id", "credentials.other_user"
	callers := originsOfOwner[OwnerCaller] & originsOfProduct[choiceDefault]
	target := needsWindow("fixtures.product_id", "fixtures.target_user_id", other)
	return []Rule{
		newRule(
			ruleClient,
			rules.Must,
			needsWindow(client),
			"The client filter keeps every row of that client and no other.",
			hypothesis("ignores the filter", keepEveryClient).AlsoBreaks(rulePrefix),
			hypothesis("gives no row when a client filter is given", editWhen(hasFilter, keepNoRows)),
			hypothesis("takes the filter text for the ID of a quote",
				func(p *exportPlan) { p.client = func(r *ObservedQuote, text string) bool { return r.ID == text } },
			).AlsoBreaks(rulePrefix),
			hypothesis("runs the filter text as a part of SQL",
				keepMatchingClients(
					func(id, text string) bool { return id == text || strings.Contains(text, "' OR ") },
				),
			).AlsoBreaks(rulePrefix).AsOptional(),
			hypothesis("ignores the filter text 0",
				keepMatchingClients(
					func(id, text string) bool { return id == text || text == string(FilterZero) },
				),
			).AlsoBreaks(rulePrefix).AsOptional(),
			hypothesis("loses the last row of a filtered file",
				editWhen(hasFilter, func(p *exportPlan) { p.trim = lacksRowAtEnd(true) }),
			),
			hypothesis("ignores the filter when no sort is given",
				editWhen(func(p *exportPlan) bool { return p.asked.Sort == "" }, keepEveryClient)),
			hypothesis("ignores the filter when no start is given",
				editWhen(func(p *exportPlan) bool { return !p.start.isGiven() }, keepEveryClient)),
		),
		newRule(
			rulePrefix,
			rules.Should,
			needsWindow(client),
			"A filter text that is not the ID of a client, such as a part of one, keeps no row.",
			hypothesis("keeps clients whose ID starts with the filter text",
				keepMatchingClients(strings.HasPrefix),
			).AlsoBreaks(ruleClient),
			hypothesis("keeps clients whose ID contains the filter text",
				keepMatchingClients(strings.Contains),
			).AlsoBreaks(ruleClient),
			hypothesis("keeps clients whose ID ends with the filter text",
				keepMatchingClients(strings.HasSuffix),
			).AlsoBreaks(ruleClient),
			hypothesis("keeps clients whose ID is the beginning of the filter text",
				keepMatchingClients(
					func(id, text string) bool { return id != "" && strings.HasPrefix(text, id) },
				),
			).AlsoBreaks(ruleClient),
			hypothesis("compares client IDs without case",
				keepMatchingClients(strings.EqualFold),
			).AlsoBreaks(ruleClient).
				AsOptional(),
			hypothesis("takes blanks around the filter text away",
				keepMatchingClients(func(id, text string) bool { return id == strings.TrimSpace(text) })),
			hypothesis("takes the filter text for a pattern of SQL", keepMatchingClients(matchesUnderscore)),
			hypothesis("takes a percent sign in the filter text for any text",
				keepMatchingClients(matchesPercent),
			).AsOptional(),
			hypothesis("takes the filter text for a regular expression",
				keepMatchingClients(matchesRegexp),
			).AsOptional(),
			hypothesis("decodes percent signs in the filter text",
				keepMatchingClients(matchesDecoded),
			).AsOptional(),
			hypothesis("ends the filter text at a NUL",
				keepMatchingClients(matchesBeforeNUL),
			).AsOptional(),
			hypothesis("keeps quotes whose own ID is the filter text",
				func(p *exportPlan) {
					p.client = func(r *ObservedQuote, text string) bool { return r.Client == text || r.ID == text }
				}).AsOptional(),
		),
		newRule("export.default.wallet",
			rules.Must,
			needsWindow("fixtures.default_wallet_id"),
			"Without a wallet the file is the one of the default wallet.",
			hypothesis("gives the quotes of another wallet when none is given",
				replaceWalletWith(namesNoWallet, originsInWallet[choiceOther]),
			),
			hypothesis("gives the quotes of all wallets when none is given",
				replaceWalletWith(namesNoWallet, allOrigins),
			),
			hypothesis("gives no quote when no wallet is given", replaceWalletWith(namesNoWallet, 0)),
		),
		newRule("export.wallet.selects",
			rules.Should,
			needsWindow("fixtures.default_wallet_id", "fixtures.other_wallet_id"),
			"A wallet that is given selects its own quotes.",
			hypothesis("ignores the wallet", replaceWalletWith(namesWallet, originsInWallet[choiceDefault])),
			hypothesis("gives the quotes of all wallets when one is given",
				replaceWalletWith(namesWallet, allOrigins),
			),
		),
		newRule("export.wallet.unknown",
			rules.Should,
			needsWindow(other),
			"A wallet that the user does not have is refused or holds no quotes, the user's own included.",
			hypothesis("gives the quotes of the default wallet for one that the user does not have",
				replaceWalletWith(namesForeignWallet, originsInWallet[choiceDefault]),
			),
			hypothesis("gives the quotes of all wallets for one that the user does not have",
				replaceWalletWith(namesForeignWallet, allOrigins),
			),
		),
		newSecurityRule("export.wallet.foreign",
			needsWindow(other),
			"Another user's wallet gives access to nothing.",
			hypothesis("gives the quotes of a wallet of another user",
				editWhen(namesForeignWallet, func(p *exportPlan) {
					of := originsOfOwner[p.otherUser()]
					p.in = of & originsInWallet[choiceDefault] & originsOfProduct[choiceDefault]
					p.may = of &^ p.in
				}),
			),
		),
		newRule("export.header.wallet.empty",
			rules.Must,
			needsWindow(),
			"An empty wallet header is accepted and means the default wallet.",
			hypothesis("gives the quotes of another wallet for an empty wallet header",
				replaceWalletWith(namesEmptyWallet, originsInWallet[choiceOther])),
			hypothesis("gives the quotes of all wallets for an empty wallet header",
				replaceWalletWith(namesEmptyWallet, allOrigins),
			),
			hypothesis("gives no quote for an empty wallet header", replaceWalletWith(namesEmptyWallet, 0)),
		),
		newRule("export.header.default_product", rules.Must,
			append([]string{"fixtures.product_id"}, needsWindow()...),
			"Without a product the default one is used, as when it is named.",
			hypothesis("gives the quotes of every product when none is named",
				editWhen(withoutProduct, func(p *exportPlan) { p.in = withAllProducts(p.in) }),
			).AsFallback(fallbackSomeRows).AsOptional(),
			hypothesis("gives no quote when no product is named", editWhen(withoutProduct, keepNoRows)),
		),
		newRule("export.header.language.rows",
			rules.Must,
			needsWindow(),
			"The language makes no difference to the quotes that a file holds.",
			hypothesis("gives no quote when a language is preferred",
				editWhen(prefersLanguage, keepNoRows)),
			hypothesis("leaves out some quotes in that language",
				editWhen(prefersLanguage, loseUnexplained),
			).AsFallback(fallbackSomeRows),
		),
		newRule("export.method.same_rows",
			rules.Must,
			needsWindow("credentials.platform_token", "credentials.api_key"),
			"Exported by the API key, a user's file holds the same quotes as by the token.",
			hypothesis("gives no quote to the API key", editWhen(usesAPIKey, keepNoRows)),
			hypothesis("leaves out some quotes for the API key",
				editWhen(usesAPIKey, loseUnexplained),
			).AsFallback(fallbackSomeRows),
		),
		newSecurityRule("export.target.rows",
			target,
			"Quotes exported for a target user are that user's, and nobody else's.",
			hypothesis("adds the quotes of the caller to those of a target user",
				addOrigins(isForTarget, callers),
			),
			hypothesis("gives the caller's quotes, whatever user is named as the target",
				replaceOwnerWith(isForTarget, OwnerCaller),
			),
			hypothesis("adds quotes of somebody else to those of a target user",
				editWhen(isForTarget, addUnexplained),
			).AsFallback(fallbackSomeRows),
		),
		newSecurityRule("export.target.own_rows", target,
			"Quotes exported without a target user are the caller's, and nobody else's.",
			hypothesis("adds the quotes of every user that the caller may act for",
				addOrigins(isForCaller, originsOfOwner[OwnerTarget]&originsOfProduct[choiceDefault])),
		),
		newSecurityRule("export.isolation",
			needsWindow(other),
			"Another user's export holds none of this user's quotes.",
			hypothesis("gives the quotes of every legal person", addOtherUser),
			hypothesis("gives everybody the quotes of the main user",
				replaceOwnerWith(func(p *exportPlan) bool { return !isForCaller(p) }, OwnerCaller)),
			hypothesis("gives another user's export the quotes of the main user",
				replaceOwnerWith(isForStranger, OwnerCaller),
			),
			hypothesis("gives the quotes of every legal person for a filter type without a text",
				editWhen(
					func(p *exportPlan) bool { return p.asked.Filter.Kind == FilterTypeOnly },
					addOtherUser,
				),
			),
			hypothesis("adds quotes of another user", addUnexplained).AsFallback(fallbackAnyRows),
		),
	}
}
