package reference

import (
	"net/http"
	"slices"
	"time"
)

// recorded declares a fault that changes the record.
func recorded(name, rule, statement string, change func(r object)) declaration {
	return fault(name, rule, statement, effect{record: func(_ *call, r object) { change(r) }})
}

// defaulted declares a fault that changes what one of two values becomes: one that was given, or one that was not.
func defaulted(name, rule, statement, field string, given bool, change func(q *call, r object)) declaration {
	return fault(name, rule, statement, effect{record: func(q *call, r object) {
		if (q.values[field] != nil) == given {
			change(q, r)
		}
	}})
}

func createAnswerFaults() []declaration {
	created := func(change func(q *call, a *reply)) effect { return answered(creating, "created", change) }
	country := func(value any) func(*call, object) {
		return func(_ *call, r object) { r["document"].(object)["country_of_issue"] = value }
	}
	updated := func(value func(q *call, r object) any) func(*call, object) {
		return func(q *call, r object) { r["registration_update_date"] = value(q, r) }
	}
	const of, update = "document_country_of_issue", "registration_update_date"
	return []declaration{
		fault("create.success.status_200", "create.success.status", "answers a creation with 200",
			created(status(http.StatusOK))),
		fault("create.success.status_202", "create.success.status", "answers a creation with 202",
			created(status(http.StatusAccepted))),
		fault("create.success.body_empty", "create.success.json", "answers a creation without a body",
			created(body(func([]byte) []byte { return nil }))),
		fault("create.success.body_cut", "create.success.json", "cuts the record in the middle",
			created(body(func(data []byte) []byte { return data[:len(data)/2] }))),
		fault("create.success.body_list", "create.success.json", "gives the record inside a list",
			created(body(func(data []byte) []byte { return slices.Concat([]byte("["), data, []byte("]")) }))),
		recorded("create.success.field_missing", "create.success.fields", "leaves the phone number out of the record",
			func(r object) { delete(r, "phone_number") }),
		recorded("create.success.many_fields_missing", "create.success.fields",
			"answers without names, amounts, flags and contacts", func(r object) {
				for _, key := range []string{
					"name", "income", "patrimony", "pep", "is_public_server", "phone_number", "email",
				} {
					delete(r, key)
				}
			}),
		recorded("create.success.enveloped", "create.success.envelope", "wraps the record into another object",
			envelop),
		recorded("create.success.document_missing", "create.success.document", "leaves the document out of the record",
			func(r object) { delete(r, "document") }),
		spoiled("create.success.document_text", "create.success.document", "gives the document as text", "document",
			constant("CPF")),
		recorded("create.success.address_missing", "create.success.address", "leaves the address out of the record",
			func(r object) { delete(r, "address") }),
		spoiled("create.success.address_list", "create.success.address", "gives the address inside a list", "address",
			func(v any) any { return []any{v} }),
		recorded("create.success.address_only_with_complement", "create.success.address",
			"leaves an address without complement out of the record", func(r object) {
				if address, ok := r["address"].(object); ok && address["complement"] == nil {
					delete(r, "address")
				}
			}),
		spoiled("create.person_type.legal", "create.person_type", "calls representatives LEGAL_PERSON", "person_type",
			constant("LEGAL_PERSON")),
		spoiled("create.person_type.missing", "create.person_type", "leaves the person type null", "person_type",
			constant(nil)),
		defaulted("create.default.country_missing", "create.default.country_of_issue",
			"has no default for the country of issue", of, false, country(nil)),
		defaulted("create.default.country_br", "create.default.country_of_issue", "defaults the country of issue to BR",
			of, false, country("BR")),
		defaulted("create.default.country_overwritten", "create.default.country_of_issue_kept",
			"always puts BRA as country of issue", of, true, country("BRA")),
		defaulted("create.default.registration_today", "create.default.registration_update_date",
			"defaults the registration update to today", update, false,
			updated(func(q *call, _ object) any { return q.g.now().UTC().Format(time.DateOnly) })),
		defaulted("create.default.registration_missing", "create.default.registration_update_date",
			"has no default for the registration update", update, false,
			updated(func(*call, object) any { return nil })),
		defaulted("create.default.registration_end_date", "create.default.registration_update_date",
			"defaults the registration update to the end of the relationship", update, false,
			updated(func(_ *call, r object) any { return r["relationship_end_date"] })),
		defaulted("create.default.registration_overwritten", "create.default.registration_update_date_kept",
			"always puts the start of the relationship as registration update", update, true,
			updated(func(_ *call, r object) any { return r["relationship_start_date"] })),
		recorded("create.default.registration_not_before_start", "create.default.registration_update_date_kept",
			"moves a registration update to the start of the relationship where it lies before that", func(r object) {
				given, _ := r["registration_update_date"].(string)
				if start, _ := r["relationship_start_date"].(string); given < start {
					r["registration_update_date"] = start
				}
			}),
	}
}
