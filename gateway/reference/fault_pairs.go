package reference

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// defectPairs overlook a defect beside a partner.
func defectPairs() []declaration {
	var all []declaration
	for _, d := range []struct{ rule, what, key string }{
		{"create.required.shareholder_id", "a creation without shareholder_id", "required.shareholder_id.absent"},
		{"create.required.mother_name", "a creation without mother_name", "required.mother_name.absent"},
		{"create.required.phone_number", "a creation without phone_number", "required.phone_number.absent"},
		{"create.required.email", "a creation without email", "required.email.absent"},
		{"create.required.address", "a creation without address", "required.address.absent"},
		{"create.shareholder.unknown", "a shareholder that does not exist", "shareholder_id.unknown"},
		{"create.shareholder.foreign", "a shareholder of another legal person", "shareholder_id.foreign"},
		{"create.participation.above_hundred", "more than 100 percent", "participation_percentage.above"},
		{"create.participation.below_zero", "less than 0 percent", "participation_percentage.below"},
		{"create.money.income.fraction", "a fraction of a cent as income", "income.fraction"},
		{"create.cpf.letters", "a CPF with letters", "document_number.letters"},
		{"create.dates.birth_date", "30 February as birth_date", "birth_date.day"},
		{"create.email.at_sign", "an e-mail address without @", "email.at"},
		{"create.header.nonce.absent", "a creation without nonce", "header.nonce.absent"},
	} {
		for _, p := range createPartners() {
			all = append(all, skips(d.rule+".accepted_"+p.name, d.rule, "accepts "+d.what+" "+p.words, p.when,
				"create:"+d.key))
		}
	}
	for _, p := range createPartners() {
		const rule = "create.header.on_behalf_of.without_product"
		if p.name != "with_product" && p.name != "on_behalf" {
			all = append(all, skips(rule+".accepted_"+p.name, rule, "acts for a user without a product "+p.words,
				p.when,
				"create:header.on_behalf_of.product"))
		}
	}
	for _, p := range exportPartners() {
		if p.name != "with_wallet" && p.name != "on_behalf" { // the target user has wallets of its own
			all = append(all, fault("export.wallet.foreign.opened_"+p.name, "export.wallet.foreign",
				"gives the quotes of a wallet of another user "+p.words, opensWallets(p.when)))
		}
		if p.name != "ascending" {
			all = append(all, fault("export.success.asc_refused_"+p.name, "export.success",
				"refuses order asc "+p.words,
				dislikes(func(q *call) bool {
					return q.operation == exporting && q.selection.Order == "asc" &&
						p.when(q)
				})))
		}
	}
	for _, d := range []struct{ rule, what, key string }{
		{"export.header.nonce.absent", "an export without nonce", "header.nonce.absent"},
		{"export.header.nonce.malformed", "a nonce that is not a UUID", "header.nonce.format"},
		{"export.body.sort", "an unknown sort", "sort.set"},
		{"export.body.date_start", "a bad date_start", "date_start.format"},
	} {
		for _, p := range exportPartners() {
			if d.rule == "export.body.sort" && p.name == "by_settled" {
				continue // a sort cannot be both
			}
			all = append(all, skips(d.rule+".accepted_"+p.name, d.rule, "accepts "+d.what+" "+p.words, p.when,
				"export:"+d.key))
		}
	}
	return all
}

// refusalPairs refuse beside a partner what the document allows.
func refusalPairs() []declaration {
	var all []declaration
	for _, d := range []struct{ rule, what, feature string }{
		{"create.participation.zero", "0 percent", "participation_percentage=0"},
		{"create.participation.hundred", "100 percent", "participation_percentage=100"},
		{"create.money.patrimony.integer", "a patrimony of nothing", "patrimony=0"},
		{"create.dates.accepted", "a birth on 29 February", "birth_date=leap"},
	} {
		for _, p := range createPartners() {
			if d.rule != "create.participation.hundred" && p.name == "without_end" {
				continue // the others go together with dates, an end among them
			}
			all = append(all, fault(d.rule+".refused_"+p.name, d.rule, "refuses "+d.what+" "+p.words,
				dislikes(func(q *call) bool {
					return q.operation == creating && p.when(q) && slices.Contains(q.features(), d.feature)
				})))
		}
	}
	const together = "create.header.together"
	return append(all,
		fault(together+".product_by_api_key", together, "refuses a product from whoever sends an API key",
			dislikes(func(q *call) bool { return q.operation == creating && q.namesProduct() && q.byAPIKey() })),
		fault(together+".language_for_exposed", together, "knows no language for politically exposed persons",
			dislikes(func(q *call) bool {
				return q.operation == creating && q.inLanguage() && q.values["pep"] == true
			})))
}

