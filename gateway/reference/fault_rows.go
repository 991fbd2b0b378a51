package reference

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

func orderFaults() []declaration {
	const sort, order, asc, desc = "export.default.sort", "export.default.order", "export.order.asc",
		"export.order.desc"
	filtered := func(c *choice) bool { return c.Client != "" }
	bare := func(c *choice) bool { return c.Bare }
	always := func(*choice) bool { return true }
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
	return []declaration{
		chosen("export.default.sort_settled", sort, "sorts by settled_date when nothing is given", settled(always)),
		chosen("export.default.sort_settled_filtered", sort,
			"sorts by settled_date when a client filter is given and no sort", settled(filtered)),
		chosen("export.default.sort_settled_bare", sort, "sorts by settled_date for an empty object", settled(bare)),
		chosen("export.default.order_asc", order, "orders ascending when nothing is given", ascending(always)),
		chosen("export.default.order_asc_filtered", order,
			"orders ascending when a client filter is given and no order", ascending(filtered)),
		chosen("export.default.order_asc_bare", order, "orders ascending for an empty object", ascending(bare)),
		chosen("export.order.ignored", asc, "orders descending whatever was asked",
			func(c *choice) { c.ascending = false }),
		chosen("export.order.always_asc", desc, "orders ascending whatever was asked",
			func(c *choice) { c.ascending = true }),
		chosen("export.order.ignored_filtered", asc,
			"orders descending whatever was asked when a client filter is given",
			func(c *choice) { c.ascending = c.ascending && !filtered(c) }),
		chosen("export.order.asc_filtered", desc, "orders ascending whatever was asked when a client filter is given",
			func(c *choice) { c.ascending = c.ascending || filtered(c) }),
		chosen("export.order.swapped", asc, "swaps ascending and descending",
			func(c *choice) { c.ascending = !c.ascending }),
		chosen("export.order.settled_by_created", asc, "orders by quote_created_at when settled_date was asked",
			func(c *choice) { c.sort = byCreated }),
		kept("export.order.neighbours", desc, "exchanges two rows of every file",
			func(_ *choice, quotes []quote) []quote {
				if n := len(quotes); n > 2 {
					quotes[0], quotes[n-1] = quotes[n-1], quotes[0]
				}
				return quotes
			}),
		kept("export.order.none", asc, "orders rows by ID", func(_ *choice, quotes []quote) []quote {
			slices.SortFunc(quotes, func(a, b quote) int { return cmp.Compare(a.id, b.id) })
			return quotes
		}),
	}
}

// join adds the quotes of a legal person, of its default product in all its wallets, to those that are chosen from.
func (c *choice) join(p *legalPerson) {
	c.from = slices.Concat(c.from, p.quotes)
	c.wallets = slices.Concat(c.wallets, p.wallets)
	c.products = append(slices.Clip(c.products), p.products[0])
}

// only chooses from the quotes of a legal person as from those of the owner: its wallet in place of the owner's.
func (c *choice) only(q *call, p *legalPerson) {
	owner := q.g.data.users[q.file.Owner].person
	c.from = p.quotes
	c.wallets = p.wallets[max(0, slices.Index(owner.wallets, c.Wallet)):][:1]
	if c.Product == owner.products[0] {
		c.products = p.products[:1]
	}
}

// inProducts chooses from the products after some of the owner's where the export names none.
func (c *choice) inProducts(q *call, first int) {
	if !c.InProduct {
		c.products = q.g.data.users[q.file.Owner].person.products[first:]
	}
}

// opensWallets gives the quotes of a wallet of another user.
func opensWallets(when func(q *call) bool) effect {
	return effect{
		defects: func(q *call, found []issue) []issue {
			return slices.DeleteFunc(found, func(i issue) bool {
				opens := i.Key == "header.wallet.unknown" && when(q)
				if opens {
					q.selection.Wallet = strings.ToLower(q.r.Header.Get("x-wallet-uuid"))
				}
				return opens
			})
		},
		choice: func(q *call, c *choice) {
			if !slices.Contains(q.g.data.users[q.file.Owner].person.wallets, c.Wallet) {
				for _, u := range q.g.data.users {
					if slices.Contains(u.person.wallets, c.Wallet) {
						c.from, c.products = u.person.quotes, u.person.products[:1]
					}
				}
			}
		},
	}
}

