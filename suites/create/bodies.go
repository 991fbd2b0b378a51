package create

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/target"
)

// bodies that are not a creation at all, or an unusual one.
func (s *Suite) bodies() {
	const qualification, share = "qualification", "participation_percentage"
	const asForm, asXML = "application/x-www-form-urlencoded", "application/xml"
	as := func(contentType string) edit {
		return changed("declared as "+contentType, func(c *target.Creation) { c.ContentType = contentType })
	}
	behind := func(more string) func([]byte) []byte { return func(b []byte) []byte { return append(b, more...) } }

	s.Describe("the body", func() {
		s.rejects("create.body.not_json", Must, CreateOperation, "A body that is not JSON is rejected, and never a server error.",
			[]edit{
				spoiled("plain words as body", func([]byte) []byte { return []byte("this is not JSON") }),
				s.rewritten(share, "50", func(key string) string { return key + "NaN" }).named("NaN as a number"),
			})
		s.rejects("create.body.trailing", Should, CreateOperation, // many readers stop at the end of the object
			"A body with more behind its JSON object, be it text or a second object, is rejected.",
			[]edit{spoiled("text behind the object", behind(" x")), spoiled("a second object behind the first", behind("{}"))})
		s.rejects("create.body.encoding", Should, CreateOperation, "A body that is not UTF-8 is rejected.", []edit{s.inLatin1()})
		s.rejects("create.body.truncated", Must, CreateOperation,
			"A JSON body that is cut off is rejected, and never a server error.",
			[]edit{
				spoiled("half a body", func(b []byte) []byte { return b[:len(b)/2] }),
				spoiled("a body without its last brace", func(b []byte) []byte { return b[:len(b)-1] }),
			})
		s.rejects("create.body.array", Must, CreateOperation,
			"A JSON array in place of the object is rejected, and never a server error.",
			[]edit{spoiled("an array around the object", func(b []byte) []byte { return slices.Concat([]byte("["), b, []byte("]")) })})
		s.rejects("create.body.none", Must, CreateOperation,
			"A creation without a body, or with null as one, is rejected, and never a server error.",
			[]edit{
				changed("no body", func(c *target.Creation) { c.Body = []byte{} }).expecting(ofRequired()),
				spoiled("null as body", func([]byte) []byte { return []byte("null") }).after("an array around the object"),
			})
		s.rejects("create.body.content_type", Should, CreateOperation,
			"A form or XML in place of JSON is rejected, and never a server error.",
			[]edit{both(spoiled("a form", form), as(asForm)), both(spoiled("XML", markup), as(asXML)).expecting(ofAttack())})
		s.observes("create.observed.json_content_type", CreateOperation,
			"How JSON that is declared as another media type is answered.", as("text/plain"), as(asForm), as(asXML))

		s.rejects("create.value.large_body", Must, Errors,
			"In a body of more than 4 or 64 KiB a missing required parameter is rejected as in a small one.",
			append(s.on(long(5), without("email").after("no email")), s.on(long(65), without("phone_number").after("no phone_number"))...))
		s.rejects("create.value.key_twice", Must, Errors,
			"Where a body gives a key twice, a value that is taken for it is checked as one that is given once.",
			[]edit{
				s.twice(qualification, `"PARTNER"`, `"PARTNERS"`, `"PARTNERS"`), s.twice(qualification, `"PARTNERS"`, `"PARTNER"`, `"PARTNERS"`),
				s.twice(share, "50", "101", "101"), s.twice(share, "101", "50", "101"),
			})
	})
}

// long is a body with a long field that the document does not name.
func long(kib int) edit {
	return with("gateassay_unknown_field", strings.Repeat("x", kib<<10)).named(fmt.Sprintf("an unknown field of %d KiB", kib))
}

// twice gives a field two values, of which one is wrong: it is no matter where the record shows the other, or none.
func (s *Suite) twice(field, first, last, wrong string) edit {
	return s.rewritten(field, first, func(key string) string { return key + first + "," + key + last }).
		named(field + " " + first + " and then " + last).after(field + " " + wrong).expecting(ofValue()).
		unlessFine(func(a target.Answer) bool {
			got, known := read(a).record.Get(representative.ResponsePath(field))
			return a.Success() && (!known || notation(got) != wrong)
		})
}

// rewritten writes a field that has a value in another way, which is made of its key.
func (s *Suite) rewritten(field, value string, as func(key string) string) edit {
	path := s.t.Deployment.LegalRepresentative.Fields[field]
	key := notation(path[strings.LastIndexByte(path, '.')+1:]) + ":"
	return both(with(field, representative.Raw(value)), spoiled("", func(b []byte) []byte {
		return bytes.Replace(b, []byte(key+value), []byte(as(key)), 1)
	})).expecting(ofRequired())
}

// inLatin1 has a name in bytes that are no UTF-8. Whoever reads them as they were meant keeps the name.
func (s *Suite) inLatin1() edit {
	const words = "a name in Latin-1"
	return both(s.nameOf(words, "José"), spoiled("", func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("é"), []byte{0xe9}) })).
		named(words).unlessFine(ifShown("name", func(got any, sent target.Creation) bool { return got == sent.Draft.Get("name") }))
}

// spoiled sends bytes made of the valid body.
func spoiled(name string, spoil func(body []byte) []byte) edit {
	return changed(name, func(c *target.Creation) { c.Spoil = spoil }).expecting(ofRequired())
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
	var elements strings.Builder
	doc, _ := target.Document(body)
	target.Leaves(doc, func(path string, leaf any) {
		fmt.Fprintf(&elements, "<%s>%s</%[1]s>", path, html.EscapeString(fmt.Sprint(leaf)))
	})
	return []byte("<legal_representative>" + elements.String() + "</legal_representative>")
}
