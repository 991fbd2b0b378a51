package reference

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// breaks declares a fault that a letter of the filter text sets off.
func breaks(name, rule, statement string, letter func(rune) bool) declaration {
	return fault(name, rule, statement, effect{defects: func(q *call, found []issue) []issue {
		if strings.ContainsFunc(q.selection.Client, letter) {
			return []issue{{status: http.StatusInternalServerError}}
		}
		return found
	}})
}

func exportSuccessFaults() []declaration {
	all := slices.Concat(
		mishandled("export.success.settled", "export.success", "settled_date as sort", "_rejected",
			"sort=settled_date"),
		mishandled("export.success.asc", "export.success", "ascending order", "_rejected", "order=asc"),
	)
	for _, field := range exportFields {
		all = slices.Concat(all,
			mishandled("export.success."+field, "export.success", "every export that gives "+field, "_rejected", field))
	}
	whole := func(bound string) bool { return bound != "" && !strings.Contains(bound, ".") }
	return append(all,
		fault("export.success.answered_302", "export.success", "answers an accepted export with a redirect",
			answered(exporting, "exported", status(http.StatusFound))),
		fault("export.success.empty_object_rejected", "export.success", "refuses an empty object",
			dislikes(func(q *call) bool { return q.operation == exporting && q.selection.Bare })),
		fault("export.success.whole_seconds_rejected", "export.success", "refuses bounds without a fraction",
			dislikes(func(q *call) bool { return whole(q.selection.Start) || whole(q.selection.End) })),
		breaks("export.success.apostrophe_500", "export.success",
			"answers a filter text with an apostrophe with a server error", func(c rune) bool { return c == '\'' }),
		breaks("export.success.beyond_ascii_500", "export.success",
			"answers a filter text with letters beyond ASCII with a server error",
			func(c rune) bool { return c > unicode.MaxASCII }),
	)
}

func exportHeaderFaults() []declaration {
	const nonce, product, target = "export.header.nonce", "export.header.product", "export.header.target"
	const wallet, user = "export.header.wallet", "export.header.target_user"
	return append(slices.Concat(identifierFaults(nonce, "_", "header.nonce", "nonce"),
		mishandled(nonce+"_missing", nonce+".absent", "an export without nonce", "_accepted _200 _500",
			"header.nonce.absent"),
		mishandled(nonce+"_garbage", nonce+".malformed", "text that is not a UUID as nonce", "_500",
			"header.nonce.format"),
		mishandled(nonce+"_version", nonce+".version", "a UUID of any version as nonce", "_accepted _200",
			"header.nonce.version"),
		mishandled("export.header.language_pt", "export.header.language", "pt-BR", "_rejected",
			"header.language=pt-BR"),
		mishandled("export.header.language_en", "export.header.language", "en-US", "_rejected",
			"header.language=en-US"),
		mishandled(product, product+".accepted", "a product of the user", "_rejected", "header.product"),
		mishandled(product+"_garbage", product+".malformed", "a product ID that is not a UUID", "_accepted",
			"header.product.format"),
		mishandled(target, user+".accepted", "a target user", "_rejected", "header.on_behalf_of"),
		mishandled(target+"_alone", user+".without_product", "a target user without a product", "_accepted _500",
			"header.on_behalf_of.product"),
		mishandled(target+"_garbage", user+".malformed", "a target user that is not a UUID", "_accepted",
			"header.on_behalf_of.format"),
		mishandled(wallet, wallet+".accepted", "a wallet of the user", "_rejected", "header.wallet"),
		mishandled(wallet+"_garbage", wallet+".malformed", "a malformed wallet", "_accepted _500",
			"header.wallet.format"),
	), fault("export.header.language_required", "export.header.language", "requires a language",
		refusing([]string{"export:header.language="})),
		fault("export.header.wallet_empty_rejected", wallet+".empty", "refuses an empty wallet header",
			dislikes(func(q *call) bool {
				return q.r.Header["X-Wallet-Uuid"] != nil &&
					q.r.Header.Get("x-wallet-uuid") == ""
			})),
	)
}

func exportBodyFaults() []declaration {
	all := slices.Concat(
		mishandled("export.body.none", "", "an export without a body", "_accepted _500", "body.absent"),
		mishandled("export.body.not_json", "", "a body that is not JSON", "_accepted _500",
			"body.syntax body.truncated"),
		mishandled("export.body.array", "", "an array", "_accepted _500", "body.shape"),
	)
	for _, field := range []string{"sort", "order", "filter_type", "type_extension"} {
		rule := "export.body." + field
		all = slices.Concat(all, mishandled(rule+"_unknown", rule, "an unknown "+field, "_accepted _200 _500",
			field+".set"))
	}
	for _, field := range []string{"date_start", "date_end"} {
		rule := "export.body." + field
		keys := field + ".format " + field + ".type"
		all = slices.Concat(all, mishandled(rule+"_garbage", rule, "a bad "+field, "_accepted _200 _500", keys))
	}
	return append(all, skips("export.body.null_accepted", "export.body.null", "takes null for an empty object",
		func(q *call) bool { return strings.TrimSpace(q.sighting.body) == "null" }, "export:body.shape"))
}

func exportAnswerFaults() []declaration {
	exported := func(change func(q *call, a *reply)) effect { return answered(exporting, "exported", change) }
	changed := func(name, rule, statement string, change func(object)) declaration {
		return fault(name, rule, statement, exported(func(_ *call, a *reply) { change(a.body.(object)) }))
	}
	set := func(key string, value any) func(object) { return func(ans object) { ans[key] = value } }
	without := func(key string) func(object) { return func(ans object) { delete(ans, key) } }
	return []declaration{
		changed("export.response.enveloped", "export.response.envelope", "wraps its answers into another object",
			envelop),
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
		changed("export.response.created_at_epoch", "export.response.created_at",
			"answers with seconds as creation date", set("created_at", 1748772000)),
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
