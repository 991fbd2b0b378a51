package reference

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// answered makes an effect on answers of an operation and a kind; an empty kind is any.
func answered(operation operation, kind string, change func(q *call, a *reply)) effect {
	return on(func(q *call, a *reply) {
		if kind == "" || kind == a.kind {
			change(q, a)
		}
	}).of(operation)
}

func status(status int) func(*call, *reply) { return func(_ *call, a *reply) { a.status = status } }

func body(change func(data []byte) []byte) func(*call, *reply) {
	return func(_ *call, a *reply) { a.body = change(a.body.([]byte)) }
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

func crash(q *call, a *reply) {
	a.status, a.body = http.StatusInternalServerError, q.failure("internal")
}

func redirect(_ *call, a *reply) { a.moved("/") }

func (a *reply) moved(address string) {
	a.status, a.body = http.StatusFound, []byte(nil)
	a.header.Set("Location", address)
}

// thirteenth lets each thirteenth answer of a kind meet an effect.
func thirteenth(kind string, e effect) effect {
	var answers atomic.Int64
	return func(q *call, at any) {
		if a, ok := at.(*reply); ok && a.kind == kind && answers.Add(1)%13 == 0 {
			e(q, at)
		}
	}
}

// recorded declares a fault that changes the record.
func recorded(name, rule, statement string, change func(r object)) faults {
	return fault(name, rule, statement, on(func(_ *call, r object) { change(r) }))
}

// without and set change an object.
func without(keys ...string) func(object) {
	return func(o object) { maps.DeleteFunc(o, func(key string, _ any) bool { return slices.Contains(keys, key) }) }
}

func set(key string, value any) func(object) { return func(o object) { o[key] = value } }

// spoiled declares a fault that changes one value of the record. The path is dotted; a nil value is passed too.
func spoiled(name, rule, statement, path string, change func(value any) any) faults {
	return recorded(name, rule, statement, func(record object) {
		steps := strings.Split(path, ".")
		last := len(steps) - 1
		for _, step := range steps[:last] {
			inner, ok := record[step].(object)
			if !ok {
				return
			}
			record = inner
		}
		record[steps[last]] = change(record[steps[last]])
	})
}

// whenSent leaves null alone.
func whenSent(change func(value any) any) func(any) any {
	return func(value any) any {
		if value == nil {
			return nil
		}
		return change(value)
	}
}

func constant(value any) func(any) any { return func(any) any { return value } }

func inList(value any) any { return []any{value} }

func inObject(key string) func(any) any { return func(value any) any { return object{key: value} } }

func onText(change func(string) string) func(any) any {
	return func(value any) any {
		if text, ok := value.(string); ok {
			return change(text)
		}
		return value
	}
}

func replaced(old, other string) func(any) any {
	return onText(func(s string) string { return strings.ReplaceAll(s, old, other) })
}

func onNumber(change func(float64) any) func(any) any {
	return func(value any) any {
		if n, ok := value.(json.Number); ok {
			if f, err := n.Float64(); err == nil {
				return change(f)
			}
		}
		return value
	}
}

// defaulted declares a fault that changes what one of two values becomes: one that was given, or one that was not.
func defaulted(name, rule, statement, field string, given bool, value func(q *call, r object) any) faults {
	return fault(name, rule, statement, on(func(q *call, r object) {
		if field == "document_country_of_issue" {
			r["document"].(object)["country_of_issue"] = value(q, r)
		} else {
			r[field] = value(q, r)
		}
	}).when(func(q *call) bool { return (q.values[field] != nil) == given }))
}

func createAnswerFaults() faults {
	created := func(name, rule, statement string, change func(q *call, a *reply)) faults {
		return fault(name, rule, statement, answered(creating, "created", change))
	}
	always := func(value any) func(*call, object) any { return func(*call, object) any { return value } }
	dated := func(field string) func(*call, object) any { return func(_ *call, r object) any { return r[field] } }
	const of, update, start = "document_country_of_issue", "registration_update_date", "relationship_start_date"
	return slices.Concat(
		created("create.success.status_200", "success.status", "answers a creation with 200", status(http.StatusOK)),
		created("create.success.status_202", "success.status", "answers a creation with 202", status(http.StatusAccepted)),
		fault("create.success.emoji_500", "success.steady", "answers a name with a character of four bytes with a server error",
			answered(creating, "created", crash).when(func(q *call) bool {
				return strings.ContainsFunc(q.text("name"), func(r rune) bool { return r > 0xFFFF })
			})),
		fault("create.success.steady_500", "success.steady", "answers each thirteenth creation with a server error",
			thirteenth("created", on(crash))),
		created("create.success.body_empty", "success.json", "answers a creation without a body",
			body(func([]byte) []byte { return nil })),
		created("create.success.body_cut", "success.json", "cuts the record off in the middle",
			body(func(data []byte) []byte { return data[:len(data)/2] })),
		created("create.success.body_list", "success.json", "gives the record inside a list",
			body(func(data []byte) []byte { return slices.Concat([]byte("["), data, []byte("]")) })),
		recorded("create.success.field_missing", "success.fields", "leaves the phone number out of the record",
			without("phone_number")),
		recorded("create.success.many_fields_missing", "success.fields",
			"answers without names, amounts, flags and contacts",
			without("name", "income", "patrimony", "pep", "is_public_server", "phone_number", "email")),
		recorded("create.success.enveloped", "success.envelope", "wraps the record in another object", envelop),
		recorded("create.success.document_missing", "success.document", "leaves the document out of the record",
			without("document")),
		spoiled("create.success.document_text", "success.document", "gives the document as text",
			"document", constant("CPF")),
		recorded("create.success.address_missing", "success.address", "leaves the address out of the record",
			without("address")),
		spoiled("create.success.address_list", "success.address", "gives the address inside a list", "address", inList),
		recorded("create.success.address_only_with_complement", "success.address",
			"leaves an address without complement out of the record", func(r object) {
				if address, ok := r["address"].(object); ok && address["complement"] == nil {
					delete(r, "address")
				}
			}),
		spoiled("create.person_type.legal", "person_type", "calls representatives LEGAL_PERSON",
			"person_type", constant("LEGAL_PERSON")),
		fault("create.person_type.echoed", "person_type", "takes the person type from the request",
			on(func(q *call, r object) {
				if given, ok := q.body["person_type"]; ok {
					r["person_type"] = given
				}
			})),
		spoiled("create.person_type.missing", "person_type", "leaves the person type null", "person_type", constant(nil)),
		defaulted("create.default.country_missing", "default.country_of_issue",
			"has no default for the country of issue", of, false, always(nil)),
		defaulted("create.default.country_br", "default.country_of_issue", "defaults the country of issue to BR",
			of, false, always("BR")),
		defaulted("create.default.country_overwritten", "default.country_of_issue_kept",
			"always sets the country of issue to BRA", of, true, always("BRA")),
		defaulted("create.default.registration_today", "default.registration_update_date",
			"defaults the registration update to today",
			update, false, func(q *call, _ object) any { return q.g.now().UTC().Format(time.DateOnly) }),
		defaulted("create.default.registration_missing", "default.registration_update_date",
			"has no default for the registration update", update, false, always(nil)),
		defaulted("create.default.registration_end_date", "default.registration_update_date",
			"defaults the registration update to the end of the relationship",
			update, false, dated("relationship_end_date")),
		defaulted("create.default.registration_overwritten", "default.registration_update_date_kept",
			"always sets the registration update to the start of the relationship", update, true, dated(start)),
		recorded("create.default.registration_not_before_start", "default.registration_update_date_kept",
			"moves a registration update that is before the start of the relationship to that start", func(r object) {
				given, _ := r[update].(string)
				if start, _ := r[start].(string); given < start {
					r[update] = start
				}
			}),
	)
}

// recordTypeFaults give fields another type or format than documented.
func recordTypeFaults() faults {
	typed := func(path, what string, change func(any) any) faults {
		rule := "response." + path
		return spoiled("create."+rule+"_"+strings.ReplaceAll(what, " ", "_"), rule,
			"gives "+path+" as "+what, path, change)
	}
	asText := whenSent(func(value any) any { return fmt.Sprint(value) })
	return slices.Concat(
		typed("id", "number", func(id any) any { return crc32.ChecksumIEEE([]byte(fmt.Sprint(id))) }),
		typed("id", "undashed text", replaced("-", "")),
		spoiled("create.response.document.id_missing", "success.fields", "gives document.id as missing",
			"document.id", constant(nil)),
		typed("document.id", "short text", constant("doc-1")),
		typed("document.type", "lower case", constant("cpf")),
		typed("document.type", "RG", constant("RG")),
		typed("document.number", "formatted CPF", onText(func(s string) string {
			if len(s) != 11 {
				return s
			}
			return s[:3] + "." + s[3:6] + "." + s[6:9] + "-" + s[9:]
		})),
		typed("document.number", "number", whenSent(func(v any) any {
			if n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64); err == nil {
				return n
			}
			return v
		})),
		typed("document.country_of_issue", "object", inObject("code")),
		typed("address.id", "number", constant(7)),
		typed("address.number", "text", asText),
		typed("representor_type", "lower case", onText(strings.ToLower)),
		typed("representor_type", "object", inObject("code")),
		typed("participation_percentage", "text", asText),
		spoiled("create.response.participation_percentage_in_hundredths", "response.participation_percentage.range",
			"answers participations in hundredths of a percent",
			"participation_percentage", onNumber(func(f float64) any { return 100 * f })),
		typed("pep", "text", asText),
		typed("pep", "number", whenSent(func(v any) any {
			if v == true {
				return 1
			}
			return 0
		})),
		typed("is_public_server", "text", asText),
		typed("created_at", "date", onText(func(s string) string { return s[:10] })),
		spoiled("create.response.created_at_zoneless", "response.created_at.zone", "gives created_at without its zone",
			"created_at", replaced("Z", "")),
		typed("created_at", "epoch", constant(1735689600)),
		spoiled("create.response.created_at_missing", "success.fields", "gives created_at as missing",
			"created_at", constant(nil)),
		spoiled("create.response.created_at_long_ago", "response.created_at.now", "dates every record to 2001",
			"created_at", constant("2001-01-01T00:00:00.000Z")),
		typed("shareholder_id", "object", inObject("id")),
		typed("phone_number", "object", inObject("number")),
		typed("email", "list", inList),
		typed("name", "object", inObject("full")),
		forEach([]string{"income", "patrimony"}, func(money string) faults {
			return append(typed(money, "text", asText), typed(money, "decimal", onNumber(func(f float64) any {
				return json.Number(strconv.FormatFloat(f/100, 'f', 2, 64))
			}))...)
		}),
		forEach(dateFields, func(date string) faults {
			return append(typed(date, "date-time", onText(func(s string) string { return s + "T00:00:00Z" })),
				typed(date, "slashes", onText(func(s string) string {
					if len(s) != 10 {
						return s
					}
					return s[8:] + "/" + s[5:7] + "/" + s[:4]
				}))...)
		}),
		forEach(addressTexts, func(part string) faults { return typed("address."+part, "object", inObject("value")) }),
	)
}

// addressTexts are the parts of an address that are text.
var addressTexts = []string{"zip_code", "street", "neighborhood", "city", "federative_unit", "country", "complement"}