func selectionFaults() []declaration {
	const wallet, client, prefix, isolation = "export.default.wallet", "export.filter.client_id",
		"export.filter.prefix", "export.isolation"
	walletsOf := func(q *call) []string { return q.g.data.users[q.file.Owner].person.wallets }
	// unnamed gives other wallets where none is named.
	unnamed := func(name, statement string, wallets func(own []string) []string) declaration {
		return fault(name, wallet, statement, effect{choice: func(q *call, c *choice) {
			if !c.Named {
				c.wallets = wallets(walletsOf(q))
			}
		}})
	}
	compared := func(name, rule, statement string, same func(id, text string) bool) declaration {
		return chosen(name, rule, statement,
			func(c *choice) { c.isClient = func(id string) bool { return same(id, c.Client) } })
	}
	settledAsc := func(c *choice) bool { return c.sort == bySettled && c.ascending }
	everybody := func(when func(c *choice) bool) effect {
		return effect{choice: func(q *call, c *choice) {
			if when(c) && q.file.Owner != q.g.data.other.id {
				c.join(q.g.data.other.person)
			} else if when(c) {
				c.join(q.g.data.main.person)
			}
		}}
	}
	return []declaration{
		unnamed("export.wallet.default_is_the_other", "takes another wallet when none is given",
			func(own []string) []string { return own[1:] }),
		unnamed("export.wallet.default_is_all", "gives the quotes of all wallets when none is given",
			func(own []string) []string { return own }),
		unnamed("export.wallet.default_is_none", "gives no quote when no wallet is given",
			func([]string) []string { return nil }),
		fault("export.wallet.foreign_opens", "export.wallet.foreign", "gives the quotes of a wallet of another user",
			opensWallets(func(*call) bool { return true })),
		fault("export.wallet.ignored", "export.wallet.selects", "ignores the wallet",
			effect{choice: func(q *call, c *choice) { c.wallets = walletsOf(q)[:1] }}),
		fault("export.wallet.ignored_settled_asc", "export.wallet.selects",
			"ignores the wallet by settled_date, oldest first", effect{choice: func(q *call, c *choice) {
				if settledAsc(c) {
					c.wallets = walletsOf(q)[:1]
				}
			}}),
		compared("export.filter.ignored", client, "ignores the filter", func(_, _ string) bool { return true }),
		compared("export.filter.nothing", client, "gives no row when a filter is given",
			func(_, _ string) bool { return false }),
		compared("export.filter.contains", prefix, "keeps clients whose ID contains the text", strings.Contains),
		compared("export.filter.starts_with", prefix, "keeps clients whose ID starts with the text", strings.HasPrefix),
		compared("export.filter.ends_with", prefix, "keeps clients whose ID ends with the text", strings.HasSuffix),
		compared("export.filter.folds_case", client, "compares client IDs without case", strings.EqualFold),
		kept("export.filter.one_lost", client, "loses one row of a filtered file",
			func(c *choice, quotes []quote) []quote {
				if c.Client == "" {
					return quotes
				}
				return quotes[:len(quotes)-1]
			}),
		fault("export.isolation.broken", isolation, "gives the quotes of every legal person",
			everybody(func(*choice) bool { return true })),
		fault("export.isolation.broken_open", isolation,
			"gives the quotes of every legal person where a bound is missing",
			everybody(func(c *choice) bool { return c.start.IsZero() || c.end.IsZero() })),
		fault("export.isolation.broken_settled_asc", isolation,
			"gives the quotes of every legal person by settled_date, oldest first", everybody(settledAsc)),
		fault("export.target.rows_of_both", "export.target.rows",
			"adds the quotes of the caller to those of a target user", effect{choice: func(q *call, c *choice) {
				if q.file.Owner != q.file.Caller {
					c.join(q.g.data.users[q.file.Caller].person)
				}
			}}),
		fault("export.target.own_rows_of_both", "export.target.own_rows",
			"adds the quotes of whoever the caller may act for", effect{choice: func(q *call, c *choice) {
				if q.file.Owner == q.g.data.main.id {
					c.join(q.g.data.target.person)
				}
			}}),
		fault("export.header.default_product_is_all", "export.header.default_product",
			"gives the quotes of every product when none is named",
			effect{choice: func(q *call, c *choice) { c.inProducts(q, 0) }}),
		fault("export.isolation.main_only", isolation, "gives everybody the quotes of the main user",
			effect{choice: func(q *call, c *choice) { c.only(q, q.g.data.main.person) }}),
	}
}

