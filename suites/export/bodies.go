package export

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// bodies: what is not a body of an export.
func (s *Suite) bodies() {
	s.Rule("export.body.none", Should, ExportOperation, "An export without a body is rejected.", func() {
		s.reject("no body", func(c target.ExportCall) target.ExportCall { c.NoBody = true; return c })
	})

	s.Rule("export.body.not_json", Should, ExportOperation, "A body that is not JSON is rejected.", func() {
		s.reject("a body of form fields", body("sort=quote_created_at&order=asc"))
		s.reject("a JSON body that is cut off", body(`{"sort": "quote_created_at", "order"`))
	})

	s.Rule("export.body.array", Should, ExportOperation, "A JSON array in place of the object is rejected.", func() {
		s.reject("an array of exports", body(`[{"sort": "quote_created_at"}]`))
	})

	s.Rule("export.body.null", Should, ExportOperation, "A JSON null in place of the object is rejected.", func() {
		s.reject("null as the body", body("null"))
	})

	// A number in place of text is outside of every set.
	s.Rule("export.body.sort", Should, ExportOperation, "A sort outside its two values is rejected.", func() {
		s.reject("sort by id", with("sort", "id"))
		s.reject("sort by a date of another name", with("sort", "expires_at"))
		s.reject("sort that is a number", with("sort", 1))
	})

	s.Rule("export.body.order", Should, ExportOperation, "An order other than asc and desc is rejected.", func() {
		s.reject("order that is neither", with("order", "sideways"))
		s.reject("order that is a number", with("order", 1))
	})

	s.Rule("export.body.filter_type", Should, ExportOperation, "A filter type other than client_id is rejected.", func() {
		text := with("filter_text", s.someClient())
		s.reject("a filter type of another name", both(text, with("filter_type", "amount")))
		s.reject("a filter type that is a number", both(text, with("filter_type", 1)))
	})

	s.Rule("export.body.type_extension", Should, ExportOperation, "A file extension other than CSV is rejected.", func() {
		s.reject("a PDF file", with("type_extension", "PDF"))
		s.reject("a file extension of no format", with("type_extension", "nothing"))
		s.reject("a file extension that is a number", with("type_extension", 1))
	})

	s.Rule("export.body.date_start", Should, ExportOperation, "A start that is not a date-time is rejected.", func() {
		for _, bad := range badDates() {
			s.reject("a start "+bad.what, with("date_start", bad.value))
		}
	})

	s.Rule("export.body.date_end", Should, ExportOperation, "An end that is not a date-time is rejected.", func() {
		for _, bad := range badDates() {
			s.reject("an end "+bad.what, with("date_end", bad.value))
		}
	})
}

type badDate struct {
	what  string
	value any
}

func badDates() []badDate {
	return []badDate{
		{"that is text", "not-a-date"},
		{"on 30 February", "2025-02-30T00:00:00Z"},
		{"in month 13", "2025-13-01T00:00:00Z"},
		{"that is a number", 1735689600},
	}
}
