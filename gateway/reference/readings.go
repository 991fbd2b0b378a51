package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/internal/representative"
)

// readings are ways to read the document where it leaves a choice, which break no rule.
func readings() map[string]effect {
	const dates = "birth_date relationship_start_date relationship_end_date registration_update_date"
	elsewhere := []string{"shareholder_id.unknown", "shareholder_id.foreign"}
	all := stacks()
	maps.Copy(all, map[string]effect{
		// What is nearly right is taken for what it means.
		"null-absent":    ignoring(creating, "participation_percentage.type.null"),
		"any-media-type": when(func(q *call) bool { return q.body != nil }, ignoring(creating, "body.media*"), ignoring(exporting, "body.media*")),
		"coerced":        combined(reads("income patrimony participation_percentage", spelledOut), reads("pep is_public_server", truth)),
		"punctuated-cpf": reads("document_number", cpfDigits),
		"any-case": combined(reads("qualification type_extension", strings.ToUpper),
			reads("sort order filter_type", strings.ToLower)),
		"loose-dates":      reads(dates, dayOf),
		"negative-money":   ignoring(creating, "income.negative", "patrimony.negative"), // debts
		"any-uuid-version": ignoring(exporting, "header.nonce.version"),
		"any-language":     combined(ignoring(creating, "header.language.set"), ignoring(exporting, "header.language.set")),
		"any-schema":       ignoring(exporting, "header.schema.set"),
		"bare-export":      ignoring(exporting, "body.absent"),
		"some-documents":   ignoring(documenting, "part.selfie", "part.identity_document", "part.qualification_declaration"),
		"foreign-wallet-empty": onDefects(exporting, []string{"header.wallet.unknown"}, func(q *call, _ *issue) bool {
			q.selection.Wallet = "" // holds nothing
			return false
		}),
		"either-credential": admits(func(q *call) bool { return q.r.Header.Get("x-api-key") == q.g.tokens.apiKey }),

		// What may be refused is.
		"whole-bounds":       dislikes(exporting, func(q *call) bool { return strings.Contains(q.selection.Start+q.selection.End, ".") }),
		"utc-bounds":         dislikes(exporting, func(q *call) bool { return hasOffset(q.selection.Start) || hasOffset(q.selection.End) }),
		"turned-refused":     dislikes(exporting, func(q *call) bool { return startAfterEnd(q.selection.choose(nil)) }),
		"filter-pair":        dislikes(exporting, func(q *call) bool { return q.text("filter_text") != "" && q.text("filter_type") == "" }),
		"transaction-needed": dislikes(exporting, func(q *call) bool { return q.mode >= 2 && q.transaction == "" }),
		"known-fields":       combined(dislikes(exporting, (*call).hasUnknown), dislikes(creating, (*call).hasUnknown)),
		"product-required":   dislikes(creating, not((*call).namesProduct)),
		"whole-address": dislikes(creating, func(q *call) bool {
			return slices.ContainsFunc(addressParts, func(part string) bool { return part != "complement" && q.values["address."+part] == nil })
		}),
		"plausible-dates": dislikes(creating, func(q *call) bool {
			end, birth := q.text("relationship_end_date"), q.text("birth_date")
			return end != "" && end < q.text("relationship_start_date") || birth > q.g.now().UTC().Format(time.DateOnly)
		}),
		"one-cpf":      servesOnce(0, func(q *call) string { return q.text("shareholder_id") + q.text("document_number") }),
		"one-nonce":    servesOnce(http.StatusConflict, func(q *call) string { return q.runsAs.id + q.nonce }),
		"no-query":     dislikes(exporting, func(q *call) bool { return q.r.URL.RawQuery != "" }),
		"check-digits": refusing(creating, func(cpf any) bool { return !representative.ValidCPF(fmt.Sprint(cpf)) }, "document_number"),
		"rare-refused": dislikes(creating, (*call).isRare),
		"modes-apart":  during(exporting, func(q *call, s *sighting) { s.method += fmt.Sprint(" ", min(q.mode, 3)) }), // both orders are one
		"raw-bodies":   combined(func(q *call, s *sighting) { s.body = string(q.raw) }),                               // replay protection compares the bytes
		"photographs": when(func(q *call) bool { return q.r.MultipartForm != nil }, func(q *call, _ *defects) {
			for part, uploads := range q.r.MultipartForm.File {
				if uploads[0].Size < 10_000 {
					q.wrong(0, "part.photograph", part, nil, "expected a photograph")
				}
			}
		}),
		"target-apart": during(creating, func(q *call, _ *defects) {
			if q.runsAs != q.caller && q.text("shareholder_id") == q.g.data.shareholder {
				q.spoilt("shareholder_id", ".foreign", "this user does not have the shareholder")
			}
		}),
		"rejected-counts": during(exporting, answered("invalid_request", func(q *call, _ *reply) { // for replay protection
			if q.body != nil {
				q.see()
				q.g.store.step(func() { q.g.store.put("sighting", q.own(), true) })
			}
		})),
		"exact-scheme": denies(func(q *call) bool {
			_, sent := q.bearer()
			return sent && !strings.HasPrefix(q.r.Header.Get("Authorization"), "Bearer ")
		}),

		// Answers differ.
		"enveloped":      combined(envelop, exported(envelop)),
		"nulls-left-out": combined(leaveOutNulls),
		"flags-default": combined(func(r object) {
			for _, flag := range flagFields {
				r[flag] = r[flag] == true
			}
		}),
		"notation":         combined(at("phone_number", digitsOf), at("address.zip_code", digitsOf)),
		"upper-names":      combined(at("name", strings.ToUpper)),
		"lower-email":      combined(at("email", strings.ToLower)),
		"zoneless-created": dated("2006-01-02T15:04:05"),
		"offset-created":   dated("2006-01-02T15:04:05.000000-07:00"),
		"upper-ids":        combined(at("id", strings.ToUpper), at("shareholder_id", strings.ToUpper)),
		"plain-address-id": combined(at("address.id", "1048576")),
		"more-fields": combined(func(q *call, r object) {
			r["mother_name"], r["status"], r["links"] = q.values["mother_name"], "PENDING_DOCUMENTS", []any{}
		}),
		"plain-errors": combined(func(a *reply) {
			if refusal := a.refusal(); refusal != nil {
				a.header.Set("Content-Type", "text/plain; charset=utf-8")
				a.body = []byte(fmt.Sprint(refusal["message"]))
			}
		}),
		"shareholder-403": onDefects(creating, elsewhere, withStatus(http.StatusForbidden)),
		"later-documents": laterDocuments(300 * time.Millisecond),
		"gate":            when((*call).withoutCredential, answered("unauthenticated", stopped)),
		"key-of-colleague": when((*call).byAPIKey, func(q *call, s *sender) {
			if s.user == q.g.data.main {
				s.user = q.g.data.colleague
			}
		}),

		// Files differ.
		"new-quotes":       combined(newQuotes(400 * time.Millisecond)),
		"fetched-once":     fetchedOnce(),
		"unlabelled-total": combined(func(rows *table) { *rows = append(*rows, []string{"", "", "", "", "", "90210.17", "USD", ""}) }),
		"labelled-total": combined(func(rows *table) { // with a count of rows among the dates
			*rows = append(*rows, []string{"Total geral", "", "", "", strconv.Itoa(len(*rows) - 1), "90210.17", "USD", ""})
		}),
		"title-lines": combined(func(rows *table) {
			*rows = slices.Concat(table{{"Extrato de cotações"}, {"Gerado em", "2026-01-31"}, {""}}, *rows)
		}),
		"settled-day": combined(func(rows *table) {
			for _, row := range (*rows)[1:] {
				row[4] = row[4][:min(len(time.DateOnly), len(row[4]))]
			}
		}),
		"more-columns": combined(func(rows *table) {
			for i, row := range *rows {
				(*rows)[i] = append([]string{fmt.Sprint(i), "quote"}, row...)
			}
		}),
	})
	return all
}

