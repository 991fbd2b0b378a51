package reference

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// defectPairs overlook a defect beside a partner.
func defectPairs() faults {
	accepts := func(operation operation, partners []partner, rule, what, key string, but ...string) faults {
		return beside(partners, rule+".accepted", rule, "accepts "+what, ignoring(operation, key), but...)
	}
	create := func(rule, what, key string) faults { return accepts(creating, createPartners(), rule, what, key) }
	export := func(rule, what, key string, but ...string) faults {
		return accepts(exporting, exportPartners(), rule, what, key, but...)
	}
	const alone = "create.header.on_behalf_of.without_product"
	return slices.Concat(
		forEach(requiredFields, func(field string) faults {
			name, key := "create.required."+field, "required."+field
			return slices.Concat(create(name, "a creation without "+field, key+".absent"),
				create(name+".null", "null as "+field, key+".null"),
				create(name+".empty", "an empty "+field, key+".empty"))
		}),
		create("create.shareholder.unknown", "a shareholder that does not exist", "shareholder_id.unknown"),
		create("create.shareholder.foreign", "a shareholder of another legal person", "shareholder_id.foreign"),
		create("create.participation.above_hundred", "more than 100 percent", "participation_percentage.above"),
		beside(createPartners(), "create.participation.above_hundred.by_a_millionth", "create.participation.above_hundred",
			"accepts up to a millionth more than 100 percent", between(hundred, big.NewRat(100_000_001, 1_000_000))),
		create("create.participation.below_zero", "less than 0 percent", "participation_percentage.below"),
		create("create.money.income.fraction", "a fraction of a cent as income", "income.fraction"),
		create("create.cpf.letters", "a CPF with letters", "document_number.letters"),
		create("create.dates.birth_date", "30 February as birth_date", "birth_date.day"),
		create("create.email.at_sign", "an e-mail address without @", "email.at"),
		create("create.header.nonce.absent", "a creation without nonce", "header.nonce.absent"),
		beside(createPartners(), alone+".accepted", alone, "acts for a user without a product",
			ignoring(creating, "header.on_behalf_of.product"), "with_product", "on_behalf"),
		forEach(exportPartners(), func(p partner) (all faults) {
			if p.name != "with_wallet" { // which always is
				all = p.named("export.wallet.foreign.opened", "export.wallet.foreign",
					"gives the quotes of a wallet of another user "+p.words, opensWallets(p.when))
			}
			if p.name != "ascending" {
				all = append(all, p.fault("export.success.asc_refused", "export.success", "refuses order asc",
					dislikes(exporting, func(q *call) bool { return q.selection.Order == "asc" }))...)
			}
			return all
		}),
		export("export.header.nonce.absent", "an export without nonce", "header.nonce.absent"),
		export("export.header.nonce.malformed", "a nonce that is not a UUID", "header.nonce.format"),
		export("export.body.order", "an unknown order", "order.set", "ascending"), // an order cannot be both
		export("export.body.sort", "an unknown sort", "sort.set", "by_settled"),   // a sort cannot be both
		export("export.body.date_start", "a bad date_start", "date_start.format"),
	)
}

// refusalPairs refuse beside a partner what the document allows.
func refusalPairs() faults {
	refuses := func(rule, what, feature string, but ...string) faults {
		return beside(createPartners(), rule+".refused", rule, "refuses "+what, refusing(creating, feature), but...)
	}
	together := func(p partner, name, statement string, when func(q *call) bool) faults {
		return p.named("create.header.together."+name, "create.header.together", statement,
			dislikes(creating, when).when(p.when))
	}
	return slices.Concat(
		refuses("create.participation.zero", "0 percent", "participation_percentage=0"),
		refuses("create.participation.hundred", "100 percent", "participation_percentage=100"),
		refuses("create.money.patrimony.integer", "a patrimony of nothing", "patrimony=0"),
		forEach(createPartners(), func(p partner) (all faults) {
			header := func(q partner) bool { return q.name == p.name }
			if p.name != "by_api_key" && !slices.ContainsFunc(headerPartners(), header) {
				return nil // which of the two fields of a body is to blame is open
			}
			for _, value := range []string{"ATTORNEY", "ADMINISTRATOR", "OTHER", "PARTNER"} {
				rule := "create.qualification." + strings.ToLower(value)
				if value != "PARTNER" || p.name == "by_api_key" || p.name == "on_behalf" {
					all = append(all, p.fault(rule+".refused", rule, "refuses the qualification "+value,
						refusing(creating, "qualification="+value))...)
				}
			}
			return all
		}),
		refuses("create.dates.accepted", "a birth on 29 February", "birth_date=leap"),
		together(partner{name: "by_api_key", when: (*call).byAPIKey}, "product",
			"refuses a product from callers with an API key", (*call).namesProduct),
		forEach(groupPartners(), func(p partner) faults {
			switch p.name {
			case "with_wallet", "by_api_key", "in_english", "by_settled":
				return p.fault("export.success.filter_refused", "export.success", "refuses a client filter",
					dislikes(exporting, func(q *call) bool { return q.selection.Client != "" }))
			}
			return nil
		}),
		partner{"by_api_key", "for an API key", (*call).byAPIKey}.fault("replay.transaction.first.refused",
			"replay.transaction.first", "refuses exports whose transaction ID is compared",
			dislikes(exporting, comparedPartners()[0].when)),
		together(partner{name: "for_exposed", when: gives("pep", true)}, "language",
			"refuses a language for politically exposed persons", (*call).inLanguage),
	)
}