// nobody stands for whoever sends no credential.
var nobody = user{id: "nobody"}

// onTable makes an effect on the rows of a file, the titles of its columns first.
func onTable(change func(rows [][]string) [][]string) effect {
	return effect{table: func(_ *call, rows [][]string) [][]string { return change(rows) }}
}

func fileFaults() []declaration {
	const csv, retrievable = "export.file.csv", "export.file.retrievable"
	text := func(name, rule, statement string, change func(data []byte) []byte) declaration {
		return fault(name, rule, statement, effect{text: func(_ *call, data []byte) []byte { return change(data) }})
	}
	table := func(name, rule, statement string, change func(rows [][]string) [][]string) declaration {
		return fault(name, rule, statement, onTable(change))
	}
	always := func(s state) effect { return effect{state: func(*call, state) state { return s }} }
	return []declaration{
		table("export.file.first_id_blank", "export.range.partition",
			"leaves the ID of the first row of every file blank", func(rows [][]string) [][]string {
				if len(rows) > 1 {
					rows[1][0] = ""
				}
				return rows
			}),
		text("export.file.unbalanced_quote", csv, "leaves a quote open",
			func(data []byte) []byte { return append(data, "\"never closed,1,2\n"...) }),
		text("export.file.short_row", csv, "ends files with a row of two fields",
			func(data []byte) []byte { return append(data, "a,b\n"...) }),
		text("export.file.cut", csv, "cuts files in the middle",
			func(data []byte) []byte { return data[:len(data)*2/3] }),
		text("export.file.json", csv, "writes JSON instead of CSV",
			func([]byte) []byte { return []byte(`[{"id":"1"},` + "\n" + `{"id":"2","note":"x"}]`) }),
		fault("export.file.html", csv, "answers a page instead of the file", effect{reply: func(_ *call, a *reply) {
			if a.kind == "file" {
				a.header.Set("Content-Type", "text/html")
				a.body = []byte("<html><body><h1>It works, \"almost</h1></body></html>\n")
			}
		}}),
		text("export.file.notes_unquoted", csv, "writes text with separators and line ends without quotes",
			func(data []byte) []byte {
				return []byte(strings.ReplaceAll(string(data), `"`, ""))
			}),
		fault("export.file.never_ready", retrievable, "never finishes a file", always(processing)),
		fault("export.file.always_failed", retrievable, "fails to make every file", always(failed)),
		fault("export.file.fetch_500", retrievable, "answers every retrieval with a server error",
			effect{reply: func(q *call, a *reply) {
				if q.operation == retrieving && (a.kind == "state" || a.kind == "file") {
					crash(q, a)
				}
			}}),
		fault("export.file.lost", retrievable, "forgets every file at once",
			answered(exporting, "exported", func(q *call, _ *reply) {
				_ = q.g.store.step(func(l ledger) { l.put(files, q.file.ID, "") })
			})),
		fault("export.file.readable_by_others", "export.file.private", "lets other users fetch a file",
			effect{readable: func(*call, bool) bool { return true }}),
		fault("export.file.redirects_others", "export.file.private", "redirects other users to the address of a file",
			answered(retrieving, "not_found", func(q *call, a *reply) {
				if q.file != nil {
					a.status, a.body = http.StatusFound, []byte(nil)
					a.header.Set("Location", q.downloadURL())
				}
			})),
		fault("export.file.readable_by_anyone", "export.file.authenticated",
			"lets anybody fetch a file without a credential", effect{
				authenticate: func(q *call, sender *user) *user {
					if sender == nil && q.operation == retrieving {
						return &nobody
					}
					return sender
				},
				readable: func(q *call, allowed bool) bool { return allowed || q.caller == &nobody },
			}),
	}
}
