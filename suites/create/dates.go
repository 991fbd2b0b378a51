package create

import (
	"context"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// datesAccepted: days written YYYY-MM-DD, also the one that only leap years have.
func (s *suite) datesAccepted(v variations) {
	s.controlAccepted("create.dates.accepted", "ordinary dates are accepted", "", nil)
	s.accepts("create.dates.accepted", "29 February of a leap year is accepted", v.leapDays)
}

// datesRejected: no date is a day or month that does not exist, another notation, text or a number. The years are common
// ones in which the other dates of the request stay consistent.
func (s *suite) datesRejected() []kind {
	years := map[string]string{
		"birth_date": "1985", "relationship_start_date": "2021", "relationship_end_date": "2035", "registration_update_date": "2023",
	}
	var kinds []kind
	for _, field := range rules.DateFields() {
		rule, year := "create.dates."+field, years[field]
		impossible := s.rejects(rule, "30 February is rejected", with(field, year+"-02-30"))
		s.rejects(rule, "month 13 is rejected", with(field, year+"-13-01"))
		dayFirst := s.rejects(rule, "DD/MM/YYYY is rejected", with(field, "15/03/"+year))
		for _, unlike := range []struct {
			name, value string
			alike       *plan.Observation[target.Answer]
		}{
			{"29 February of a common year", year + "-02-29", impossible},
			{"31 April", year + "-04-31", impossible},
			{"day 32", year + "-03-32", impossible},
			{"day 00", year + "-03-00", impossible},
			{"month 00", year + "-00-15", impossible},
			{"MM/DD/YYYY", "03/15/" + year, dayFirst},
		} {
			s.rejectsAfter(unlike.alike, rule, unlike.name+" is rejected", with(field, unlike.value))
		}
		s.rejects(rule, "YYYY/MM/DD is rejected", with(field, year+"/03/15"))
		s.rejects(rule, "YYYYMMDD is rejected", with(field, year+"0315"))
		s.rejects(rule, "a month and a day of one digit are rejected", with(field, year+"-3-5"))
		s.rejects(rule, "text is rejected", with(field, "not a date"))
		s.rejectsType(rule, "a number is rejected", field, "number", with(field, representative.Raw(strings.ReplaceAll(year+"-03-15", "-", ""))))
		if field == "birth_date" {
			kinds = append(kinds, kind{"impossible date", "", impossible})
		}
	}
	return kinds
}

// rejectsAfter is rejects for a defect that is sent only where one like it was rejected. Once a rule is seen to be broken,
// more of the same would only make representatives, of which a run may make few.
func (s *suite) rejectsAfter(alike *plan.Observation[target.Answer], rule, name string, edit change) {
	what := label(rule, name)
	s.rejected(rule, name, plan.Observe(s.p, what, func(ctx context.Context) (target.Answer, error) {
		a, err := alike.Get(ctx)
		switch {
		case err != nil:
			return target.Answer{}, err
		case a.Success():
			return target.Answer{}, plan.Unmet("", "not sent, since a value with a defect alike was accepted")
		}
		return s.c.Creations(ctx, target.AboutField, labelled(what, edit))
	}))
}
