package create

import (
	"fmt"

	"github.com/gateassay/gateassay/suites/target"
)

// bodies that are no creation at all: rejected, and never a server error.
func (s *suite) bodies() []kind {
	// raw sends bytes made of the valid body.
	raw := func(spoil func(body []byte) []byte) change {
		return func(valid target.Creation) target.Creation {
			body, err := valid.Draft.Body(s.t.Deployment.LegalRepresentative)
			if err != nil {
				panic(fmt.Sprintf("the valid draft cannot be written: %v", err))
			}
			s.t.Client.Redactor().Personal(valid.Draft.Personal()...)
			valid.Body = spoil(body)
			return valid
		}
	}
	// Not JSON.
	text := s.rejects("create.body.not_json", "plain words are rejected", raw(func([]byte) []byte { return []byte("this is no JSON") }))
	// JSON that is cut off, in the middle or before its last brace.
	s.rejects("create.body.truncated", "half a body is rejected", raw(func(b []byte) []byte { return b[:len(b)/2] }))
	s.rejects("create.body.truncated", "a body without its last brace is rejected", raw(func(b []byte) []byte { return b[:len(b)-1] }))
	// An array, even one that holds a creation.
	s.rejects("create.body.array", "an array around the object is rejected", raw(func(b []byte) []byte {
		return append(append([]byte("["), b...), ']')
	}))
	// Nothing.
	s.rejects("create.body.none", "no body is rejected", func(valid target.Creation) target.Creation {
		valid.NoBody = true
		return valid
	})
	// Another type than JSON: the valid body declared as one, and what it says in the form of that type.
	declared := func(contentType string, edit change) change {
		return func(valid target.Creation) target.Creation {
			valid = edit(valid)
			valid.ContentType = contentType
			return valid
		}
	}
	const rule, form, xml = "create.body.content_type", "application/x-www-form-urlencoded", "application/xml"
	asItIs := func(valid target.Creation) target.Creation { return valid }
	plain := s.rejects(rule, "text/plain is rejected", declared("text/plain", asItIs))
	s.rejects(rule, "JSON declared as a form is rejected", declared(form, asItIs))
	s.rejects(rule, "JSON declared as XML is rejected", declared(xml, asItIs))
	s.rejects(rule, "a form is rejected", declared(form, raw(asForm)))
	s.rejects(rule, "XML is rejected", declared(xml, raw(asXML)))
	return []kind{{"not JSON", "", text}, {"other content type", "", plain}}
}
