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
func allowedReadings() map[string]effect {
	const dates = "birth_date relationship_start_date relationship_end_date registration_update_date"
	elsewhere := []string{"shareholder_id.unknown", "shareholder_id.foreign"}
	all := stackReadings()
	maps.Copy(all, map[string]effect{
		// Lenient: nearly right values count as what they mean.
		"null-absent": ignoreDefects(operationCreate, "participation_percentage.type.null"),
		"any-media-type": effectWhen(func(q *requestState) bool { return q.body != nil },
			ignoreDefects(operationCreate, "body.media*"), ignoreDefects(operationExport, "body.media*")),
		"coerced": combineEffects(readFieldsAs("income patrimony participation_percentage",
			parseSpelledNumber), readFieldsAs("pep is_public_server", parseSpelledBoolean)),
		"punctuated-cpf": readFieldsAs("document_number", normaliseCPF),
		"any-case": combineEffects(readFieldsAs("qualification type_extension", strings.ToUpper),
			readFieldsAs("sort order filter_type", strings.ToLower)),
		"loose-dates": readFieldsAs(dates, normaliseDate),
		// A negative amount is a debt.
		"negative-money":   ignoreDefects(operationCreate, "income.negative", "patrimony.negative"),
		"any-uuid-version": ignoreDefects(operationExport, "header.nonce.version"),
		"any-language": combineEffects(ignoreDefects(operationCreate, "header.language.set"),
			ignoreDefects(operationExport, "header.language.set")),
		"any-schema":  ignoreDefects(operationExport, "header.schema.set"),
		"bare-export": ignoreDefects(operationExport, "body.absent"),
		"some-documents": ignoreDefects(operationDocuments,
			"part.selfie", "part.identity_document", "part.qualification_declaration"),
		"foreign-wallet-empty": filterDefects(operationExport,
			[]string{"header.wallet.unknown"}, func(q *requestState, _ *requestDefect) bool {
				q.selection.Wallet = "" // this wallet holds nothing
				return false
			}),
		"either-credential": authenticateAsMainUserWhen(
			func(q *requestState) bool { return q.r.Header.Get("x-api-key") == q.gateway.tokens.apiKey }),

		// Strict: refuses what the document lets a gateway refuse.
		"whole-bounds": rejectWhen(operationExport, hasFraction),
		"utc-bounds": rejectWhen(operationExport, func(q *requestState) bool {
			return hasZoneOffset(q.selection.Start) || hasZoneOffset(q.selection.End)
		}),
		"turned-refused": rejectWhen(operationExport,
			func(q *requestState) bool { return startsAfterEnd(q.selection.newQuoteSelection(nil)) }),
		"filter-pair": rejectWhen(operationExport, func(q *requestState) bool {
			return q.textOfField("filter_text") != "" && q.textOfField("filter_type") == ""
		}),
		"transaction-needed": rejectWhen(operationExport,
			func(q *requestState) bool { return q.mode >= 2 && q.transaction == "" }),
		"known-fields": combineEffects(rejectWhen(operationExport, (*requestState).hasUnknownField),
			rejectWhen(operationCreate, (*requestState).hasUnknownField)),
		"product-required": rejectWhen(operationCreate, not((*requestState).namesProduct)),
		"whole-address": rejectWhen(operationCreate, func(q *requestState) bool {
			return slices.ContainsFunc(addressParts,
				func(part string) bool { return part != "complement" && q.values["address."+part] == nil })
		}),
		"plausible-dates": rejectWhen(operationCreate, func(q *requestState) bool {
			end, birth := q.textOfField("relationship_end_date"), q.textOfField("birth_date")
			return end != "" && end < q.textOfField("relationship_start_date") ||
				birth > q.gateway.now().UTC().Format(time.DateOnly)
		}),
		"one-cpf": refuseReused(0, func(q *requestState) string {
			return q.textOfField("shareholder_id") + q.textOfField("document_number")
		}),
		"one-nonce": refuseReused(http.StatusConflict,
			func(q *requestState) string { return q.runsAs.id + q.nonce }),
		"no-query": rejectWhen(operationExport,
			func(q *requestState) bool { return q.r.URL.RawQuery != "" }),
		"check-digits": rejectFieldsWhen(operationCreate,
			func(cpf any) bool { return !representative.ValidCPF(fmt.Sprint(cpf)) }, "document_number"),
		"rare-refused": rejectWhen(operationCreate, (*requestState).hasRareValue),
		// all modes with both identifiers count as one
		"modes-apart": effectDuring(operationExport,
			func(q *requestState, s *replayCandidate) { s.method += fmt.Sprint(" ", min(q.mode, 3)) }),
		"nothing-no-file": effectWhen((*requestState).hasNoRows, func(s *fileState) {
			if *s == fileReady {
				*s = fileEmpty
			}
		}),
		// compares the bytes of bodies
		"raw-bodies": combineEffects(
			func(q *requestState, s *replayCandidate) { s.body = string(q.raw) }),
		"photographs": effectWhen(func(q *requestState) bool { return q.r.MultipartForm != nil },
			func(q *requestState, _ *requestDefects) {
				for part, uploads := range q.r.MultipartForm.File {
					if uploads[0].Size < 10_000 {
						q.addDefect(0, "part.photograph", part, nil, "expected a photograph")
					}
				}
			}),
		"target-apart": effectDuring(operationCreate, func(q *requestState, _ *requestDefects) {
			if q.runsAs != q.caller && q.textOfField("shareholder_id") == q.gateway.data.shareholder {
				q.addFieldDefect("shareholder_id", ".foreign", "this user does not have the shareholder")
			}
		}),
		// a rejected request blocks a later one
		"rejected-counts": effectDuring(operationExport,
			changeAnswer("invalid_request", func(q *requestState, _ *pendingResponse) {
				if q.body != nil {
					q.readReplayCandidate()
					q.gateway.store.atomically(
						func() { q.gateway.store.put("sighting", q.replayIdentity(), true) })
				}
			})),
		"exact-scheme": treatAsAnonymousWhen(func(q *requestState) bool {
			_, sent := q.sentBearerToken()
			return sent && !strings.HasPrefix(q.r.Header.Get("Authorization"), "Bearer ")
		}),

		// Different answers.
		"enveloped":      combineEffects(wrapInEnvelope, changeExportAnswer(wrapInEnvelope)),
		"nulls-left-out": combineEffects(omitNulls),
		"flags-default": combineEffects(func(r jsonObject) {
			for _, flag := range booleanFields {
				r[flag] = r[flag] == true
			}
		}),
		"notation": combineEffects(changeAtPath("phone_number", stripNonDigits),
			changeAtPath("address.zip_code", stripNonDigits)),
		"upper-names":      combineEffects(changeAtPath("name", strings.ToUpper)),
		"lower-email":      combineEffects(changeAtPath("email", strings.ToLower)),
		"zoneless-created": formatCreatedAt("2006-01-02T15:04:05"),
		"offset-created":   formatCreatedAt("2006-01-02T15:04:05.000000-07:00"),
		"upper-ids": combineEffects(changeAtPath("id", strings.ToUpper),
			changeAtPath("shareholder_id", strings.ToUpper)),
		"plain-address-id": combineEffects(changeAtPath("address.id", "1048576")),
		"more-fields": combineEffects(func(q *requestState, r jsonObject) {
			r["mother_name"], r["status"], r["links"] = q.values["mother_name"], "PENDING_DOCUMENTS", []any{}
		}),
		"plain-errors": combineEffects(func(a *pendingResponse) {
			if refusal := a.errorObject(); refusal != nil {
				a.header.Set("Content-Type", "text/plain; charset=utf-8")
				a.body = []byte(fmt.Sprint(refusal["message"]))
			}
		}),
		"shareholder-403": filterDefects(operationCreate,
			elsewhere, refuseWithStatus(http.StatusForbidden)),
		"later-documents": refuseEarlyUploads(300 * time.Millisecond),
		"gate": effectWhen((*requestState).hasNoCredential,
			changeAnswer("unauthenticated", respondWithFirewallPage)),
		"key-of-colleague": effectWhen((*requestState).usesAPIKey,
			func(q *requestState, s *requestSender) {
				if s.user == q.gateway.data.main {
					s.user = q.gateway.data.colleague
				}
			}),

		// Different files.
		"new-quotes": quotesArriveEvery(400 * time.Millisecond),
		"unlabelled-total": combineEffects(func(rows *csvTable) {
			*rows = append(*rows, []string{"", "", "", "", "", "90210.17", "USD", ""})
		}),
		"labelled-total": combineEffects(func(rows *csvTable) { // counts rows in a date column
			*rows = append(*rows,
				[]string{"Total geral", "", "", "", strconv.Itoa(len(*rows) - 1), "90210.17", "USD", ""})
		}),
		"title-lines": combineEffects(func(rows *csvTable) {
			*rows = slices.Concat(csvTable{{"Extrato de cotações"}, {"Gerado em", "2026-01-31"}, {""}},
				*rows)
		}),
		"fetched-once": deleteFileOnceFetched(),
		"settled-day": combineEffects(func(rows *csvTable) {
			for _, row := range (*rows)[1:] {
				row[4] = row[4][:min(len(time.DateOnly), len(row[4]))]
			}
		}),
		"more-columns": combineEffects(func(rows *csvTable) {
			for i, row := range *rows {
				(*rows)[i] = append([]string{fmt.Sprint(i), "quote"}, row...)
			}
		}),
	})
	return all
}

