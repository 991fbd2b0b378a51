package reference

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// changeAnswer limits changes to answers of a kind.
func changeAnswer(kind string, changes ...any) effect {
	e := combineEffects(changes...)
	return func(q *requestState, at any) {
		if a, is := at.(*pendingResponse); is && a.kind == kind {
			e(q, at)
		}
	}
}

func bornBefore1970(q *requestState) bool {
	birth, _ := q.values["birth_date"].(string)
	return birth < "1970"
}

// crashEveryThirteenth answers every thirteenth request of a kind with 500.
func crashEveryThirteenth(kind string) effect {
	var answers atomic.Int64
	return changeAnswer(kind, func(q *requestState, a *pendingResponse) {
		if answers.Add(1)%13 == 0 {
			respondWithCrash(q, a)
		}
	})
}

func setStatus(status int) func(*pendingResponse) {
	return func(a *pendingResponse) { a.status = status }
}

func respondWithCrash(q *requestState, a *pendingResponse) {
	a.status, a.body = http.StatusInternalServerError, q.refusalBody("internal")
}

// errorObject returns the error object of an answer, or nil.
func (a *pendingResponse) errorObject() jsonObject {
	said, _ := a.body.(jsonObject)
	refusal, _ := said["error"].(jsonObject)
	return refusal
}

// wrapInEnvelope moves an object's members into a member "data".
func wrapInEnvelope(o jsonObject) {
	inner := maps.Clone(o)
	clear(o)
	o["data"] = inner
}

// removeKeys returns a change that removes keys from an object.
func removeKeys(keys ...string) func(jsonObject) {
	return func(o jsonObject) {
		maps.DeleteFunc(o, func(key string, _ any) bool { return slices.Contains(keys, key) })
	}
}

// changeAtPath returns a change of the value at a dotted path. change is a func(string) string,
// a func(float64) any, a func(any) any for any value but null, or the new value.
func changeAtPath(path string, change any) func(jsonObject) {
	steps := strings.Split(path, ".")
	last := len(steps) - 1
	return func(o jsonObject) {
		for _, step := range steps[:last] {
			o, _ = o[step].(jsonObject)
		}
		if o == nil {
			return
		}
		value := o[steps[last]]
		switch change := change.(type) {
		case func(string) string:
			if text, ok := value.(string); ok {
				o[steps[last]] = change(text)
			}
		case func(float64) any:
			n, _ := value.(json.Number)
			if f, err := n.Float64(); err == nil {
				o[steps[last]] = change(f)
			}
		case func(any) any:
			if value != nil {
				o[steps[last]] = change(value)
			}
		default:
			o[steps[last]] = change
		}
	}
}

func wrapInList(value any) any { return []any{value} }

func wrapInObject(key string) func(any) any {
	return func(value any) any { return jsonObject{key: value} }
}

func replaceText(old, other string) func(string) string {
	return func(s string) string { return strings.ReplaceAll(s, old, other) }
}

func createAnswerFaults() faultDeclarations {
	body := func(change func(data []byte) []byte) effect {
		return changeAnswer("created", func(a *pendingResponse) { a.body = change(a.body.([]byte)) })
	}
	// given and omitted limit a change to creations with or without a field.
	const country, update = "document_country_of_issue", "registration_update_date"
	const start = "relationship_start_date"
	given := func(field string, change any) effect {
		return effectWhen(not(fieldIs(field, nil)), change)
	}
	omitted := func(field string, change any) effect { return effectWhen(fieldIs(field, nil), change) }
	emoji := matchesPattern(`[\x{10000}-\x{10ffff}]`)
	return slices.Concat(
		declareFault("create.success.status_200", changeAnswer("created", setStatus(http.StatusOK))),
		declareFault("create.success.status_202",
			changeAnswer("created", setStatus(http.StatusAccepted))),
		declareFault("create.success.emoji_500",
			changeAnswer("created",
				effectWhen(func(q *requestState) bool { return emoji(q.values["name"]) }, respondWithCrash))),
		declareFault("create.success.null_500",
			changeAnswer("created", effectWhen((*requestState).hasNullField, respondWithCrash))),
		declareFault("create.dates.before_1970_500",
			changeAnswer("created", effectWhen(bornBefore1970, respondWithCrash))),
		declareFault("create.success.steady_500", crashEveryThirteenth("created")),
		declareFault("create.success.body_empty", body(func([]byte) []byte { return nil })),
		declareFault("create.success.body_cut",
			body(func(data []byte) []byte { return data[:len(data)/2] })),
		declareFault("create.success.body_list",
			body(func(data []byte) []byte { return slices.Concat([]byte("["), data, []byte("]")) })),
		declareFault("create.success.field_missing", removeKeys("phone_number")),
		declareFault("create.success.enveloped", wrapInEnvelope),
		declareFault("create.success.document_missing", removeKeys("document")),
		declareFault("create.success.document_text", changeAtPath("document", "CPF")),
		declareFault("create.success.address_missing", removeKeys("address")),
		declareFault("create.success.address_list", changeAtPath("address", wrapInList)),
		declareFault("create.success.address_only_with_complement",
			omitted("address.complement", removeKeys("address"))),
		declareFault("create.person_type.legal", changeAtPath("person_type", "LEGAL_PERSON")),
		declareFault("create.person_type.missing", changeAtPath("person_type", nil)),
		declareFault("create.default.country_missing",
			omitted(country, changeAtPath("document.country_of_issue", nil))),
		declareFault("create.default.country_br",
			omitted(country, changeAtPath("document.country_of_issue", "BR"))),
		declareFault("create.default.country_overwritten",
			given(country, changeAtPath("document.country_of_issue", "BRA"))),
		declareFault("create.default.registration_today",
			omitted(
				update,
				func(q *requestState, r jsonObject) { r[update] = q.gateway.now().UTC().Format(time.DateOnly) },
			)),
		declareFault("create.default.registration_missing", omitted(update, changeAtPath(update, nil))),
		declareFault("create.default.registration_overwritten",
			given(update, func(r jsonObject) { r[update] = r[start] })),
		declareFault("create.default.registration_leap_day",
			changeAtPath(update, replaceText("-02-29", "-02-28"))),
		declareFault("create.default.registration_not_before_start", func(q *requestState, r jsonObject) {
			if q.textOfField(start) > q.textOfField(update) {
				r[update] = r[start]
			}
		}),
	)
}

