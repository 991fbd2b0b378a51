package reference

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

func ascend(c *choice)      { c.ascending = true }
func descend(c *choice)     { c.ascending = false }
func everyClient(c *choice) { c.isClient = func(string) bool { return true } }

// rowFaults are about which rows a file holds, whose they are, and in which order.
func rowFaults() faults {
	unsorted := func(c *choice) bool { return c.Sort == "" }
	unordered := func(c *choice) bool { return c.Order == "" }
	bare := func(c *choice) bool { return c.Bare }
	settled := func(c *choice) { c.sort, c.bounded = bySettled, bySettled }
	byID := func(_ *choice, quotes []*quote) []*quote {
		slices.SortFunc(quotes, func(a, b *quote) int { return cmp.Compare(a.id, b.id) })
		return quotes
	}
	// unnamed gives other wallets where none is named.
	unnamed := func(wallets func(own []string) []string) any {
		return func(q *call, c *choice) {
			if !c.Named {
				c.wallets = wallets(q.owner().wallets)
			}
		}
	}
	clients := func(same func(id, text string) bool) func(*choice) {
		return func(c *choice) { c.isClient = func(id string) bool { return same(id, c.Client) } }
	}
	someLost := kept(func(_ *choice, quotes []*quote) []*quote {
		return slices.DeleteFunc(quotes, func(q *quote) bool { return q.id < "4" })
	})
	const filter, prefix, asc = "filter.client_id", "filter.prefix", "order.asc"
	return slices.Concat(
		fault("export.default.sort_settled", "default.sort", "sorts by settled_date when nothing is given", where(unsorted, settled)),
		fault("export.default.sort_settled_bare", "default.sort", "sorts by settled_date for an empty object", where(bare, settled)),
		fault("export.default.order_asc", "default.order", "orders ascending when nothing is given", where(unordered, ascend)),
		fault("export.default.order_asc_bare", "default.order", "orders ascending for an empty object", where(bare, ascend)),
		fault("export.order.ignored", asc, "orders descending whatever was asked", descend),
		fault("export.order.always_asc", "order.desc", "orders ascending whatever was asked", ascend),
		fault("export.order.swapped", asc, "swaps ascending and descending", func(c *choice) { c.ascending = !c.ascending }),
		fault("export.order.settled_by_created", asc, "orders by quote_created_at when settled_date was asked",
			func(c *choice) { c.sort = byCreated }),
		fault("export.order.ignored_unbounded", asc, "orders descending where no bound is given", where(unbound, descend)),
		fault("export.order.none", asc, "orders rows by ID", kept(byID)),
		fault("export.wallet.default_is_the_other", "default.wallet", "uses another wallet when none is given",
			unnamed(func(own []string) []string { return own[1:] })),
		fault("export.wallet.default_is_all", "default.wallet", "gives the quotes of all wallets when none is given",
			unnamed(func(own []string) []string { return own })),
		fault("export.wallet.default_is_none", "default.wallet", "gives no quote when no wallet is given",
			unnamed(func([]string) []string { return nil })),
		fault("export.wallet.foreign_opens", "wallet.foreign", "gives the quotes of a wallet of another user",
			onDefects(exporting, []string{"header.wallet.unknown"}, func(q *call, i *issue) bool {
				q.selection.Wallet = i.value.(string)
				return false
			}), func(q *call, c *choice) {
				for _, u := range q.g.data.users {
					if slices.Contains(u.person.wallets, c.Wallet) && !slices.Contains(q.owner().wallets, c.Wallet) {
						c.from, c.products = u.person.quotes, u.person.products[:1]
					}
				}
			}),
		fault("export.wallet.ignored", "wallet.selects", "ignores the wallet",
			func(q *call, c *choice) { c.wallets = q.owner().wallets[:1] }),
		fault("export.filter.ignored", filter, "ignores the filter", everyClient),
		fault("export.filter.injected", filter, "runs the filter text as a part of SQL",
			clients(func(id, text string) bool { return id == text || strings.Contains(text, "' OR '1'='1") })),
		fault("export.filter.zero", filter, "takes the filter text 0 for none",
			clients(func(id, text string) bool { return id == text || text == "0" })),
		fault("export.filter.quotes", filter, "takes the filter text for the ID of a quote", func(c *choice) {
			if id := c.Client; id != "" {
				c.Client, c.keeps = "", func(q *quote) bool { return q.id == id && c.within(q) }
			}
		}),
		fault("export.filter.nothing", filter, "gives no row when a filter is given", clients(func(_, _ string) bool { return false })),
		fault("export.filter.contains", prefix, "keeps clients whose ID contains the text", clients(strings.Contains)),
		fault("export.filter.starts_with", prefix, "keeps clients whose ID starts with the text", clients(strings.HasPrefix)),
		fault("export.filter.ends_with", prefix, "keeps clients whose ID ends with the text", clients(strings.HasSuffix)),
		fault("export.filter.reversed", prefix, "keeps clients whose ID is the beginning of the text",
			clients(func(id, text string) bool { return strings.HasPrefix(text, id) })),
		fault("export.filter.trimmed", prefix, "takes blanks around the filter text away",
			clients(func(id, text string) bool { return id == strings.TrimSpace(text) })),
		fault("export.filter.pattern", prefix, "takes an underscore of the filter text for any character",
			clients(func(id, text string) bool { return isLike(strings.ReplaceAll(regexp.QuoteMeta(text), "_", "."), id) })),
		fault("export.filter.folds_case", filter, "compares client IDs without case", clients(strings.EqualFold)),
		fault("export.filter.one_lost", filter, "loses one row of a filtered file",
			kept(func(c *choice, quotes []*quote) []*quote { return quotes[:len(quotes)-min(1, len(c.Client))] })),
		fault("export.method.some_lost", "method.same_rows", "loses quotes for an API key", under((*call).byAPIKey, someLost)),
		fault("export.header.language.some_lost", "header.language.rows", "loses quotes when en-US is preferred",
			under(func(q *call) bool { return q.preferred() == "en-US" }, someLost)),
		fault("export.header.default_product_is_all", "header.default_product",
			"gives the quotes of every product when none is named", func(q *call, c *choice) {
				if !c.InProduct {
					c.products = q.owner().products
				}
			}),
		fault("export.isolation.broken", "isolation", "gives the quotes of every legal person", func(q *call, c *choice) {
			others := map[bool]*user{true: q.g.data.main, false: q.g.data.other}
			c.joinAll(others[q.file.Owner == q.g.data.other.id].person)
		}),
		fault("export.target.rows_of_both", "target.rows", "adds the quotes of the caller to those of a target user",
			func(q *call, c *choice) {
				if q.file.Owner != q.file.Caller {
					c.joinAll(q.g.data.users[q.file.Caller].person)
				}
			}),
		fault("export.target.unread", "target.rows", "gives the caller's quotes, whatever user is named as the target",
			ignoring(exporting, "header.on_behalf_of.unknown"), unreadUser(exporting)),
		fault("export.target.own_rows_of_both", "target.own_rows",
			"adds the quotes of every user that the caller may act for", func(q *call, c *choice) {
				if q.owner() == q.g.data.main.person {
					c.joinAll(q.g.data.target.person)
				}
			}),
	)
}

// joinAll adds the quotes of a legal person to those that are chosen from, of its default product in all its wallets.
func (c *choice) joinAll(p *legalPerson) {
	c.from, c.wallets = slices.Concat(c.from, p.quotes), slices.Concat(c.wallets, p.wallets)
	c.products = slices.Concat(c.products, p.products[:1])
}
