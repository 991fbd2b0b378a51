package export

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareBodyRules declares the rules on invalid bodies. A number in place of text is outside of
// every set of values, and so is an empty text.
func (s *Suite) declareBodyRules() {
	text := setField("filter_text", s.filteredClient())
	s.ruleRejects("export.body.none", Should, "An export without a body is rejected.",
		[]lab.Probe{newProbe("no body", func(r *target.Request) { r.Body = []byte{} })})
	s.ruleRejects("export.body.not_json", Should, "A body that is not JSON is rejected.", []lab.Probe{
		newProbe("a body of form fields", setBody("sort=quote_created_at&order=asc")),
		newProbe("a JSON body that is cut off", setBody(`{"sort": "quote_created_at", "order"`)),
	})
	s.Rule("export.body.charset", Should, SectionExport,
		"JSON is also accepted as application/json; charset=utf-8.", func() {
			s.itAccepts(validProbe("Content-Type application/json; charset=utf-8",
				func(r *target.Request) { r.ContentType = "application/json; charset=utf-8" }))
		})
	s.ruleRejects("export.body.array", Should, "A JSON array in place of the object is rejected.",
		[]lab.Probe{
			newProbe("an array of exports", setBody(`[{"sort": "quote_created_at"}]`)),
			newProbe("an empty array", setBody("[]")),
		})
	s.ruleRejects("export.body.null", Should,
		"A JSON null, or a text or a number, in place of the object is rejected.", []lab.Probe{
			newProbe("null as the body", setBody("null")),
			newProbe("a text as the body", setBody(`"sort"`)).Sampled(spec.EveryOtherSeed(0)),
			newProbe("a number as the body", setBody("7")).Sampled(spec.EveryOtherSeed(1)),
		})
	s.ruleRejects("export.body.sort", Should, "A sort outside its two values is rejected.",
		[]lab.Probe{
			newProbe("a sort that is only the beginning of one", setField("sort", "settled")),
			newProbe("a sort with a trailing space", setField("sort", "settled_date ")),
			newProbe("a sort by another column", setField("sort", "client_id")),
			newProbe("a sort that is an empty text", setField("sort", "")),
			newProbe("sort that is a number", setField("sort", 1)),
		})
	s.ruleRejects("export.body.order", Should, "An order other than asc and desc is rejected.",
		[]lab.Probe{
			newProbe("an order that is only the beginning of asc", setField("order", "as")),
			newProbe("an order that begins with asc, with a trailing space", setField("order", "asc ")),
			newProbe("an empty order", setField("order", "")),
			newProbe("order that is a number", setField("order", 1)),
		})
	s.ruleRejects("export.body.filter_type", Should, "A filter type other than client_id is rejected.",
		[]lab.Probe{
			newProbe("a filter type of another name", text, setField("filter_type", "amount")),
			newProbe("a filter type that is a number", text, setField("filter_type", 1)),
		})
	s.ruleRejects("export.body.type_extension", Should, "A file extension other than CSV is rejected.",
		[]lab.Probe{
			newProbe("a PDF file", setField("type_extension", "PDF")),
			newProbe("a file extension that only begins with CSV", setField("type_extension", "CSVX")),
			newProbe("a file extension that is a number", setField("type_extension", 1)),
		})
	s.ruleRejects("export.body.date_start", Should, "A start that is not a date-time is rejected.",
		withInvalidDates("a start", "date_start", "on 30 February", "2025-02-30T00:00:00Z"))
	s.ruleRejects("export.body.date_end", Should, "An end that is not a date-time is rejected.",
		withInvalidDates("an end", "date_end", "in month 13", "2025-13-01T00:00:00Z"))
}

// withInvalidDates returns exports with invalid date-times. Each bound gets a different
// impossible day, as one parser reads both.
func withInvalidDates(what, field, never, day string) []lab.Probe {
	return append([]lab.Probe{
		newProbe(what+" with text behind it", setField(field, "2025-01-05T00:00:00Z, or so")),
		newProbe(what+" "+never, setField(field, day)),
		newProbe(what+" that is empty", setField(field, "")),
		newProbe(what+" that is a day", setField(field, "2025-01-05")),
		newProbe(what+" that is a number", setField(field, 1735689600)),
	}, withNearDates(what, field)...)
}

// withNearDates returns exports with texts that lenient parsers take for RFC 3339 date-times.
func withNearDates(what, field string) (all []lab.Probe) {
	for _, loose := range [][2]string{
		{"without its offset", "2025-01-05T00:00:00"},
		{"without seconds", "2025-01-05T00:00Z"},
		{"at hour 24", "2025-01-05T24:00:00Z"},
		{"whose offset is hours only", "2025-01-05T00:00:00+03"},
		{"whose offset has no colon", "2025-01-05T00:00:00+0300"},
		{"whose offset is no time", "2025-01-05T00:00:00+99:99"},
		{"with a comma before its fraction", "2025-01-05T00:00:00,5Z"},
		{"as a day of a week", "2025-W02-7T00:00:00Z"},
		{"as a day of the year", "2025-005T00:00:00Z"},
		{"on 29 February of 1900", "1900-02-29T00:00:00Z"},
		{"with blanks around it", " 2025-01-05T00:00:00Z "},
	} {
		all = append(all,
			newProbe(what+" "+loose[0], setField(field, loose[1])).Sampled(spec.ThoroughOnly()))
	}
	return all
}
