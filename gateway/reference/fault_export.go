package reference

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// exportFields are the fields of an export's body.
var exportFields = []string{
	"sort", "order", "filter_type", "filter_text", "date_start", "date_end", "type_extension",
}

func exportRequestFaults() faults {
	whole := func(bound string) bool { return bound != "" && !strings.Contains(bound, ".") }
	bounds := func(refused func(bound string) bool) effect {
		return dislikes(exporting, func(q *call) bool { return refused(q.selection.Start) || refused(q.selection.End) })
	}
	// breaks fails for some filter texts.
	breaks := func(name, letters string, holds func(text any) bool) faults {
		return fault(name, "success", "answers a filter text with "+letters+" with a server error",
			answered("exported", when(func(q *call) bool { return holds(q.selection.Client) }, crash)))
	}
	return slices.Concat(
		mishandled("exports"),
		fault("export.header.language_required", "header.language", "requires a language", dislikes(exporting, func(q *call) bool { return q.preferred() == "" })),
		fault("export.header.wallet_empty_rejected", "header.wallet.empty", "refuses an empty wallet header",
			dislikes(exporting, func(q *call) bool { return slices.Equal(q.r.Header["X-Wallet-Uuid"], []string{""}) })),
		fault("export.success.empty_object_rejected", "success", "refuses an empty object",
			dislikes(exporting, func(q *call) bool { return q.selection.Bare })),
		fault("export.success.whole_seconds_rejected", "success", "refuses bounds without a fraction", bounds(whole)),
		fault("export.range.offset_rejected", "range.offset.accepted", "refuses bounds that are not written in UTC", bounds(hasOffset)),
		fault("export.success.null_500", "success.answered", "answers an export with null in a field with a server error",
			on(exporting, when((*call).givesNull, crash))),
		breaks("export.success.apostrophe_500", "an apostrophe", like("'")),
		breaks("export.success.quotation_mark_500", "a quotation mark", like(`"`)),
		breaks("export.success.percent_sign_500", "a percent sign", like("%")),
		breaks("export.success.backslash_500", "a backslash", like(`\\`)),
		breaks("export.success.beyond_ascii_500", "non-ASCII letters", like(beyondASCII)),
	)
}

// givesNull reports whether a field of the body is null.
func (q *call) givesNull() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(q.body)), func(value any) bool { return value == nil })
}

// hasOffset reports whether a bound is written with an offset.
func hasOffset(bound string) bool {
	return bound != "" && !strings.HasSuffix(strings.ToUpper(bound), "Z")
}

// exported changes the answers to exports that were accepted.
func exported(change func(answer object)) effect {
	return answered("exported", func(a *reply) { change(a.body.(object)) })
}

func exportAnswerFaults() faults {
	const id, state, created = "response.file_id", "response.file_state", "response.created_at"
	changed := func(name, rule, statement, field string, value any) faults {
		return fault(name, rule, statement, exported(at(field, value)))
	}
	return slices.Concat(
		fault("export.success.answered_302", "success", "answers an accepted export with a redirect",
			answered("exported", status(http.StatusFound))),
		fault("export.success.steady_500", "success.steady", "answers each thirteenth export with a server error", thirteenth("exported")),
		fault("export.response.enveloped", "response.envelope", "wraps its answers in another object", exported(envelop)),
		fault("export.response.file_id_missing", id, "answers without a file ID", exported(without("file_id"))),
		changed("export.response.file_id_empty", id, "answers with an empty file ID", "file_id", ""),
		changed("export.response.file_id_number", id, "answers with a number as file ID", "file_id", 42),
		changed("export.response.file_id_null", id, "answers with null as file ID", "file_id", nil),
		fault("export.response.file_id_repeated", "response.distinct_ids", "gives every export the same file ID",
			answered("exported", func(q *call, a *reply) {
				same := q.g.data.main.person.products[0]
				q.g.store.step(func() { q.g.store.put("file", same, q.file) })
				a.body.(object)["file_id"] = same
			})),
		fault("export.response.state_missing", state, "answers without a file state", exported(without("file_state"))),
		changed("export.response.state_text", state, "answers with text as file state", "file_state", "PROCESSING"),
		changed("export.response.state_null", state, "answers with null as file state", "file_state", nil),
		changed("export.response.state_list", state, "answers with a list as file state", "file_state", []string{"PROCESSING"}),
		fault("export.response.created_at_missing", created, "answers without a creation date", exported(without("created_at"))),
		changed("export.response.created_at_date", created, "answers with a date without time", "created_at", "2025-06-01"),
		changed("export.response.created_at_zoneless", created+".zone", "answers with a creation date without zone", "created_at", "2025-06-01T10:00:00"),
		changed("export.response.created_at_epoch", created, "answers with seconds as creation date", "created_at", 1748772000),
		changed("export.response.created_at_long_ago", created+".now", "dates every export to 2001", "created_at", "2001-01-01T00:00:00Z"),
		fault("export.response.not_json", "response.json", "answers an accepted export with plain text",
			answered("exported", func(a *reply) {
				a.header.Set("Content-Type", "text/plain")
				a.body = []byte("accepted")
			})),
		fault("export.response.list", "response.json", "answers an accepted export with a list",
			answered("exported", func(a *reply) { a.body = []any{a.body} })),
	)
}

