package create

import (
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/gateway/rules"
)

// required: what a creation cannot do without, left out, null and empty.
func (s *suite) required() []kind {
	var kinds []kind
	for _, field := range rules.RequiredFields() {
		rule := "create.required." + field
		var empty any = ""
		if field == "address" {
			empty = map[string]any{}
		}
		// Left out.
		absent := s.rejects(rule, "absent is rejected", without(field))
		// There, but null.
		null := s.rejects(rule+".null", "null is rejected", with(field, nil))
		// There, but empty.
		blank := s.rejects(rule+".empty", "empty is rejected", with(field, empty))
		if field == "email" {
			kinds = append(kinds, kind{"missing field", "", absent}, kind{"null field", "", null}, kind{"empty field", "", blank})
		}
	}
	return kinds
}

// wrongTypes: a field of another JSON type than it has is rejected.
func (s *suite) wrongTypes() []kind {
	var kinds []kind
	for _, f := range []struct{ field, words, value string }{
		{"mother_name", "an object", `{"a": 1}`},
		{"phone_number", "a boolean", "true"},
		{"email", "an array", "[]"},
		{"address", "a string", `"Rua das Palmeiras 1"`},
		{"name", "a number", "12345"},
	} {
		seen := s.rejects("create.type."+f.field, f.words+" is rejected", with(f.field, representative.Raw(f.value)))
		if f.field == "phone_number" {
			kinds = append(kinds, kind{"wrong type", "", seen})
		}
	}
	return kinds
}

// shareholder: the representative belongs to a shareholder of the caller's own legal person.
func (s *suite) shareholder() []kind {
	const field = "shareholder_id"
	// One that does not exist.
	unknown := s.refuses("create.shareholder.unknown", "a random UUID is refused", freshWith(field))
	// One that belongs to somebody else. Whether it is called unknown or forbidden is open.
	foreign := s.refuses("create.shareholder.foreign", "another legal person's shareholder is refused",
		with(field, s.t.Deployment.Fixtures.ForeignShareholderID))
	// One that is no UUID.
	s.rejects("create.shareholder.malformed", "text that is no UUID is rejected", with(field, "not-a-uuid"))
	return []kind{{"unknown shareholder", "", unknown}, {"foreign shareholder", "fixtures.foreign_shareholder_id", foreign}}
}
