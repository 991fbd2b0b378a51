package create

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

// dates: the years are common ones in which the other dates of the request stay consistent.
func (s *Suite) dates() {
	Describe("dates", func() {
		s.Rule("create.dates.accepted", Must, RecordTable,
			"Dates written YYYY-MM-DD are accepted, 29 February of a leap year among them.", func() {
				s.accepted(types.NewCodeLocation(0), "accepts ordinary dates", s.c.Creation)
				s.accepted(types.NewCodeLocation(0), "accepts 29 February of a leap year", s.vary(target.AboutField, leapDays()))
			})
		s.impossible("create.dates.birth_date", "1985")
		s.notation("create.dates.birth_date.notation", "1985")
		s.impossible("create.dates.relationship_start_date", "2021")
		s.notation("create.dates.relationship_start_date.notation", "2021")
		s.impossible("create.dates.relationship_end_date", "2035")
		s.notation("create.dates.relationship_end_date.notation", "2035")
		s.impossible("create.dates.registration_update_date", "2023")
		s.notation("create.dates.registration_update_date.notation", "2023")
		s.observes("create.observed.date_notation", RequestTable,
			"What a date without dashes, or with parts of one digit, gets.",
			with("registration_update_date", "20230315"), with("registration_update_date", "2023-3-5"))
		s.observes("create.observed.datetime_for_date", RecordTable, "What a date-time gets where a date is due.",
			with("registration_update_date", "2023-03-15T00:00:00Z"))
		s.observes("create.observed.end_before_start", RequestTable, "What a relationship that ends before it starts gets.",
			all("an end a year before the start", map[string]any{
				"relationship_start_date": "2021-06-01", "relationship_end_date": "2020-06-01",
			}))
		s.observes("create.observed.future_birth", RequestTable, "What a birth date in the future gets.", with("birth_date",
			"2100-01-01"))
	})
}

func (s *Suite) impossible(id, year string) {
	field := strings.TrimPrefix(id, "create.dates.")
	day := with(field, year+"-02-30")
	refused := s.send(target.AboutField, day)
	alike := func(date string) edit { return unless(refused, with(field, year+date)) }
	s.rejects(id, Must, RequestTable, "For "+field+" a day or month that does not exist, and text, are rejected.",
		ofValue(), namesOf(field),
		day, with(field, year+"-13-01"), alike("-02-29"), alike("-04-31"), alike("-03-32"), alike("-03-00"), alike("-00-15"),
		with(field, "not a date"))
}

func (s *Suite) notation(id, year string) {
	field := strings.TrimSuffix(strings.TrimPrefix(id, "create.dates."), ".notation")
	dayFirst := with(field, "15/03/"+year)
	s.rejects(id, Should, RequestTable, "For "+field+" another notation than YYYY-MM-DD, and a number, are rejected.",
		ofValue(), namesOf(field),
		dayFirst, unless(s.send(target.AboutField, dayFirst), with(field, "03/15/"+year)), with(field, year+"/03/15"),
		s.typed(field, "number", year+"0315"))
}
