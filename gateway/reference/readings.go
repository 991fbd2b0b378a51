package reference

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
)

// reading is one way to read the document where it leaves a choice. Its effect steps into the work as that of a fault
// does, and what comes out conforms all the same.
type reading struct {
	name, statement string
	effect
}

func readings() []reading {
	return slices.Concat(laxReadings(), strictReadings(), recordReadings(), accessReadings(), fileReadings())
}

// effectsOfReadings returns what some readings do.
func effectsOfReadings(names []string) ([]effect, error) {
	var effects []effect
	for _, name := range names {
		all := readings()
		i := slices.IndexFunc(all, func(r reading) bool { return r.name == name })
		if i < 0 {
			return nil, fmt.Errorf("choices: Readings names %q, which is not a reading", name)
		}
		effects = append(effects, all[i].effect)
	}
	return effects, nil
}

// understood makes an effect that takes the value of a field in another form where one can be made of it.
func understood(keys []string, other func(value any) (any, bool)) effect {
	return onDefects(keys, func(q *call, i issue) []issue {
		field := i.Key[:strings.IndexByte(i.Key, '.')]
		value, ok := other(q.values[field])
		if !ok {
			return []issue{i}
		}
		q.values[field] = value
		return nil
	})
}

// ofText makes a change of text only.
func ofText(change func(text string) (any, bool)) func(any) (any, bool) {
	return func(value any) (any, bool) {
		text, ok := value.(string)
		if !ok {
			return nil, false
		}
		return change(text)
	}
}

// numeral reads text as a number that lies between 0 and a bound; without one it is whole.
func numeral(most *big.Rat) func(any) (any, bool) {
	return ofText(func(text string) (any, bool) {
		exact, ok := exactly(json.Number(text))
		if !ok || exact.Sign() < 0 || most != nil && exact.Cmp(most) > 0 || most == nil && !exact.IsInt() {
			return nil, false
		}
		return json.Number(text), json.Valid([]byte(text))
	})
}

func truth(value any) (any, bool) {
	switch fmt.Sprint(value) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return nil, false
}

// digitsOf are the digits of a CPF that is written with other characters.
func digitsOf(text string) (any, bool) {
	digits := strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, text)
	return digits, len(digits) == 11
}

// dayOf reads other notations of a date that leave no doubt.
func dayOf(text string) (any, bool) {
	for _, layout := range []string{"20060102", "2006-1-2", time.RFC3339} {
		if day, err := time.Parse(layout, text); err == nil {
			return day.Format(time.DateOnly), true
		}
	}
	return nil, false
}

// anyCase takes the values of an export's field without regard to case.
func anyCase(q *call, found []issue) []issue {
	return slices.DeleteFunc(found, func(i issue) bool {
		field, what, _ := strings.Cut(i.Key, ".")
		value, _ := q.values[field].(string)
		switch lower := strings.ToLower(value); {
		case what == "case": // a qualification
			q.values[field] = strings.ToUpper(value)
			return true
		case what != "set":
			return false
		case field == "sort" && (lower == byCreated || lower == bySettled):
			q.wanted.Sort = lower
		case field == "order" && (lower == "asc" || lower == "desc"):
			q.wanted.Order = lower
		case field == "filter_type" && lower == "client_id":
			q.wanted.Client, _ = q.values["filter_text"].(string)
		default:
			return field == "type_extension" && lower == "csv"
		}
		return true
	})
}

