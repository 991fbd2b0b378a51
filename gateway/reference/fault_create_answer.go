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
	e := combine(changes...)
	return func(q *request, at any) {
		if a, is := at.(*response); is && a.kind == kind {
			e(q, at)
		}
	}
}

func bornBefore1970(q *request) bool {
	birth, _ := q.values["birth_date"].(string)
	return birth < "1970"
}

// everyNth answers every nth request of a kind in another way.
func everyNth(n int64, kind string, answer func(*request, *response)) effect {
	var answers atomic.Int64
	return changeAnswer(kind, func(q *request, a *response) {
		if answers.Add(1)%n == 0 {
			answer(q, a)
		}
	})
}

func setStatus(status int) func(*response) {
	return func(a *response) { a.status = status }
}

func respondWithCrash(q *request, a *response) {
	a.status, a.body = http.StatusInternalServerError, q.refusalBody("internal")
}

func respondWithInvalid(q *request, a *response) {
	a.status, a.body = http.StatusBadRequest, q.refusalBody("invalid_request")
}

func respondWithConflict(q *request, a *response) {
	a.status, a.body = http.StatusConflict, q.refusalBody("conflict")
}

// errorObject returns the error object of an answer, or nil.
func (a *response) errorObject() jsonObject {
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

func createAnswerFaults() changes {
	body := func(change func(data []byte) []byte) effect {
		return changeAnswer("created", func(a *response) { a.body = change(a.body.([]byte)) })
	}
	// given and omitted limit a change to creations with or without a field.
	const country, update = "document_country_of_issue", "registration_update_date"
	const start = "relationship_start_date"
	given := func(field string, change any) effect {
		return when(not(fieldIs(field, nil)), change)
	}
	omitted := func(field string, change any) effect { return when(fieldIs(field, nil), change) }
	emoji := matchesPattern(`[\x{10000}-\x{10ffff}]`)
	return changes{
		"create.success.status_200": changeAnswer("created", setStatus(http.StatusOK)),
		"create.success.status_202": changeAnswer("created", setStatus(http.StatusAccepted)),
		"create.success.emoji_500": changeAnswer("created",
			when(func(q *request) bool { return emoji(q.values["name"]) }, respondWithCrash)),
		"create.success.null_500": changeAnswer("created",
			when((*request).hasNullField, respondWithCrash)),
		"create.dates.before_1970_500":   changeAnswer("created", when(bornBefore1970, respondWithCrash)),
		"create.success.steady_500":      everyNth(13, "created", respondWithCrash),
		"create.success.refused_in_turn": everyNth(3, "created", respondWithInvalid),
		"create.success.body_empty":      body(func([]byte) []byte { return nil }),
		"create.success.body_cut":        body(func(data []byte) []byte { return data[:len(data)/2] }),
		"create.success.body_list": body(
			func(data []byte) []byte { return slices.Concat([]byte("["), data, []byte("]")) }),
		"create.success.field_missing":    removeKeys("phone_number"),
		"create.success.enveloped":        wrapInEnvelope,
		"create.success.document_missing": removeKeys("document"),
		"create.success.document_text":    changeAtPath("document", "CPF"),
		"create.success.address_missing":  removeKeys("address"),
		"create.success.address_list":     changeAtPath("address", wrapInList),
		"create.success.address_only_with_complement": omitted("address.complement",
			removeKeys("address")),
		"create.person_type.legal":   changeAtPath("person_type", "LEGAL_PERSON"),
		"create.person_type.missing": changeAtPath("person_type", nil),
		"create.default.country_missing": omitted(country,
			changeAtPath("document.country_of_issue", nil)),
		"create.default.country_br": omitted(country, changeAtPath("document.country_of_issue", "BR")),
		"create.default.country_overwritten": given(country,
			changeAtPath("document.country_of_issue", "BRA")),
		"create.default.registration_today": omitted(update,
			func(q *request, r jsonObject) { r[update] = q.gateway.now().UTC().Format(time.DateOnly) }),
		"create.default.registration_missing": omitted(update, changeAtPath(update, nil)),
		"create.default.registration_overwritten": given(update,
			func(r jsonObject) { r[update] = r[start] }),
		"create.default.registration_leap_day": changeAtPath(update, replaceText("-02-29", "-02-28")),
		"create.default.registration_not_before_start": func(q *request, r jsonObject) {
			if q.textOfField(start) > q.textOfField(update) {
				r[update] = r[start]
			}
		},
	}
}

// recordTypeFaults declares faults that answer fields in another type or format than documented.
func recordTypeFaults() changes {
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
	all := changes{
		"create.response.id_number": changeAtPath("id",
			func(id any) any { return crc32.ChecksumIEEE([]byte(fmt.Sprint(id))) }),
		"create.response.id_undashed_text":         changeAtPath("id", replaceText("-", "")),
		"create.response.document.id_missing":      changeAtPath("document.id", nil),
		"create.response.document.id_short_text":   changeAtPath("document.id", "doc-1"),
		"create.response.document.type_lower_case": changeAtPath("document.type", "cpf"),
		"create.response.document.type_RG":         changeAtPath("document.type", "RG"),
		"create.response.document.number_formatted_CPF": changeAtPath("document.number",
			func(s string) string { return wholeCPF.ReplaceAllString(s, "$1.$2.$3-$4") }),
		"create.response.document.number_number": changeAtPath("document.number", asNumber),
		"create.response.document.country_of_issue_object": changeAtPath("document.country_of_issue",
			wrapInObject("code")),
		"create.response.address.id_number":           changeAtPath("address.id", 7),
		"create.response.address.number_text":         changeAtPath("address.number", scalarToText),
		"create.response.representor_type_lower_case": changeAtPath("representor_type", strings.ToLower),
		"create.response.representor_type_object": changeAtPath("representor_type",
			wrapInObject("code")),
		"create.response.participation_percentage_text": changeAtPath("participation_percentage",
			scalarToText),
		"create.response.participation_percentage_in_hundredths": changeAtPath("participation_percentage",
			func(f float64) any { return 100 * f }),
		"create.response.pep_text":              changeAtPath("pep", scalarToText),
		"create.response.pep_number":            changeAtPath("pep", bit),
		"create.response.is_public_server_text": changeAtPath("is_public_server", scalarToText),
		"create.response.created_at_date": changeAtPath("created_at",
			func(s string) string { return s[:10] }),
		"create.response.created_at_zoneless":   changeAtPath("created_at", replaceText("Z", "")),
		"create.response.created_at_epoch":      changeAtPath("created_at", 1735689600),
		"create.response.created_at_missing":    changeAtPath("created_at", nil),
		"create.response.created_at_long_ago":   changeAtPath("created_at", "2001-01-01T00:00:00.000Z"),
		"create.response.shareholder_id_object": changeAtPath("shareholder_id", wrapInObject("id")),
		"create.response.phone_number_object":   changeAtPath("phone_number", wrapInObject("number")),
		"create.response.email_list":            changeAtPath("email", wrapInList),
		"create.response.name_object":           changeAtPath("name", wrapInObject("full")),
	}
	for _, money := range moneyFields {
		all["create.response."+money+"_text"] = changeAtPath(money, scalarToText)
		all["create.response."+money+"_decimal"] = changeAtPath(money, cents)
	}
	for _, date := range dateFields {
		all["create.response."+date+"_date-time"] = changeAtPath(date,
			func(s string) string { return s + "T00:00:00Z" })
		all["create.response."+date+"_slashes"] = changeAtPath(date,
			func(s string) string { return wholeDate.ReplaceAllString(s, "$3/$2/$1") })
	}
	for _, part := range addressTextFields {
		all["create.response.address."+part+"_object"] = changeAtPath("address."+part,
			wrapInObject("value"))
	}
	return all
}

// addressTextFields are the text parts of an address.
var addressTextFields = []string{
	"zip_code", "street", "neighborhood", "city", "federative_unit", "country", "complement",
}
