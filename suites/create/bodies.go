package create

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// bodies that are not a creation at all, or an unusual one.
func (s *Suite) bodies() {
	const asForm, asXML = "application/x-www-form-urlencoded", "application/xml"
	as := func(contentType string) edit {
		return changed("declared as "+contentType, func(c *target.Creation) { c.ContentType = contentType })
	}
	behind := func(more string) func([]byte) []byte { return func(b []byte) []byte { return append(b, more...) } }

	s.Describe("the body", func() {
		s.rejects("create.body.not_json", Must, CreateOperation, "A body that is not JSON is rejected, and never a server error.",
			s.spoiledBody("plain words as body", func([]byte) []byte { return []byte("this is not JSON") }))
		s.rejects("create.body.trailing", Must, CreateOperation,
			"A body with more behind its JSON object, be it text or a second object, is rejected.",
			s.spoiledBody("text behind the object", behind(" x")), s.spoiledBody("a second object behind the first", behind("{}")))
		s.rejects("create.body.encoding", Should, CreateOperation, "A body that is not UTF-8 is rejected.", s.inLatin1())
		s.rejects("create.body.truncated", Must, CreateOperation,
			"A JSON body that is cut off is rejected, and never a server error.",
			s.spoiledBody("half a body", func(b []byte) []byte { return b[:len(b)/2] }),
			s.spoiledBody("a body without its last brace", func(b []byte) []byte { return b[:len(b)-1] }))
		s.rejects("create.body.array", Must, CreateOperation,
			"A JSON array in place of the object is rejected, and never a server error.",
			s.spoiledBody("an array around the object", func(b []byte) []byte { return append(append([]byte("["), b...), ']') }))
		s.rejects("create.body.none", Must, CreateOperation,
			"A creation without a body, or with null as one, is rejected, and never a server error.",
			changed("no body", func(c *target.Creation) { c.NoBody = true }).rejected(ofRequired()),
			s.unless("an array around the object", s.spoiledBody("null as body", func([]byte) []byte { return []byte("null") })))
		s.rejects("create.body.content_type", Should, CreateOperation,
			"A form or XML in place of JSON is rejected, and never a server error.",
			both(s.spoiledBody("a form", form), as(asForm)).rejected(ofValue()),
			both(s.spoiledBody("XML", markup), as(asXML)).rejected(ofValue()))
		s.observes("create.observed.json_content_type", CreateOperation,
			"How JSON that is declared as another media type is answered.", as("text/plain"), as(asForm), as(asXML))

		s.rejects("create.value.large_body", Must, Errors,
			"In a body of more than 4 or 64 KiB a missing required parameter is rejected as in a small one.",
			s.on(long(5), s.unless("no email", without("email"))), s.on(long(65), s.unless("no phone_number", without("phone_number"))))
		const qualification, share = "qualification", "participation_percentage"
		s.rejects("create.value.key_twice", Must, Errors,
			"Where a body gives a key twice, a value that is taken for it is checked as one that is given once.",
			s.twice(qualification, `"PARTNER"`, `"PARTNERS"`, `"PARTNERS"`), s.twice(qualification, `"PARTNERS"`, `"PARTNER"`, `"PARTNERS"`),
			s.twice(share, "50", "101", "101"), s.twice(share, "101", "50", "101"))
	})
}

// long is a body with a long field that the document does not name.
func long(kib int) edit {
	return changed(fmt.Sprintf("an unknown field of %d KiB", kib), func(c *target.Creation) {
		*c = c.With("gateassay_unknown_field", strings.Repeat("x", kib<<10))
	})
}

// twice gives a field two values, of which one is wrong: it is no matter where the record shows the other, or none.
func (s *Suite) twice(field, first, last, wrong string) edit {
	e := changed(field+" "+first+" and then "+last, func(c *target.Creation) {
		*c = c.With(field, representative.Raw(first))
		s.spoiledBody("", func(b []byte) []byte {
			path := s.t.Deployment.LegalRepresentative.Fields[field]
			key := notation(path[strings.LastIndexByte(path, '.')+1:]) + ":"
			return bytes.Replace(b, []byte(key+first), []byte(key+first+","+key+last), 1)
		}).apply(c)
	})
	return s.unless(field+" "+wrong, e).rejected(ofValue()).unlessFine(func(a target.Answer) bool {
		found := read(a)
		if !a.Success() || found.record == nil {
			return a.Success()
		}
		got, _ := found.record.Get(representative.ResponsePath(field))
		return notation(got) != wrong
	})
}

// inLatin1 has a name in bytes that are no UTF-8. Whoever reads them as they were meant keeps the name.
func (s *Suite) inLatin1() edit {
	name := s.nameOf("a name in Latin-1", "José")
	return both(name, s.spoiledBody("", func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("é"), []byte{0xe9}) })).
		named(name.name).rejected(ofValue()).
		unlessFine(ifShown("name", func(got any, sent target.Creation) bool { return got == sent.Draft.Get("name") }))
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

// form writes a JSON object as a form does, with dots in the names of what lies inside other objects.
func form(body []byte) []byte {
	values := url.Values{}
	doc, _ := target.Document(body)
	target.Leaves(doc, func(path string, leaf any) { values.Set(path, fmt.Sprint(leaf)) })
	return []byte(values.Encode())
}

// markup writes a JSON object as XML, an element for each name.
func markup(body []byte) []byte {
	out := bytes.NewBufferString(xml.Header + "<legal_representative>")
	doc, _ := target.Document(body)
	target.Leaves(doc, func(path string, leaf any) {
		_, _ = fmt.Fprintf(out, "<%s>", path)
		_ = xml.EscapeText(out, []byte(fmt.Sprint(leaf))) // a buffer takes everything
		_, _ = fmt.Fprintf(out, "</%s>", path)
	})
	return append(out.Bytes(), "</legal_representative>"...)
}