func laxReadings() []reading {
	dates := []string{
		"create:birth_date.*", "create:relationship_start_date.*", "create:relationship_end_date.*",
		"create:registration_update_date.*",
	}
	ignored := func(*call, issue) []issue { return nil }
	return []reading{
		{
			"null-absent", "null is read as absent, in participation_percentage too",
			onDefects([]string{"create:participation_percentage.type.null"}, ignored),
		},
		{
			"any-media-type", "JSON is read whatever type it is declared as",
			effect{defects: func(q *call, found []issue) []issue {
				return slices.DeleteFunc(found,
					func(i issue) bool { return q.body != nil && strings.HasPrefix(i.Key, "body.media") })
			}},
		},
		{
			"coerced", "text is read as the number or the flag that it writes",
			effect{defects: func(q *call, found []issue) []issue {
				found = understood([]string{"create:participation_percentage.type.*"}, numeral(hundred)).defects(q, found)
				found = understood([]string{"create:income.type.*", "create:patrimony.type.*"}, numeral(nil)).defects(q, found)
				return understood([]string{"create:pep.*", "create:is_public_server.*"}, truth).defects(q, found)
			}},
		},
		{"punctuated-cpf", "dots, dashes and spaces in a CPF are left out", understood(
			[]string{"create:document_number.punctuation", "create:document_number.spaces"}, ofText(digitsOf))},
		{"any-case", "enumerations are read without regard to case", effect{defects: anyCase}},
		{"loose-dates", "dates are read in other notations of the year first", understood(dates, ofText(dayOf))},
		{
			"negative-money", "debts are accepted as negative amounts",
			onDefects([]string{"create:income.negative", "create:patrimony.negative"}, ignored),
		},
		{
			"any-uuid-version", "identifiers are UUIDs of any version",
			onDefects([]string{"create:header.*.version", "export:header.nonce.version"}, ignored),
		},
		{
			"any-language", "other languages get messages in Portuguese",
			onDefects([]string{"create:header.language.set", "export:header.language.set"}, ignored),
		},
		{
			"any-schema", "unknown values of the replay header count as none",
			onDefects([]string{"export:header.schema.set"}, ignored),
		},
		{"bare-export", "an export needs no body", onDefects([]string{"export:body.absent"}, ignored)},
		{"some-documents", "documents may be missing from an upload", onDefects(
			[]string{"documents:part.selfie", "documents:part.identity_document", "documents:part.qualification_declaration"},
			ignored)},
		{
			"foreign-wallet-empty", "a wallet of somebody else gives a file without rows",
			effect{defects: func(q *call, found []issue) []issue {
				return slices.DeleteFunc(found, func(i issue) bool {
					if i.Key != "header.wallet.unknown" {
						return false
					}
					q.wanted.Wallet = "" // holds nothing
					return true
				})
			}},
		},
	}
}

