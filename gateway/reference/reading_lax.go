package reference

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// understood makes an effect that takes the value of a field in another form where one can be made of it.
func understood(other func(value any) (any, bool), keys ...string) effect {
	return onDefects(creating, keys, func(q *call, i *issue) bool {
		field := i.Key[:strings.IndexByte(i.Key, '.')]
		value, ok := other(q.values[field])
		if ok {
			q.values[field] = value
		}
		return !ok
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

// percentage and cents read text as the number that it spells out.
func percentage(text string) (any, bool) {
	return json.Number(text), between("0", "100")(text) && json.Valid([]byte(text))
}

func cents(text string) (any, bool) {
	n, ok := exactly(json.Number(text))
	return json.Number(text), ok && n.Sign() >= 0 && n.IsInt() && json.Valid([]byte(text))
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

// anyCase takes the values of a field without regard to case, and reports whether the issue stays one.
func anyCase(q *call, i *issue) bool {
	field, what, _ := strings.Cut(i.Key, ".")
	value := q.text(field)
	switch lower := strings.ToLower(value); {
	case what == "case": // a qualification
		q.values[field] = strings.ToUpper(value)
	case what != "set":
		return true
	case field == "sort" && (lower == byCreated || lower == bySettled):
		q.selection.Sort = lower
	case field == "order" && (lower == "asc" || lower == "desc"):
		q.selection.Order = lower
	case field == "filter_type" && lower == "client_id":
		q.selection.Client = q.text("filter_text")
	default:
		return field != "type_extension" || lower != "csv"
	}
	return false
}

// reads declares a reading.
func reads(name, statement string, e effect) faults {
	return faults{{Fault{Name: name, Statement: statement}, e}}
}

func readings() faults {
	return slices.Concat(laxReadings(), strictReadings(), recordReadings(), accessReadings(), fileReadings())
}

func laxReadings() faults {
	return slices.Concat(
		reads("null-absent", "null is read as absent, in participation_percentage too",
			ignoring(creating, "participation_percentage.type.null")),
		reads("any-media-type", "JSON is read whatever media type it is declared as", on(func(q *call, found *defects) {
			*found = slices.DeleteFunc(*found,
				func(i issue) bool { return q.body != nil && strings.HasPrefix(i.Key, "body.media") })
		})),
		reads("coerced", "text is read as the number or flag that it spells out",
			understood(ofText(percentage), "participation_percentage.type.*").
				and(understood(ofText(cents), "income.type.*", "patrimony.type.*")).
				and(understood(truth, "pep.*", "is_public_server.*"))),
		reads("punctuated-cpf", "dots, dashes and spaces in a CPF are ignored",
			understood(ofText(cpfDigits), "document_number.punctuation", "document_number.spaces")),
		reads("any-case", "enumerated values are read without regard to case",
			onDefects(creating, []string{"*"}, anyCase).and(onDefects(exporting, []string{"*"}, anyCase))),
		reads("loose-dates", "dates are read in other notations of the year first", understood(ofText(dayOf),
			"birth_date.*", "relationship_start_date.*", "relationship_end_date.*", "registration_update_date.*")),
		reads("negative-money", "negative amounts are accepted as debts",
			ignoring(creating, "income.negative", "patrimony.negative")),
		reads("any-uuid-version", "identifiers are UUIDs of any version", ignoring(exporting, "header.nonce.version")),
		reads("any-language", "other languages get messages in Portuguese",
			ignoring(creating, "header.language.set").and(ignoring(exporting, "header.language.set"))),
		reads("any-schema", "unknown values of the replay header count as none",
			ignoring(exporting, "header.schema.set")),
		reads("bare-export", "an export needs no body", ignoring(exporting, "body.absent")),
		reads("some-documents", "documents may be missing from an upload", ignoring(documenting, "part.selfie",
			"part.identity_document", "part.qualification_declaration")),
		reads("foreign-wallet-empty", "another user's wallet gives a file without rows",
			onDefects(exporting, []string{"header.wallet.unknown"}, func(q *call, _ *issue) bool {
				q.selection.Wallet = "" // holds nothing
				return false
			})),
	)
}