// spelledOut and truth read what stands for a number or a flag as that.
func spelledOut(value any) any {
	text, _ := value.(string)
	if _, ok := exactly(json.Number(text)); ok && json.Valid([]byte(text)) {
		return json.Number(text)
	}
	return value
}

func truth(value any) any {
	if read, known := map[string]any{"true": true, "1": true, "false": false, "0": false}[fmt.Sprint(value)]; known {
		return read
	}
	return value
}

// cpfDigits are the digits of a CPF that is written with other characters.
func cpfDigits(text string) string {
	if digits := digitsOf(text); len(digits) == 11 && punctuated.MatchString(text) {
		return digits
	}
	return text
}

var punctuated = regexp.MustCompile(`^[0-9 ./-]+$`)

// dayOf reads other notations of a date that leave no doubt.
func dayOf(text string) string {
	for _, layout := range []string{"20060102", "2006-1-2", time.RFC3339} {
		if day, err := time.Parse(layout, text); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return text
}

// hasUnknown reports whether a body has a field that nobody asked for.
func (q *call) hasUnknown() bool {
	known := exportFields
	if q.operation == creating {
		known = nil
		for steps := range maps.Values(q.g.paths) {
			known = append(known, strings.Join(steps, "."))
		}
	}
	var strange func(body object, prefix string) bool
	strange = func(body object, prefix string) bool {
		for key, value := range body {
			inner, isObject := value.(object)
			if isObject && strange(inner, prefix+key+".") || !isObject && !slices.Contains(known, prefix+key) {
				return true
			}
		}
		return false
	}
	return strange(q.body, "")
}

// servesOnce refuses creations with something that served for another one, by a status.
func servesOnce(status int, what func(q *call) string) effect {
	var served sync.Map // transaction IDs
	return during(creating, func(q *call, _ *defects) {
		if len(q.issues) > 0 {
			return
		}
		if by, _ := served.LoadOrStore(what(q), q.transaction); by != q.transaction {
			q.wrong(status, "unwelcome", "", nil, "served for another creation")
		}
	})
}

// isRare holds for creations with what is sound and rare: long texts, distant dates, enormous amounts.
func (q *call) isRare() bool {
	for field, value := range q.values {
		switch text := fmt.Sprint(value); {
		case slices.Contains(dateFields, field) && (text < "1950" || text > "2070"),
			field != "address" && utf8.RuneCountInString(text) > 60,
			field == "email" && strings.Contains(text, "+"),
			slices.Contains(moneyFields, field) && len(text) > len("9000000000000000"):
			return true
		}
	}
	_, decimals, _ := strings.Cut(fmt.Sprint(q.values["participation_percentage"]), ".")
	updated := q.text("registration_update_date")
	return len(decimals) > 2 || updated != "" && updated < q.text("relationship_start_date")
}

func leaveOutNulls(record object) {
	for key, value := range record {
		if value == nil {
			delete(record, key)
		} else if inner, ok := value.(object); ok {
			leaveOutNulls(inner)
		}
	}
}

// dated writes the date of creation in São Paulo's time.
func dated(layout string) effect {
	change := func(q *call, o object) { o["created_at"] = q.g.now().In(saoPaulo).Format(layout) }
	return combined(change, answered("exported", func(q *call, a *reply) { change(q, a.body.(object)) }))
}

// laterDocuments refuses uploads for representatives that are younger.
func laterDocuments(age time.Duration) effect {
	var made sync.Map // time by ID
	return combined(func(r object) { made.Store(r["id"], time.Now()) }, during(documenting, func(q *call, _ *defects) {
		if at, known := made.Load(strings.ToLower(q.r.PathValue("id"))); known && time.Since(at.(time.Time)) < age {
			q.wrong(http.StatusNotFound, "representative.new", "", nil, "not found yet")
		}
	}))
}

// newQuotes come in one after the other, and each is settled when the next one does. What a file holds stays what it was
// when it was asked for.
func newQuotes(every time.Duration) any {
	began := time.Now().UTC().Truncate(time.Millisecond)
	return func(q *call, c *choice) {
		own := q.owner().quotes
		for i := range max(0, int(q.file.Created.Sub(began)/every)) {
			one := own[i%len(own)]
			one.id = uuid.NewSHA1(uuid.MustParse(one.id), fmt.Append(nil, i)).String()
			one.created = began.Add(time.Duration(i) * every)
			if one.settled = one.created.Add(every); one.settled.After(q.file.Created) {
				one.settled = time.Time{}
			}
			c.from = append(slices.Clip(c.from), one)
		}
	}
}

// fetchedOnce deletes a file once it was fetched.
func fetchedOnce() effect {
	var fetched sync.Map // IDs
	return combined(answered("file", func(q *call, _ *reply) { fetched.Store(q.file.ID, true) }),
		func(q *call, a *access) {
			if _, before := fetched.Load(q.r.PathValue("file_id")); before {
				*a = false
			}
		})
}