func strictReadings() []reading {
	text := func(q *call, field string) string {
		text, _ := q.values[field].(string)
		return text
	}
	exports := func(when func(q *call) bool) effect {
		return dislikes(func(q *call) bool { return q.operation == exporting && when(q) })
	}
	creations := func(when func(q *call) bool) effect {
		return dislikes(func(q *call) bool { return q.operation == creating && when(q) })
	}
	bounds := func(when func(bound string) bool) effect {
		return exports(func(q *call) bool { return when(q.wanted.Start) || when(q.wanted.End) })
	}
	return []reading{
		{
			"extension-required", "type_extension is required",
			exports(func(q *call) bool { return text(q, "type_extension") == "" }),
		},
		{
			"extension-refused", "type_extension is refused, there is one only",
			exports(func(q *call) bool { return text(q, "type_extension") != "" }),
		},
		{
			"whole-bounds", "bounds with fractions of a second are refused",
			bounds(func(bound string) bool { return strings.Contains(bound, ".") }),
		},
		{
			"utc-bounds", "bounds are given in UTC",
			bounds(func(bound string) bool { return bound != "" && !strings.HasSuffix(strings.ToUpper(bound), "Z") }),
		},
		{"turned-refused", "a start after the end is refused", exports(func(q *call) bool {
			c := q.wanted.choose(nil)
			return !c.end.IsZero() && c.start.After(c.end)
		})},
		{
			"filter-pair", "a filter text needs a filter type",
			exports(func(q *call) bool { return text(q, "filter_text") != "" && text(q, "filter_type") == "" }),
		},
		{
			"transaction-needed", "replay protection by transaction ID needs one",
			exports(func(q *call) bool { return q.mode >= 2 && q.transaction == "" }),
		},
		{"known-fields", "fields that the document does not know are refused", dislikes(func(q *call) bool {
			for path := range leaves(q.body, "") {
				switch q.operation {
				case creating:
					if !slices.ContainsFunc(sortedPaths(q.g.paths),
						func(known string) bool { return known == path || strings.HasPrefix(known, path+".") }) {
						return true
					}
				case exporting:
					if !slices.Contains([]string{
						"sort", "order", "filter_type", "filter_text", "date_start", "date_end",
						"type_extension",
					}, path) {
						return true
					}
				}
			}
			return false
		})},
		{"product-required", "a creation names a product", creations(func(q *call) bool { return !q.namesProduct() })},
		{"whole-address", "every part of the address is required but the complement", creations(func(q *call) bool {
			return slices.ContainsFunc(addressParts,
				func(part string) bool { return part != "complement" && q.values["address."+part] == nil })
		})},
		{"plausible-dates", "an end before the start and a birth in the future are refused", creations(func(q *call) bool {
			end, birth := text(q, "relationship_end_date"), text(q, "birth_date")
			return end != "" && end < text(q, "relationship_start_date") || birth > q.g.now().UTC().Format(time.DateOnly)
		})},
		{"one-cpf", "a CPF represents a shareholder once", creations(func(q *call) bool {
			key, taken := text(q, "shareholder_id")+" "+text(q, "document_number"), false
			_ = q.g.store.step(func(l ledger) {
				earlier, found := l.get(cpfs, key)
				if taken = found && earlier != q.transaction; !found {
					l.put(cpfs, key, q.transaction)
				}
			})
			return taken
		})},
		{
			"photographs", "documents that are not photographs are refused",
			effect{defects: func(q *call, found []issue) []issue {
				if q.r.MultipartForm != nil {
					for part, uploads := range q.r.MultipartForm.File {
						if uploads[0].Size < 10_000 {
							found = append(found, wrong("part.photograph", part, "expected a photograph")...)
						}
					}
				}
				return found
			}},
		},
		{
			"target-apart", "a user who is acted for may not use the caller's shareholder",
			effect{defects: func(q *call, found []issue) []issue {
				if q.operation == creating && q.runsAs != q.caller && text(q, "shareholder_id") == q.g.data.shareholder {
					found = append(found,
						wrong("shareholder_id.foreign", "shareholder_id", "no shareholder of this legal person has this ID")...)
				}
				return found
			}},
		},
		{
			"rejected-counts", "replay protection remembers rejected exports, too",
			answered(exporting, "invalid_request", func(q *call, _ *reply) {
				if q.body == nil {
					return
				}
				q.see()
				_ = q.g.store.step(func(l ledger) { l.put(sightings, q.seen.fingerprint(q.g.partsOf(q.mode)), "") })
			}),
		},
	}
}

// leaves are the dotted paths of what a body holds.
func leaves(body object, prefix string) map[string]bool {
	all := map[string]bool{}
	for key, value := range body {
		inner, ok := value.(object)
		for path := range leaves(inner, prefix+key+".") {
			all[path] = true
		}
		if !ok {
			all[prefix+key] = true
		}
	}
	return all
}

func sortedPaths(paths map[string][]string) []string {
	var all []string
	for _, steps := range paths {
		all = append(all, strings.Join(steps, "."))
	}
	return all
}

