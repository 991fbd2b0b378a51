package reference

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

func orderFaults() faults {
	// settled and ascending put another default for exports of a kind.
	settled := func(when func(c *choice) bool) func(*choice) {
		return where(func(c *choice) bool { return c.Sort == "" && when(c) },
			func(c *choice) { c.sort, c.bounded = bySettled, bySettled })
	}
	ascending := func(when func(c *choice) bool) func(*choice) {
		return where(func(c *choice) bool { return c.Order == "" && when(c) }, (*choice).ascend)
	}
	created := func(c *choice) { c.sort = byCreated }
	return slices.Concat(
		chosen("export.default.sort_settled", "default.sort", "sorts by settled_date when nothing is given",
			settled((*choice).anything)),
		chosen("export.default.sort_settled_bare", "default.sort", "sorts by settled_date for an empty object",
			settled((*choice).isBare)),
		chosen("export.default.order_asc", "default.order", "orders ascending when nothing is given",
			ascending((*choice).anything)),
		chosen("export.default.order_asc_bare", "default.order", "orders ascending for an empty object",
			ascending((*choice).isBare)),
		chosen("export.order.ignored", "order.asc", "orders descending whatever was asked", (*choice).descend),
		chosen("export.order.always_asc", "order.desc", "orders ascending whatever was asked", (*choice).ascend),
		chosen("export.order.swapped", "order.asc", "swaps ascending and descending",
			func(c *choice) { c.ascending = !c.ascending }),
		chosen("export.order.settled_by_created", "order.asc",
			"orders by quote_created_at when settled_date was asked", created),
		chosen("export.order.ignored_without_start", "order.asc", "orders descending where no start is given",
			where(func(c *choice) bool { return c.start.IsZero() }, (*choice).descend)),
		chosen("export.order.ignored_unbounded", "order.asc", "orders descending where no bound is given",
			where((*choice).unbound, (*choice).descend)),
		kept("export.order.neighbours", "order.desc", "swaps two rows of every file",
			func(_ *choice, quotes []*quote) []*quote {
				if n := len(quotes); n > 2 {
					quotes[0], quotes[n-1] = quotes[n-1], quotes[0]
				}
				return quotes
			}),
		kept("export.order.none", "order.asc", "orders rows by ID", func(_ *choice, quotes []*quote) []*quote {
			slices.SortFunc(quotes, func(a, b *quote) int { return cmp.Compare(a.id, b.id) })
			return quotes
		}),
	)
}

func (c *choice) ascend()      { c.ascending = true }
func (c *choice) descend()     { c.ascending = false }
func (c *choice) everyClient() { c.isClient = func(string) bool { return true } }

// join adds quotes to those that are chosen from.
func (c *choice) join(wallets, products []string, quotes ...quote) {
	c.from = slices.Concat(c.from, quotes)
	c.wallets, c.products = slices.Concat(c.wallets, wallets), slices.Concat(c.products, products)
}

// joinAll adds those of a legal person, of its default product in all its wallets.
func (c *choice) joinAll(p *legalPerson) { c.join(p.wallets, p.products[:1], p.quotes...) }

// joinOne adds a single quote.
func (c *choice) joinOne(q quote) { c.join([]string{q.wallet}, []string{q.product}, q) }

// instead chooses from the quotes of a legal person as from those of the owner: its wallet in place of the owner's.
func (c *choice) instead(q *call, p *legalPerson) {
	owner := q.owner()
	c.from = p.quotes
	c.wallets = p.wallets[max(0, slices.Index(owner.wallets, c.Wallet)):][:1]
	if c.Product == owner.products[0] {
		c.products = p.products[:1]
	}
}

func (q *call) callers() *legalPerson { return q.file.Caller.person }
func (q *call) forAnother() bool      { return q.file.Owner != q.file.Caller }

// opensWallets gives the quotes of a wallet of another user.
func opensWallets(when func(q *call) bool) effect {
	return onDefects(exporting, []string{"header.wallet.unknown"}, func(q *call, i *issue) bool {
		q.selection.Wallet = i.value.(string)
		return false
	}).when(when).and(on(func(q *call, c *choice) {
		if slices.Contains(q.owner().wallets, c.Wallet) {
			return
		}
		for _, u := range q.g.data.users {
			if slices.Contains(u.person.wallets, c.Wallet) {
				c.from, c.products = u.person.quotes, u.person.products[:1]
			}
		}
	}))
}

