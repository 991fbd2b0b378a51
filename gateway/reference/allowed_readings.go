package reference

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/internal/representative"
)

// allowedReadings returns, by name, other readings of the document where it leaves a choice.
// None breaks a rule.
func allowedReadings() changes {
	const dates = "birth_date relationship_start_date relationship_end_date registration_update_date"
	elsewhere := []string{"shareholder_id.unknown", "shareholder_id.foreign"}
	all := stackReadings()
	maps.Copy(all, changes{
		// Lenient: nearly right values count as what they mean.
		"null-absent": ignoreDefects(opCreate, "participation_percentage.type.null"),
		"any-media-type": when(func(q *request) bool { return q.body != nil },
			ignoreDefects(opCreate, "body.media*"), ignoreDefects(opExport, "body.media*")),
		"coerced": combine(readFieldsAs("income patrimony participation_percentage", parseSpelledNumber),
			readFieldsAs("pep is_public_server", parseSpelledBoolean)),
		"punctuated-cpf": readFieldsAs("document_number", normaliseCPF),
		"any-case": combine(readFieldsAs("qualification type_extension", strings.ToUpper),
			readFieldsAs("sort order filter_type", strings.ToLower)),
		"loose-dates": readFieldsAs(dates, normaliseDate),
		// A negative amount is a debt.
		"negative-money":   ignoreDefects(opCreate, "income.negative", "patrimony.negative"),
		"any-uuid-version": ignoreDefects(opExport, "header.nonce.version"),
		"any-language": combine(ignoreDefects(opCreate, "header.language.set"),
			ignoreDefects(opExport, "header.language.set")),
		"any-schema":  ignoreDefects(opExport, "header.schema.set"),
		"bare-export": ignoreDefects(opExport, "body.absent"),
		"some-documents": ignoreDefects(opUpload, "part.selfie", "part.identity_document",
			"part.qualification_declaration"),
		"foreign-wallet-empty": filterDefects(opExport, []string{"header.wallet.unknown"},
			func(q *request, _ *defect) bool {
				q.selection.Wallet = "" // this wallet holds nothing
				return false
			}),
		"either-credential": authenticateWhen(
			func(q *request) bool { return q.r.Header.Get("x-api-key") == q.gateway.tokens.apiKey }),

		// Strict: refuses what the document lets a gateway refuse.
		"whole-bounds": rejectWhen(opExport, hasFraction),
		"utc-bounds": rejectWhen(opExport, func(q *request) bool {
			return hasZoneOffset(q.selection.Start) || hasZoneOffset(q.selection.End)
		}),
		"turned-refused": rejectWhen(opExport,
			func(q *request) bool { return startsAfterEnd(q.selection.newQuoteSelection(nil)) }),
		"filter-pair": rejectWhen(opExport, func(q *request) bool {
			return q.textOfField("filter_text") != "" && q.textOfField("filter_type") == ""
		}),
		"transaction-needed": rejectWhen(opExport,
			func(q *request) bool { return q.mode >= 2 && q.transaction == "" }),
		"known-fields": combine(rejectWhen(opExport, (*request).hasUnknownField),
			rejectWhen(opCreate, (*request).hasUnknownField)),
		"product-required": rejectWhen(opCreate, not((*request).namesProduct)),
		"whole-address": rejectWhen(opCreate, func(q *request) bool {
			return slices.ContainsFunc(addressParts,
				func(part string) bool { return part != "complement" && q.values["address."+part] == nil })
		}),
		"plausible-dates": rejectWhen(opCreate, func(q *request) bool {
			end, birth := q.textOfField("relationship_end_date"), q.textOfField("birth_date")
			return end != "" && end < q.textOfField("relationship_start_date") ||
				birth > q.gateway.now().UTC().Format(time.DateOnly)
		}),
		"one-cpf": refuseReused(0, func(q *request) string {
			return q.textOfField("shareholder_id") + q.textOfField("document_number")
		}),
		"one-nonce": refuseReused(http.StatusConflict,
			func(q *request) string { return q.runsAs.id + q.nonce }),
		"no-query": rejectWhen(opExport, func(q *request) bool { return q.r.URL.RawQuery != "" }),
		"check-digits": rejectFieldsWhen(opCreate,
			func(cpf any) bool { return !representative.ValidCPF(fmt.Sprint(cpf)) }, "document_number"),
		"rare-refused": rejectWhen(opCreate, (*request).hasRareValue),
		// all modes with both identifiers count as one
		"modes-apart": during(opExport,
			func(q *request, s *replayCandidate) { s.method += fmt.Sprint(" ", min(q.mode, 3)) }),
		"nothing-no-file": when((*request).hasNoRows, func(s *fileState) {
			if *s == fileReady {
				*s = fileEmpty
			}
		}),
		// compares the bytes of bodies
		"raw-bodies": func(q *request, s *replayCandidate) { s.body = string(q.raw) },
		"photographs": when(func(q *request) bool { return q.r.MultipartForm != nil },
			func(q *request, _ *defects) {
				for part, uploads := range q.r.MultipartForm.File {
					if uploads[0].Size < 10_000 {
						q.addDefect(0, "part.photograph", part, nil, "expected a photograph")
					}
				}
			}),
		"target-apart": during(opCreate, func(q *request, _ *defects) {
			if q.runsAs != q.caller && q.textOfField("shareholder_id") == q.gateway.data.shareholder {
				q.addFieldDefect("shareholder_id", ".foreign", "this user does not have the shareholder")
			}
		}),
		// a rejected request blocks a later one
		"rejected-counts": during(opExport,
			changeAnswer("invalid_request", func(q *request, _ *response) {
				if q.body != nil {
					q.readReplayCandidate()
					q.gateway.store.atomically(
						func() { q.gateway.store.put("sighting", q.replayIdentity(), true) })
				}
			})),
		"exact-scheme": anonymousWhen(func(q *request) bool {
			_, sent := q.sentBearerToken()
			return sent && !strings.HasPrefix(q.r.Header.Get("Authorization"), "Bearer ")
		}),

		// Different answers.
		"enveloped":      combine(wrapInEnvelope, changeExportAnswer(wrapInEnvelope)),
		"nulls-left-out": omitNulls,
		"flags-default": func(r jsonObject) {
			for _, flag := range booleanFields {
				r[flag] = r[flag] == true
			}
		},
		"notation": combine(changeAtPath("phone_number", stripNonDigits),
			changeAtPath("address.zip_code", stripNonDigits)),
		"upper-names":      changeAtPath("name", strings.ToUpper),
		"lower-email":      changeAtPath("email", strings.ToLower),
		"zoneless-created": formatCreatedAt("2006-01-02T15:04:05"),
		"offset-created":   formatCreatedAt("2006-01-02T15:04:05.000000-07:00"),
		"upper-ids": combine(changeAtPath("id", strings.ToUpper),
			changeAtPath("shareholder_id", strings.ToUpper)),
		"plain-address-id": changeAtPath("address.id", "1048576"),
		"more-fields": func(q *request, r jsonObject) {
			r["mother_name"], r["status"], r["links"] = q.values["mother_name"], "PENDING_DOCUMENTS", []any{}
		},
		"plain-errors": func(a *response) {
			if refusal := a.errorObject(); refusal != nil {
				a.header.Set("Content-Type", "text/plain; charset=utf-8")
				a.body = []byte(fmt.Sprint(refusal["message"]))
			}
		},
		"shareholder-403": filterDefects(opCreate, elsewhere, refuseWithStatus(http.StatusForbidden)),
		"later-documents": refuseEarlyUploads(300 * time.Millisecond),
		"gate": when((*request).hasNoCredential,
			changeAnswer("unauthenticated", respondWithFirewallPage)),
		"key-of-colleague": when((*request).usesAPIKey, func(q *request, s *sender) {
			if s.user == q.gateway.data.main {
				s.user = q.gateway.data.colleague
			}
		}),

		// Different files.
		"new-quotes": quotesArriveEvery(400 * time.Millisecond),
		"unlabelled-total": func(rows *csvTable) {
			*rows = append(*rows, []string{"", "", "", "", "", "90210.17", "USD", ""})
		},
		"labelled-total": func(rows *csvTable) {
			// counts rows in a date column
			*rows = append(*rows,
				[]string{"Total geral", "", "", "", strconv.Itoa(len(*rows) - 1), "90210.17", "USD", ""})
		},
		"title-lines": func(rows *csvTable) {
			*rows = slices.Concat(csvTable{{"Extrato de cotações"}, {"Gerado em", "2026-01-31"}, {""}},
				*rows)
		},
		"fetched-once": deleteFileOnceFetched(),
		"settled-day": func(rows *csvTable) {
			for _, row := range (*rows)[1:] {
				row[4] = row[4][:min(len(time.DateOnly), len(row[4]))]
			}
		},
		"more-columns": func(rows *csvTable) {
			for i, row := range *rows {
				(*rows)[i] = append([]string{fmt.Sprint(i), "quote"}, row...)
			}
		},
	})
	return all
}

