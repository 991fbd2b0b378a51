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
	return slices.Concat(
		fault("export.default.sort_settled", where(unsorted, settled)),
		fault("export.default.sort_settled_bare", where(bare, settled)),
		fault("export.default.order_asc", where(unordered, ascend)),
		fault("export.default.order_asc_bare", where(bare, ascend)),
		fault("export.order.ignored", descend),
		fault("export.order.always_asc", ascend),
		fault("export.order.swapped", func(c *choice) { c.ascending = !c.ascending }),
		fault("export.order.settled_by_created", func(c *choice) { c.sort = byCreated }),
		fault("export.order.ignored_unbounded", where(unbound, descend)),
		fault("export.order.none", kept(byID)),
		fault("export.wallet.default_is_the_other",
			unnamed(func(own []string) []string { return own[1:] })),
		fault("export.wallet.default_is_all", unnamed(func(own []string) []string { return own })),
		fault("export.wallet.default_is_none", unnamed(func([]string) []string { return nil })),
		fault("export.wallet.foreign_opens",
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
		fault("export.wallet.ignored",
			func(q *call, c *choice) { c.wallets = q.owner().wallets[:1] }),
		fault("export.filter.ignored", everyClient),
		fault("export.filter.injected",
			clients(func(id, text string) bool { return id == text || strings.Contains(text, "' OR '1'='1") })),
		fault("export.filter.zero",
			clients(func(id, text string) bool { return id == text || text == "0" })),
		fault("export.filter.quotes", func(c *choice) {
			if id := c.Client; id != "" {
				c.Client, c.keeps = "", func(q *quote) bool { return q.id == id && c.within(q) }
			}
		}),
		fault("export.filter.nothing", clients(func(_, _ string) bool { return false })),
		fault("export.filter.contains", clients(strings.Contains)),
		fault("export.filter.starts_with", clients(strings.HasPrefix)),
		fault("export.filter.ends_with", clients(strings.HasSuffix)),
		fault("export.filter.reversed",
			clients(func(id, text string) bool { return strings.HasPrefix(text, id) })),
		fault("export.filter.trimmed",
			clients(func(id, text string) bool { return id == strings.TrimSpace(text) })),
		fault("export.filter.pattern",
			clients(func(id, text string) bool { return isLike(strings.ReplaceAll(regexp.QuoteMeta(text), "_", "."), id) })),
		fault("export.filter.folds_case", clients(strings.EqualFold)),
		fault("export.filter.one_lost",
			kept(func(c *choice, quotes []*quote) []*quote { return quotes[:len(quotes)-min(1, len(c.Client))] })),
		fault("export.method.some_lost", under((*call).byAPIKey, someLost)),
		fault("export.header.language.some_lost",
			under(func(q *call) bool { return q.preferred() == "en-US" }, someLost)),
		fault("export.header.default_product_is_all", func(q *call, c *choice) {
			if !c.InProduct {
				c.products = q.owner().products
			}
		}),
		fault("export.isolation.broken", func(q *call, c *choice) {
			another := q.g.data.other
			if q.file.Owner == another.id {
				another = q.g.data.main
			}
			c.joinAll(another.person)
		}),
		fault("export.target.rows_of_both", func(q *call, c *choice) {
			if q.file.Owner != q.file.Caller {
				c.joinAll(q.g.data.users[q.file.Caller].person)
			}
		}),
		fault("export.target.unread",
			ignoring(exporting, "header.on_behalf_of.unknown"), unreadUser(exporting)),
		fault("export.target.own_rows_of_both", func(q *call, c *choice) {
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
