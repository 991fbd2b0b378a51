package export

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// bodies: what is not a body of an export. A number in place of text is outside of every set.
func (s *Suite) bodies() {
	text := with("filter_text", s.someClient())
	s.rejects("export.body.none", Should, ExportOperation, "An export without a body is rejected.",
		edits{{"no body", changed(func(c *target.ExportCall) { c.NoBody = true })}})
	s.rejects("export.body.not_json", Should, ExportOperation, "A body that is not JSON is rejected.", edits{
		{"a body of form fields", body("sort=quote_created_at&order=asc")},
		{"a JSON body that is cut off", body(`{"sort": "quote_created_at", "order"`)},
	})
	s.rejects("export.body.array", Should, ExportOperation, "A JSON array in place of the object is rejected.",
		edits{{"an array of exports", body(`[{"sort": "quote_created_at"}]`)}})
	s.rejects("export.body.null", Should, ExportOperation, "A JSON null in place of the object is rejected.",
		edits{{"null as the body", body("null")}})
	s.rejects("export.body.sort", Should, ExportOperation, "A sort outside its two values is rejected.", edits{
		{"sort by id", with("sort", "id")},
		{"sort by a date of another name", with("sort", "expires_at")},
		{"sort that is a number", with("sort", 1)},
	})
	s.rejects("export.body.order", Should, ExportOperation, "An order other than asc and desc is rejected.", edits{
		{"order that is neither", with("order", "sideways")},
		{"order that is a number", with("order", 1)},
	})
	s.rejects("export.body.filter_type", Should, ExportOperation, "A filter type other than client_id is rejected.", edits{
		{"a filter type of another name", both(text, with("filter_type", "amount"))},
		{"a filter type that is a number", both(text, with("filter_type", 1))},
	})
	s.rejects("export.body.type_extension", Should, ExportOperation, "A file extension other than CSV is rejected.", edits{
		{"a PDF file", with("type_extension", "PDF")},
		{"a file extension of no format", with("type_extension", "nothing")},
		{"a file extension that is a number", with("type_extension", 1)},
	})
	s.rejects("export.body.date_start", Should, ExportOperation, "A start that is not a date-time is rejected.",
		badDates("a start", "date_start"))
	s.rejects("export.body.date_end", Should, ExportOperation, "An end that is not a date-time is rejected.",
		badDates("an end", "date_end"))
}

func badDates(what, field string) edits {
	return edits{
		{what + " that is text", with(field, "not-a-date")},
		{what + " on 30 February", with(field, "2025-02-30T00:00:00Z")},
		{what + " in month 13", with(field, "2025-13-01T00:00:00Z")},
		{what + " that is a number", with(field, 1735689600)},
	}
}
