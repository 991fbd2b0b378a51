package create

import (
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
)

// required: what a creation cannot do without, left out, null and empty.
func (s *Suite) required() {
	s.Describe("required information", func() {
		s.needs("create.required.shareholder_id", Must, "without shareholder_id", without("shareholder_id"))
		s.needs("create.required.shareholder_id.null", Should, "whose shareholder_id is null",
			with("shareholder_id", nil))
		s.needs("create.required.shareholder_id.empty", Should, "whose shareholder_id is empty",
			with("shareholder_id", ""))
		s.needs("create.required.mother_name", Must, "without mother_name", without("mother_name"))
		s.needs("create.required.mother_name.null", Should, "whose mother_name is null", with("mother_name", nil))
		s.needs("create.required.mother_name.empty", Should, "whose mother_name is empty", with("mother_name", ""))
		s.needs("create.required.phone_number", Must, "without phone_number", without("phone_number"))
		s.needs("create.required.phone_number.null", Should, "whose phone_number is null", with("phone_number", nil))
		s.needs("create.required.phone_number.empty", Should, "whose phone_number is empty", with("phone_number", ""))
		s.needs("create.required.email", Must, "without email", without("email"))
		s.needs("create.required.email.null", Should, "whose email is null", with("email", nil))
		s.needs("create.required.email.empty", Should, "whose email is empty", with("email", ""))
		s.needs("create.required.address", Must, "without address", without("address"))
		s.needs("create.required.address.null", Should, "whose address is null", with("address", nil))
		s.needs("create.required.address.empty", Should, "whose address is empty", with("address", map[string]any{}))
	})
}

func (s *Suite) needs(id string, level Level, lack string, e edit) {
	spec.Helper()
	field := strings.Split(id, ".")[2]
	rests := spec.Names() // whoever accepts a creation that lacks a field does not require it, whatever its name is
	if !strings.HasSuffix(id, field) {
		rests = s.namesOf(field)
	}
	s.rejects(id, level, RequestTable, "A creation "+lack+" is rejected.", ofField(field), rests, e)
}

// ofField is how a creation that lacks a field is rejected.
func ofField(field string) rejection {
	if field == "shareholder_id" {
		return ofShareholder()
	}
	return ofRequired()
}

// requiredFields lists what a creation cannot do without, by logical name.
func requiredFields() []string {
	return []string{"shareholder_id", "mother_name", "phone_number", "email", "address"}
}

// types: a field of another JSON type than it has is rejected.
func (s *Suite) types() {
	s.Describe("JSON types", func() {
		s.rejects("create.type.mother_name", Must, Errors,
			"A creation whose mother_name has the wrong JSON type is rejected.", ofRequired(),
			s.namesOf("mother_name"), s.otherThanText("mother_name"))
		s.rejects("create.type.phone_number", Must, Errors,
			"A creation whose phone_number has the wrong JSON type is rejected.", ofRequired(),
			s.namesOf("phone_number"), s.otherThanText("phone_number"))
		s.rejects("create.type.email", Must, Errors, "A creation whose email has the wrong JSON type is rejected.",
			ofRequired(), s.namesOf("email"), s.otherThanText("email"))
		s.rejects("create.type.address", Must, Errors, "A creation whose address has the wrong JSON type is rejected.",
			ofRequired(), s.namesOf("address"), raw("address", `"Rua das Palmeiras 1"`), raw("address", "[]"),
			with("address", true))
		s.rejects("create.type.name", Should, Errors, "A creation whose name has the wrong JSON type is rejected.",
			ofValue(), s.namesOf("name"), worded("a name that is a JSON number", "name", representative.Raw("12345")))
	})
}

// otherThanText are values that are not text, a row for each: a number and a boolean, which are easily taken for text,
// and an object or an array.
func (s *Suite) otherThanText(field string) []edit {
	structured := []string{`{"a": 1}`, "[]"}
	_, at := s.t.Cycle()
	return []edit{raw(field, "11987654321"), raw(field, "true"), raw(field, structured[at%len(structured)])}
}
