package model

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

const clientRule, prefixRule = "export.filter.client_id", "export.filter.prefix"

func filtered(p *plan) bool { return p.filtered }

// named reports an export that names a wallet, and unnamed one that names none.
func named(p *plan) bool {
	return p.asked.Wallet == DefaultWallet || p.asked.Wallet == OtherWallet
}
func unnamed(p *plan) bool { return p.asked.Wallet == NoWallet || p.asked.Wallet == EmptyWallet }

func noProduct(p *plan) bool   { return !p.asked.Product }
func forTarget(p *plan) bool   { return p.asked.User == Target }
func forCaller(p *plan) bool   { return p.asked.User == Caller && p.asked.Wallet != ForeignWallet }
func forStranger(p *plan) bool { return p.asked.User == Stranger }
func ofAnother(p *plan) bool   { return p.asked.Wallet == ForeignWallet }
func empty(p *plan) bool       { return p.asked.Wallet == EmptyWallet }
func byKey(p *plan) bool       { return p.asked.Key }
func preferring(p *plan) bool  { return p.asked.Language != "" }

func none(p *plan)        { p.nothing = true }
func everyClient(p *plan) { p.client = func(*Row, string) bool { return true } }

// matching keeps clients whose ID is like the text.
func matching(like func(id, text string) bool) func(*plan) {
	return func(p *plan) { p.client = func(r *Row, text string) bool { return like(r.Client, text) } }
}

// wildcard compares as SQL's LIKE does, of which a text has one _ at most.
func wildcard(id, text string) bool {
	before, after, found := strings.Cut(text, "_")
	return id == text ||
		found && len(id) == len(text) && strings.HasPrefix(id, before) && strings.HasSuffix(id,
			after)
}

// anyRest compares as SQL's LIKE does, of which a text has one % at most, at its end.
func anyRest(id, text string) bool {
	head, any := strings.CutSuffix(text, "%")
	return id == text || any && strings.HasPrefix(id, head)
}

// regular compares as regular expressions do.
func regular(id, text string) bool {
	pattern, err := regexp.Compile("^(?:" + text + ")$")
	return id == text || err == nil && pattern.MatchString(id)
}

func decoded(id, text string) bool {
	plain, err := url.PathUnescape(text)
	return err == nil && id == plain
}

// wallet puts others in place of the wallet, where some exports ask for it.
func wallet(holds func(p *plan) bool, others Labels) func(*plan) {
	return when(holds, func(p *plan) { p.in = ofOwner[p.asked.User] & ofProduct[byDefault] & others })
}

// adds has an export hold the rows of some labels as well.
func adds(holds func(p *plan) bool, more Labels) func(*plan) {
	return when(holds, func(p *plan) { p.in |= more; p.may &^= more })
}

// another is a user whose rows the export does not ask for.
func (p *plan) another() Owner {
	if p.asked.User == Stranger {
		return Caller
	}
	return Stranger
}

// everybody adds the rows of another user, of either wallet: which of them do not belong to the
// default one is not known.
func everybody(p *plan) { p.in |= ofOwner[p.another()] & ofProduct[byDefault] }

// reads gives the rows of somebody in place of those of the user whom the export is for.
func reads(holds func(p *plan) bool, of Owner) func(*plan) {
	return when(holds, func(p *plan) {
		w := byDefault
		if p.asked.Wallet == OtherWallet {
			w = another
		}
		p.in, p.may = ofOwner[of]&ofWallet[w]&ofProduct[byDefault], 0
	})
}

