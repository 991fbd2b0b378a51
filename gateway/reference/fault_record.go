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

// answered limits changes to answers of a kind.
func answered(kind string, changes ...any) effect {
	e := combined(changes...)
	return func(q *call, at any) {
		if a, is := at.(*reply); is && a.kind == kind {
			e(q, at)
		}
	}
}

// thirteenth crashes for each thirteenth answer of a kind.
func thirteenth(kind string) effect {
	var answers atomic.Int64
	return answered(kind, func(q *call, a *reply) {
		if answers.Add(1)%13 == 0 {
			crash(q, a)
		}
	})
}

func status(status int) func(*reply) { return func(a *reply) { a.status = status } }

func crash(q *call, a *reply) {
	a.status, a.body = http.StatusInternalServerError, q.failure("internal")
}

// refusal is what an answer says about an error; nil: it is none.
func (a *reply) refusal() object {
	said, _ := a.body.(object)
	refusal, _ := said["error"].(object)
	return refusal
}

// envelop puts an object into a member of it.
func envelop(o object) {
	inner := maps.Clone(o)
	clear(o)
	o["data"] = inner
}

// without changes an object.
func without(keys ...string) func(object) {
	return func(o object) { maps.DeleteFunc(o, func(key string, _ any) bool { return slices.Contains(keys, key) }) }
}

// at changes one value of an object, under a dotted path: by a function of text, of a number or of any value that is not
// null, or else it becomes what is given.
func at(path string, change any) func(object) {
	steps := strings.Split(path, ".")
	last := len(steps) - 1
	return func(o object) {
		for _, step := range steps[:last] {
			o, _ = o[step].(object)
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

func inList(value any) any { return []any{value} }

func inObject(key string) func(any) any { return func(value any) any { return object{key: value} } }

func replaced(old, other string) func(string) string {
	return func(s string) string { return strings.ReplaceAll(s, old, other) }
}

func createAnswerFaults() faults {
	body := func(change func(data []byte) []byte) effect {
		return answered("created", func(a *reply) { a.body = change(a.body.([]byte)) })
	}
	// given and omitted limit a change to creations that give a field, or that do not.
	const country, update, start = "document_country_of_issue", "registration_update_date", "relationship_start_date"
	given := func(field string, change any) effect { return when(not(gives(field, nil)), change) }
	omitted := func(field string, change any) effect { return when(gives(field, nil), change) }
	emoji := matching(`[\x{10000}-\x{10ffff}]`)
	return slices.Concat(
		fault("create.success.status_200", answered("created", status(http.StatusOK))),
		fault("create.success.status_202", answered("created", status(http.StatusAccepted))),
		fault("create.success.emoji_500",
			answered("created", when(func(q *call) bool { return emoji(q.values["name"]) }, crash))),
		fault("create.success.null_500", answered("created", when((*call).givesNull, crash))),
		fault("create.success.steady_500", thirteenth("created")),
		fault("create.success.body_empty", body(func([]byte) []byte { return nil })),
		fault("create.success.body_cut",
			body(func(data []byte) []byte { return data[:len(data)/2] })),
		fault("create.success.body_list",
			body(func(data []byte) []byte { return slices.Concat([]byte("["), data, []byte("]")) })),
		fault("create.success.field_missing", without("phone_number")),
		fault("create.success.enveloped", envelop),
		fault("create.success.document_missing", without("document")),
		fault("create.success.document_text", at("document", "CPF")),
		fault("create.success.address_missing", without("address")),
		fault("create.success.address_list", at("address", inList)),
		fault("create.success.address_only_with_complement",
			omitted("address.complement", without("address"))),
		fault("create.person_type.legal", at("person_type", "LEGAL_PERSON")),
		fault("create.person_type.missing", at("person_type", nil)),
		fault("create.default.country_missing",
			omitted(country, at("document.country_of_issue", nil))),
		fault("create.default.country_br", omitted(country, at("document.country_of_issue", "BR"))),
		fault("create.default.country_overwritten",
			given(country, at("document.country_of_issue", "BRA"))),
		fault("create.default.registration_today",
			omitted(update, func(q *call, r object) { r[update] = q.g.now().UTC().Format(time.DateOnly) })),
		fault("create.default.registration_missing", omitted(update, at(update, nil))),
		fault("create.default.registration_overwritten",
			given(update, func(r object) { r[update] = r[start] })),
		fault("create.default.registration_leap_day", at(update, replaced("-02-29", "-02-28"))),
		fault("create.default.registration_not_before_start", func(q *call, r object) {
			if q.text(start) > q.text(update) {
				r[update] = r[start]
			}
		}),
	)
}

// recordTypeFaults give fields another type or format than documented.
func recordTypeFaults() faults {
	typed := func(path, what string, change any) faults {
		return fault("create.response."+path+"_"+strings.ReplaceAll(what, " ", "_"), at(path, change))
	}
	wholeCPF, wholeDate := regexp.MustCompile(`^(...)(...)(...)(..)$`), regexp.MustCompile(`^(.+)-(.+)-(.+)$`)
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
		typed("id", "undashed text", replaced("-", "")),
		fault("create.response.document.id_missing", at("document.id", nil)),
		typed("document.id", "short text", "doc-1"),
		typed("document.type", "lower case", "cpf"),
		typed("document.type", "RG", "RG"),
		typed("document.number", "formatted CPF", func(s string) string { return wholeCPF.ReplaceAllString(s, "$1.$2.$3-$4") }),
		typed("document.number", "number", asNumber),
		typed("document.country_of_issue", "object", inObject("code")),
		typed("address.id", "number", 7),
		typed("address.number", "text", asText),
		typed("representor_type", "lower case", strings.ToLower),
		typed("representor_type", "object", inObject("code")),
		typed("participation_percentage", "text", asText),
		fault("create.response.participation_percentage_in_hundredths",
			at("participation_percentage", func(f float64) any { return 100 * f })),
		typed("pep", "text", asText),
		typed("pep", "number", bit),
		typed("is_public_server", "text", asText),
		typed("created_at", "date", func(s string) string { return s[:10] }),
		fault("create.response.created_at_zoneless", at("created_at", replaced("Z", ""))),
		typed("created_at", "epoch", 1735689600),
		fault("create.response.created_at_missing", at("created_at", nil)),
		fault("create.response.created_at_long_ago", at("created_at", "2001-01-01T00:00:00.000Z")),
		typed("shareholder_id", "object", inObject("id")),
		typed("phone_number", "object", inObject("number")),
		typed("email", "list", inList),
		typed("name", "object", inObject("full")),
		forEach(moneyFields, func(money string) faults {
			return append(typed(money, "text", asText), typed(money, "decimal", cents)...)
		}),
		forEach(dateFields, func(date string) faults {
			return append(typed(date, "date-time", func(s string) string { return s + "T00:00:00Z" }),
				typed(date, "slashes", func(s string) string { return wholeDate.ReplaceAllString(s, "$3/$2/$1") })...)
		}),
		forEach(addressTexts, func(part string) faults { return typed("address."+part, "object", inObject("value")) }),
	)
}

// addressTexts are the parts of an address that are text.
var addressTexts = []string{"zip_code", "street", "neighborhood", "city", "federative_unit", "country", "complement"}