// senderPairs forget about credentials and permission beside a partner.
func senderPairs() faults {
	exported := func(p partner) faults {
		return append(p.fault("auth.missing.export_accepted", "auth.missing", "accepts an export without a credential",
			anonymous(exporting)),
			p.fault("auth.bearer.expired.accepted", "auth.bearer.expired", "accepts an expired token for an export",
				admits(withToken((*call).expired)).of(exporting))...)
	}
	return append(forEach(comparedPartners(), exported), forEach(headerPartners(), func(p partner) faults {
		return append(exported(p), slices.Concat(
			p.fault("auth.missing.create_accepted", "auth.missing", "accepts a creation without a credential",
				anonymous(creating)),
			p.fault("create.permission.ignored", "create.permission", "lets users without the permission create",
				permitting().of(creating)),
		)...)
	})...)
}

// sameObjects recognise a repeat only where it came as the first did.
func sameObjects() faults {
	same := func(name, when string, form func(q *call) string) faults {
		return fault("create.repeat.same_object."+name, "create.repeat.same_object",
			"makes a second record when "+when, telling(form))
	}
	return slices.Concat(
		same("in_capitals", "its transaction ID is in capital letters", func(q *call) string {
			return q.r.Header.Get(q.g.choices.CreateHeaders.TransactionID)
		}),
		same("by_other_method", "it comes by the other method of authentication",
			func(q *call) string { return strconv.FormatBool(q.byAPIKey()) }),
		same("with_a_product", "a product is named", func(q *call) string { return q.r.Header.Get("x-product-uuid") }),
		same("in_a_language", "another language is preferred", (*call).preferred),
	)
}

// repeatPairs make a second record beside a partner, or when a creation comes for the third time.
func repeatPairs() faults {
	spoilt := func(rule, what, field string, given bool, value func(*call, object) any) faults {
		return beside(createPartners(), rule+".spoilt", rule, what, defaults(field, given, value))
	}
	const of, update, share = "document_country_of_issue", "registration_update_date", "participation_percentage"
	whole := onNumber(func(f float64) any { return int64(f) })
	return slices.Concat(sameObjects(), forEach(createPartners(), func(p partner) faults {
		return slices.Concat(p.fault("create.repeat.second_record", "create.repeat.identical",
			"makes a second record when a creation is repeated", forgetting().of(creating)),
			p.fault("create.repeat.other_body.second_record", "create.repeat.other_body",
				"makes a second record when the body of a repeat differs", telling((*call).sentBody)),
			p.fault("create.repeat.other_body.overwrites", "create.repeat.other_body",
				"overwrites the record with what a repeat says", overwriting()))
	}),
		beside(createPartners(), "create.repeat.unchanged.renewed", "create.repeat.unchanged",
			"changes a record's creation date when its creation is repeated", rewritten(renewed)),
		beside(createPartners(), "create.echo.document.number.zero_lost", "create.echo.document.number",
			"loses the zero that a CPF begins with", on(func(_ *call, r object) {
				document := r["document"].(object)
				number, _ := document["number"].(string)
				document["number"] = strings.TrimPrefix(number, "0")
			})),
		beside(createPartners(), "create.echo.name.ascii_only", "create.echo.name",
			"drops letters of names that are not ASCII",
			on(func(_ *call, r object) { r["name"] = asciiOnly(r["name"]) })),
		beside(createPartners(), "create.echo.representor_type.changed", "create.echo.representor_type",
			"makes everybody a partner", on(func(_ *call, r object) { r["representor_type"] = "PARTNER" })),
		spoilt("create.default.country_of_issue", "has no default for the country of issue", of, false, always(nil)),
		spoilt("create.default."+update, "has no default for the registration update", update, false, always(nil)),
		spoilt("create.default.country_of_issue_kept", "sets the country of issue to BRA", of, true, always("BRA")),
		spoilt("create.default."+update+"_kept", "sets the registration update to the start of the relationship",
			update, true, likeStart),
		spoilt("create.echo."+share, "drops the decimals of participations", share, true,
			func(_ *call, r object) any { return whole(r[share]) }),
	)
}

