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
func rowFaults() changes {
	unsorted := func(c *quoteSelection) bool { return c.Sort == "" }
	unordered := func(c *quoteSelection) bool { return c.Order == "" }
	bare := func(c *quoteSelection) bool { return c.Bare }
	settled := func(c *quoteSelection) { c.sort, c.boundedDate = sortBySettled, sortBySettled }
	byID := func(s *filteredQuotes) {
		slices.SortFunc(s.quotes, func(a, b *quote) int { return cmp.Compare(a.id, b.id) })
	}
	// unnamed changes the wallets if none is named.
	unnamed := func(wallets func(own []string) []string) any {
		return func(q *request, c *quoteSelection) {
			if !c.Named {
				c.wallets = wallets(q.fileOwner().wallets)
			}
		}
	}
	clients := func(same func(id, text string) bool) func(*quoteSelection) {
		return func(c *quoteSelection) { c.isClient = func(id string) bool { return same(id, c.Client) } }
	}
	someLost := func(s *filteredQuotes) {
		s.quotes = slices.DeleteFunc(s.quotes, func(q *quote) bool { return q.id < "4" })
	}
	return changes{
		"export.default.sort_settled":        whenFilter(unsorted, settled),
		"export.default.sort_settled_bare":   whenFilter(bare, settled),
		"export.default.order_asc":           whenFilter(unordered, sortAscending),
		"export.default.order_asc_bare":      whenFilter(bare, sortAscending),
		"export.order.ignored":               sortDescending,
		"export.order.always_asc":            sortAscending,
		"export.order.swapped":               func(c *quoteSelection) { c.ascending = !c.ascending },
		"export.order.settled_by_created":    func(c *quoteSelection) { c.sort = sortByCreated },
		"export.order.ignored_unbounded":     whenFilter(hasNoBounds, sortDescending),
		"export.order.none":                  byID,
		"export.wallet.default_is_the_other": unnamed(func(own []string) []string { return own[1:] }),
		"export.wallet.default_is_all":       unnamed(func(own []string) []string { return own }),
		"export.wallet.default_is_none":      unnamed(func([]string) []string { return nil }),
		"export.wallet.foreign_opens": combine(
			filterDefects(opExport, []string{"header.wallet.unknown"}, func(q *request, i *defect) bool {
				q.selection.Wallet = i.value.(string)
				return false
			}), func(q *request, c *quoteSelection) {
				for _, u := range q.gateway.data.users {
					if slices.Contains(u.person.wallets, c.Wallet) &&
						!slices.Contains(q.fileOwner().wallets, c.Wallet) {
						c.candidates, c.products = u.person.quotes, u.person.products[:1]
					}
				}
			}),
		// the selection already holds the default
		"export.wallet.unknown_is_default": ignoreDefects(opExport, "header.wallet.unknown"),
		"export.wallet.ignored": func(q *request, c *quoteSelection) {
			c.wallets = q.fileOwner().wallets[:1]
		},
		"export.filter.all_wallets": func(q *request, c *quoteSelection) {
			if c.Client != "" {
				c.wallets = q.fileOwner().wallets
			}
		},
		"export.filter.ignored": keepEveryClient,
		"export.filter.or_bounds": whenFilter(
			func(c *quoteSelection) bool { return c.Client != "" && !hasNoBounds(c) },
			func(c *quoteSelection) {
				isClient := c.isClient
				c.isClient = func(string) bool { return true }
				c.keeps = func(q *quote) bool { return isClient(q.client) || c.isInRange(q) }
			}),
		"export.filter.injected": clients(
			func(id, text string) bool { return id == text || strings.Contains(text, "' OR '1'='1") }),
		"export.filter.injected_past_all": func(q *request, c *quoteSelection) {
			if strings.Contains(c.Client, "' OR '1'='1") {
				c.Client, c.keeps = "", func(*quote) bool { return true }
				c.candidates = nil
				for _, u := range []*user{q.gateway.data.main, q.gateway.data.other} {
					c.addAllQuotesOf(u.person)
				}
			}
		},
		"export.filter.zero": clients(func(id, text string) bool { return id == text || text == "0" }),
		"export.filter.quotes": func(c *quoteSelection) {
			if id := c.Client; id != "" {
				c.Client, c.keeps = "", func(q *quote) bool { return q.id == id && c.isInRange(q) }
			}
		},
		"export.filter.nothing":                 clients(func(_, _ string) bool { return false }),
		"export.filter.contains":                clients(strings.Contains),
		"export.filter.starts_with":             clients(strings.HasPrefix),
		"export.filter.starts_with_in_any_case": clients(inAnyCase(strings.HasPrefix)),
		"export.filter.contains_in_any_case":    clients(inAnyCase(strings.Contains)),
		"export.filter.ends_with":               clients(strings.HasSuffix),
		"export.filter.reversed": clients(
			func(id, text string) bool { return strings.HasPrefix(text, id) }),
		"export.filter.trimmed": clients(
			func(id, text string) bool { return id == strings.TrimSpace(text) }),
		"export.filter.pattern": clients(func(id, text string) bool {
			return matchesWhole(strings.ReplaceAll(regexp.QuoteMeta(text), "_", "."), id)
		}),
		"export.filter.folds_case": clients(strings.EqualFold),
		"export.filter.one_lost": changeQuotes(
			func(s *filteredQuotes) { s.quotes = s.quotes[:len(s.quotes)-min(1, len(s.Client))] }),
		"export.method.some_lost":          underCondition((*request).usesAPIKey, someLost),
		"export.header.language.some_lost": underCondition(prefers("en-US"), someLost),
		"export.header.default_product_is_all": func(q *request, c *quoteSelection) {
			if !c.InProduct {
				c.products = q.fileOwner().products
			}
		},
		"export.isolation.broken": func(q *request, c *quoteSelection) {
			another := q.gateway.data.other
			if q.file.Owner == another.id {
				another = q.gateway.data.main
			}
			c.addAllQuotesOf(another.person)
		},
		"export.target.rows_of_both": func(q *request, c *quoteSelection) {
			if q.file.Owner != q.file.Caller {
				c.addAllQuotesOf(q.gateway.data.users[q.file.Caller].person)
			}
		},
		"export.target.unread": combine(ignoreDefects(opExport, "header.on_behalf_of.unknown"),
			ignoreTargetUser(opExport)),
		"export.target.own_rows_of_both": func(q *request, c *quoteSelection) {
			if q.fileOwner() == q.gateway.data.main.person {
				c.addAllQuotesOf(q.gateway.data.target.person)
			}
		},
	}
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