// refuseReused refuses a creation with a value, such as a CPF, that another one already used.
func refuseReused(status int, what func(q *request) string) effect {
	var served sync.Map // transaction ID by value
	return during(opCreate, func(q *request, _ *defects) {
		if len(q.issues) > 0 {
			return
		}
		if by, _ := served.LoadOrStore(what(q), q.transaction); by != q.transaction {
			q.addDefect(status, "unwelcome", "", nil, "served for another creation")
		}
	})
}

// hasRareValue reports whether a creation holds a valid but rare value: a long text, a distant
// date, an enormous amount.
func (q *request) hasRareValue() bool {
	for field, value := range q.values {
		switch text := fmt.Sprint(value); {
		case slices.Contains(dateFields, field) && (text < "1950" || text > "2070"),
			field != "address" && utf8.RuneCountInString(text) > 60,
			slices.Contains(moneyFields, field) && len(text) > len("9000000000000000"):
			return true
		}
	}
	_, decimals, _ := strings.Cut(fmt.Sprint(q.values["participation_percentage"]), ".")
	updated := q.textOfField("registration_update_date")
	return len(decimals) > 2 || updated != "" && updated < q.textOfField("relationship_start_date")
}

func omitNulls(record jsonObject) {
	for key, value := range record {
		if value == nil {
			delete(record, key)
		} else if inner, ok := value.(jsonObject); ok {
			omitNulls(inner)
		}
	}
}

