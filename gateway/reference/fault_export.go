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
	breaks := func(name string, holds func(text any) bool) faults {
		return fault(name, answered("exported", when(func(q *call) bool { return holds(q.selection.Client) }, crash)))
	}
	return slices.Concat(
		mishandled("exports"),
		fault("export.header.language_required",
			dislikes(exporting, func(q *call) bool { return q.preferred() == "" })),
		fault("export.header.wallet_empty_rejected",
			dislikes(exporting, func(q *call) bool { return slices.Equal(q.r.Header["X-Wallet-Uuid"], []string{""}) })),
		fault("export.success.empty_object_rejected",
			dislikes(exporting, func(q *call) bool { return q.selection.Bare })),
		fault("export.success.whole_seconds_rejected", bounds(whole)),
		fault("export.range.offset_rejected", bounds(hasOffset)),
		fault("export.success.null_500", during(exporting, when((*call).givesNull, crash))),
		breaks("export.success.apostrophe_500", matching("'")),
		breaks("export.success.quotation_mark_500", matching(`"`)),
		breaks("export.success.percent_sign_500", matching("%")),
		breaks("export.success.backslash_500", matching(`\\`)),
		breaks("export.success.beyond_ascii_500", matching(beyondASCII)),
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
	changed := func(name, field string, value any) faults {
		return fault(name, exported(at(field, value)))
	}
	return slices.Concat(
		fault("export.success.answered_302", answered("exported", status(http.StatusFound))),
		fault("export.success.steady_500", thirteenth("exported")),
		fault("export.response.enveloped", exported(envelop)),
		fault("export.response.file_id_missing", exported(without("file_id"))),
		changed("export.response.file_id_empty", "file_id", ""),
		changed("export.response.file_id_number", "file_id", 42),
		changed("export.response.file_id_null", "file_id", nil),
		fault("export.response.file_id_repeated", answered("exported", func(q *call, a *reply) {
			same := q.g.data.main.person.products[0]
			q.g.store.step(func() { q.g.store.put("file", same, q.file) })
			a.body.(object)["file_id"] = same
		})),
		fault("export.response.state_missing", exported(without("file_state"))),
		changed("export.response.state_text", "file_state", "PROCESSING"),
		changed("export.response.state_null", "file_state", nil),
		changed("export.response.state_list", "file_state", []string{"PROCESSING"}),
		fault("export.response.created_at_missing", exported(without("created_at"))),
		changed("export.response.created_at_date", "created_at", "2025-06-01"),
		changed("export.response.created_at_zoneless", "created_at", "2025-06-01T10:00:00"),
		changed("export.response.created_at_epoch", "created_at", 1748772000),
		changed("export.response.created_at_long_ago", "created_at", "2001-01-01T00:00:00Z"),
		fault("export.response.not_json", answered("exported", func(a *reply) {
			a.header.Set("Content-Type", "text/plain")
			a.body = []byte("accepted")
		})),
		fault("export.response.list",
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
		fault("export.file.unbalanced_quote",
			func(data *content) { *data = append(*data, "\"never closed,1,2\n"...) }),
		fault("export.file.cut", func(data *content) { *data = (*data)[:len(*data)*2/3] }),
		fault("export.file.json",
			func(data *content) { *data = content(`[{"id":"1"},` + "\n" + `{"id":"2","note":"x"}]`) }),
		fault("export.file.notes_unquoted",
			func(data *content) { *data = bytes.ReplaceAll(*data, []byte(`"`), nil) }),
		fault("export.file.html", answered("file", func(a *reply) {
			a.header.Set("Content-Type", "text/html")
			a.body = []byte("<html><body><h1>It works, \"almost</h1></body></html>\n")
		})),
		fault("export.file.never_ready", becomes(processing)),
		fault("export.file.always_failed", becomes(failed)),
		fault("export.file.failed_settled",
			when(func(q *call) bool { return q.file != nil && q.file.Selection.Sort == bySettled }, becomes(failed))),
		fault("export.file.failed_empty", when(empty, becomes(failed))),
		fault("export.file.fetch_500",
			during(retrieving, answered("state", crash), answered("file", crash))),
		fault("export.file.lost", answered("exported", func(q *call, _ *reply) {
			q.g.store.step(func() { q.g.store.put("file", q.file.ID, file{}) })
		})),
		fault("export.file.again.one_lost", again),
		fault("export.file.row_repeated",
			kept(func(_ *choice, quotes []*quote) []*quote { return append(quotes, quotes[len(quotes)-1]) })),
		fault("export.file.rows_twice",
			kept(func(_ *choice, quotes []*quote) []*quote { return slices.Repeat(quotes, 2) })),
		fault("export.file.readable_by_others", func(a *access) { *a = true }),
		fault("export.file.redirects_others",
			during(retrieving, answered("not_found", func(q *call, a *reply) {
				if q.file != nil {
					a.status, a.body = http.StatusFound, []byte(nil)
					a.header.Set("Location", q.downloadURL())
				}
			}))),
		fault("export.file.signature_unchecked", during(retrieving, believes(forgery.other))),
		fault("export.file.revoked_key_accepted", during(retrieving, admits((*call).revoked))),
		fault("export.file.readable_by_anyone", during(retrieving, func(s *sender) {
			if s.user == nil {
				s.user = &nobody
			}
		}, func(q *call, a *access) { *a = *a || q.caller == &nobody })),
	)
}
