package create

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/wrong"
)

// required: what a creation cannot do without, left out, null and empty. Whoever accepts a creation that lacks a field
// does not require it, whatever its name is.
func (s *Suite) required() {
	s.Describe("required information", func() {
		for _, f := range where(required) {
			id, empty := "create.required."+f.name, any("")
			if f.is == object {
				empty = map[string]any{}
			}
			s.rejects(id, Must, RequestTable, "A creation without "+f.name+" is rejected.", without(f.name).inEveryContext())
			s.rejects(id+".null", Should, RequestTable, "A creation whose "+f.name+" is null is rejected.", with(f.name, nil).inEveryContext())
			s.rejects(id+".empty", Should, RequestTable, "A creation whose "+f.name+" is empty is rejected.", with(f.name, empty).inEveryContext())
		}
	})
}

// types: a field of another JSON type than it has is rejected.
func (s *Suite) types() {
	s.Describe("JSON types", func() {
		for _, field := range []string{"mother_name", "phone_number", "email"} {
			s.rejects("create.type."+field, Must, Errors,
				"A creation whose "+field+" has the wrong JSON type is rejected.",
				raw(field, "11987654321"), raw(field, "true"), raw(field, `{"a": 1}`), raw(field, "[]"))
		}
		s.rejects("create.type.address", Must, Errors, "A creation whose address has the wrong JSON type is rejected.",
			raw("address", `"Rua das Palmeiras 1"`), raw("address", "[]"), with("address", true),
			spelled("address in an array", "address", wrong.Wrapped()[0].Spoil))
		s.rejects("create.type.name", Should, Errors, "A creation whose name has the wrong JSON type is rejected.",
			raw("name", "12345"), raw("name", "true"))
	})
}
