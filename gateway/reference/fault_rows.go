package reference

import (
	"cmp"
	"slices"
	"strings"
)

func (c *choice) filtered() bool         { return c.Client != "" }
func (c *choice) settledAscending() bool { return c.sort == bySettled && c.ascending }

func orderFaults() faults {
	bare := func(c *choice) bool { return c.Bare }
	anything := func(*choice) bool { return true }
	// settled and ascending put another default for exports of a kind.
	settled := func(when func(c *choice) bool) func(*choice) {
		return func(c *choice) {
			if c.Sort == "" && when(c) {
				c.sort, c.bounded = bySettled, bySettled
			}
		}
	}
	ascending := func(when func(c *choice) bool) func(*choice) {
		return func(c *choice) { c.ascending = c.ascending || c.Order == "" && when(c) }
	}
	return under("export.",
		chosen("export.default.sort_settled", "default.sort", "sorts by settled_date when nothing is given",
			settled(anything)),
		chosen("export.default.sort_settled_filtered", "default.sort",
			"sorts by settled_date when a client filter is given and no sort", settled((*choice).filtered)),
		chosen("export.default.sort_settled_bare", "default.sort", "sorts by settled_date for an empty object",
			settled(bare)),
		chosen("export.default.order_asc", "default.order", "orders ascending when nothing is given",
			ascending(anything)),
		chosen("export.default.order_asc_filtered", "default.order",
			"orders ascending when a client filter is given and no order", ascending((*choice).filtered)),
		chosen("export.default.order_asc_bare", "default.order", "orders ascending for an empty object",
			ascending(bare)),
		chosen("export.order.ignored", "order.asc", "orders descending whatever was asked", (*choice).descend),
		chosen("export.order.always_asc", "order.desc", "orders ascending whatever was asked", (*choice).ascend),
		chosen("export.order.ignored_filtered", "order.asc",
			"orders descending whatever was asked when a client filter is given",
			where((*choice).filtered, (*choice).descend)),
		chosen("export.order.asc_filtered", "order.desc",
			"orders ascending whatever was asked when a client filter is given",
			where((*choice).filtered, (*choice).ascend)),
		chosen("export.order.swapped", "order.asc", "swaps ascending and descending",
			func(c *choice) { c.ascending = !c.ascending }),
		chosen("export.order.settled_by_created", "order.asc", "orders by quote_created_at when settled_date was asked",
			func(c *choice) { c.sort = byCreated }),
		chosen("export.order.settled_filtered_by_created", "order.desc",
			"orders by quote_created_at when settled_date was asked and a client filter is given",
			where((*choice).filtered, func(c *choice) { c.sort = byCreated })),
		chosen("export.order.ignored_without_start", "order.asc", "orders descending where no start is given",
			where(func(c *choice) bool { return c.start.IsZero() }, (*choice).descend)),
		chosen("export.order.ignored_unbounded", "order.asc", "orders descending where no bound is given",
			where(func(c *choice) bool { return c.start.IsZero() && c.end.IsZero() }, (*choice).descend)),
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

func (c *choice) ascend()  { c.ascending = true }
func (c *choice) descend() { c.ascending = false }

// everyClient and startOfClient keep other clients than the one that the filter names.
func (c *choice) everyClient() { c.isClient = func(string) bool { return true } }

func (c *choice) startOfClient() {
	c.isClient = func(id string) bool { return strings.HasPrefix(id, c.Client) }
}

// join adds the quotes of a legal person, of its default product in all its wallets, to those that are chosen from.
func (c *choice) join(p *legalPerson) {
	c.from = c.from.changed(p, func(quotes []quote) []quote { return append(quotes, p.quotes...) })
	c.wallets = slices.Concat(c.wallets, p.wallets)
	c.products = append(slices.Clip(c.products), p.products[0])
}

// joinOne adds a single quote of another legal person.
func (c *choice) joinOne(one quote) {
	c.from = c.from.changed(one, func(quotes []quote) []quote { return append(quotes, one) })
	c.wallets, c.products = append(slices.Clip(c.wallets), one.wallet), append(slices.Clip(c.products), one.product)
}

// only chooses from the quotes of a legal person as from those of the owner: its wallet in place of the owner's.
func (c *choice) only(q *call, p *legalPerson) {
	owner := q.owner()
	c.from = p.stock
	c.wallets = p.wallets[max(0, slices.Index(owner.wallets, c.Wallet)):][:1]
	if c.Product == owner.products[0] {
		c.products = p.products[:1]
	}
}

// owner is the legal person whose quotes the file of a request holds.
func (q *call) owner() *legalPerson { return q.g.data.users[q.file.Owner].person }

// defaultWallet chooses from the default wallet whatever was asked.
func defaultWallet(q *call, c *choice) { c.wallets = q.owner().wallets[:1] }

// joinOther adds the quotes of another legal person.
func joinOther(q *call, c *choice) {
	if q.file.Owner == q.g.data.other.id {
		c.join(q.g.data.main.person)
	} else {
		c.join(q.g.data.other.person)
	}
}

// joinCaller adds the quotes of the caller to those of a target user.
func joinCaller(q *call, c *choice) {
	if q.file.Owner != q.file.Caller {
		c.join(q.g.data.users[q.file.Caller].person)
	}
}

// opensWallets gives the quotes of a wallet of another user.
func opensWallets(when func(q *call) bool) effect {
	return onDefects(exporting, []string{"header.wallet.unknown"}, func(q *call, _ *issue) bool {
		q.selection.Wallet = strings.ToLower(q.r.Header.Get("x-wallet-uuid"))
		return false
	}).when(when).and(on(func(q *call, c *choice) {
		if slices.Contains(q.owner().wallets, c.Wallet) {
			return
		}
		for _, u := range q.g.data.users {
			if slices.Contains(u.person.wallets, c.Wallet) {
				c.from, c.products = u.person.stock, u.person.products[:1]
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
		return chosen(name, "filter."+rule, statement,
			func(c *choice) { c.isClient = func(id string) bool { return same(id, c.Client) } })
	}
	everybody := func(name, where string, when func(c *choice) bool) faults {
		return fault(name, "isolation", "gives the quotes of every legal person"+where,
			on(func(q *call, c *choice) {
				if when(c) {
					joinOther(q, c)
				}
			}))
	}
	return under("export.",
		unnamed("export.wallet.default_is_the_other", "uses another wallet when none is given",
			func(own []string) []string { return own[1:] }),
		unnamed("export.wallet.default_is_all", "gives the quotes of all wallets when none is given",
			func(own []string) []string { return own }),
		fault("export.wallet.default_is_all_filtered", "default.wallet",
			"gives the quotes of all wallets when a client filter is given and no wallet", on(func(q *call, c *choice) {
				if !c.Named && c.filtered() {
					c.wallets = q.owner().wallets
				}
			})),
		unnamed("export.wallet.default_is_none", "gives no quote when no wallet is given",
			func([]string) []string { return nil }),
		fault("export.wallet.foreign_opens", "wallet.foreign", "gives the quotes of a wallet of another user",
			opensWallets(func(*call) bool { return true })),
		fault("export.wallet.ignored", "wallet.selects", "ignores the wallet", on(defaultWallet)),
		fault("export.wallet.ignored_settled_asc", "wallet.selects", "ignores the wallet by settled_date, oldest first",
			on(func(q *call, c *choice) {
				if c.settledAscending() {
					defaultWallet(q, c)
				}
			})),
		chosen("export.filter.ignored", "filter.client_id", "ignores the filter", (*choice).everyClient),
		compared("export.filter.nothing", "client_id", "gives no row when a filter is given",
			func(_, _ string) bool { return false }),
		compared("export.filter.contains", "prefix", "keeps clients whose ID contains the text", strings.Contains),
		chosen("export.filter.starts_with", "filter.prefix", "keeps clients whose ID starts with the text",
			(*choice).startOfClient),
		compared("export.filter.ends_with", "prefix", "keeps clients whose ID ends with the text", strings.HasSuffix),
		compared("export.filter.folds_case", "client_id", "compares client IDs without case", strings.EqualFold),
		kept("export.filter.one_lost", "filter.client_id", "loses one row of a filtered file",
			func(c *choice, quotes []*quote) []*quote {
				if !c.filtered() {
					return quotes
				}
				return quotes[:len(quotes)-1]
			}),
		everybody("export.isolation.broken", "", func(*choice) bool { return true }),
		everybody("export.isolation.broken_open", " where a bound is missing",
			func(c *choice) bool { return c.start.IsZero() || c.end.IsZero() }),
		everybody("export.isolation.broken_unbounded_settled", " by settled_date where no bound is given",
			func(c *choice) bool { return c.sort == bySettled && c.start.IsZero() && c.end.IsZero() }),
		everybody("export.isolation.broken_without_text", " where a filter type has no filter text",
			func(c *choice) bool { return c.Anybody }),
		fault("export.isolation.broken_in_other_wallet", "isolation",
			"adds a quote of another legal person to those of a wallet that is not the default one",
			on(func(q *call, c *choice) {
				if c.Wallet != q.owner().wallets[0] {
					c.joinOne(q.g.data.other.person.quotes[0])
				}
			})),
		everybody("export.isolation.broken_settled_asc", " by settled_date, oldest first", (*choice).settledAscending),
		fault("export.target.rows_of_both", "target.rows", "adds the quotes of the caller to those of a target user",
			on(joinCaller)),
		fault("export.target.unread", "target.rows", "gives the caller's quotes, whatever user is named as the target",
			ignoring(exporting, "header.on_behalf_of.unknown").and(on(func(q *call, c *choice) {
				if q.file.Owner != q.file.Caller {
					c.only(q, q.g.data.users[q.file.Caller].person)
				}
			}))),
		fault("export.target.row_of_other_wallet", "target.rows",
			"adds a quote of the caller's other wallet to those of a target user", on(func(q *call, c *choice) {
				caller := q.g.data.users[q.file.Caller].person
				if q.file.Owner == q.file.Caller || len(caller.wallets) < 2 {
					return
				}
				for _, one := range caller.quotes {
					if one.wallet == caller.wallets[1] && one.product == caller.products[0] {
						c.joinOne(one)
						return
					}
				}
			})),
		fault("export.target.own_rows_of_both", "target.own_rows",
			"adds the quotes of every user that the caller may act for",
			on(func(q *call, c *choice) {
				if q.file.Owner == q.g.data.main.id {
					c.join(q.g.data.target.person)
				}
			})),
		fault("export.header.default_product_is_all", "header.default_product",
			"gives the quotes of every product when none is named", on(func(q *call, c *choice) {
				if !c.InProduct {
					c.products = q.owner().products
				}
			})),
		fault("export.isolation.main_only", "isolation", "gives everybody the quotes of the main user",
			on(func(q *call, c *choice) { c.only(q, q.g.data.main.person) })),
	)
}

// nobody stands for whoever sends no credential.
var nobody = user{id: "nobody"}

// onTable makes an effect on the rows of a file, the titles of its columns first.
func onTable(change func(rows [][]string) [][]string) effect {
	return on(func(_ *call, rows *table) { *rows = change(*rows) })
}

func fileFaults() faults {
	text := func(name, statement string, change func(data []byte) []byte) faults {
		return fault(name, "csv", statement, on(func(_ *call, data *content) { *data = change(*data) }))
	}
	always := func(other state) effect { return on(func(_ *call, s *state) { *s = other }) }
	return under("export.", fault("export.file.first_id_blank", "range.partition",
		"leaves the ID of the first row of every file blank", onTable(func(rows [][]string) [][]string {
			if len(rows) > 1 {
				rows[1][0] = ""
			}
			return rows
		})), under("file.",
		text("export.file.unbalanced_quote", "leaves a quoted field unclosed",
			func(data []byte) []byte { return append(data, "\"never closed,1,2\n"...) }),
		text("export.file.short_row", "ends files with a row of two fields",
			func(data []byte) []byte { return append(data, "a,b\n"...) }),
		text("export.file.cut", "cuts files in the middle", func(data []byte) []byte { return data[:len(data)*2/3] }),
		text("export.file.json", "writes JSON instead of CSV",
			func([]byte) []byte { return []byte(`[{"id":"1"},` + "\n" + `{"id":"2","note":"x"}]`) }),
		fault("export.file.html", "csv", "answers with a web page instead of the file", on(func(_ *call, a *reply) {
			if a.kind == "file" {
				a.header.Set("Content-Type", "text/html")
				a.body = []byte("<html><body><h1>It works, \"almost</h1></body></html>\n")
			}
		})),
		text("export.file.notes_unquoted", "leaves text with separators and line breaks unquoted",
			func(data []byte) []byte { return []byte(strings.ReplaceAll(string(data), `"`, "")) }),
		fault("export.file.never_ready", "retrievable", "never finishes a file", always(processing)),
		fault("export.file.always_failed", "retrievable", "fails to generate any file", always(failed)),
		fault("export.file.failed_settled", "retrievable", "fails to generate files by settled_date",
			on(func(q *call, s *state) {
				if q.file.Selection.Sort == bySettled {
					*s = failed
				}
			})),
		fault("export.file.fetch_500", "retrievable", "answers every retrieval with a server error",
			answered(retrieving, "state", crash).and(answered(retrieving, "file", crash))),
		fault("export.file.lost", "retrievable", "forgets every file immediately", exported(func(q *call, _ *reply) {
			_ = q.g.store.step(func(l ledger) { l.put(files, q.file.ID, "") })
		})),
		fault("export.file.readable_by_others", "private", "lets other users fetch a file",
			on(func(_ *call, a *access) { *a = true })),
		fault("export.file.redirects_others", "private", "redirects other users to the address of a file",
			answered(retrieving, "not_found", func(q *call, a *reply) {
				if q.file != nil {
					moved(a, q.downloadURL())
				}
			})),
		fault("export.file.signature_unchecked", "authenticated",
			"lets a token with a changed signature fetch a file", believes(forgery.other).of(retrieving)),
		fault("export.file.alg_none_accepted", "authenticated", "lets unsigned tokens fetch a file",
			believes(forgery.claimsNone).of(retrieving)),
		fault("export.file.revoked_key_accepted", "authenticated", "lets revoked API keys fetch a file",
			admits(withKey(func(q *call, key string) bool { return key == q.g.tokens.revokedKey })).of(retrieving)),
		fault("export.file.readable_by_anyone", "authenticated", "lets anybody fetch a file without a credential",
			on(func(_ *call, s *sender) {
				if s.user == nil {
					s.user = &nobody
				}
			}).of(retrieving).and(on(func(q *call, a *access) { *a = *a || q.caller == &nobody }))),
	))
}
