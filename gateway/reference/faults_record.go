package reference

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// spoiled declares a fault that changes one value of the record. The path is dotted; a nil value is passed too.
func spoiled(name, rule, statement, path string, change func(value any) any) definition {
	return definition{Fault: Fault{Name: name, Rule: rule, Statement: statement}, record: func(record object) {
		steps := strings.Split(path, ".")
		for _, step := range steps[:len(steps)-1] {
			inner, ok := record[step].(object)
			if !ok {
				return
			}
			record = inner
		}
		last := steps[len(steps)-1]
		record[last] = change(record[last])
	}}
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

func asText(value any) any { return fmt.Sprint(value) }

func onText(change func(string) string) func(any) any {
	return func(value any) any {
		if text, ok := value.(string); ok {
			return change(text)
		}
		return value
	}
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

func createRecordFaults() []definition {
	all := []definition{
		switched("create.success.status_200", "create.success.status", "answers a creation with 200"),
		switched("create.success.body_empty", "create.success.json", "answers a creation without a body"),
		switched("create.success.body_cut", "create.success.json", "cuts the record in the middle"),
		switched("create.success.body_list", "create.success.json", "gives the record inside a list"),
		switched("create.success.status_202", "create.success.status", "answers a creation with 202"),
		{
			Fault:  Fault{Name: "create.success.field_missing", Rule: "create.success.fields", Statement: "leaves the phone number out of the record"},
			record: func(r object) { delete(r, "phone_number") },
		},
		{
			Fault: Fault{Name: "create.success.many_fields_missing", Rule: "create.success.fields", Statement: "answers without names, amounts, flags and contacts"},
			record: func(r object) {
				for _, key := range []string{"name", "income", "patrimony", "pep", "is_public_server", "phone_number", "email"} {
					delete(r, key)
				}
			},
		},
		{
			Fault: Fault{Name: "create.success.enveloped", Rule: "create.success.fields", Statement: "wraps the record into another object"},
			record: func(r object) {
				inner := object{}
				for key, value := range r {
					inner[key] = value
					delete(r, key)
				}
				r["data"] = inner
			},
		},
		{
			Fault:  Fault{Name: "create.success.document_missing", Rule: "create.success.document", Statement: "leaves the document out of the record"},
			record: func(r object) { delete(r, "document") },
		},
		spoiled("create.success.document_text", "create.success.document", "gives the document as text", "document", constant("CPF")),
		{
			Fault:  Fault{Name: "create.success.address_missing", Rule: "create.success.address", Statement: "leaves the address out of the record"},
			record: func(r object) { delete(r, "address") },
		},
		spoiled("create.success.address_list", "create.success.address", "gives the address inside a list", "address", func(v any) any { return []any{v} }),
		spoiled("create.person_type.legal", "create.person_type", "calls representatives LEGAL_PERSON", "person_type", constant("LEGAL_PERSON")),
		spoiled("create.person_type.missing", "create.person_type", "leaves the person type null", "person_type", constant(nil)),
		switched("create.default.country_missing", "create.default.country_of_issue", "has no default for the country of issue"),
		switched("create.default.country_br", "create.default.country_of_issue", "defaults the country of issue to BR"),
		switched("create.default.country_overwritten", "create.default.country_of_issue_kept", "always puts BRA as country of issue"),
		switched("create.default.registration_today", "create.default.registration_update_date", "defaults the registration update to today"),
		switched("create.default.registration_missing", "create.default.registration_update_date", "has no default for the registration update"),
		switched("create.default.registration_end_date", "create.default.registration_update_date", "defaults the registration update to the end of the relationship"),
		{
			Fault: Fault{
				Name: "create.default.registration_not_before_start", Rule: "create.default.registration_update_date_kept",
				Statement: "moves a registration update to the start of the relationship where it lies before that",
			},
			record: func(r object) {
				given, _ := r["registration_update_date"].(string)
				if start, _ := r["relationship_start_date"].(string); given < start {
					r["registration_update_date"] = start
				}
			},
		},
		{
			Fault: Fault{Name: "create.success.address_only_with_complement", Rule: "create.success.address", Statement: "leaves an address without complement out of the record"},
			record: func(r object) {
				if address, ok := r["address"].(object); ok && address["complement"] == nil {
					delete(r, "address")
				}
			},
		},
		switched("create.default.registration_overwritten", "create.default.registration_update_date_kept", "always puts the start of the relationship as registration update"),
	}
	return append(append(all, recordTypeFaults()...), recordEchoFaults()...)
}

// recordTypeFaults give fields another type or format than documented.
func recordTypeFaults() []definition {
	typed := func(path, what string, change func(any) any) definition {
		return spoiled("create.response."+path+"_"+strings.ReplaceAll(what, " ", "_"), "create.response."+path, "gives "+path+" as "+what, path, change)
	}
	slashes := onText(func(s string) string {
		if len(s) != 10 {
			return s
		}
		return s[8:] + "/" + s[5:7] + "/" + s[:4]
	})
	all := []definition{
		typed("id", "number", constant(42)),
		typed("id", "undashed text", onText(func(s string) string { return strings.ReplaceAll(s, "-", "") })),
		typed("document.id", "missing", constant(nil)),
		typed("document.id", "short text", constant("doc-1")),
		typed("document.type", "lower case", constant("cpf")),
		typed("document.type", "RG", constant("RG")),
		typed("document.number", "formatted CPF", onText(func(s string) string {
			if len(s) != 11 {
				return s
			}
			return s[:3] + "." + s[3:6] + "." + s[6:9] + "-" + s[9:]
		})),
		typed("document.number", "number", textTo(func(s string) any {
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil {
				return s
			}
			return n
		})),
		typed("document.country_of_issue", "object", func(v any) any { return object{"code": v} }),
		typed("address.id", "number", constant(7)),
		typed("address.number", "text", whenSent(asText)),
		typed("representor_type", "lower case", onText(strings.ToLower)),
		typed("representor_type", "object", func(v any) any { return object{"code": v} }),
		typed("participation_percentage", "text", whenSent(asText)),
		typed("pep", "text", whenSent(asText)),
		typed("pep", "number", whenSent(func(v any) any {
			if v == true {
				return 1
			}
			return 0
		})),
		typed("is_public_server", "text", whenSent(asText)),
		typed("created_at", "date", onText(func(s string) string { return s[:10] })),
		typed("created_at", "zoneless", onText(func(s string) string { return strings.TrimSuffix(s, "Z") })),
		typed("created_at", "epoch", constant(1735689600)),
		typed("created_at", "missing", constant(nil)),
		spoiled("create.response.created_at_long_ago", "create.response.created_at.now", "dates every record to 2001", "created_at", constant("2001-01-01T00:00:00.000Z")),
		typed("shareholder_id", "object", func(v any) any { return object{"id": v} }),
		typed("phone_number", "object", func(v any) any { return object{"number": v} }),
		typed("email", "list", func(v any) any { return []any{v} }),
		typed("name", "object", func(v any) any { return object{"full": v} }),
	}
	for _, money := range []string{"income", "patrimony"} {
		all = append(all,
			typed(money, "text", whenSent(asText)),
			typed(money, "decimal", onNumber(func(f float64) any { return json.Number(strconv.FormatFloat(f/100, 'f', 2, 64)) })),
		)
	}
	for _, date := range []string{"birth_date", "relationship_start_date", "relationship_end_date", "registration_update_date"} {
		all = append(all,
			typed(date, "date-time", onText(func(s string) string { return s + "T00:00:00Z" })),
			typed(date, "slashes", slashes),
		)
	}
	for _, part := range []string{"zip_code", "street", "neighborhood", "city", "federative_unit", "country", "complement"} {
		all = append(all, typed("address."+part, "object", func(v any) any { return object{"value": v} }))
	}
	return all
}

func cutTo(n int) func(any) any {
	return onText(func(s string) string {
		if r := []rune(s); len(r) > n {
			return string(r[:n])
		}
		return s
	})
}

func textTo(change func(string) any) func(any) any {
	return func(value any) any {
		if text, ok := value.(string); ok {
			return change(text)
		}
		return value
	}
}
