package reference

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
)

func exportSuccessFaults() faults {
	whole := func(bound string) bool { return bound != "" && !strings.Contains(bound, ".") }
	// breaks fails for a letter of the filter text.
	breaks := func(letter func(rune) bool) effect {
		return on(func(q *call, found *defects) {
			if strings.ContainsFunc(q.selection.Client, letter) {
				*found = defects{{status: http.StatusInternalServerError}}
			}
		})
	}
	return slices.Concat(mishandled(exporting,
		kind("success.settled", "success", "settled_date as sort", "_rejected", "sort=settled_date"),
		kind("success.asc", "success", "ascending order", "_rejected", "order=asc"),
	), mishandledEach(exporting, exportFields,
		kind("success.FIELD", "success", "every export that gives FIELD", "_rejected", "FIELD"),
	), under("export.",
		fault("success.answered_302", "success", "answers an accepted export with a redirect",
			exported(status(http.StatusFound))),
		fault("success.empty_object_rejected", "success", "refuses an empty object",
			dislikes(exporting, func(q *call) bool { return q.selection.Bare })),
		fault("success.whole_seconds_rejected", "success", "refuses bounds without a fraction",
			dislikes(exporting, func(q *call) bool { return whole(q.selection.Start) || whole(q.selection.End) })),
		fault("success.apostrophe_500", "success", "answers a filter text with an apostrophe with a server error",
			breaks(func(c rune) bool { return c == '\'' })),
		fault("success.beyond_ascii_500", "success",
			"answers a filter text with letters beyond ASCII with a server error",
			breaks(func(c rune) bool { return c > unicode.MaxASCII })),
	))
}

func exportHeaderFaults() faults {
	return slices.Concat(identifierFaults(exporting, "nonce", "_"), mishandled(exporting,
		kind("header.nonce_missing", "header.nonce.absent", "an export without nonce", "_accepted _200 _500",
			"header.nonce.absent"),
		kind("header.nonce_garbage", "header.nonce.malformed", "text that is not a UUID as nonce", "_500",
			"header.nonce.format"),
		kind("header.nonce_version", "header.nonce.version", "a UUID of any version as nonce", "_accepted _200",
			"header.nonce.version"),
		kind("header.language_pt", "header.language", "pt-BR", "_rejected", "header.language=pt-BR"),
		kind("header.language_en", "header.language", "en-US", "_rejected", "header.language=en-US"),
		kind("header.product", "header.product.accepted", "a product of the user", "_rejected", "header.product"),
		kind("header.product_garbage", "header.product.malformed", "a product ID that is not a UUID", "_accepted",
			"header.product.format"),
		kind("header.target", "header.target_user.accepted", "a target user", "_rejected", "header.on_behalf_of"),
		kind("header.target_alone", "header.target_user.without_product", "a target user without a product",
			"_accepted _500", "header.on_behalf_of.product"),
		kind("header.target_garbage", "header.target_user.malformed", "a target user that is not a UUID", "_accepted",
			"header.on_behalf_of.format"),
		kind("header.wallet", "header.wallet.accepted", "a wallet of the user", "_rejected", "header.wallet"),
		kind("header.wallet_garbage", "header.wallet.malformed", "a malformed wallet", "_accepted _500",
			"header.wallet.format"),
	), under("export.",
		fault("header.language_required", "header.language", "requires a language",
			refusing(exporting, "header.language=")),
		fault("header.wallet_empty_rejected", "header.wallet.empty", "refuses an empty wallet header",
			dislikes(exporting, func(q *call) bool {
				return q.r.Header["X-Wallet-Uuid"] != nil && q.r.Header.Get("x-wallet-uuid") == ""
			})),
	))
}

func exportBodyFaults() faults {
	return slices.Concat(mishandled(exporting,
		kind("body.none", "", "an export without a body", "_accepted _500", "body.absent"),
		kind("body.not_json", "", "a body that is not JSON", "_accepted _500", "body.syntax body.truncated"),
		kind("body.array", "", "an array", "_accepted _500", "body.shape"),
	), mishandledEach(exporting, []string{"sort", "order", "filter_type", "type_extension"},
		kind("body.FIELD_unknown", "body.FIELD", "an unknown FIELD", "_accepted _200 _500", "FIELD.set"),
	), mishandledEach(exporting, []string{"date_start", "date_end"},
		kind("body.FIELD_garbage", "body.FIELD", "a bad FIELD", "_accepted _200 _500", "FIELD.format FIELD.type"),
	), under("export.", fault("body.null_accepted", "body.null", "takes null for an empty object",
		ignoring(exporting, "body.shape").when(func(q *call) bool {
			return strings.TrimSpace(q.sentBody()) == "null"
		}))))
}

func exportAnswerFaults() faults {
	changed := func(name, rule, statement string, change func(object)) faults {
		return fault(name, rule, statement, exported(func(_ *call, a *reply) { change(a.body.(object)) }))
	}
	return under("export.response.",
		changed("enveloped", "envelope", "wraps its answers into another object", envelop),
		changed("file_id_missing", "file_id", "answers without a file ID", without("file_id")),
		changed("file_id_empty", "file_id", "answers with an empty file ID", set("file_id", "")),
		changed("file_id_number", "file_id", "answers with a number as file ID", set("file_id", 42)),
		changed("file_id_null", "file_id", "answers with null as file ID", set("file_id", nil)),
		fault("file_id_repeated", "distinct_ids", "gives every export the same file ID",
			exported(func(q *call, a *reply) {
				same := q.g.data.main.person.products[0]
				if q.g.store.step(func(l ledger) { l.put(files, same, q.file.kept()) }) == nil {
					a.body.(object)["file_id"] = same
				}
			})),
		changed("state_missing", "file_state", "answers without a file state", without("file_state")),
		changed("state_text", "file_state", "answers with text as file state", set("file_state", "PROCESSING")),
		changed("state_null", "file_state", "answers with null as file state", set("file_state", nil)),
		changed("state_list", "file_state", "answers with a list as file state",
			set("file_state", []string{"PROCESSING"})),
		changed("created_at_missing", "created_at", "answers without a creation date", without("created_at")),
		changed("created_at_date", "created_at", "answers with a date without time", set("created_at", "2025-06-01")),
		changed("created_at_zoneless", "created_at.zone", "answers with a creation date without zone",
			set("created_at", "2025-06-01T10:00:00")),
		changed("created_at_epoch", "created_at", "answers with seconds as creation date",
			set("created_at", 1748772000)),
		changed("created_at_long_ago", "created_at.now", "dates every export to 2001",
			set("created_at", "2001-01-01T00:00:00Z")),
		fault("not_json", "json", "answers an accepted export with plain text", exported(func(_ *call, a *reply) {
			a.header.Set("Content-Type", "text/plain")
			a.body = []byte("accepted")
		})),
		fault("list", "json", "answers an accepted export with a list",
			exported(func(_ *call, a *reply) { a.body = []any{a.body} })),
	)
}