// formatCreatedAt formats created_at in São Paulo's time.
func formatCreatedAt(layout string) effect {
	change := func(q *request, o jsonObject) {
		o["created_at"] = q.gateway.now().In(saoPaulo).Format(layout)
	}
	return combine(change, changeAnswer("exported",
		func(q *request, a *response) { change(q, a.body.(jsonObject)) }))
}

// refuseEarlyUploads answers 404 to uploads for representatives that are younger than age.
func refuseEarlyUploads(age time.Duration) effect {
	var made sync.Map // creation time by ID
	return combine(func(r jsonObject) { made.Store(r["id"], time.Now()) },
		during(opUpload, func(q *request, _ *defects) {
			if at, known := made.Load(strings.ToLower(q.r.PathValue("id"))); known &&
				time.Since(at.(time.Time)) < age {
				q.addDefect(http.StatusNotFound, "representative.new", "", nil, "not found yet")
			}
		}))
}

// quotesArriveEvery adds a quote per interval; each is settled when the next one arrives. A
// file holds the quotes that existed when it was requested.
func quotesArriveEvery(every time.Duration) effect {
	began := time.Now().UTC().Truncate(time.Millisecond)
	return combine(func(q *request, c *quoteSelection) {
		own := q.fileOwner().quotes
		for i := range max(0, int(q.file.Created.Sub(began)/every)) {
			one := own[i%len(own)]
			one.id = uuid.NewSHA1(uuid.MustParse(one.id), fmt.Append(nil, i)).String()
			one.created = began.Add(time.Duration(i) * every)
			if one.settled = one.created.Add(every); one.settled.After(q.file.Created) {
				one.settled = time.Time{}
			}
			c.candidates = append(slices.Clip(c.candidates), one)
		}
	})
}

// deleteFileOnceFetched answers the second fetch of a file with 404.
func deleteFileOnceFetched() effect {
	var fetched sync.Map // IDs
	return combine(
		changeAnswer("file", func(q *request, _ *response) { fetched.Store(q.file.ID, true) }),
		func(q *request, a *fileAccess) {
			if _, before := fetched.Load(q.r.PathValue("file_id")); before {
				*a = false
			}
		})
}