// senderPairs forget about credentials and permission beside a partner.
func senderPairs() []declaration {
	var all []declaration
	for _, p := range headerPartners() {
		sent := func(operation operation, token func(q *call, token string) bool) effect {
			return admits(func(q *call) bool {
				text, _ := q.bearer()
				return q.operation == operation && p.when(q) && token(q, text)
			})
		}
		missing := func(q *call, _ string) bool { return q.withoutCredential() }
		expired := func(q *call, token string) bool { return token == q.g.tokens.expired }
		all = append(all, fault("auth.missing.create_accepted_"+p.name, "auth.missing",
			"accepts a creation without a credential "+p.words, sent(creating, missing)),
			fault("auth.missing.export_accepted_"+p.name, "auth.missing",
				"accepts an export without a credential "+p.words, sent(exporting, missing)),
			fault("auth.bearer.expired.accepted_"+p.name, "auth.bearer.expired",
				"accepts an expired token for an export "+p.words, sent(exporting, expired)),
			fault("create.permission.ignored_"+p.name, "create.permission", "lets users create who may not "+p.words,
				effect{authenticate: func(q *call, sender *user) *user {
					if sender == nil || q.operation != creating || !p.when(q) {
						return sender
					}
					return permitted(sender)
				}}),
		)
	}
	return all
}

// sameObjects recognise a repeat only where it came as the first did.
func sameObjects() []declaration {
	const rule = "create.repeat.same_object"
	var all []declaration
	for _, d := range []struct {
		name, words string
		form        func(q *call) string
	}{
		{"in_capitals", "its transaction ID is in capital letters", func(q *call) string {
			return q.r.Header.Get(q.g.choices.CreateHeaders.TransactionID)
		}},
		{"by_other_method", "it comes by the other method of authentication", func(q *call) string {
			return strconv.FormatBool(q.byAPIKey())
		}},
		{"with_a_product", "a product is named", func(q *call) string { return q.r.Header.Get("x-product-uuid") }},
		{"in_a_language", "another language is preferred", (*call).preferred},
	} {
		all = append(all, fault(rule+"."+d.name, rule, "makes a second record when "+d.words,
			effect{sameAs: func(q *call, key *creation) { key.transaction += " " + d.form(q) }}))
	}
	return all
}

// repeatPairs make a second record beside a partner, or when a creation comes for the third time.
func repeatPairs() []declaration {
	all := sameObjects()
	for _, p := range createPartners() {
		second := func(q *call, repeat bool) bool { return repeat && (q.operation != creating || !p.when(q)) }
		all = append(all, fault("create.repeat.second_record_"+p.name, "create.repeat.identical",
			"makes a second record when a creation is repeated "+p.words, effect{repeats: second}))
		all = append(all, fault("create.repeat.other_body.second_record_"+p.name, "create.repeat.other_body",
			"makes a second record when the body of a repeat differs "+p.words,
			effect{sameAs: func(q *call, key *creation) {
				if p.when(q) {
					key.transaction += " " + q.sighting.body
				}
			}}))
	}
	for _, d := range []struct {
		rule, field, what string
		given             bool
		change            func(r object)
	}{
		{
			"create.default.country_of_issue", "document_country_of_issue", "has no default for the country of issue",
			false,
			func(r object) { r["document"].(object)["country_of_issue"] = nil },
		},
		{
			"create.default.registration_update_date", "registration_update_date",
			"has no default for the registration update",
			false,
			func(r object) { r["registration_update_date"] = nil },
		},
		{
			"create.default.country_of_issue_kept", "document_country_of_issue", "puts BRA as country of issue", true,
			func(r object) { r["document"].(object)["country_of_issue"] = "BRA" },
		},
		{
			"create.default.registration_update_date_kept", "registration_update_date",
			"puts the start of the relationship as registration update", true,
			func(r object) { r["registration_update_date"] = r["relationship_start_date"] },
		},
		{
			"create.echo.participation_percentage", "participation_percentage", "cuts the decimals of participations",
			true,
			func(r object) {
				r["participation_percentage"] = onNumber(func(f float64) any { return int64(f) })(
					r["participation_percentage"])
			},
		},
	} {
		for _, p := range createPartners() {
			all = append(all, defaulted(d.rule+".spoilt_"+p.name, d.rule, d.what+" "+p.words, d.field, d.given,
				func(q *call, r object) {
					if p.when(q) {
						d.change(r)
					}
				}))
		}
	}
	return all
}

// exportedBeside makes an effect on the files of exports that had a partner.
func exportedBeside(p partner, change func(q *call, c *choice)) effect {
	var marked sync.Map // IDs of files
	e := answered(exporting, "exported", func(q *call, _ *reply) {
		if p.when(q) {
			marked.Store(q.file.ID, true)
		}
	})
	e.choice = func(q *call, c *choice) {
		if _, found := marked.Load(q.file.ID); found {
			change(q, c)
		}
	}
	return e
}