func selectionRules() []Rule {
	const client, other = "fixtures.client_id", "credentials.other_user"
	callers := ofOwner[Caller] & ofProduct[byDefault]
	target := window("fixtures.product_id", "fixtures.target_user_id", other)
	return []Rule{
		rule(
			clientRule,
			rules.Must,
			window(client),
			"The client filter keeps every row of that client and no other.",
			is("ignores the filter", everyClient).AlsoBreaks(prefixRule),
			is("gives no row when a client filter is given", when(filtered, none)),
			is("takes the filter text for the ID of a quote",
				func(p *plan) { p.client = func(r *Row, text string) bool { return r.ID == text } },
			).AlsoBreaks(prefixRule),
			is("runs the filter text as a part of SQL",
				matching(func(id, text string) bool { return id == text || strings.Contains(text, "' OR ") }),
			).AlsoBreaks(prefixRule).Optional(),
			is("ignores the filter text 0",
				matching(func(id, text string) bool { return id == text || text == string(Zero) }),
			).AlsoBreaks(prefixRule).Optional(),
			is("loses the last row of a filtered file",
				when(filtered, func(p *plan) { p.trim = one(true) }),
			),
			is("ignores the filter when no sort is given",
				when(func(p *plan) bool { return p.asked.Sort == "" }, everyClient)),
			is("ignores the filter when no start is given",
				when(func(p *plan) bool { return !p.start.given() }, everyClient)),
		),
		rule(
			prefixRule,
			rules.Should,
			window(client),
			"A filter text that is not the ID of a client, such as a part of one, keeps no row.",
			is("keeps clients whose ID starts with the filter text",
				matching(strings.HasPrefix),
			).AlsoBreaks(clientRule),
			is("keeps clients whose ID contains the filter text",
				matching(strings.Contains),
			).AlsoBreaks(clientRule),
			is("keeps clients whose ID ends with the filter text",
				matching(strings.HasSuffix),
			).AlsoBreaks(clientRule),
			is("keeps clients whose ID is the beginning of the filter text",
				matching(func(id, text string) bool { return id != "" && strings.HasPrefix(text, id) }),
			).AlsoBreaks(clientRule),
			is("compares client IDs without case",
				matching(strings.EqualFold),
			).AlsoBreaks(clientRule).
				Optional(),
			is("takes blanks around the filter text away",
				matching(func(id, text string) bool { return id == strings.TrimSpace(text) })),
			is("takes the filter text for a pattern of SQL", matching(wildcard)),
			is("takes a percent sign in the filter text for any text", matching(anyRest)).Optional(),
			is("takes the filter text for a regular expression", matching(regular)).Optional(),
			is("decodes percent signs in the filter text", matching(decoded)).Optional(),
			is("keeps quotes whose own ID is the filter text",
				func(p *plan) {
					p.client = func(r *Row, text string) bool { return r.Client == text || r.ID == text }
				}).Optional(),
		),
		rule("export.default.wallet", rules.Must, window("fixtures.default_wallet_id"),
			"Without a wallet the file is the one of the default wallet.",
			is("gives the quotes of another wallet when none is given", wallet(unnamed, ofWallet[another])),
			is("gives the quotes of all wallets when none is given", wallet(unnamed, everyLabel)),
			is("gives no quote when no wallet is given", wallet(unnamed, 0)),
		),
		rule("export.wallet.selects", rules.Should,
			window("fixtures.default_wallet_id", "fixtures.other_wallet_id"),
			"A wallet that is given selects its own quotes.",
			is("ignores the wallet", wallet(named, ofWallet[byDefault])),
			is("gives the quotes of all wallets when one is given", wallet(named, everyLabel)),
		),
		secured("export.wallet.foreign", window(other), "Another user's wallet gives access to nothing.",
			is("gives the quotes of a wallet of another user", when(ofAnother, func(p *plan) {
				of := ofOwner[p.another()]
				p.in = of & ofWallet[byDefault] & ofProduct[byDefault]
				p.may = of &^ p.in
			}))),
		rule("export.header.wallet.empty", rules.Must, window(),
			"An empty wallet header is accepted and means the default wallet.",
			is("gives the quotes of another wallet for an empty wallet header",
				wallet(empty, ofWallet[another])),
			is("gives the quotes of all wallets for an empty wallet header", wallet(empty, everyLabel)),
			is("gives no quote for an empty wallet header", wallet(empty, 0)),
		),
		rule("export.header.default_product", rules.Must,
			append([]string{"fixtures.product_id"}, window()...),
			"Without a product the default one is used, as when it is named.",
			is("gives the quotes of every product when none is named",
				when(noProduct, func(p *plan) { p.in = ofAnyProduct(p.in) })).Fallback(someRows).Optional(),
			is("gives no quote when no product is named", when(noProduct, none)),
		),
		rule("export.header.language.rows", rules.Must, window(),
			"The language makes no difference to the quotes that a file holds.",
			is("gives no quote when a language is preferred",
				when(preferring, none)),
			is("leaves out some quotes in that language", when(preferring, loseMarked)).Fallback(someRows),
		),
		rule("export.method.same_rows", rules.Must,
			window("credentials.platform_token", "credentials.api_key"),
			"Exported by the API key, a user's file holds the same quotes as by the token.",
			is("gives no quote to the API key", when(byKey, none)),
			is("leaves out some quotes for the API key", when(byKey, loseMarked)).Fallback(someRows),
		),
		secured("export.target.rows",
			target,
			"Quotes exported for a target user are that user's, and nobody else's.",
			is("adds the quotes of the caller to those of a target user", adds(forTarget, callers)),
			is("gives the caller's quotes, whatever user is named as the target", reads(forTarget, Caller)),
			is("adds quotes of somebody else to those of a target user",
				when(forTarget, addMarked),
			).Fallback(someRows),
		),
		secured("export.target.own_rows", target,
			"Quotes exported without a target user are the caller's, and nobody else's.",
			is("adds the quotes of every user that the caller may act for",
				adds(forCaller, ofOwner[Target]&ofProduct[byDefault])),
		),
		secured("export.isolation", window(other),
			"Another user's export holds none of this user's quotes.",
			is("gives the quotes of every legal person", everybody),
			is("gives everybody the quotes of the main user",
				reads(func(p *plan) bool { return !forCaller(p) }, Caller)),
			is("gives another user's export the quotes of the main user", reads(forStranger, Caller)),
			is("gives the quotes of every legal person for a filter type without a text",
				when(func(p *plan) bool { return p.asked.Filter.Kind == TypeOnly }, everybody)),
			is("adds quotes of another user", addMarked).Fallback(anyRows),
		),
	}
}
