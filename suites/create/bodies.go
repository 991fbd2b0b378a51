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
	"github.com/gateassay/gateassay/suites/lab"
	"github.com/gateassay/gateassay/suites/target"
)

// bodies that are not a creation at all, or an unusual one.
func (s *Suite) bodies() {
	const qualification, share = "qualification", "participation_percentage"
	const asForm, asXML = "application/x-www-form-urlencoded", "application/xml"
	as := func(contentType string) lab.Probe {
		return probe("declared as "+contentType, func(r *target.Request) { r.ContentType = contentType })
	}

	s.Describe("the body", func() {
		s.lab.RuleRejects("create.body.not_json", Must, CreateOperation, "A body that is not JSON is rejected, and never a server error.",
			[]lab.Probe{
				spoiled("plain words as body", func([]byte) []byte { return []byte("this is not JSON") }),
				named("NaN as a number", s.rewritten(share, "50", "%sNaN")),
			})
		s.lab.RuleRejects("create.body.trailing", Should, CreateOperation, // many readers stop at the end of the object
			"A body with more behind its JSON object, be it text or a second object, is rejected.",
			[]lab.Probe{spoiled("text behind the object", func(b []byte) []byte { return append(b, " x"...) }),
				spoiled("a second object behind the first", func(b []byte) []byte { return append(b, "{}"...) })})
		s.lab.RuleRejects("create.body.encoding", Should, CreateOperation, "A body that is not UTF-8 is rejected.", []lab.Probe{s.inLatin1()})
		s.lab.RuleRejects("create.body.truncated", Must, CreateOperation,
			"A JSON body that is cut off is rejected, and never a server error.",
			[]lab.Probe{
				spoiled("half a body", func(b []byte) []byte { return b[:len(b)/2] }),
				spoiled("a body without its last brace", func(b []byte) []byte { return b[:len(b)-1] }),
			})
		s.lab.RuleRejects("create.body.array", Must, CreateOperation,
			"A JSON array in place of the object is rejected, and never a server error.",
			[]lab.Probe{spoiled("an array around the object", func(b []byte) []byte { return slices.Concat([]byte("["), b, []byte("]")) })})
		s.lab.RuleRejects("create.body.none", Must, CreateOperation,
			"A creation without a body, or with null as one, is rejected, and never a server error.",
			[]lab.Probe{
				expecting(ofRequired(), probe("no body", func(r *target.Request) { r.Body = []byte{} })),
				unless("an array around the object", spoiled("null as body", func([]byte) []byte { return []byte("null") })),
			})
		s.lab.RuleRejects("create.body.content_type", Should, CreateOperation,
			"A form or XML in place of JSON is rejected, and never a server error.",
			[]lab.Probe{both(spoiled("a form", form), as(asForm)), expecting(ofAttack(), both(spoiled("XML", markup), as(asXML)))})
		s.observes("create.observed.json_content_type", CreateOperation,
			"How JSON that is declared as another media type is answered.", as("text/plain"), as(asForm), as(asXML))

		s.lab.RuleRejects("create.value.large_body", Must, Errors,
			"In a body of more than 4 or 64 KiB a missing required parameter is rejected as in a small one.",
			append(s.on(long(5), unless("no email", without("email"))), s.on(long(65), unless("no phone_number", without("phone_number")))...))
		s.lab.RuleRejects("create.value.key_twice", Must, Errors,
			"Where a body gives a key twice, a value that is taken for it is checked as one that is given once.",
			[]lab.Probe{
				s.twice(qualification, `"PARTNER"`, `"PARTNERS"`, `"PARTNERS"`), s.twice(qualification, `"PARTNERS"`, `"PARTNER"`, `"PARTNERS"`),
				s.twice(share, "50", "101", "101"), s.twice(share, "101", "50", "101"),
			})
	})
}

// long is a body with a long field that the document does not name.
func long(kib int) lab.Probe {
	return named(fmt.Sprintf("an unknown field of %d KiB", kib), with("gateassay_unknown_field", strings.Repeat("x", kib<<10)))
}

// twice gives a field two values, of which one is wrong: it is no matter where the record shows the other, or none.
func (s *Suite) twice(field, first, last, wrong string) lab.Probe {
	p := named(field+" "+first+" and then "+last, s.rewritten(field, first, "%[1]s"+first+",%[1]s"+last))
	p.RequiresRejectionOf, p.Expectation = field+" "+wrong, lab.Expectation{}
	p.Tolerated = func(a target.Answer) bool {
		got, known := read(a).record.Get(representative.ResponsePath(field))
		return a.Success() && (!known || notation(got) != wrong)
	}
	return p
}

// rewritten writes a field that has a value in another way, in which %s stands for its key.
func (s *Suite) rewritten(field, value, form string) lab.Probe {
	path := s.t.Deployment.LegalRepresentative.Fields[field]
	key := notation(path[strings.LastIndexByte(path, '.')+1:]) + ":"
	return expecting(ofRequired(), both(with(field, representative.Raw(value)), spoiled("", func(b []byte) []byte {
		return bytes.Replace(b, []byte(key+value), fmt.Appendf(nil, form, key), 1)
	})))
}

// inLatin1 has a name in bytes that are no UTF-8. Whoever reads them as they were meant keeps the name.
func (s *Suite) inLatin1() lab.Probe {
	const words = "a name in Latin-1"
	bytesOf := spoiled("", func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("é"), []byte{0xe9}) })
	return unlessShown("name", func(got any, sent target.Request) bool { return got == sent.Draft.Get("name") },
		named(words, both(s.nameOf(words, "José"), bytesOf)))
}

// spoiled sends bytes made of the valid body.
func spoiled(what string, spoil func(body []byte) []byte) lab.Probe {
	return expecting(ofRequired(), probe(what, func(r *target.Request) { r.CorruptBody = spoil }))
}

// form writes a JSON object as a form does, with dots in the names of what lies inside other objects.
func form(body []byte) []byte {
	values := url.Values{}
	doc, _ := target.ParseJSON(body)
	target.WalkLeaves(doc, func(path string, leaf any) { values.Set(path, fmt.Sprint(leaf)) })
	return []byte(values.Encode())
}

// markup writes a JSON object as XML, an element for each name.
func markup(body []byte) []byte {
	var elements strings.Builder
	doc, _ := target.ParseJSON(body)
	target.WalkLeaves(doc, func(path string, leaf any) {
		fmt.Fprintf(&elements, "<%s>%s</%[1]s>", path, html.EscapeString(fmt.Sprint(leaf)))
	})
	return []byte("<legal_representative>" + elements.String() + "</legal_representative>")
}