// nobody stands for whoever sends no credential.
var nobody = user{id: "nobody"}

func fileFaults() faults {
	var given sync.Map // IDs of files
	again := func(q *call, s *selected) {
		if _, before := given.LoadOrStore(q.file.ID, true); before && len(s.quotes) > 0 {
			s.quotes = s.quotes[1:]
		}
	}
	empty := func(q *call) bool {
		return q.file != nil && len(q.file.Selection.choose(q.owner().quotes).quotes()) == 0
	}
	becomes := func(other state) any { return func(s *state) { *s = other } }
	return slices.Concat(
		fault("export.file.unbalanced_quote", "file.csv", "leaves a quoted field unclosed",
			func(data *content) { *data = append(*data, "\"never closed,1,2\n"...) }),
		fault("export.file.cut", "file.csv", "cuts files in the middle", func(data *content) { *data = (*data)[:len(*data)*2/3] }),
		fault("export.file.json", "file.csv", "writes JSON instead of CSV",
			func(data *content) { *data = content(`[{"id":"1"},` + "\n" + `{"id":"2","note":"x"}]`) }),
		fault("export.file.notes_unquoted", "file.csv", "leaves text with separators and line breaks unquoted",
			func(data *content) { *data = bytes.ReplaceAll(*data, []byte(`"`), nil) }),
		fault("export.file.html", "file.csv", "answers with a web page instead of the file", answered("file", func(a *reply) {
			a.header.Set("Content-Type", "text/html")
			a.body = []byte("<html><body><h1>It works, \"almost</h1></body></html>\n")
		})),
		fault("export.file.never_ready", "file.retrievable", "never finishes a file", becomes(processing)),
		fault("export.file.always_failed", "file.retrievable", "fails to generate any file", becomes(failed)),
		fault("export.file.failed_settled", "file.retrievable", "fails to generate files by settled_date",
			when(func(q *call) bool { return q.file != nil && q.file.Selection.Sort == bySettled }, becomes(failed))),
		fault("export.file.failed_empty", "file.retrievable", "fails to generate files without rows", when(empty, becomes(failed))),
		fault("export.file.fetch_500", "file.retrievable", "answers every retrieval with a server error",
			on(retrieving, answered("state", crash), answered("file", crash))),
		fault("export.file.lost", "file.retrievable", "forgets every file immediately", answered("exported", func(q *call, _ *reply) {
			q.g.store.step(func() { q.g.store.put("file", q.file.ID, file{}) })
		})),
		fault("export.file.again.one_lost", "file.again", "loses a row of a file that is fetched again", again),
		fault("export.file.row_repeated", "file.distinct_rows", "writes the last row of a file twice",
			kept(func(_ *choice, quotes []*quote) []*quote { return append(quotes, quotes[len(quotes)-1]) })),
		fault("export.file.rows_twice", "file.distinct_rows", "writes every row of a file twice",
			kept(func(_ *choice, quotes []*quote) []*quote { return slices.Repeat(quotes, 2) })),
		fault("export.file.readable_by_others", "file.private", "lets other users fetch a file", func(a *access) { *a = true }),
		fault("export.file.redirects_others", "file.private", "redirects other users to the address of a file",
			on(retrieving, answered("not_found", func(q *call, a *reply) {
				if q.file != nil {
					a.status, a.body = http.StatusFound, []byte(nil)
					a.header.Set("Location", q.downloadURL())
				}
			}))),
		fault("export.file.signature_unchecked", "file.authenticated", "lets a token with a changed signature fetch a file",
			on(retrieving, believes(forgery.other))),
		fault("export.file.revoked_key_accepted", "file.authenticated", "lets revoked API keys fetch a file", on(retrieving, admits((*call).revoked))),
		fault("export.file.readable_by_anyone", "file.authenticated", "lets anybody fetch a file without a credential",
			on(retrieving, func(s *sender) {
				if s.user == nil {
					s.user = &nobody
				}
			}, func(q *call, a *access) { *a = *a || q.caller == &nobody })),
	)
}
