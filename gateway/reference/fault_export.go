package reference

import (
	"net/http"
	"strings"
	"unicode"
)

// breaks declares a fault that a letter of the filter text sets off.
func breaks(name, rule, statement string, letter func(rune) bool) declaration {
	return fault(name, rule, statement, effect{defects: func(q *call, found []issue) []issue {
		if strings.ContainsFunc(q.wanted.Client, letter) {
			return []issue{{status: http.StatusInternalServerError}}
		}
		return found
	}})
}

func exportSuccessFaults() []declaration {
	all := []declaration{
		fault("export.success.answered_302", "export.success", "answers an accepted export with a redirect",
			answered(exporting, "exported", status(http.StatusFound))),
	}
	for _, field := range []string{
		"sort", "order", "filter_type", "filter_text", "date_start", "date_end",
		"type_extension",
	} {
		all = append(all,
			refuses("export.success."+field+"_rejected", "export.success", "refuses every export that gives "+field,
				"export:"+field))
	}
	return append(all,
		refuses("export.success.settled_rejected", "export.success", "refuses to sort by settled_date",
			"export:sort=settled_date"),
		refuses("export.success.asc_rejected", "export.success", "refuses ascending order", "export:order=asc"),
		fault("export.success.empty_object_rejected", "export.success", "refuses an empty object",
			dislikes(func(q *call) bool { return q.operation == exporting && q.wanted.Bare })),
		fault("export.success.whole_seconds_rejected", "export.success", "refuses bounds without a fraction",
			dislikes(func(q *call) bool {
				return q.wanted.Start+q.wanted.End != "" && (q.wanted.Start == "" || !strings.Contains(q.wanted.Start,
					".") || q.wanted.End != "" && !strings.Contains(q.wanted.End, "."))
			})),
		breaks("export.success.apostrophe_500", "export.success",
			"answers a filter text with an apostrophe with a server error", func(c rune) bool { return c == '\'' }),
		breaks("export.success.beyond_ascii_500", "export.success",
			"answers a filter text with letters beyond ASCII with a server error",
			func(c rune) bool { return c > unicode.MaxASCII }),
	)
}

func exportHeaderFaults() []declaration {
	return []declaration{
		overlooks("export.header.nonce_missing_accepted", "export.header.nonce.absent", "accepts an export without nonce",
			"export:header.nonce.absent"),
		overlooks("export.header.nonce_garbage_accepted", "export.header.nonce.malformed", "accepts a nonce that is no UUID",
			"export:header.nonce.format"),
		overlooks("export.header.nonce_length_accepted", "export.header.nonce.malformed",
			"accepts any 36 characters as nonce", "export:header.nonce.length"),
		overlooks("export.header.nonce_inside_accepted", "export.header.nonce.malformed",
			"looks for a UUID inside of the nonce", "export:header.nonce.inside"),
		overlooks("export.header.nonce_version_accepted", "export.header.nonce.version",
			"accepts a nonce of any UUID version", "export:header.nonce.version"),
		overlooks("export.header.nonce_nil_accepted", "export.header.nonce.version", "accepts the nil UUID as nonce",
			"export:header.nonce.nil"),
		hides("export.header.nonce_missing_200", "export.header.nonce.absent",
			"answers a missing nonce with 200 and an error inside", "export:header.nonce.absent"),
		hides("export.header.nonce_version_200", "export.header.nonce.version",
			"answers a nonce of another UUID version with 200 and an error inside", "export:header.nonce.version"),
		crashes("export.header.target_alone_500", "export.header.target_user.without_product",
			"answers a target user without a product with a server error", "export:header.on_behalf_of.product"),
		crashes("export.header.nonce_missing_500", "export.header.nonce.absent",
			"answers a missing nonce with a server error", "export:header.nonce.absent"),
		crashes("export.header.nonce_garbage_500", "export.header.nonce.malformed",
			"answers a malformed nonce with a server error", "export:header.nonce.format"),
		refuses("export.header.language_pt_rejected", "export.header.language", "refuses pt-BR",
			"export:header.language=pt-BR"),
		refuses("export.header.language_en_rejected", "export.header.language", "refuses en-US",
			"export:header.language=en-US"),
		refuses("export.header.language_required", "export.header.language", "requires a language",
			"export:header.language="),
		refuses("export.header.product_rejected", "export.header.product.accepted", "refuses a product of the user",
			"export:header.product"),
		overlooks("export.header.product_garbage_accepted", "export.header.product.malformed",
			"accepts a product ID that is no UUID", "export:header.product.format"),
		refuses("export.header.target_rejected", "export.header.target_user.accepted", "refuses a target user",
			"export:header.on_behalf_of"),
		overlooks("export.header.target_alone_accepted", "export.header.target_user.without_product",
			"accepts a target user without a product", "export:header.on_behalf_of.product"),
		overlooks("export.header.target_garbage_accepted", "export.header.target_user.malformed",
			"accepts a target user that is no UUID", "export:header.on_behalf_of.format"),
		refuses("export.header.wallet_rejected", "export.header.wallet.accepted", "refuses a wallet of the user",
			"export:header.wallet"),
		fault("export.header.wallet_empty_rejected", "export.header.wallet.empty", "refuses an empty wallet header",
			dislikes(func(q *call) bool { return q.r.Header["X-Wallet-Uuid"] != nil && q.r.Header.Get("x-wallet-uuid") == "" })),
		overlooks("export.header.wallet_garbage_accepted", "export.header.wallet.malformed",
			"takes a malformed wallet for the default one", "export:header.wallet.format"),
		crashes("export.header.wallet_garbage_500", "export.header.wallet.malformed",
			"answers a malformed wallet with a server error", "export:header.wallet.format"),
	}
}

