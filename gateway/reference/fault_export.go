package reference

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// exportFieldNames are the fields of an export's body.
var exportFieldNames = []string{
	"sort", "order", "filter_type", "filter_text", "date_start", "date_end", "type_extension",
}

func exportRequestFaults() faultDeclarations {
	whole := func(bound string) bool { return bound != "" && !strings.Contains(bound, ".") }
	bounds := func(refused func(bound string) bool) effect {
		return rejectWhen(operationExport,
			func(q *requestState) bool { return refused(q.selection.Start) || refused(q.selection.End) })
	}
	// breaks fails for some filter texts.
	breaks := func(name string, holds func(text any) bool) faultDeclarations {
		return declareFault(name,
			changeAnswer("exported",
				effectWhen(func(q *requestState) bool { return holds(q.selection.Client) }, respondWithCrash)))
	}
	return slices.Concat(
		mishandlingFaults("exports"),
		declareFault("export.header.language_required",
			rejectWhen(operationExport, func(q *requestState) bool { return q.preferredLanguage() == "" })),
		declareFault("export.header.wallet_empty_rejected",
			rejectWhen(operationExport,
				func(q *requestState) bool { return slices.Equal(q.r.Header["X-Wallet-Uuid"], []string{""}) })),
		declareFault("export.success.empty_object_rejected",
			rejectWhen(operationExport, func(q *requestState) bool { return q.selection.Bare })),
		declareFault("export.success.whole_seconds_rejected", bounds(whole)),
		declareFault("export.range.offset_rejected", bounds(hasZoneOffset)),
		declareFault("export.success.null_500",
			effectDuring(operationExport, effectWhen((*requestState).hasNullField, respondWithCrash))),
		breaks("export.success.apostrophe_500", matchesPattern("'")),
		breaks("export.success.quotation_mark_500", matchesPattern(`"`)),
		breaks("export.success.percent_sign_500", matchesPattern("%")),
		breaks("export.success.backslash_500", matchesPattern(`\\`)),
		breaks("export.success.beyond_ascii_500", matchesPattern(nonASCIIClass)),
	)
}

// hasNullField reports whether a field of the body is null.
func (q *requestState) hasNullField() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(q.body)),
		func(value any) bool { return value == nil })
}

// hasZoneOffset reports whether a bound has an offset other than Z.
func hasZoneOffset(bound string) bool {
	return bound != "" && !strings.HasSuffix(strings.ToUpper(bound), "Z")
}

// changeExportAnswer returns an effect on the answers to accepted exports.
func changeExportAnswer(change func(answer jsonObject)) effect {
	return changeAnswer("exported", func(a *pendingResponse) { change(a.body.(jsonObject)) })
}

func exportAnswerFaults() faultDeclarations {
	changed := func(name, field string, value any) faultDeclarations {
		return declareFault(name, changeExportAnswer(changeAtPath(field, value)))
	}
	return slices.Concat(
		declareFault("export.success.answered_302",
			changeAnswer("exported", setStatus(http.StatusFound))),
		declareFault("export.success.steady_500", crashEveryThirteenth("exported")),
		declareFault("export.response.enveloped", changeExportAnswer(wrapInEnvelope)),
		declareFault("export.response.file_id_missing", changeExportAnswer(removeKeys("file_id"))),
		changed("export.response.file_id_empty", "file_id", ""),
		changed("export.response.file_id_number", "file_id", 42),
		changed("export.response.file_id_null", "file_id", nil),
		declareFault("export.response.file_id_repeated",
			changeAnswer("exported", func(q *requestState, a *pendingResponse) {
				same := q.gateway.data.main.person.products[0]
				q.gateway.store.atomically(func() { q.gateway.store.put("file", same, q.file) })
				a.body.(jsonObject)["file_id"] = same
			})),
		declareFault("export.response.state_missing", changeExportAnswer(removeKeys("file_state"))),
		changed("export.response.state_text", "file_state", "PROCESSING"),
		changed("export.response.state_null", "file_state", nil),
		changed("export.response.state_list", "file_state", []string{"PROCESSING"}),
		declareFault("export.response.created_at_missing", changeExportAnswer(removeKeys("created_at"))),
		changed("export.response.created_at_date", "created_at", "2025-06-01"),
		changed("export.response.created_at_zoneless", "created_at", "2025-06-01T10:00:00"),
		changed("export.response.created_at_epoch", "created_at", 1748772000),
		changed("export.response.created_at_long_ago", "created_at", "2001-01-01T00:00:00Z"),
		declareFault("export.response.not_json", changeAnswer("exported", func(a *pendingResponse) {
			a.header.Set("Content-Type", "text/plain")
			a.body = []byte("accepted")
		})),
		declareFault("export.response.list",
			changeAnswer("exported", func(a *pendingResponse) { a.body = []any{a.body} })),
	)
}

