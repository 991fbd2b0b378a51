package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// readings are ways to read the document where it leaves a choice, which break no rule.
func readings() map[string]effect {
	return map[string]effect{
		// What is nearly right is taken for what it means.
		"null-absent":    ignoring(creating, "participation_percentage.type.null"),
		"any-media-type": when(func(q *call) bool { return q.body != nil }, ignoring(creating, "body.media*"), ignoring(exporting, "body.media*")),
		"coerced": does(understood(ofText(percentage), "participation_percentage.type.*"),
			understood(ofText(cents), "income.type.*", "patrimony.type.*"), understood(truth, "pep.*", "is_public_server.*")),
		"punctuated-cpf": understood(ofText(cpfDigits), "document_number.punctuation", "document_number.spaces"),
		"any-case":       does(onDefects(creating, []string{"*"}, anyCase), onDefects(exporting, []string{"*"}, anyCase)),
		"loose-dates": understood(ofText(dayOf), "birth_date.*", "relationship_start_date.*", "relationship_end_date.*",
			"registration_update_date.*"),
		"negative-money":   ignoring(creating, "income.negative", "patrimony.negative"), // debts
		"any-uuid-version": ignoring(exporting, "header.nonce.version"),
		"any-language":     does(ignoring(creating, "header.language.set"), ignoring(exporting, "header.language.set")),
		"any-schema":       ignoring(exporting, "header.schema.set"),
		"bare-export":      ignoring(exporting, "body.absent"),
		"some-documents":   ignoring(documenting, "part.selfie", "part.identity_document", "part.qualification_declaration"),
		"foreign-wallet-empty": onDefects(exporting, []string{"header.wallet.unknown"}, func(q *call, _ *issue) bool {
			q.selection.Wallet = "" // holds nothing
			return false
		}),
		"either-credential": admits(func(q *call) bool { return q.r.Header.Get("x-api-key") == q.g.tokens.apiKey }),

		// What may be refused is.
		"extension-required": dislikes(exporting, func(q *call) bool { return q.text("type_extension") == "" }),
		"extension-refused":  dislikes(exporting, func(q *call) bool { return q.text("type_extension") != "" }),
		"whole-bounds":       dislikes(exporting, func(q *call) bool { return strings.Contains(q.selection.Start+q.selection.End, ".") }),
		"utc-bounds":         dislikes(exporting, func(q *call) bool { return hasOffset(q.selection.Start) || hasOffset(q.selection.End) }),
		"turned-refused":     dislikes(exporting, func(q *call) bool { return q.selection.choose(nil).startAfterEnd() }),
		"filter-pair":        dislikes(exporting, func(q *call) bool { return q.text("filter_text") != "" && q.text("filter_type") == "" }),
		"transaction-needed": dislikes(exporting, func(q *call) bool { return q.mode >= 2 && q.transaction == "" }),
		"known-fields": does(dislikes(exporting, func(q *call) bool {
			return slices.ContainsFunc(leaves(q.body, ""), func(path string) bool { return !slices.Contains(exportFields, path) })
		}), dislikes(creating, func(q *call) bool {
			var known []string
			for _, steps := range q.g.paths {
				known = append(known, strings.Join(steps, "."))
			}
			return slices.ContainsFunc(leaves(q.body, ""), func(path string) bool { return !slices.Contains(known, path) })
		})),
		"product-required": dislikes(creating, not((*call).namesProduct)),
		"whole-address": dislikes(creating, func(q *call) bool {
			return slices.ContainsFunc(addressParts, func(part string) bool { return part != "complement" && q.values["address."+part] == nil })
		}),
		"plausible-dates": dislikes(creating, func(q *call) bool {
			end, birth := q.text("relationship_end_date"), q.text("birth_date")
			return end != "" && end < q.text("relationship_start_date") || birth > q.g.now().UTC().Format(time.DateOnly)
		}),
		"one-cpf":   dislikes(creating, func(q *call) bool { return q.claimed(q.text("shareholder_id") + " " + q.text("document_number")) }),
		"one-nonce": dislikes(creating, func(q *call) bool { return q.claimed(q.runsAs.id + " " + q.nonce) }),
		"no-query":  dislikes(exporting, func(q *call) bool { return q.r.URL.RawQuery != "" }),
		"check-digits": dislikes(creating, func(q *call) bool {
			return len(q.text("document_number")) == 11 && !checkDigitsHold(q.text("document_number"))
		}),
		"rare-refused": dislikes(creating, (*call).isRare),
		"raw-bodies":   does(func(q *call, s *sighting) { s.body = string(q.raw) }), // replay protection compares the bytes
		"photographs": on(documenting, func(q *call, _ *defects) {
			if q.r.MultipartForm == nil {
				return
			}
			for part, uploads := range q.r.MultipartForm.File {
				if uploads[0].Size < 10_000 {
					q.wrong(0, "part.photograph", part, nil, "expected a photograph")
				}
			}
		}),
		"target-apart": on(creating, func(q *call, _ *defects) {
			if q.runsAs != q.caller && q.text("shareholder_id") == q.g.data.shareholder {
				q.spoilt("shareholder_id", ".foreign", "this user does not have the shareholder")
			}
		}),
		"rejected-counts": on(exporting, answered("invalid_request", func(q *call, _ *reply) { // for replay protection
			if q.body != nil {
				q.see()
				q.g.store.step(func() { q.g.store.sightings.put(q.own(), true) })
			}
		})),
		"exact-scheme": banishes(func(q *call) bool {
			_, sent := q.bearer()
			return sent && !strings.HasPrefix(q.r.Header.Get("Authorization"), "Bearer ")
		}),

		// Answers differ.
		"enveloped":      does(envelop, exported(envelop)),
		"nulls-left-out": does(leaveOutNulls),
		"flags-default": does(func(r object) {
			for _, flag := range flagFields {
				if r[flag] == nil {
					r[flag] = false
				}
			}
		}),
		"notation":         does(at("phone_number", digitsOf), at("address.zip_code", digitsOf)),
		"upper-names":      does(at("name", strings.ToUpper)),
		"lower-email":      does(at("email", strings.ToLower)),
		"zoneless-created": dated("2006-01-02T15:04:05"),
		"offset-created":   dated("2006-01-02T15:04:05.000000-07:00"),
		"upper-ids":        does(at("id", strings.ToUpper), at("shareholder_id", strings.ToUpper)),
		"plain-address-id": does(at("address.id", "1048576")),
		"two-decimals": does(at("participation_percentage", func(value any) any { // at the least
			whole, decimals, _ := strings.Cut(fmt.Sprint(value), ".")
			if len(decimals) < 2 && !strings.ContainsAny(whole, "eE") {
				return json.Number(whole + "." + (decimals + "00")[:2])
			}
			return value
		})),
		"more-fields": does(func(q *call, r object) {
			r["mother_name"], r["status"], r["links"] = q.values["mother_name"], "PENDING_DOCUMENTS", []any{}
		}),
		"plain-errors": does(func(a *reply) {
			if refusal := a.refusal(); refusal != nil {
				a.header.Set("Content-Type", "text/plain; charset=utf-8")
				a.body = []byte(fmt.Sprint(refusal["message"]))
			}
		}),
		"shareholder-403": onDefects(creating, []string{"shareholder_id.unknown", "shareholder_id.foreign"}, withStatus(http.StatusForbidden)),
		"shareholder-404": onDefects(creating, []string{"shareholder_id.unknown", "shareholder_id.foreign"}, withStatus(http.StatusNotFound)),
		"later-documents": laterDocuments(300 * time.Millisecond),
		"gate": when(func(q *call) bool { return q.operation != downloading && q.withoutCredential() }, func(q *call, run *work) {
			*run = func() {
				q.w.Header().Set("Content-Type", "text/html")
				q.w.WriteHeader(http.StatusForbidden)
				_, _ = q.w.Write([]byte("<html><body>Request blocked.</body></html>"))
			}
		}),
		"deprecation": when((*call).byAPIKey, func(a *reply) {
			a.header.Set("Deprecation", "@1735689600")
			a.header.Set("Sunset", "Thu, 31 Dec 2026 23:59:59 GMT")
		}),
		"key-of-colleague": when((*call).byAPIKey, func(q *call, s *sender) {
			if s.user == q.g.data.main {
				s.user = q.g.data.colleague
			}
		}),
		"wallets-of-one": opensWallets(func(q *call) bool { // of the on-behalf-of user and another legal person
			d, wallet := q.g.data, strings.ToLower(q.r.Header.Get("x-wallet-uuid"))
			return (q.runsAs == d.target || q.caller == d.other) &&
				slices.Contains(slices.Concat(d.target.person.wallets, d.other.person.wallets), wallet)
		}),

		// Files differ.
		"new-quotes": newQuotes(),
		"title-lines": does(func(rows *table) {
			*rows = slices.Concat(table{{"Extrato de cotações"}, {"Gerado em", "2026-01-31"}, {""}}, *rows)
		}),
		"settled-day": does(func(rows *table) {
			for _, row := range (*rows)[1:] {
				row[4] = row[4][:min(len(time.DateOnly), len(row[4]))]
			}
		}),
		"more-columns": does(func(rows *table) {
			for i, row := range *rows {
				(*rows)[i] = append([]string{fmt.Sprint(i), "quote"}, row...)
			}
		}),
	}
}