func asciiOnly(name any) any {
	return onText(func(s string) string {
		return strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII {
				return -1
			}
			return r
		}, s)
	})(name)
}

// exportedBeside makes an effect on the files of exports that had a partner.
func exportedBeside[T any](when func(q *call) bool, change func(q *call, of T)) effect {
	var marked sync.Map // IDs of files
	return exported(func(q *call, _ *reply) { marked.Store(q.file.ID, true) }).when(when).and(
		on(func(q *call, of T) {
			if _, found := marked.Load(q.file.ID); found {
				change(q, of)
			}
		}))
}

// choicePairs choose other rows beside a partner.
func choicePairs() faults {
	few := []string{"on_behalf", "filtered"} // beside which too few exports are made
	// broken leaves partners out beside which nothing shows.
	broken := func(rule, what string, change func(q *call, c *choice), but ...string) faults {
		return forEach(exportPartners(), func(p partner) faults {
			if slices.Contains(but, p.name) {
				return nil
			}
			return p.named(rule+".broken", rule, what+" "+p.words, exportedBeside(p.when, change))
		})
	}
	chosen := func(rule, what string, change func(c *choice), but ...string) faults {
		return broken(rule, what, func(_ *call, c *choice) { change(c) }, but...)
	}
	byKey := partner{"by_api_key", "for an API key", (*call).byAPIKey}
	return slices.Concat(
		chosen("export.range.start_inclusive", "drops quotes exactly on the start", startExclusive),
		chosen("export.range.end_exclusive", "keeps quotes exactly on the end", endInclusive),
		chosen("export.filter.client_id", "ignores the filter", (*choice).everyClient, "filtered"),
		chosen("export.filter.prefix", "keeps clients whose ID starts with the text",
			(*choice).startOfClient, "filtered"),
		broken("export.wallet.selects", "ignores the wallet", defaultWallet,
			"with_wallet", "on_behalf"), // no second wallet of the other user is known
		chosen("export.range.precision", "cuts bounds to whole seconds", wholeSeconds),
		chosen("export.range.offset", "reads every bound as UTC", offsetIgnored, few...),
		chosen("export.range.empty", "keeps quotes on the bound when both bounds are equal",
			where(func(c *choice) bool { return c.start.Equal(c.end) }, endInclusive), few...),
		chosen("export.range.start_after_end", "swaps the bounds of a range whose start is after its end",
			where((*choice).startAfterEnd, (*choice).turn), few...),
		chosen("export.range.open", "ignores a start without an end",
			where(func(c *choice) bool { return c.end.IsZero() }, (*choice).noStart), few...),
		chosen("export.order.asc", "orders descending", (*choice).descend, "ascending"),
		chosen("export.order.desc", "orders ascending", (*choice).ascend, "ascending", "on_behalf"),
		chosen("export.default.sort", "sorts by settled_date when no sort is given",
			where(func(c *choice) bool { return c.Sort == "" },
				func(c *choice) { c.sort, c.bounded = bySettled, bySettled }),
			// Some of these stand beside an export of the window that names no sort itself.
			"by_settled", "on_behalf", "in_portuguese", "by_api_key", "with_extension", "ascending", "with_product",
			"comparing_transaction", "comparing_both"),
		chosen("export.default.order", "orders ascending when no order is given",
			where(func(c *choice) bool { return c.Order == "" }, (*choice).ascend), "ascending", "on_behalf"),
		broken("export.isolation", "gives the quotes of another legal person, too,", joinOther, "on_behalf"),
		byKey.named("export.default.wallet.all", "export.default.wallet",
			"gives the quotes of all wallets when none is given, "+byKey.words,
			exportedBeside((*call).byAPIKey, func(q *call, c *choice) {
				if !c.Named {
					c.wallets = q.owner().wallets
				}
			})),
		byKey.named("export.range.last_row_lost", "export.range.partition",
			"loses the last row of every file "+byKey.words,
			exportedBeside((*call).byAPIKey, func(_ *call, s *selected) {
				s.quotes = s.quotes[:max(0, len(s.quotes)-1)]
			})),
		byKey.named("export.method.same_rows.some_lost", "export.method.same_rows",
			"loses a quarter of the quotes "+byKey.words, exportedBeside(byKey.when, loseSome)),
		forEach(groupPartners(), func(p partner) faults {
			if p.name != "by_api_key" && p.name != "with_wallet" {
				return nil
			}
			return p.named("export.target.own_rows.shared", "export.target.own_rows",
				"adds the quotes of every user that the caller may act for "+p.words,
				exportedBeside(p.when, func(q *call, c *choice) {
					if q.owner() == q.g.data.main.person {
						c.join(q.g.data.target.person)
					}
				}))
		}),
		forEach(headerPartners(), func(p partner) faults {
			if p.name != "in_english" && p.name != "in_portuguese" {
				return nil
			}
			return p.named("export.header.language.rows.some_lost", "export.header.language.rows",
				"loses a quarter of the quotes "+p.words, exportedBeside(p.when, loseSome))
		}),
		broken("export.target.rows", "adds the quotes of the caller to those of a target user", joinCaller,
			"with_product", "on_behalf", "with_wallet", "in_english", "in_portuguese"), // all of them, or too few
	)
}