// choicePairs choose other rows beside a partner.
func choicePairs() []declaration {
	every := func(string) bool { return true }
	few := []string{"on_behalf", "filtered"} // beside which too few exports are made
	var all []declaration
	for _, d := range []struct {
		rule, what string
		but        []string // partners without which nothing shows
		change     func(q *call, c *choice)
	}{
		{
			"export.range.start_inclusive", "drops quotes exactly on the start", nil,
			func(_ *call, c *choice) { later(func(c *choice) *time.Time { return &c.start }, 1)(c) },
		},
		{
			"export.range.end_exclusive", "keeps quotes exactly on the end", nil,
			func(_ *call, c *choice) { later(func(c *choice) *time.Time { return &c.end }, 1)(c) },
		},
		{
			"export.filter.client_id", "ignores the filter",
			[]string{"filtered"},
			func(_ *call, c *choice) { c.isClient = every },
		},
		{
			"export.filter.prefix", "keeps clients whose ID starts with the text",
			[]string{"filtered"},
			func(_ *call, c *choice) { c.isClient = func(id string) bool { return strings.HasPrefix(id, c.Client) } },
		},
		{
			"export.wallet.selects", "ignores the wallet",
			[]string{"with_wallet", "on_behalf"}, // no second wallet of the other user is known
			func(q *call, c *choice) { c.wallets = q.g.data.users[q.file.Owner].person.wallets[:1] },
		},
		{
			"export.range.precision", "cuts bounds to whole seconds", nil,
			func(_ *call, c *choice) { onBounds(func(t time.Time) time.Time { return t.Truncate(time.Second) })(c) },
		},
		{
			"export.range.offset", "reads every bound as UTC", few,
			func(_ *call, c *choice) { onOffset(func(d time.Duration) time.Duration { return d })(c) },
		},
		{
			"export.range.empty", "keeps quotes on two equal bounds", few, func(_ *call, c *choice) {
				if c.start.Equal(c.end) {
					later(func(c *choice) *time.Time { return &c.end }, 1)(c)
				}
			},
		},
		{
			"export.range.start_after_end", "turns a range whose start lies after its end", few,
			func(_ *call, c *choice) {
				if !c.end.IsZero() && c.start.After(c.end) {
					c.start, c.end = c.end, c.start
				}
			},
		},
		{
			"export.range.open", "ignores a start without an end", append([]string{"by_settled"}, few...),
			func(_ *call, c *choice) {
				if c.end.IsZero() {
					c.start = time.Time{}
				}
			},
		},
		{
			"export.order.asc", "orders descending",
			[]string{"ascending"},
			func(_ *call, c *choice) { c.ascending = false },
		},
		{
			"export.isolation", "gives the quotes of another legal person, too,",
			[]string{"on_behalf"},
			func(q *call, c *choice) {
				if q.file.Owner == q.g.data.other.id {
					c.join(q.g.data.main.person)
				} else {
					c.join(q.g.data.other.person)
				}
			},
		},
	} {
		for _, p := range exportPartners() {
			if !slices.Contains(d.but, p.name) {
				all = append(all, fault(d.rule+".broken_"+p.name, d.rule, d.what+" "+p.words,
					exportedBeside(p, d.change)))
			}
		}
	}
	return all
}

// replayPairs forget beside a partner, or after one block.
func replayPairs() []declaration {
	var all []declaration
	for i, name := range spellingNames {
		mode, same := spelling(i), "replay."+name+".same"
		for _, p := range exportPartners() {
			all = append(all, fault(same+".passes_"+p.name, same, mode.words()+"never blocks "+p.words,
				judged(mode, func(q *call, repeat bool) bool { return repeat && !p.when(q) })))
		}
		for _, p := range headerPartners() {
			all = append(all, fault("replay."+name+".not_atomic_"+p.name, "replay.race."+name,
				mode.words()+"lets several of many equal requests at once pass "+p.words,
				effect{hesitates: func(q *call) bool {
					return q.operation == exporting && q.mode == mode &&
						p.when(q)
				}}))
		}
		all = append(all, fault(same+".passes_with_query", same, mode.words()+"never blocks a request with a query",
			judged(mode, func(q *call, repeat bool) bool { return repeat && q.r.URL.RawQuery == "" })))
		blocks := map[string]int{}
		all = append(all, fault(same+".blocks_once", same,
			mode.words()+"blocks a request once and lets it pass when it comes again",
			judged(mode, func(q *call, repeat bool) bool {
				own := q.sighting.fingerprint(q.g.partsOf(q.mode))
				if repeat {
					blocks[own]++
				}
				return repeat && blocks[own] == 1
			})))
	}
	beginning := func(rule, what string, part func(s *sighting) *string) declaration {
		return fault(rule+".beginning", rule, "compares the first eight characters of "+what,
			effect{sighting: func(_ *call, s *sighting) {
				*part(s) = (*part(s))[:min(8, len(*part(s)))]
			}})
	}
	return append(all,
		beginning("replay.nonce.other_nonce", "the nonce", func(s *sighting) *string { return &s.nonce }),
		beginning("replay.transaction.other_transaction", "the transaction ID",
			func(s *sighting) *string { return &s.transaction }),
	)
}
