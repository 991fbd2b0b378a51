package export

import (
	"github.com/gateassay/gateassay/suites/target"
)

func body(text string) build {
	return func(c target.ExportCall) target.ExportCall { c.Body = []byte(text); return c }
}

// bodies: what is no body of an export.
func (s *suite) bodies() {
	// An export has a body.
	s.reject("export.body.none", "no body", "no body", func(c target.ExportCall) target.ExportCall { c.NoBody = true; return c })
	// The body is JSON.
	s.reject("export.body.not_json", "not JSON", "a body of form fields", body("sort=quote_created_at&order=asc"))
	s.reject("export.body.not_json", "not JSON", "a JSON body that is cut off", body(`{"sort": "quote_created_at", "order"`))
	// The body is one object.
	s.reject("export.body.array", "an array", "an array of exports", body(`[{"sort": "quote_created_at"}]`))
	s.values()
	s.dates()
}

// values: fields with a closed set of values. A number in place of text is outside of every set.
func (s *suite) values() {
	// Quotes are sorted by one of two dates.
	s.reject("export.body.sort", "sort", "sort by id", with("sort", "id"))
	s.reject("export.body.sort", "sort", "sort by a date of another name", with("sort", "expires_at"))
	s.reject("export.body.sort", "sort", "sort that is a number", with("sort", 1))
	// The order is asc or desc.
	s.reject("export.body.order", "order", "order that is neither", with("order", "sideways"))
	s.reject("export.body.order", "order", "order that is a number", with("order", 1))
	// There is one filter type.
	text := with("filter_text", s.someClient())
	s.reject("export.body.filter_type", "filter_type", "a filter type of another name", both(text, with("filter_type", "amount")))
	s.reject("export.body.filter_type", "filter_type", "a filter type that is a number", both(text, with("filter_type", 1)))
	// There is one file extension.
	s.reject("export.body.type_extension", "type_extension", "a PDF file", with("type_extension", "PDF"))
	s.reject("export.body.type_extension", "type_extension", "a file extension of no format", with("type_extension", "nothing"))
	s.reject("export.body.type_extension", "type_extension", "a file extension that is a number", with("type_extension", 1))
}

// dates: bounds are date-times.
func (s *suite) dates() {
	for _, bound := range []struct{ rule, field, name string }{
		// The lower bound is a date-time that exists.
		{"export.body.date_start", "date_start", "a start"},
		// So is the upper bound.
		{"export.body.date_end", "date_end", "an end"},
	} {
		for _, bad := range []struct {
			what  string
			value any
		}{
			{"that is text", "not-a-date"},
			{"on 30 February", "2025-02-30T00:00:00Z"},
			{"in month 13", "2025-13-01T00:00:00Z"},
			{"that is a number", 1735689600},
		} {
			s.reject(bound.rule, bound.field, bound.name+" "+bad.what, with(bound.field, bad.value))
		}
	}
}