// loseSome loses the same quotes in every file.
func loseSome(_ *call, s *selected) {
	s.quotes = slices.DeleteFunc(s.quotes, func(q *quote) bool { return q.id < "4" })
}

// replayPairs forget beside a partner, or after one block.
func replayPairs() faults {
	each := forEach(spellingNames, func(name string) faults {
		mode := spelling(slices.Index(spellingNames, name))
		same, with := "replay."+name+".same", mode.words()
		blocks := map[string]int{}
		return slices.Concat(
			beside(groupPartners(), same+".passes", same, with+"never blocks", forgetting().when(mode.sends)),
			beside(headerPartners(), "replay."+name+".not_atomic", "replay.race."+name,
				with+"lets several of many identical requests at once pass", hesitating().when(mode.sends)),
			fault(same+".passes_with_query", same, with+"never blocks a request with a query",
				forgetting().when(mode.sends).when(func(q *call) bool { return q.r.URL.RawQuery != "" })),
			fault(same+".blocks_once", same, with+"blocks a request once and lets it pass when it comes again",
				judged(func(q *call, earlier bool) bool {
					own := q.own()
					if earlier {
						blocks[own]++
					}
					return earlier && blocks[own] == 1
				}).when(mode.sends)),
		)
	})
	// modeBodies leave a part of bodies out in one mode only; the bounds and no value have faults of their own.
	modeBodies := forEach(spellingNames[1:], func(name string) (all faults) {
		mode := spelling(slices.Index(spellingNames, name))
		for _, field := range map[string][]string{
			"nonce":             {"sort", "order", "date_start", "date_end"},
			"transaction":       {"sort", "order", "date_start", "date_end", "filter_text"},
			"transaction_nonce": {"filter_text", "date_start", "date_end", "type_extension"},
			"nonce_transaction": {"sort", "order", "date_end"},
		}[name] {
			all = append(all, fault("replay."+name+".body_without_"+field, "replay."+name+".other_body",
				mode.words()+"does not compare the "+field+" of bodies", on(allBut(field)).when(mode.sends))...)
		}
		if name != "nonce_transaction" {
			all = append(all, fault("replay."+name+".body_in_lower_case", "replay."+name+".other_body",
				mode.words()+"compares bodies without regard to case", on(inLowerCase).when(mode.sends))...)
		}
		return all
	})
	// forgets leaves a part of the group out beside a partner.
	forgets := func(cell, what string, part func(s *sighting) *string, but ...string) faults {
		rule := "replay.none." + cell
		return beside(groupPartners(), rule+".forgotten", rule, "without a replay value, does not compare the "+what,
			on(func(_ *call, s *sighting) { *part(s) = "" }).when(spelling(0).sends), but...)
	}
	beginning := func(rule, what string, part func(s *sighting) *string) faults {
		return fault(rule+".beginning", rule, "compares the first eight characters of "+what,
			on(func(_ *call, s *sighting) { *part(s) = (*part(s))[:min(8, len(*part(s)))] }))
	}
	return slices.Concat(each, modeBodies,
		forgets("other_body", "body", func(s *sighting) *string { return &s.body }),
		forgets("other_query", "query", func(s *sighting) *string { return &s.query }),
		forgets("other_user", "user", func(s *sighting) *string { return &s.user },
			"with_product", "on_behalf", "with_wallet", "by_api_key", "filtered"), // they are the caller's
		fault("replay.none.same.passes_for_others", "replay.none.same",
			"with no replay value, never blocks users of another legal person",
			forgetting().when(spelling(0).sends).when(func(q *call) bool { return q.caller == q.g.data.other })),
		fault("replay.none.same.passes_empty", "replay.none.same",
			"with no replay value, never blocks a request with an empty body",
			forgetting().when(spelling(0).sends).when(func(q *call) bool { return len(q.body) == 0 })),
		beginning("replay.nonce.other_nonce", "the nonce", func(s *sighting) *string { return &s.nonce }),
		beginning("replay.transaction.other_transaction", "the transaction ID",
			func(s *sighting) *string { return &s.transaction }),
	)
}
