package create

import (
	"fmt"
	"math/big"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/target"
	"github.com/gateassay/gateassay/suites/wrong"
)

// each is the edits of values that a class has for every field.
func (s *Suite) each(values []wrong.Value) func(field) []edit {
	return func(f field) (edits []edit) {
		for _, v := range values {
			e := s.spoilt(f, v)
			if worse(f) != "" {
				e = s.unless(worse(f), e)
			}
			edits = append(edits, e)
		}
		return edits
	}
}

// spoilt is a field with a wrong value. Where it can be undone, the record may show what a valid creation would have: the
// value before it was spoilt.
func (s *Suite) spoilt(f field, v wrong.Value) edit {
	e := spelled(f.Name+" "+v.Words, f.Name, v.Spoil)
	if v.Undone {
		e = e.unlessFine(ifShown(f.Name, func(got any, sent target.Creation) bool { return got == sent.Plain(f.Name) }))
	}
	return e
}

// written is the edits that give a field values as they are written.
func written(values ...string) func(field) []edit {
	return func(f field) []edit { return raws(f.Name, values...) }
}

// sentAsOther is written for a field that may be sent as a JSON type by the deployment file.
func (s *Suite) sentAsOther(jsonType string, values ...string) func(field) []edit {
	return func(f field) (edits []edit) {
		for _, e := range raws(f.Name, values...) {
			edits = append(edits, s.unlessSentAs(jsonType, e))
		}
		return edits
	}
}

// year is a common one, in which the other dates of the request stay consistent.
func year(f field) string {
	return map[string]string{
		"birth_date": "1985", "relationship_start_date": "2021", "relationship_end_date": "2035", "registration_update_date": "2023",
	}[f.Name]
}

// impossible: one parser reads all dates, so what is sent in every context, and a day or a month of zero, is for some of
// them to carry.
func (s *Suite) impossible(f field) []edit {
	on := func(words, date string) edit { return worded(f.Name+" "+words, f.Name, year(f)+date) } // a birth date is personal
	day, zero := on("on 30 February", "-02-30"), on("on day 0", "-03-00")
	if f.Name == "birth_date" {
		day = day.inEveryContext()
	}
	if f.Name == "relationship_start_date" || f.Name == "registration_update_date" {
		zero = on("in month 0", "-00-15")
	}
	edits := []edit{day}
	for _, e := range []edit{
		on("on 29 February of a common year", "-02-29"), on("on 31 April", "-04-31"), on("in month 13", "-13-01"),
		on("on 32 March", "-03-32"), zero,
	} {
		edits = append(edits, s.unless(day.name, e))
	}
	return append(edits, worded(f.Name+" that is text", f.Name, "not a date"))
}

// cpf is a way to spell 11 digits, by what it comes to.
type cpf struct {
	words string
	spell func(digits string) any
}

// cpfs is the edits that spell a CPF, the first of them in every context or none.
func (s *Suite) cpfs(everywhere bool, all ...cpf) func(field) []edit {
	return func(f field) []edit {
		edits := make([]edit, len(all))
		for i, c := range all {
			edits[i] = spelled(c.words, f.Name, func(any) any { return c.spell(s.newCPF(false)) })
			edits[i].everywhere = everywhere && i == 0
		}
		return edits
	}
}

// inRange excuses an acceptance where the record shows a participation that nothing is wrong with: its decimals were cut,
// which are not said to be kept.
func inRange() func(target.Answer) bool {
	return ifShown("participation_percentage", func(got any, _ target.Creation) bool {
		share, ok := representative.ExactNumber(fmt.Sprint(got))
		return ok && share.Sign() >= 0 && share.Cmp(big.NewRat(100, 1)) <= 0
	})
}
