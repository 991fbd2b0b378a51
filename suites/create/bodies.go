package create

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// bodies that are not a creation at all, or an unusual one.
func (s *Suite) bodies() {
	const form, xml = "application/x-www-form-urlencoded", "application/xml"
	as := func(contentType string) edit {
		return changed("declared as "+contentType, func(c *target.Creation) { c.ContentType = contentType })
	}
	json := changed("JSON", func(*target.Creation) {})

	s.Describe("the body", func() {
		s.rejects("create.body.not_json", Must, CreateOperation,
			"A body that is not JSON is rejected, and never a server error.",
			s.spoiledBody("plain words as body", func([]byte) []byte { return []byte("this is not JSON") }))
		s.rejects("create.body.truncated", Must, CreateOperation,
			"A JSON body that is cut off is rejected, and never a server error.",
			s.spoiledBody("half a body", func(b []byte) []byte { return b[:len(b)/2] }),
			s.spoiledBody("a body without its last brace", func(b []byte) []byte { return b[:len(b)-1] }))
		s.rejects("create.body.array", Must, CreateOperation,
			"A JSON array in place of the object is rejected, and never a server error.",
			s.spoiledBody("an array around the object", func(b []byte) []byte {
				return append(append([]byte("["), b...), ']')
			}))
		s.rejects("create.body.none", Must, CreateOperation,
			"A creation without a body is rejected, and never a server error.",
			changed("no body", func(c *target.Creation) { c.NoBody = true }).rejected(ofRequired()))
		s.rejects("create.body.content_type", Should, CreateOperation,
			"A form or XML in place of JSON is rejected, and never a server error.",
			both(s.spoiledBody("a form", asForm), as(form)).rejected(ofValue()),
			both(s.spoiledBody("XML", asXML), as(xml)).rejected(ofValue()))
		s.observes("create.observed.json_content_type", CreateOperation,
			"How JSON that is declared as another media type is answered.",
			both(json, as("text/plain")), both(json, as(form)), both(json, as(xml)))
	})
}

// unusualBodies hold what a body of the usual kind holds, and more.
func (s *Suite) unusualBodies() {
	s.Describe("unusual bodies", func() {
		s.rejects("create.value.large_body", Must, Errors,
			"In a body of more than 4 or 64 KiB a missing required parameter is rejected as in a small one.",
			s.on(long(5), without("email").only(s.checking("no email"))),
			s.on(long(65), without("phone_number").only(s.checking("no phone_number"))))
		s.rejects("create.value.key_twice", Should, Errors,
			"Where a body gives a key twice, a value that is taken for it is checked as one that is given once.",
			s.twice("PARTNER", "DIRECTOR"), s.twice("DIRECTOR", "PARTNER"))
	})
}

// long is a body with a long field that the document does not name.
func long(kib int) edit {
	return changed(fmt.Sprintf("an unknown field of %d KiB", kib), func(c *target.Creation) {
		*c = c.With("gateassay_unknown_field", strings.Repeat("x", kib<<10))
	})
}

// twice gives two qualifications, of which one is wrong: it is no matter if the record shows the right one.
func (s *Suite) twice(first, last string) edit {
	e := changed("qualification "+first+" and then "+last, func(c *target.Creation) {
		*c = c.With("qualification", first)
		s.spoiledBody("", func(b []byte) []byte {
			name := s.t.Deployment.LegalRepresentative.Fields["qualification"]
			name = name[strings.LastIndexByte(name, '.')+1:]
			given := []byte(notation(name) + ":" + notation(first))
			return bytes.Replace(b, given, append(append(given, ','), notation(name)+":"+notation(last)...), 1)
		}).apply(c)
	})
	return e.rejected(ofValue()).only(s.checking(`qualification "DIRECTOR"`)).unlessFine(func(a target.Answer) bool {
		found := s.read(a)
		if !a.Success() || found.record == nil {
			return a.Success() // which of them it took does not show
		}
		value, _ := found.record.Get("representor_type")
		return value != "DIRECTOR"
	})
}

// spoiledBody sends bytes made of the valid body.
func (s *Suite) spoiledBody(name string, spoil func(body []byte) []byte) edit {
	return changed(name, func(c *target.Creation) {
		body, err := c.Draft.Body(s.t.Deployment.LegalRepresentative)
		if err != nil {
			panic(fmt.Sprintf("the valid draft cannot be written: %v", err))
		}
		s.t.Client.Redactor().Personal(c.Draft.Personal()...)
		c.Body = spoil(body)
	}).rejected(ofRequired())
}

// asForm writes a JSON object as a form does, with dots in the names of what lies inside other objects.
func asForm(body []byte) []byte {
	form := url.Values{}
	doc, _ := target.Document(body)
	target.Leaves(doc, func(path string, leaf any) { form.Set(path, fmt.Sprint(leaf)) })
	return []byte(form.Encode())
}

// asXML writes a JSON object as XML, an element for each name.
func asXML(body []byte) []byte {
	out := bytes.NewBufferString(xml.Header)
	doc, _ := target.Document(body)
	element(out, "legal_representative", doc)
	return out.Bytes()
}

func element(out *bytes.Buffer, name string, value any) {
	out.WriteString("<" + name + ">")
	if object, ok := value.(map[string]any); ok {
		for _, inner := range slices.Sorted(maps.Keys(object)) {
			element(out, inner, object[inner])
		}
	} else {
		_ = xml.EscapeText(out, []byte(fmt.Sprint(value))) // a buffer takes everything
	}
	out.WriteString("</" + name + ">")
}