func selectionFaults() faults {
	// unnamed gives other wallets where none is named.
	unnamed := func(name, statement string, wallets func(own []string) []string) faults {
		return fault(name, "default.wallet", statement, on(func(q *call, c *choice) {
			if !c.Named {
				c.wallets = wallets(q.owner().wallets)
			}
		}))
	}
	compared := func(name, rule, statement string, same func(id, text string) bool) faults {
		return chosen(name, rule, statement,
			func(c *choice) { c.isClient = func(id string) bool { return same(id, c.Client) } })
	}
	return slices.Concat(
		unnamed("export.wallet.default_is_the_other", "uses another wallet when none is given",
			func(own []string) []string { return own[1:] }),
		unnamed("export.wallet.default_is_all", "gives the quotes of all wallets when none is given",
			func(own []string) []string { return own }),
		unnamed("export.wallet.default_is_none", "gives no quote when no wallet is given",
			func([]string) []string { return nil }),
		fault("export.wallet.foreign_opens", "wallet.foreign", "gives the quotes of a wallet of another user",
			opensWallets(func(*call) bool { return true })),
		fault("export.wallet.ignored", "wallet.selects", "ignores the wallet",
			on(func(q *call, c *choice) { c.wallets = q.owner().wallets[:1] })),
		chosen("export.filter.ignored", "filter.client_id", "ignores the filter", (*choice).everyClient),
		compared("export.filter.nothing", "filter.client_id", "gives no row when a filter is given",
			func(_, _ string) bool { return false }),
		compared("export.filter.contains", "filter.prefix", "keeps clients whose ID contains the text", strings.Contains),
		compared("export.filter.starts_with", "filter.prefix", "keeps clients whose ID starts with the text",
			strings.HasPrefix),
		compared("export.filter.ends_with", "filter.prefix", "keeps clients whose ID ends with the text",
			strings.HasSuffix),
		compared("export.filter.reversed", "filter.prefix", "keeps clients whose ID is the beginning of the text",
			func(id, text string) bool { return strings.HasPrefix(text, id) }),
		compared("export.filter.trimmed", "filter.prefix", "takes blanks around the filter text away",
			func(id, text string) bool { return id == strings.TrimSpace(text) }),
		compared("export.filter.pattern", "filter.prefix", "takes an underscore of the filter text for any character",
			func(id, text string) bool {
				before, after, found := strings.Cut(text, "_")
				return id == text || found && len(id) == len(text) && strings.HasPrefix(id, before) && strings.HasSuffix(id, after)
			}),
		compared("export.filter.folds_case", "filter.client_id", "compares client IDs without case", strings.EqualFold),
		kept("export.filter.one_lost", "filter.client_id", "loses one row of a filtered file",
			func(c *choice, quotes []*quote) []*quote {
				if !c.isFiltered() {
					return quotes
				}
				return quotes[:len(quotes)-1]
			}),
		fault("export.header.default_product_is_all", "header.default_product",
			"gives the quotes of every product when none is named", on(func(q *call, c *choice) {
				if !c.InProduct {
					c.products = q.owner().products
				}
			})),
	)
}

// rowsOfFaults are about whose quotes a file holds.
func rowsOfFaults() faults {
	everybody := func(name, where string, when func(c *choice) bool) faults {
		return fault(name, "isolation", "gives the quotes of every legal person"+where, on(func(q *call, c *choice) {
			switch {
			case !when(c):
			case q.file.Owner == q.g.data.other:
				c.joinAll(q.g.data.main.person)
			default:
				c.joinAll(q.g.data.other.person)
			}
		}))
	}
	return slices.Concat(
		everybody("export.isolation.broken", "", (*choice).anything),
		everybody("export.isolation.broken_open", " where a bound is missing",
			func(c *choice) bool { return c.oneBound() || c.unbound() }),
		everybody("export.isolation.broken_unbounded_settled", " by settled_date where no bound is given",
			func(c *choice) bool { return c.sort == bySettled && c.unbound() }),
		everybody("export.isolation.broken_without_text", " where a filter type has no filter text",
			func(c *choice) bool { return c.Anybody }),
		fault("export.isolation.broken_in_other_wallet", "isolation",
			"adds a quote of another legal person to those of a wallet that is not the default one",
			on(func(q *call, c *choice) {
				if c.Wallet != q.owner().wallets[0] {
					c.joinOne(q.g.data.other.person.quotes[0])
				}
			})),
		fault("export.isolation.main_only", "isolation", "gives everybody the quotes of the main user",
			on(func(q *call, c *choice) { c.instead(q, q.g.data.main.person) })),
		fault("export.target.rows_of_both", "target.rows", "adds the quotes of the caller to those of a target user",
			on(func(q *call, c *choice) {
				if q.forAnother() {
					c.joinAll(q.callers())
				}
			})),
		fault("export.target.unread", "target.rows", "gives the caller's quotes, whatever user is named as the target",
			ignoring(exporting, "header.on_behalf_of.unknown").and(on(func(q *call, c *choice) {
				if q.forAnother() {
					c.instead(q, q.callers())
				}
			}))),
		fault("export.target.row_of_other_wallet", "target.rows",
			"adds a quote of the caller's other wallet to those of a target user", on(func(q *call, c *choice) {
				of := q.callers()
				i := slices.IndexFunc(of.quotes, func(one quote) bool {
					return one.wallet == of.wallets[1] && one.product == of.products[0]
				})
				if q.forAnother() {
					c.joinOne(of.quotes[i])
				}
			})),
		fault("export.target.own_rows_of_both", "target.own_rows",
			"adds the quotes of every user that the caller may act for", on(func(q *call, c *choice) {
				if q.owner() == q.g.data.main.person {
					c.joinAll(q.g.data.target.person)
				}
			})),
	)
}

// newestFile puts whatever was exported last in place of a file: by another user, or by its own where it was given before.
func newestFile(own bool) effect {
	var newest, given sync.Map // files, by their owner or all under nil; whether one was given, by its ID
	whose := func(f *file) any {
		if own {
			return f.Owner
		}
		return nil
	}
	return exported(func(q *call, _ *reply) { newest.Store(whose(q.file), q.file) }).and(on(func(q *call, c *choice) {
		_, again := given.LoadOrStore(q.file.ID, true)
		found, _ := newest.Load(whose(q.file))
		switch last, known := found.(*file); {
		case known && own && again:
			*c = *last.Selection.choose(c.from)
		case known && !own && last.Owner != q.file.Owner:
			c.instead(q, last.Owner.person)
		}
	}))
}
