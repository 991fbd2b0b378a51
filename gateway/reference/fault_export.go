package reference

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
)

// exportFields are the fields of an export's body.
var exportFields = []string{
	"sort", "order", "filter_type", "filter_text", "date_start", "date_end", "type_extension",
}

func exportRequestFaults() faults {
	whole := func(bound string) bool { return bound != "" && !strings.Contains(bound, ".") }
	// breaks fails for a letter of the filter text.
	breaks := func(name, letters string, letter func(rune) bool) faults {
		return fault(name, "success", "answers a filter text with "+letters+" with a server error",
			adds(func(q *call) {
				if strings.ContainsFunc(q.selection.Client, letter) {
					q.wrong(http.StatusInternalServerError, "internal", "", nil, "")
				}
			}))
	}
	const listed = "sort.* order.* filter_type.* type_extension.* date_start.* date_end.*"
	texts := func(with string) func(any) bool {
		return of(func(s string) bool { return strings.ContainsAny(s, with) })
	}
	is := func(letter rune) func(rune) bool { return func(c rune) bool { return c == letter } }
	return slices.Concat(mishandled(exporting,
		kind("export.success.settled_rejected", "success", "settled_date as sort", "sort=settled_date"),
		kind("export.success.asc_rejected", "success", "ascending order", "order=asc"),
		kind("export.header.nonce_missing_accepted _200 _500", "header.nonce.absent",
			"an export without nonce", "header.nonce.absent"),
		kind("export.header.nonce_garbage_500", "header.nonce.malformed",
			"text that is not a UUID as nonce", "header.nonce.format"),
		kind("export.header.nonce_version_accepted _200", "header.nonce.version",
			"a UUID of any version as nonce", "header.nonce.version"),
		kind("export.header.language_pt_rejected", "header.language", "pt-BR", "header.language=pt-BR"),
		kind("export.header.language_en_rejected", "header.language", "en-US", "header.language=en-US"),
		kind("export.header.product_rejected", "header.product.accepted", "a product of the user", "header.product"),
		kind("export.header.product_garbage_accepted", "header.product.malformed",
			"a product ID that is not a UUID", "header.product.format"),
		kind("export.header.target_rejected", "header.target_user.accepted", "a target user", "header.on_behalf_of"),
		kind("export.header.target_alone_accepted _500", "header.target_user.without_product",
			"a target user without a product", "header.on_behalf_of.product"),
		kind("export.header.target_garbage_accepted", "header.target_user.malformed",
			"a target user that is not a UUID", "header.on_behalf_of.format"),
		kind("export.header.wallet_rejected", "header.wallet.accepted", "a wallet of the user", "header.wallet"),
		kind("export.header.wallet_garbage_accepted _500", "header.wallet.malformed",
			"a malformed wallet", "header.wallet.format"),
		kind("export.value.second_line_accepted", "", "a right value with more on a second line", listed, texts("\n")),
		kind("export.value.control_characters_accepted", "", "values with control characters", listed, texts("\x00\a")),
		kind("export.value.other_letters_accepted", "", "characters that only look like those of ASCII", listed,
			of(func(s string) bool { return strings.ContainsFunc(s, func(c rune) bool { return c > unicode.MaxASCII }) })),
		kind("export.value.wrapped_accepted", "", "a right value in an array or object", listed, func(value any) bool {
			switch value.(type) {
			case []any, object:
				return true
			}
			return false
		}),
		kind("export.value.other_type_accepted", "", "a boolean in place of a text", listed,
			func(value any) bool { _, boolean := value.(bool); return boolean }),
		kind("export.body.none_accepted _500", "", "an export without a body", "body.absent"),
		kind("export.body.not_json_accepted _500", "", "a body that is not JSON", "body.syntax body.truncated"),
		kind("export.body.array_accepted _500", "", "an array", "body.shape"),
		kind("export.body.null_accepted", "", "null in place of an empty object", "body.shape",
			of(func(body string) bool { return strings.TrimSpace(body) == "null" })),
	), identifierFaults(exporting, []string{"nonce"}, "_"), mishandledEach(exporting, exportFields,
		kind("export.success.FIELD_rejected", "success", "every export that gives FIELD", "FIELD"),
	), mishandledEach(exporting, []string{"sort", "order", "filter_type", "type_extension"},
		kind("export.body.FIELD_unknown_accepted _200 _500", "body.FIELD", "an unknown FIELD", "FIELD.set"),
	), mishandledEach(exporting, []string{"date_start", "date_end"},
		kind("export.body.FIELD_garbage_accepted _200 _500", "body.FIELD", "a bad FIELD", "FIELD.format FIELD.type"),
	), mishandledEach(exporting, []string{"sort", "order", "date_start", "date_end"},
		kind("export.body.FIELD.empty_accepted", "body.FIELD", "an empty FIELD", "FIELD.empty"),
	),
		fault("export.header.language_required", "header.language", "requires a language",
			refusing(exporting, "header.language=")),
		fault("export.header.wallet_empty_rejected", "header.wallet.empty", "refuses an empty wallet header",
			dislikes(exporting, func(q *call) bool {
				return q.r.Header["X-Wallet-Uuid"] != nil && q.r.Header.Get("x-wallet-uuid") == ""
			})),
		fault("export.success.empty_object_rejected", "success", "refuses an empty object",
			dislikes(exporting, func(q *call) bool { return q.selection.Bare })),
		fault("export.success.whole_seconds_rejected", "success", "refuses bounds without a fraction",
			dislikes(exporting, func(q *call) bool { return whole(q.selection.Start) || whole(q.selection.End) })),
		fault("export.range.offset_rejected", "range.offset.accepted", "refuses bounds that are not written in UTC",
			dislikes(exporting, func(q *call) bool { return !inUTC(q.selection.Start) || !inUTC(q.selection.End) })),
		fault("export.success.null_500", "success.answered", "answers an export with null in a field with a server error",
			answered(exporting, "", crash).when((*call).givesNull)),
		breaks("export.success.apostrophe_500", "an apostrophe", is('\'')),
		breaks("export.success.quotation_mark_500", "a quotation mark", is('"')),
		breaks("export.success.percent_sign_500", "a percent sign", is('%')),
		breaks("export.success.backslash_500", "a backslash", is('\\')),
		breaks("export.success.beyond_ascii_500", "non-ASCII letters", func(c rune) bool { return c > unicode.MaxASCII }),
	)
}

