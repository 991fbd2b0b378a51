package create

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"net/url"
	"slices"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// bodies that are not a creation at all.
func (s *Suite) bodies() {
	const form, xml = "application/x-www-form-urlencoded", "application/xml"
	as := func(contentType string) edit {
		return changed("declared as "+contentType, func(c *target.Creation) { c.ContentType = contentType })
	}
	json := changed("JSON", func(*target.Creation) {})

	s.Describe("the body", func() {
		s.rejects("create.body.not_json", Must, CreateOperation,
			"A body that is not JSON is rejected, and never a server error.", ofRequired(), s.plainWords())
		s.rejects("create.body.truncated", Must, CreateOperation,
			"A JSON body that is cut off is rejected, and never a server error.",
			ofRequired(), s.spoiledBody("half a body", func(b []byte) []byte { return b[:len(b)/2] }),
			s.spoiledBody("a body without its last brace", func(b []byte) []byte { return b[:len(b)-1] }))
		s.rejects("create.body.array", Must, CreateOperation,
			"A JSON array in place of the object is rejected, and never a server error.", ofRequired(),
			s.spoiledBody("an array around the object", func(b []byte) []byte {
				return append(append([]byte("["), b...), ']')
			}))
		s.rejects("create.body.none", Must, CreateOperation,
			"A creation without a body is rejected, and never a server error.",
			ofRequired(), changed("no body", func(c *target.Creation) { c.NoBody = true }))
		s.rejects("create.body.content_type", Should, CreateOperation,
			"A form or XML in place of JSON is rejected, and never a server error.", ofValue(),
			both(s.spoiledBody("a form", asForm), as(form)), both(s.spoiledBody("XML", asXML), as(xml)))
		s.observes("create.observed.json_content_type", CreateOperation,
			"How JSON that is declared as another media type is answered.",
			both(json, as("text/plain")), both(json, as(form)), both(json, as(xml)))
	})
}

func (s *Suite) plainWords() edit {
	return s.spoiledBody("plain words as body", func([]byte) []byte { return []byte("this is not JSON") })
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
	})
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
