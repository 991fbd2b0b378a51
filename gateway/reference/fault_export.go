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

func exportRequestFaults() changes {
	whole := func(bound string) bool { return bound != "" && !strings.Contains(bound, ".") }
	bounds := func(refused func(bound string) bool) effect {
		return rejectWhen(opExport,
			func(q *request) bool { return refused(q.selection.Start) || refused(q.selection.End) })
	}
	// breaks fails for some filter texts.
	breaks := func(holds func(text any) bool) effect {
		return changeAnswer("exported",
			when(func(q *request) bool { return holds(q.selection.Client) }, respondWithCrash))
	}
	return changes{
		"export.header.language_required": rejectWhen(opExport, prefers("")),
		"export.header.wallet_empty_rejected": rejectWhen(opExport,
			func(q *request) bool { return slices.Equal(q.r.Header["X-Wallet-Uuid"], []string{""}) }),
		"export.success.empty_object_rejected": rejectWhen(opExport,
			func(q *request) bool { return q.selection.Bare }),
		"export.success.whole_seconds_rejected": bounds(whole),
		"export.range.offset_rejected":          bounds(hasZoneOffset),
		"export.success.null_500": during(opExport,
			when((*request).hasNullField, respondWithCrash)),
		"export.success.apostrophe_500":     breaks(matchesPattern("'")),
		"export.success.quotation_mark_500": breaks(matchesPattern(`"`)),
		"export.success.percent_sign_500":   breaks(matchesPattern("%")),
		"export.success.backslash_500":      breaks(matchesPattern(`\\`)),
		"export.success.answered_nul_500":   breaks(matchesPattern("\x00")),
		"export.success.beyond_ascii_500":   breaks(matchesPattern(nonASCIIClass)),
	}
}

// hasNullField reports whether a field of the body is null.
func (q *request) hasNullField() bool {
	return slices.Contains(slices.Collect(maps.Values(q.body)), nil)
}

// hasZoneOffset reports whether a bound has an offset other than Z.
func hasZoneOffset(bound string) bool {
	return bound != "" && !strings.HasSuffix(strings.ToUpper(bound), "Z")
}

// changeExportAnswer returns an effect on the answers to accepted exports.
func changeExportAnswer(change func(answer jsonObject)) effect {
	return changeAnswer("exported", func(a *response) { change(a.body.(jsonObject)) })
}

func exportAnswerFaults() changes {
	changed := func(field string, value any) effect {
		return changeExportAnswer(changeAtPath(field, value))
	}
	return changes{
		"export.success.answered_302":     changeAnswer("exported", setStatus(http.StatusFound)),
		"export.success.steady_500":       everyNth(13, "exported", respondWithCrash),
		"export.success.refused_in_turn":  everyNth(3, "exported", respondWithInvalid),
		"export.success.conflict_in_turn": everyNth(3, "exported", respondWithConflict),
		"export.response.enveloped":       changeExportAnswer(wrapInEnvelope),
		"export.response.file_id_missing": changeExportAnswer(removeKeys("file_id")),
		"export.response.file_id_empty":   changed("file_id", ""),
		"export.response.file_id_number":  changed("file_id", 42),
		"export.response.file_id_null":    changed("file_id", nil),
		"export.response.file_id_repeated": changeAnswer("exported", func(q *request, a *response) {
			same := q.gateway.data.main.person.products[0]
			q.gateway.store.atomically(func() { q.gateway.store.put("file", same, q.file) })
			a.body.(jsonObject)["file_id"] = same
		}),
		"export.response.state_missing":       changeExportAnswer(removeKeys("file_state")),
		"export.response.state_text":          changed("file_state", "PROCESSING"),
		"export.response.state_null":          changed("file_state", nil),
		"export.response.state_list":          changed("file_state", []string{"PROCESSING"}),
		"export.response.created_at_missing":  changeExportAnswer(removeKeys("created_at")),
		"export.response.created_at_date":     changed("created_at", "2025-06-01"),
		"export.response.created_at_zoneless": changed("created_at", "2025-06-01T10:00:00"),
		"export.response.created_at_epoch":    changed("created_at", 1748772000),
		"export.response.created_at_long_ago": changed("created_at", "2001-01-01T00:00:00Z"),
		"export.response.not_json": changeAnswer("exported", func(a *response) {
			a.header.Set("Content-Type", "text/plain")
			a.body = []byte("accepted")
		}),
		"export.response.list": changeAnswer("exported", func(a *response) { a.body = []any{a.body} }),
	}
}