func recordReadings() []reading {
	record := func(change func(q *call, r object)) effect { return effect{record: change} }
	text := func(field string, change func(string) string) effect {
		return record(func(_ *call, r object) { r[field] = onText(change)(r[field]) })
	}
	// dated writes the dates of both operations' answers in another way.
	dated := func(layout string) effect {
		now := func(q *call) string { return q.g.now().In(saoPaulo).Format(layout) }
		e := answered(exporting, "exported", func(q *call, a *reply) { a.body.(object)["created_at"] = now(q) })
		e.record = func(q *call, r object) { r["created_at"] = now(q) }
		return e
	}
	digits := func(s string) string {
		return strings.Map(func(c rune) rune {
			if unicode.IsDigit(c) {
				return c
			}
			return -1
		}, s)
	}
	return []reading{
		{"notation", "phone numbers and ZIP codes are answered as digits only", record(func(_ *call, r object) {
			r["phone_number"] = onText(digits)(r["phone_number"])
			address := r["address"].(object)
			address["zip_code"] = onText(digits)(address["zip_code"])
		})},
		{"upper-names", "names are answered in capitals", text("name", strings.ToUpper)},
		{"lower-email", "e-mail addresses are answered in lower case", text("email", strings.ToLower)},
		{"zoneless-created", "created_at carries no zone and is São Paulo's", dated("2006-01-02T15:04:05")},
		{"offset-created", "created_at carries the offset of São Paulo", dated("2006-01-02T15:04:05.000000-07:00")},
		{"upper-ids", "UUIDs are answered in capitals", record(func(_ *call, r object) {
			for _, field := range []string{"id", "shareholder_id"} {
				r[field] = onText(strings.ToUpper)(r[field])
			}
		})},
		{
			"plain-address-id", "the ID of an address is a number, as text",
			record(func(_ *call, r object) { r["address"].(object)["id"] = "1048576" }),
		},
		{"two-decimals", "percentages are answered with two decimals at least", record(func(_ *call, r object) {
			share, _ := r["participation_percentage"].(json.Number)
			if whole, decimals,
				_ := strings.Cut(string(share), "."); share != "" && len(decimals) < 2 && !strings.ContainsAny(whole, "eE") {
				r["participation_percentage"] = json.Number(whole + "." + (decimals + "00")[:2])
			}
		})},
		{"more-fields", "the record carries fields that the document does not name", record(func(q *call, r object) {
			r["mother_name"], r["status"], r["links"] = q.values["mother_name"], "PENDING_DOCUMENTS", []any{}
		})},
		{"plain-errors", "refusals are plain text", effect{reply: func(_ *call, a *reply) {
			if said, ok := a.body.(object); ok && said["error"] != nil {
				a.header.Set("Content-Type", "text/plain; charset=utf-8")
				a.body = []byte(fmt.Sprint(said["error"].(object)["message"]))
			}
		}}},
	}
}

func accessReadings() []reading {
	shareholder := []string{"create:shareholder_id.unknown", "create:shareholder_id.foreign"}
	return []reading{
		{
			"shareholder-403", "a shareholder that may not be used is answered with 403",
			onDefects(shareholder, withStatus(http.StatusForbidden)),
		},
		{
			"shareholder-404", "a shareholder that may not be used is answered with 404",
			onDefects(shareholder, withStatus(http.StatusNotFound)),
		},
		{"gate", "a gateway in front answers 403 where no credential is sent", effect{around: func(q *call, next func()) {
			if q.operation == downloading || !q.withoutCredential() {
				next()
				return
			}
			q.w.Header().Set("Content-Type", "text/html")
			q.w.WriteHeader(http.StatusForbidden)
			_, _ = q.w.Write([]byte("<html><body>Request blocked.</body></html>"))
		}}},
		{"deprecation", "answers to API keys carry Deprecation and Sunset", effect{reply: func(q *call, a *reply) {
			if _, sent := q.apiKey(); sent {
				a.header.Set("Deprecation", "@1735689600")
				a.header.Set("Sunset", "Thu, 31 Dec 2026 23:59:59 GMT")
			}
		}}},
		{
			"either-credential", "one valid credential of two is enough",
			effect{authenticate: func(q *call, sender *user) *user {
				key := q.r.Header.Get("x-api-key")
				if sender == nil && key != "" && constantTimeEqual(key, q.g.tokens.apiKey) {
					return q.g.data.main
				}
				return sender
			}},
		},
		{"exact-scheme", "the scheme of a token is spelt Bearer", banishes(func(q *call) bool {
			_, sent := q.bearer()
			return sent && !strings.HasPrefix(q.r.Header.Get("Authorization"), "Bearer ")
		})},
	}
}

func fileReadings() []reading {
	table := func(change func(rows [][]string) [][]string) effect { return effect{table: change} }
	return []reading{
		{
			"title-lines", "lines with a title and a date come before the titles of the columns",
			table(func(rows [][]string) [][]string {
				return append([][]string{{"Extrato de cotações"}, {"Gerado em", "2026-01-31"}, {""}}, rows...)
			}),
		},
		{"settled-day", "settled dates are days without a time", table(func(rows [][]string) [][]string {
			for _, row := range rows[1:] {
				row[4] = row[4][:min(len(time.DateOnly), len(row[4]))]
			}
			return rows
		})},
		{"more-columns", "the file has columns before those that the rules need", table(func(rows [][]string) [][]string {
			for i, row := range rows {
				rows[i] = append([]string{fmt.Sprint(i), "quote"}, row...)
			}
			return rows
		})},
	}
}