// refuseReused refuses a creation with a value, such as a CPF, that another one already used.
func refuseReused(status int, what func(q *requestState) string) effect {
	var served sync.Map // transaction ID by value
	return effectDuring(operationCreate, func(q *requestState, _ *requestDefects) {
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
func (q *requestState) hasRareValue() bool {
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
	change := func(q *requestState, o jsonObject) {
		o["created_at"] = q.gateway.now().In(saoPaulo).Format(layout)
	}
	return combineEffects(change, changeAnswer("exported",
		func(q *requestState, a *pendingResponse) { change(q, a.body.(jsonObject)) }))
}

// refuseEarlyUploads answers 404 to uploads for representatives that are younger than age.
func refuseEarlyUploads(age time.Duration) effect {
	var made sync.Map // creation time by ID
	return combineEffects(func(r jsonObject) { made.Store(r["id"], time.Now()) },
		effectDuring(operationDocuments, func(q *requestState, _ *requestDefects) {
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
	return combineEffects(func(q *requestState, c *quoteSelection) {
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
	return combineEffects(
		changeAnswer("file",
			func(q *requestState, _ *pendingResponse) { fetched.Store(q.file.ID, true) }),
		func(q *requestState, a *fileAccess) {
			if _, before := fetched.Load(q.r.PathValue("file_id")); before {
				*a = false
			}
		})
}