// recordTypeFaults declares faults that answer fields in another type or format than documented.
func recordTypeFaults() faultDeclarations {
	typed := func(path, what string, change any) faultDeclarations {
		return declareFault("create.response."+path+"_"+strings.ReplaceAll(what, " ", "_"),
			changeAtPath(path, change))
	}
	wholeCPF := regexp.MustCompile(`^(...)(...)(...)(..)$`)
	wholeDate := regexp.MustCompile(`^(.+)-(.+)-(.+)$`)
	asNumber := func(v any) any { return json.Number(strings.TrimLeft(fmt.Sprint(v), "0")) }
	bit := func(v any) any {
		if v == true {
			return 1
		}
		return 0
	}
	cents := func(f float64) any { return json.Number(strconv.FormatFloat(f/100, 'f', 2, 64)) }
	return slices.Concat(
		typed("id", "number", func(id any) any { return crc32.ChecksumIEEE([]byte(fmt.Sprint(id))) }),
		typed("id", "undashed text", replaceText("-", "")),
		declareFault("create.response.document.id_missing", changeAtPath("document.id", nil)),
		typed("document.id", "short text", "doc-1"),
		typed("document.type", "lower case", "cpf"),
		typed("document.type", "RG", "RG"),
		typed("document.number", "formatted CPF",
			func(s string) string { return wholeCPF.ReplaceAllString(s, "$1.$2.$3-$4") }),
		typed("document.number", "number", asNumber),
		typed("document.country_of_issue", "object", wrapInObject("code")),
		typed("address.id", "number", 7),
		typed("address.number", "text", scalarToText),
		typed("representor_type", "lower case", strings.ToLower),
		typed("representor_type", "object", wrapInObject("code")),
		typed("participation_percentage", "text", scalarToText),
		declareFault("create.response.participation_percentage_in_hundredths",
			changeAtPath("participation_percentage", func(f float64) any { return 100 * f })),
		typed("pep", "text", scalarToText),
		typed("pep", "number", bit),
		typed("is_public_server", "text", scalarToText),
		typed("created_at", "date", func(s string) string { return s[:10] }),
		declareFault("create.response.created_at_zoneless",
			changeAtPath("created_at", replaceText("Z", ""))),
		typed("created_at", "epoch", 1735689600),
		declareFault("create.response.created_at_missing", changeAtPath("created_at", nil)),
		declareFault("create.response.created_at_long_ago",
			changeAtPath("created_at", "2001-01-01T00:00:00.000Z")),
		typed("shareholder_id", "object", wrapInObject("id")),
		typed("phone_number", "object", wrapInObject("number")),
		typed("email", "list", wrapInList),
		typed("name", "object", wrapInObject("full")),
		faultsForEach(moneyFields, func(money string) faultDeclarations {
			return append(typed(money, "text", scalarToText), typed(money, "decimal", cents)...)
		}),
		faultsForEach(dateFields, func(date string) faultDeclarations {
			return append(typed(date, "date-time", func(s string) string { return s + "T00:00:00Z" }),
				typed(date, "slashes",
					func(s string) string { return wholeDate.ReplaceAllString(s, "$3/$2/$1") })...)
		}),
		faultsForEach(addressTextFields,
			func(part string) faultDeclarations {
				return typed("address."+part, "object", wrapInObject("value"))
			}),
	)
}

// addressTextFields are the text parts of an address.
var addressTextFields = []string{
	"zip_code", "street", "neighborhood", "city", "federative_unit", "country", "complement",
}