// givesNull reports whether a field of the body is null.
func (q *call) givesNull() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(q.body)), func(value any) bool { return value == nil })
}

// inUTC reports whether a bound is absent or written without an offset.
func inUTC(bound string) bool { return bound == "" || strings.HasSuffix(strings.ToUpper(bound), "Z") }

// exported makes an effect on the answers to exports that were accepted.
func exported(change func(q *call, a *reply)) effect { return answered(exporting, "exported", change) }

func exportAnswerFaults() faults {
	changed := func(name, rule, statement string, change func(object)) faults {
		return fault(name, rule, statement, exported(func(_ *call, a *reply) { change(a.body.(object)) }))
	}
	const id, state, created = "response.file_id", "response.file_state", "response.created_at"
	return slices.Concat(
		fault("export.success.answered_302", "success", "answers an accepted export with a redirect",
			exported(status(http.StatusFound))),
		fault("export.success.steady_500", "success.steady", "answers each thirteenth export with a server error",
			thirteenth("exported", on(crash))),
		changed("export.response.enveloped", "response.envelope", "wraps its answers in another object", envelop),
		changed("export.response.file_id_missing", id, "answers without a file ID", without("file_id")),
		changed("export.response.file_id_empty", id, "answers with an empty file ID", set("file_id", "")),
		changed("export.response.file_id_number", id, "answers with a number as file ID", set("file_id", 42)),
		fault("export.response.file_id_numeric", id, "answers with file IDs that are numbers", numericIDs()),
		changed("export.response.file_id_null", id, "answers with null as file ID", set("file_id", nil)),
		fault("export.response.file_id_repeated", "response.distinct_ids", "gives every export the same file ID",
			exported(func(q *call, a *reply) {
				same := q.g.data.main.person.products[0]
				q.g.store.step(func() { q.g.store.files.put(same, *q.file) })
				a.body.(object)["file_id"] = same
			})),
		changed("export.response.state_missing", state, "answers without a file state", without("file_state")),
		changed("export.response.state_text", state, "answers with text as file state", set("file_state", "PROCESSING")),
		changed("export.response.state_null", state, "answers with null as file state", set("file_state", nil)),
		changed("export.response.state_list", state, "answers with a list as file state",
			set("file_state", []string{"PROCESSING"})),
		changed("export.response.created_at_missing", created, "answers without a creation date", without("created_at")),
		changed("export.response.created_at_date", created, "answers with a date without time",
			set("created_at", "2025-06-01")),
		changed("export.response.created_at_zoneless", created+".zone", "answers with a creation date without zone",
			set("created_at", "2025-06-01T10:00:00")),
		changed("export.response.created_at_epoch", created, "answers with seconds as creation date",
			set("created_at", 1748772000)),
		changed("export.response.created_at_long_ago", created+".now", "dates every export to 2001",
			set("created_at", "2001-01-01T00:00:00Z")),
		fault("export.response.not_json", "response.json", "answers an accepted export with plain text",
			exported(func(_ *call, a *reply) {
				a.header.Set("Content-Type", "text/plain")
				a.body = []byte("accepted")
			})),
		fault("export.response.list", "response.json", "answers an accepted export with a list",
			exported(func(_ *call, a *reply) { a.body = []any{a.body} })),
	)
}

// numericIDs makes an effect that names files by numbers.
func numericIDs() effect {
	var ids sync.Map // number, as text -> ID
	var last atomic.Int64
	return exported(func(q *call, a *reply) {
		number := last.Add(1)
		ids.Store(strconv.FormatInt(number, 10), q.file.ID)
		a.body.(object)["file_id"] = number
	}).and(on(func(q *call, _ *work) {
		if id, known := ids.Load(q.r.PathValue("file_id")); known && q.operation == retrieving {
			q.r.SetPathValue("file_id", id.(string))
		}
	}))
}
