package create

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/target"
)

// withCharset declares JSON with a charset, which changes no media type (RFC 9110, section 8.3.1).
func withCharset() lab.Probe {
	return newProbe("Content-Type application/json; charset=utf-8",
		func(r *target.Request) { r.ContentType = "application/json; charset=utf-8" })
}

// declareBodyRules declares the rules on bodies that are no creation, or an unusual one.
func (s *Suite) declareBodyRules() {
	const qualification, share = "qualification", "participation_percentage"
	const asForm, asXML = "application/x-www-form-urlencoded", "application/xml"
	as := func(contentType string) lab.Probe {
		return newProbe("declared as "+contentType,
			func(r *target.Request) { r.ContentType = contentType })
	}

	s.Describe("the body", func() {
		s.lab.RuleRejects("create.body.not_json", Must, SectionCreate,
			"A body that is not JSON is rejected, and never with a server error.",
			[]lab.Probe{
				withCorruptedBody("plain words as body",
					func([]byte) []byte { return []byte("this is not JSON") },
				),
				s.withRewrittenField(share, "50", "%sNaN").As("NaN as a number"),
			})
		// many readers stop at the end of the object
		s.lab.RuleRejects("create.body.trailing", Should, SectionCreate,
			"A body with text or a second object after its JSON object is rejected.",
			[]lab.Probe{
				withCorruptedBody("text after the object",
					func(b []byte) []byte { return append(b, " x"...) }),
				withCorruptedBody("a second object after the first",
					func(b []byte) []byte { return append(b, "{}"...) }),
			})
		s.lab.RuleRejects("create.body.encoding", Should, SectionCreate,
			"A body that is not UTF-8 is rejected.", []lab.Probe{s.withLatin1Name()})
		s.lab.RuleRejects("create.body.truncated", Must, SectionCreate,
			"A JSON body that is cut off is rejected, and never with a server error.",
			[]lab.Probe{
				withCorruptedBody("half a body", func(b []byte) []byte { return b[:len(b)/2] }),
				withCorruptedBody("a body without its last brace",
					func(b []byte) []byte { return b[:len(b)-1] },
				),
			})
		s.lab.RuleRejects("create.body.array", Must, SectionCreate,
			"A JSON array in place of the object is rejected, and never with a server error.",
			[]lab.Probe{withCorruptedBody("an array around the object",
				func(b []byte) []byte { return slices.Concat([]byte("["), b, []byte("]")) })})
		s.lab.RuleRejects("create.body.none", Must, SectionCreate,
			"A creation without a body, or with null as its body, is rejected, and never with a "+
				"server error.",
			[]lab.Probe{
				newProbe("no body", func(r *target.Request) { r.Body = []byte{} }).
					Expecting(requiredRejected),
				withCorruptedBody("null as body", func([]byte) []byte { return []byte("null") }).
					AfterRejectionOf("an array around the object"),
			})
		s.lab.RuleRejects("create.body.content_type", Should, SectionCreate,
			"A form or XML in place of JSON is rejected, and never with a server error.",
			[]lab.Probe{
				lab.CombineProbes(withCorruptedBody("a form", formEncode), as(asForm)),
				lab.CombineProbes(withCorruptedBody("XML", xmlEncode), as(asXML)).
					Expecting(attackRejected),
			})
		s.Rule("create.body.charset", Should, SectionCreate,
			"JSON is also accepted as application/json; charset=utf-8.",
			func() { s.itAccepts(withCharset()) })
		s.ruleObservesProbes("create.observed.json_content_type", SectionCreate,
			"How JSON declared as another media type is answered.", as("text/plain"), as(asForm),
			as(asXML))

		s.lab.RuleRejects("create.value.large_body", Must, SectionErrors,
			"In a body of more than 4 or 64 KiB a missing required parameter is rejected, as in "+
				"a small one.",
			append(s.withDefects(withLongBody(5), withoutField("email").AfterRejectionOf("no email")),
				s.withDefects(withLongBody(65),
					withoutField("phone_number").AfterRejectionOf("no phone_number"))...))
		s.lab.RuleRejects("create.value.key_twice", Must, SectionErrors,
			"Where a body gives a key twice, the value that is used is checked like one that is "+
				"given once.",
			[]lab.Probe{
				s.withDuplicateKey(qualification, `"PARTNER"`, `"PARTNERS"`, `"PARTNERS"`),
				s.withDuplicateKey(qualification, `"PARTNERS"`, `"PARTNER"`, `"PARTNERS"`),
				s.withDuplicateKey(share, "50", "101", "101"), s.withDuplicateKey(share, "101", "50", "101"),
			})
	})
}

