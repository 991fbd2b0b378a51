package reference

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

func sortAscending(c *quoteSelection)   { c.ascending = true }
func sortDescending(c *quoteSelection)  { c.ascending = false }
func keepEveryClient(c *quoteSelection) { c.isClient = func(string) bool { return true } }

// rowFaults declares faults in which rows a file holds, whose they are, and how they are
// ordered.
func rowFaults() faultDeclarations {
	unsorted := func(c *quoteSelection) bool { return c.Sort == "" }
	unordered := func(c *quoteSelection) bool { return c.Order == "" }
	bare := func(c *quoteSelection) bool { return c.Bare }
	settled := func(c *quoteSelection) { c.sort, c.boundedDate = sortBySettled, sortBySettled }
	byID := func(_ *quoteSelection, quotes []*quote) []*quote {
		slices.SortFunc(quotes, func(a, b *quote) int { return cmp.Compare(a.id, b.id) })
		return quotes
	}
	// unnamed changes the wallets if none is named.
	unnamed := func(wallets func(own []string) []string) any {
		return func(q *requestState, c *quoteSelection) {
			if !c.Named {
				c.wallets = wallets(q.fileOwner().wallets)
			}
		}
	}
	clients := func(same func(id, text string) bool) func(*quoteSelection) {
		return func(c *quoteSelection) { c.isClient = func(id string) bool { return same(id, c.Client) } }
	}
	someLost := changeQuotes(func(_ *quoteSelection, quotes []*quote) []*quote {
		return slices.DeleteFunc(quotes, func(q *quote) bool { return q.id < "4" })
	})
	return slices.Concat(
		declareFault("export.default.sort_settled", whenFilter(unsorted, settled)),
		declareFault("export.default.sort_settled_bare", whenFilter(bare, settled)),
		declareFault("export.default.order_asc", whenFilter(unordered, sortAscending)),
		declareFault("export.default.order_asc_bare", whenFilter(bare, sortAscending)),
		declareFault("export.order.ignored", sortDescending),
		declareFault("export.order.always_asc", sortAscending),
		declareFault("export.order.swapped", func(c *quoteSelection) { c.ascending = !c.ascending }),
		declareFault("export.order.settled_by_created",
			func(c *quoteSelection) { c.sort = sortByCreated }),
		declareFault("export.order.ignored_unbounded", whenFilter(hasNoBounds, sortDescending)),
		declareFault("export.order.none", changeQuotes(byID)),
		declareFault("export.wallet.default_is_the_other",
			unnamed(func(own []string) []string { return own[1:] })),
		declareFault("export.wallet.default_is_all", unnamed(func(own []string) []string { return own })),
		declareFault("export.wallet.default_is_none", unnamed(func([]string) []string { return nil })),
		declareFault("export.wallet.foreign_opens",
			filterDefects(operationExport, []string{"header.wallet.unknown"},
				func(q *requestState, i *requestDefect) bool {
					q.selection.Wallet = i.value.(string)
					return false
				}), func(q *requestState, c *quoteSelection) {
				for _, u := range q.gateway.data.users {
					if slices.Contains(u.person.wallets, c.Wallet) &&
						!slices.Contains(q.fileOwner().wallets, c.Wallet) {
						c.candidates, c.products = u.person.quotes, u.person.products[:1]
					}
				}
			}),
		declareFault("export.wallet.unknown_is_default", // the selection already holds the default
			ignoreDefects(operationExport, "header.wallet.unknown")),
		declareFault("export.wallet.ignored",
			func(q *requestState, c *quoteSelection) { c.wallets = q.fileOwner().wallets[:1] }),
		declareFault("export.filter.ignored", keepEveryClient),
		declareFault("export.filter.injected",
			clients(
				func(id, text string) bool { return id == text || strings.Contains(text, "' OR '1'='1") }),
		),
		markSweeping(declareFault("export.filter.injected_past_all",
			func(q *requestState, c *quoteSelection) {
				if strings.Contains(c.Client, "' OR '1'='1") {
					c.Client, c.keeps = "", func(*quote) bool { return true }
					c.candidates = nil
					for _, u := range []*user{q.gateway.data.main, q.gateway.data.other} {
						c.addAllQuotesOf(u.person)
					}
				}
			})),
		declareFault("export.filter.zero",
			clients(func(id, text string) bool { return id == text || text == "0" })),
		declareFault("export.filter.quotes", func(c *quoteSelection) {
			if id := c.Client; id != "" {
				c.Client, c.keeps = "", func(q *quote) bool { return q.id == id && c.isInRange(q) }
			}
		}),
		declareFault("export.filter.nothing", clients(func(_, _ string) bool { return false })),
		declareFault("export.filter.contains", clients(strings.Contains)),
		declareFault("export.filter.starts_with", clients(strings.HasPrefix)),
		declareFault("export.filter.starts_with_in_any_case",
			clients(inAnyCase(strings.HasPrefix))),
		declareFault("export.filter.contains_in_any_case",
			clients(inAnyCase(strings.Contains))),
		declareFault("export.filter.ends_with", clients(strings.HasSuffix)),
		declareFault("export.filter.reversed",
			clients(func(id, text string) bool { return strings.HasPrefix(text, id) })),
		declareFault("export.filter.trimmed",
			clients(func(id, text string) bool { return id == strings.TrimSpace(text) })),
		declareFault("export.filter.pattern",
			clients(func(id, text string) bool {
				return matchesWhole(strings.ReplaceAll(regexp.QuoteMeta(text), "_", "."), id)
			})),
		declareFault("export.filter.folds_case", clients(strings.EqualFold)),
		declareFault("export.filter.one_lost",
			changeQuotes(func(c *quoteSelection, quotes []*quote) []*quote {
				return quotes[:len(quotes)-min(1, len(c.Client))]
			})),
		declareFault("export.method.some_lost", underCondition((*requestState).usesAPIKey, someLost)),
		declareFault("export.header.language.some_lost",
			underCondition(func(q *requestState) bool { return q.preferredLanguage() == "en-US" }, someLost),
		),
		declareFault("export.header.default_product_is_all", func(q *requestState, c *quoteSelection) {
			if !c.InProduct {
				c.products = q.fileOwner().products
			}
		}),
		declareFault("export.isolation.broken", func(q *requestState, c *quoteSelection) {
			another := q.gateway.data.other
			if q.file.Owner == another.id {
				another = q.gateway.data.main
			}
			c.addAllQuotesOf(another.person)
		}),
		declareFault("export.target.rows_of_both", func(q *requestState, c *quoteSelection) {
			if q.file.Owner != q.file.Caller {
				c.addAllQuotesOf(q.gateway.data.users[q.file.Caller].person)
			}
		}),
		declareFault("export.target.unread",
			ignoreDefects(operationExport, "header.on_behalf_of.unknown"),
			ignoreTargetUser(operationExport)),
		declareFault("export.target.own_rows_of_both", func(q *requestState, c *quoteSelection) {
			if q.fileOwner() == q.gateway.data.main.person {
				c.addAllQuotesOf(q.gateway.data.target.person)
			}
		}),
	)
}

// addAllQuotesOf adds a legal person's quotes of its default product, in all its wallets.
func (c *quoteSelection) addAllQuotesOf(p *legalPerson) {
	c.candidates = slices.Concat(c.candidates, p.quotes)
	c.wallets = slices.Concat(c.wallets, p.wallets)
	c.products = slices.Concat(c.products, p.products[:1])
}

// inAnyCase returns a comparison that ignores case.
func inAnyCase(compare func(id, text string) bool) func(id, text string) bool {
	return func(id, text string) bool { return compare(strings.ToLower(id), strings.ToLower(text)) }
}