// anonymousUser stands for a sender without a credential.
var anonymousUser = user{id: "nobody"}

func fileFaults() faultDeclarations {
	var given sync.Map // IDs of files
	again := func(q *requestState, s *filteredQuotes) {
		if _, before := given.LoadOrStore(q.file.ID, true); before && len(s.quotes) > 0 {
			s.quotes = s.quotes[1:]
		}
	}
	empty := (*requestState).hasNoRows
	becomes := func(other fileState) any { return func(s *fileState) { *s = other } }
	return slices.Concat(
		declareFault("export.file.unbalanced_quote",
			func(data *fileContent) { *data = append(*data, "\"never closed,1,2\n"...) }),
		declareFault("export.file.cut", func(data *fileContent) { *data = (*data)[:len(*data)*2/3] }),
		declareFault("export.file.json",
			func(data *fileContent) {
				*data = fileContent(`[{"id":"1"},` + "\n" + `{"id":"2","note":"x"}]`)
			},
		),
		declareFault("export.file.notes_unquoted",
			func(data *fileContent) { *data = bytes.ReplaceAll(*data, []byte(`"`), nil) }),
		declareFault("export.file.html", changeAnswer("file", func(a *pendingResponse) {
			a.header.Set("Content-Type", "text/html")
			a.body = []byte("<html><body><h1>It works, \"almost</h1></body></html>\n")
		})),
		declareFault("export.file.never_ready", becomes(fileProcessing)),
		declareFault("export.file.always_failed", becomes(fileFailed)),
		declareFault("export.file.failed_settled",
			effectWhen(
				func(q *requestState) bool { return q.file != nil && q.file.Selection.Sort == sortBySettled },
				becomes(fileFailed)),
		),
		declareFault("export.file.failed_empty", effectWhen(empty, becomes(fileFailed))),
		declareFault("export.file.stuck_empty", effectWhen(empty, becomes(fileProcessing))),
		declareFault("export.file.fetch_500",
			effectDuring(operationFile, changeAnswer("state", respondWithCrash),
				changeAnswer("file", respondWithCrash))),
		declareFault("export.file.lost",
			changeAnswer("exported", func(q *requestState, _ *pendingResponse) {
				q.gateway.store.atomically(func() { q.gateway.store.put("file", q.file.ID, exportFile{}) })
			})),
		declareFault("export.file.again.one_lost", again),
		declareFault("export.file.row_repeated",
			changeQuotes(func(_ *quoteSelection, quotes []*quote) []*quote {
				return append(quotes, quotes[len(quotes)-1])
			})),
		declareFault("export.file.rows_twice",
			changeQuotes(
				func(_ *quoteSelection, quotes []*quote) []*quote { return slices.Repeat(quotes, 2) }),
		),
		declareFault("export.file.readable_by_others", func(a *fileAccess) { *a = true }),
		declareFault("export.file.redirects_others",
			effectDuring(operationFile, changeAnswer("not_found", func(q *requestState, a *pendingResponse) {
				if q.file != nil {
					a.status, a.body = http.StatusFound, []byte(nil)
					a.header.Set("Location", q.downloadURL())
				}
			}))),
		declareFault("export.file.signature_unchecked",
			effectDuring(operationFile, acceptForgedWhen(forgedToken.hasOtherSignature))),
		declareFault("export.file.revoked_key_accepted",
			effectDuring(operationFile, authenticateAsMainUserWhen((*requestState).usesRevokedKey))),
		declareFault("export.file.readable_by_anyone",
			effectDuring(operationFile, func(s *requestSender) {
				if s.user == nil {
					s.user = &anonymousUser
				}
			}, func(q *requestState, a *fileAccess) { *a = *a || q.caller == &anonymousUser })),
	)
}
