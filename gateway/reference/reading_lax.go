package reference

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

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

// digitsOf are the digits of a text.
func digitsOf(text string) string {
	return strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, text)
}

// cpfDigits are the digits of a CPF that is written with other characters.
func cpfDigits(text string) (any, bool) {
	digits := digitsOf(text)
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
			q.selection.Sort = lower
		case field == "order" && (lower == "asc" || lower == "desc"):
			q.selection.Order = lower
		case field == "filter_type" && lower == "client_id":
			q.selection.Client, _ = q.values["filter_text"].(string)
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
	ignores := func(keys ...string) effect { return onDefects(keys, ignored) }
	return []reading{
		reads("null-absent", "null is read as absent, in participation_percentage too",
			ignores("create:participation_percentage.type.null")),
		reads("any-media-type", "JSON is read whatever type it is declared as",
			effect{defects: func(q *call, found []issue) []issue {
				return slices.DeleteFunc(found,
					func(i issue) bool { return q.body != nil && strings.HasPrefix(i.Key, "body.media") })
			}}),
		reads("coerced", "text is read as the number or the flag that it writes",
			effect{defects: func(q *call, found []issue) []issue {
				for _, u := range []effect{
					understood([]string{"create:participation_percentage.type.*"}, numeral(hundred)),
					understood([]string{"create:income.type.*", "create:patrimony.type.*"}, numeral(nil)),
					understood([]string{"create:pep.*", "create:is_public_server.*"}, truth),
				} {
					found = u.defects(q, found)
				}
				return found
			}}),
		reads("punctuated-cpf", "dots, dashes and spaces in a CPF are left out",
			understood([]string{"create:document_number.punctuation", "create:document_number.spaces"},
				ofText(cpfDigits))),
		reads("any-case", "enumerations are read without regard to case", effect{defects: anyCase}),
		reads("loose-dates", "dates are read in other notations of the year first", understood(dates, ofText(dayOf))),
		reads("negative-money", "debts are accepted as negative amounts",
			ignores("create:income.negative", "create:patrimony.negative")),
		reads("any-uuid-version", "identifiers are UUIDs of any version",
			ignores("create:header.*.version", "export:header.nonce.version")),
		reads("any-language", "other languages get messages in Portuguese",
			ignores("create:header.language.set", "export:header.language.set")),
		reads("any-schema", "unknown values of the replay header count as none", ignores("export:header.schema.set")),
		reads("bare-export", "an export needs no body", ignores("export:body.absent")),
		reads("some-documents", "documents may be missing from an upload",
			ignores("documents:part.selfie", "documents:part.identity_document",
				"documents:part.qualification_declaration")),
		reads("foreign-wallet-empty", "a wallet of somebody else gives a file without rows",
			onDefects([]string{"export:header.wallet.unknown"}, func(q *call, _ issue) []issue {
				q.selection.Wallet = "" // holds nothing
				return nil
			})),
	}
}