func exportBodyFaults() []declaration {
	all := []declaration{
		overlooks("export.body.none_accepted", "export.body.none", "accepts an export without a body", "export:body.absent"),
		crashes("export.body.none_500", "export.body.none", "answers a missing body with a server error",
			"export:body.absent"),
		overlooks("export.body.not_json_accepted", "export.body.not_json", "accepts a body that is not JSON",
			"export:body.syntax", "export:body.truncated"),
		crashes("export.body.not_json_500", "export.body.not_json", "answers a body that is not JSON with a server error",
			"export:body.syntax", "export:body.truncated"),
		skips("export.body.null_accepted", "export.body.null", "takes null for an empty object",
			func(q *call) bool { return strings.TrimSpace(q.seen.body) == "null" }, "export:body.shape"),
		overlooks("export.body.array_accepted", "export.body.array", "accepts an array", "export:body.shape"),
		crashes("export.body.array_500", "export.body.array", "answers an array with a server error", "export:body.shape"),
	}
	for _, rule := range []string{
		"export.body.sort", "export.body.order", "export.body.filter_type",
		"export.body.type_extension",
	} {
		field := lastOf(rule)
		all = append(all,
			overlooks(rule+"_unknown_accepted", rule, "takes an unknown "+field+" for none", "export:"+field+".set"),
			hides(rule+"_unknown_200", rule, "answers an unknown "+field+" with 200 and an error inside",
				"export:"+field+".set"),
			crashes(rule+"_unknown_500", rule, "answers an unknown "+field+" with a server error", "export:"+field+".set"),
		)
	}
	for _, rule := range []string{"export.body.date_start", "export.body.date_end"} {
		field := lastOf(rule)
		all = append(all,
			overlooks(rule+"_garbage_accepted", rule, "takes a bad "+field+" for none", "export:"+field+".format",
				"export:"+field+".type"),
			hides(rule+"_garbage_200", rule, "answers a bad "+field+" with 200 and an error inside", "export:"+field+".format",
				"export:"+field+".type"),
			crashes(rule+"_garbage_500", rule, "answers a bad "+field+" with a server error", "export:"+field+".format"),
		)
	}
	return all
}

func exportAnswerFaults() []declaration {
	exported := func(change func(q *call, a *reply)) effect { return answered(exporting, "exported", change) }
	changed := func(name, rule, statement string, change func(object)) declaration {
		return fault(name, rule, statement, exported(func(_ *call, a *reply) { change(a.body.(object)) }))
	}
	set := func(key string, value any) func(object) { return func(ans object) { ans[key] = value } }
	without := func(key string) func(object) { return func(ans object) { delete(ans, key) } }
	return []declaration{
		changed("export.response.file_id_missing", "export.response.file_id", "answers without a file ID",
			without("file_id")),
		changed("export.response.file_id_empty", "export.response.file_id", "answers with an empty file ID",
			set("file_id", "")),
		changed("export.response.file_id_number", "export.response.file_id", "answers with a number as file ID",
			set("file_id", 42)),
		changed("export.response.file_id_null", "export.response.file_id", "answers with null as file ID",
			set("file_id", nil)),
		fault("export.response.file_id_repeated", "export.response.distinct_ids", "gives every export the same file ID",
			exported(func(q *call, a *reply) {
				same := q.g.data.main.person.products[0]
				if q.g.store.step(func(l ledger) { l.put(files, same, q.file.kept()) }) == nil {
					a.body.(object)["file_id"] = same
				}
			})),
		changed("export.response.state_missing", "export.response.file_state", "answers without a file state",
			without("file_state")),
		changed("export.response.state_text", "export.response.file_state", "answers with text as file state",
			set("file_state", "PROCESSING")),
		changed("export.response.state_null", "export.response.file_state", "answers with null as file state",
			set("file_state", nil)),
		changed("export.response.state_list", "export.response.file_state", "answers with a list as file state",
			set("file_state", []string{"PROCESSING"})),
		changed("export.response.created_at_missing", "export.response.created_at", "answers without a creation date",
			without("created_at")),
		changed("export.response.created_at_date", "export.response.created_at", "answers with a date without time",
			set("created_at", "2025-06-01")),
		changed("export.response.created_at_zoneless", "export.response.created_at.zone",
			"answers with a creation date without zone", set("created_at", "2025-06-01T10:00:00")),
		changed("export.response.created_at_epoch", "export.response.created_at", "answers with seconds as creation date",
			set("created_at", 1748772000)),
		changed("export.response.created_at_long_ago", "export.response.created_at.now", "dates every export to 2001",
			set("created_at", "2001-01-01T00:00:00Z")),
		fault("export.response.not_json", "export.response.json", "answers an accepted export with plain text",
			exported(func(_ *call, a *reply) {
				a.header.Set("Content-Type", "text/plain")
				a.body = []byte("accepted")
			})),
		fault("export.response.list", "export.response.json", "answers an accepted export with a list",
			exported(func(_ *call, a *reply) { a.body = []any{a.body} })),
	}
}