// anonymousUser stands for a sender without a credential.
var anonymousUser = user{id: "nobody"}

func fileFaults() changes {
	var given, fetched sync.Map // IDs of files
	again := func(q *request, s *filteredQuotes) {
		if _, before := given.LoadOrStore(q.file.ID, true); before && len(s.quotes) > 0 {
			s.quotes = s.quotes[1:]
		}
	}
	empty := (*request).hasNoRows
	becomes := func(other fileState) any { return func(s *fileState) { *s = other } }
	return changes{
		"export.file.unbalanced_quote": func(data *fileContent) {
			*data = append(*data, "\"never closed,1,2\n"...)
		},
		"export.file.cut": func(data *fileContent) { *data = (*data)[:len(*data)*2/3] },
		"export.file.json": func(data *fileContent) {
			*data = fileContent(`[{"id":"1"},` + "\n" + `{"id":"2","note":"x"}]`)
		},
		"export.file.notes_unquoted": func(data *fileContent) {
			*data = bytes.ReplaceAll(*data, []byte(`"`), nil)
		},
		"export.file.html": changeAnswer("file", func(a *response) {
			a.header.Set("Content-Type", "text/html")
			a.body = []byte("<html><body><h1>It works, \"almost</h1></body></html>\n")
		}),
		"export.file.never_ready":   becomes(fileProcessing),
		"export.file.always_failed": becomes(fileFailed),
		"export.file.failed_settled": when(
			func(q *request) bool { return q.file != nil && q.file.Selection.Sort == sortBySettled },
			becomes(fileFailed)),
		"export.file.failed_empty": when(empty, becomes(fileFailed)),
		"export.file.stuck_empty":  when(empty, becomes(fileProcessing)),
		"export.file.fetch_500": during(opFile, changeAnswer("state", respondWithCrash),
			changeAnswer("file", respondWithCrash)),
		"export.file.lost": changeAnswer("exported", func(q *request, _ *response) {
			q.gateway.store.atomically(func() { q.gateway.store.put("file", q.file.ID, exportFile{}) })
		}),
		"export.file.again.one_lost": again,
		"export.file.row_repeated": changeQuotes(
			func(s *filteredQuotes) { s.quotes = append(s.quotes, s.quotes[len(s.quotes)-1]) }),
		"export.file.rows_twice": func(s *filteredQuotes) {
			s.quotes = slices.Repeat(s.quotes, 2)
		},
		"export.file.empty_at_first": func(q *request, text *fileContent) {
			if _, again := fetched.LoadOrStore(q.file.ID, true); !again {
				*text = nil
			}
		},
		"export.file.cut_at_first": func(q *request, text *fileContent) {
			if _, again := fetched.LoadOrStore(q.file.ID, true); !again {
				*text = (*text)[:len(*text)/2]
			}
		},
		"export.file.readable_by_others": func(a *fileAccess) { *a = true },
		"export.file.redirects_others": during(opFile,
			changeAnswer("not_found", func(q *request, a *response) {
				if q.file != nil {
					a.status, a.body = http.StatusFound, []byte(nil)
					a.header.Set("Location", q.downloadURL())
				}
			})),
		"export.file.signature_unchecked": during(opFile,
			acceptForgedWhen(forgedToken.hasOtherSignature)),
		"export.file.revoked_key_accepted": during(opFile, authenticateWhen((*request).usesRevokedKey)),
		"export.file.readable_by_anyone": during(opFile,
			func(s *sender) {
				if s.user == nil {
					s.user = &anonymousUser
				}
			}, func(q *request, a *fileAccess) { *a = *a || q.caller == &anonymousUser }),
	}
}
