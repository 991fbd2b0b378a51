package reference

import (
	"net/http"
	"slices"
	"sync/atomic"
	"time"
)

// recorded declares a fault that changes the record.
func recorded(name, rule, statement string, change func(r object)) faults {
	return fault(name, rule, statement, on(func(_ *call, r object) { change(r) }))
}

// defaulted declares a fault that changes what one of two values becomes: one that was given, or one that was not.
func defaulted(name, rule, statement, field string, given bool, value func(q *call, r object) any) faults {
	return fault(name, rule, statement, defaults(field, given, value))
}

func defaults(field string, given bool, value func(q *call, r object) any) effect {
	return on(func(q *call, r object) {
		if field == "document_country_of_issue" {
			r["document"].(object)["country_of_issue"] = value(q, r)
		} else {
			r[field] = value(q, r)
		}
	}).when(func(q *call) bool { return (q.values[field] != nil) == given })
}

// always is a value whatever the request says; likeStart, likeEnd and today are those of other dates.
func always(value any) func(*call, object) any { return func(*call, object) any { return value } }

func likeStart(_ *call, r object) any { return r["relationship_start_date"] }

// without and set change an object.
func without(keys ...string) func(object) {
	return func(o object) {
		for _, key := range keys {
			delete(o, key)
		}
	}
}

func set(key string, value any) func(object) { return func(o object) { o[key] = value } }

// thirteenth lets each thirteenth answer of a kind meet an effect.
func thirteenth(kind string, e effect) effect {
	var answers atomic.Int64
	return func(q *call, at any) {
		if a, ok := at.(*reply); ok && a.kind == kind && answers.Add(1)%13 == 0 {
			e(q, at)
		}
	}
}

func createAnswerFaults() faults {
	created := func(change func(q *call, a *reply)) effect { return answered(creating, "created", change) }
	const of, update = "document_country_of_issue", "registration_update_date"
	return under("create.",
		fault("create.success.status_200", "success.status", "answers a creation with 200",
			created(status(http.StatusOK))),
		fault("create.success.status_202", "success.status", "answers a creation with 202",
			created(status(http.StatusAccepted))),
		fault("create.success.steady_500", "success.steady", "answers each thirteenth creation with a server error",
			thirteenth("created", created(crash))),
		fault("create.success.body_empty", "success.json", "answers a creation without a body",
			created(body(func([]byte) []byte { return nil }))),
		fault("create.success.body_cut", "success.json", "cuts the record off in the middle",
			created(body(func(data []byte) []byte { return data[:len(data)/2] }))),
		fault("create.success.body_list", "success.json", "gives the record inside a list",
			created(body(func(data []byte) []byte { return slices.Concat([]byte("["), data, []byte("]")) }))),
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
		spoiled("create.person_type.missing", "person_type", "leaves the person type null",
			"person_type", constant(nil)),
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
			update, false, func(_ *call, r object) any { return r["relationship_end_date"] }),
		defaulted("create.default.registration_overwritten", "default.registration_update_date_kept",
			"always sets the registration update to the start of the relationship", update, true, likeStart),
		recorded("create.default.registration_not_before_start", "default.registration_update_date_kept",
			"moves a registration update that is before the start of the relationship to that start", func(r object) {
				given, _ := r["registration_update_date"].(string)
				if start, _ := r["relationship_start_date"].(string); given < start {
					r["registration_update_date"] = start
				}
			}),
	)
}