// withLongBody returns a creation whose body begins with blanks between two tokens of its JSON.
func withLongBody(kib int) lab.Probe {
	return lab.CombineProbes(withCorruptedBody("", func(b []byte) []byte {
		return slices.Insert(b, 1, bytes.Repeat([]byte(" "), kib<<10)...)
	})).As(fmt.Sprintf("%d KiB of blanks in the body", kib))
}

// withDuplicateKey sends a field twice. It may be accepted unless the record shows the wrong value.
func (s *Suite) withDuplicateKey(field, first, last, wrong string) lab.Probe {
	p := s.withRewrittenField(field, first, "%[1]s"+first+",%[1]s"+last).
		As(field + " " + first + " and then " + last).AfterRejectionOf(field + " " + wrong).
		Expecting(lab.Expectation{})
	p.Tolerated = func(a target.Answer) bool {
		got, known := newAcceptedCreation(a).record.Get(representative.ResponsePath(field))
		return a.IsSuccess() && (!known || jsonNotation(got) != wrong)
	}
	p.Tolerable = func(target.Answer) reproscript.Expectation {
		sign := fieldInRecord(field, regexp.QuoteMeta(wrong))
		sign.Not = true
		return sign
	}
	return p
}

// withRewrittenField rewrites a field and its value as form, where %s stands for the field's key.
func (s *Suite) withRewrittenField(field, value, form string) lab.Probe {
	path := s.target.Deployment.LegalRepresentative.Fields[field]
	key := jsonNotation(path[strings.LastIndexByte(path, '.')+1:]) + ":"
	return lab.CombineProbes(withField(field, representative.RawJSON(value)),
		withCorruptedBody("", func(b []byte) []byte {
			return bytes.Replace(b, []byte(key+value), fmt.Appendf(nil, form, key), 1)
		})).Expecting(requiredRejected)
}

// withLatin1Name sends a name in Latin-1. It may be accepted where the name comes back.
func (s *Suite) withLatin1Name() lab.Probe {
	const words = "a name in Latin-1"
	p := lab.CombineProbes(s.withName(words, "José"), withCorruptedBody("",
		func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("é"), []byte{0xe9}) })).As(words)
	return toleratedIfShown(p, "name", func(a target.Answer) any { return a.Sent.Draft.Get("name") })
}

// withCorruptedBody sends a corrupted copy of the valid body.
func withCorruptedBody(what string, spoil func(body []byte) []byte) lab.Probe {
	return newProbe(what, func(r *target.Request) { r.CorruptBody = spoil }).
		Expecting(requiredRejected)
}

// formEncode encodes a JSON object as a form. Names of nested values contain dots.
func formEncode(body []byte) []byte {
	values := url.Values{}
	doc, _ := answers.ParseJSON(body)
	answers.WalkLeaves(doc, func(path string, leaf any) { values.Set(path, fmt.Sprint(leaf)) })
	return []byte(values.Encode())
}

// xmlEncode encodes a JSON object as XML, one element per value.
func xmlEncode(body []byte) []byte {
	var elements strings.Builder
	doc, _ := answers.ParseJSON(body)
	answers.WalkLeaves(doc, func(path string, leaf any) {
		fmt.Fprintf(&elements, "<%s>%s</%[1]s>", path, html.EscapeString(fmt.Sprint(leaf)))
	})
	return []byte("<legal_representative>" + elements.String() + "</legal_representative>")
}
