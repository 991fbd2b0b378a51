package create

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "github.com/gateassay/gateassay/gateway/rules"
)

// required: what a creation cannot do without, left out, null and empty.
func (s *Suite) required() {
	Describe("required information", func() {
		s.rejects("create.required.shareholder_id", Must, RequestTable, "A creation without shareholder_id is rejected.",
			ofShareholder(), without("shareholder_id"))
		s.rejects("create.required.shareholder_id.null", Should, RequestTable,
			"A creation whose shareholder_id is null is rejected.", ofShareholder(), with("shareholder_id", nil))
		s.rejects("create.required.shareholder_id.empty", Should, RequestTable,
			"A creation whose shareholder_id is empty is rejected.", ofShareholder(), with("shareholder_id", ""))
		s.rejects("create.required.mother_name", Must, RequestTable, "A creation without mother_name is rejected.",
			ofRequired(), without("mother_name"))
		s.rejects("create.required.mother_name.null", Should, RequestTable,
			"A creation whose mother_name is null is rejected.", ofRequired(), with("mother_name", nil))
		s.rejects("create.required.mother_name.empty", Should, RequestTable,
			"A creation whose mother_name is empty is rejected.", ofRequired(), with("mother_name", ""))
		s.rejects("create.required.phone_number", Must, RequestTable, "A creation without phone_number is rejected.",
			ofRequired(), without("phone_number"))
		s.rejects("create.required.phone_number.null", Should, RequestTable,
			"A creation whose phone_number is null is rejected.", ofRequired(), with("phone_number", nil))
		s.rejects("create.required.phone_number.empty", Should, RequestTable,
			"A creation whose phone_number is empty is rejected.", ofRequired(), with("phone_number", ""))
		s.rejects("create.required.email", Must, RequestTable, "A creation without email is rejected.",
			ofRequired(), without("email"))
		s.rejects("create.required.email.null", Should, RequestTable, "A creation whose email is null is rejected.",
			ofRequired(), with("email", nil))
		s.rejects("create.required.email.empty", Should, RequestTable, "A creation whose email is empty is rejected.",
			ofRequired(), with("email", ""))
		s.rejects("create.required.address", Must, RequestTable, "A creation without address is rejected.",
			ofRequired(), without("address"))
		s.rejects("create.required.address.null", Should, RequestTable, "A creation whose address is null is rejected.",
			ofRequired(), with("address", nil))
		s.rejects("create.required.address.empty", Should, RequestTable, "A creation whose address is empty is rejected.",
			ofRequired(), with("address", map[string]any{}))

		s.Rule("create.required.with_headers", Must, RequestTable,
			"What is required is required whatever optional headers the request carries.", func() {
				for _, header := range s.optionalHeaders() {
					for _, field := range requiredFields() {
						how := ofRequired()
						if field == "shareholder_id" {
							how = ofShareholder()
						}
						lacking := unless(s.send(how.clear, without(field)), s.beside(header, without(field)))
						refused := s.send(how.clear, lacking)
						It("rejects a "+label(lacking), func(ctx SpecContext) { Expect(refused.Await(ctx)).To(how.matcher) })
					}
				}
			})
	})
}

// requiredFields lists what a creation cannot do without, by logical name.
func requiredFields() []string {
	return []string{"shareholder_id", "mother_name", "phone_number", "email", "address"}
}

// types: a field of another JSON type than it has is rejected.
func (s *Suite) types() {
	Describe("JSON types", func() {
		s.rejects("create.type.mother_name", Must, Errors,
			"A creation whose mother_name has the wrong JSON type is rejected.", ofRequired(), raw("mother_name", `{"a": 1}`))
		s.rejects("create.type.phone_number", Must, Errors,
			"A creation whose phone_number has the wrong JSON type is rejected.", ofRequired(), with("phone_number", true))
		s.rejects("create.type.email", Must, Errors, "A creation whose email has the wrong JSON type is rejected.",
			ofRequired(), raw("email", `[]`))
		s.rejects("create.type.address", Must, Errors, "A creation whose address has the wrong JSON type is rejected.",
			ofRequired(), raw("address", `"Rua das Palmeiras 1"`))
		s.rejects("create.type.name", Should, Errors, "A creation whose name has the wrong JSON type is rejected.",
			ofValue(), raw("name", "12345"))
	})
}
