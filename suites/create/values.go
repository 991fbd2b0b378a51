package create

import (
	"encoding/json"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// money: the largest amount is judged by its echo, where it is accepted.
func (s *Suite) money() {
	s.Describe("money", func() {
		s.accepts("create.money.income.integer", Must, Limits, "Whole cents, including 0, are accepted as income.",
			cents("income", nothing), cents("income", beyond32))
		s.rejects("create.money.income.fraction", Must, Limits, "A fraction of a cent is rejected as income.",
			ofValue(), s.namesOf("income"), cents("income", "1000.5"), cents("income", "1000.000001"))
		s.rejects("create.money.income.string", Should, Errors, "A string or a boolean is rejected as income.",
			ofValue(), s.namesOf("income"), s.typed("income", "string", `"1000"`), s.typed("income", "string", "true"))
		s.accepts("create.money.patrimony.integer", Must, Limits,
			"Whole cents, including 0, are accepted as patrimony.",
			cents("patrimony", nothing), cents("patrimony", beyond32))
		s.rejects("create.money.patrimony.fraction", Must, Limits, "A fraction of a cent is rejected as patrimony.",
			ofValue(), s.namesOf("patrimony"), cents("patrimony", "1000.5"), cents("patrimony", "1000.000001"))
		s.rejects("create.money.patrimony.string", Should, Errors, "A string or a boolean is rejected as patrimony.",
			ofValue(), s.namesOf("patrimony"), s.typed("patrimony", "string", `"1000"`), s.typed("patrimony", "string", "true"))
		s.observes("create.observed.negative_money", Limits, "How negative income and patrimony are answered.",
			with("income", json.Number("-1")), with("patrimony", json.Number("-1")))
	})
}

func (s *Suite) flags() {
	s.Describe("flags", func() {
		s.rejects("create.flags.pep", Should, RequestTable,
			"For pep a string or a number in place of a boolean is rejected.",
			ofValue(), s.namesOf("pep"), s.typed("pep", "string", `"true"`), s.typed("pep", "number", "1"))
		s.rejects("create.flags.is_public_server", Should, RequestTable,
			"For is_public_server a string or a number in place of a boolean is rejected.",
			ofValue(), s.namesOf("is_public_server"),
			s.typed("is_public_server", "string", `"true"`), s.typed("is_public_server", "number", "1"))
	})
}

func (s *Suite) qualification() {
	const field = "qualification"
	s.Describe(field, func() {
		s.Rule("create.qualification.partner", Must, RequestTable, "PARTNER is accepted as qualification.", func() {
			s.accepted("accepts a creation with qualification PARTNER", s.ordinary(qualified("PARTNER"),
				func(c target.Creation) bool { return c.Draft.Get(field) == "PARTNER" }))
			s.partnersAnywhere()
		})
		s.represents("create.qualification.attorney", "ATTORNEY")
		s.represents("create.qualification.administrator", "ADMINISTRATOR")
		s.represents("create.qualification.other", "OTHER")
		s.rejects("create.qualification.unknown", Must, RequestTable, "A qualification outside the four is rejected.",
			ofValue(), s.namesOf(field), unlisted("PARTNERS"), unlisted("PART"), unlisted("DIRECTOR"), raw(field, "7"),
			s.unnamed())
		s.rejects("create.qualification.lower_case", Should, RequestTable,
			"A qualification in lower case, or with a space beside it, is rejected.",
			ofValue(), s.namesOf(field), unlisted("partner"), unlisted(" OTHER"))
		s.observes("create.observed.empty_qualification", RequestTable, "How an empty qualification is answered.",
			unlisted(""))
	})
}

// unnamed is an empty qualification. Whoever reads it as none given shows none, or a default.
func (s *Suite) unnamed() edit {
	e := unlisted("")
	e.plain = true // the request of create.observed.empty_qualification
	e.fine = func(a target.Answer) bool {
		found := s.read(a)
		if !a.Success() || found.record == nil {
			return false
		}
		value, _ := found.record.Get("representor_type")
		return value != ""
	}
	return e
}

func (s *Suite) email() {
	s.Describe("email", func() {
		s.rejects("create.email.at_sign", Should, RequestTable, "An e-mail address without @ is rejected.",
			ofRequired(), s.namesOf("email"), worded("an email without @", "email", "no-at-sign.example.com"))
		s.rejects("create.email.spaces", Should, RequestTable, "An e-mail address with spaces is rejected.",
			ofRequired(), s.namesOf("email"), worded("a space before the @ of the email", "email", "with space@example.com"),
			worded("a space after the @ of the email", "email", "person@exam ple.com"))
	})
}

func (s *Suite) cpf() {
	const field = "document_number"
	s.Describe("CPF", func() {
		s.Rule("create.cpf.digits", Must, RequestTable, "A CPF of 11 digits is accepted.", func() {
			s.accepted("accepts a creation with a CPF of 11 digits", s.blamed(without(field)))
			s.acceptedAnywhere(s.zeroCPF())
		})
		s.rejects("create.cpf.letters", Must, RequestTable, "A CPF with letters is rejected.", ofValue(),
			s.namesOf(field), s.spelledCPF("letters in the CPF", func(d string) any { return "AB" + d[2:] }),
			s.spelledCPF("X for the last digit of the CPF", func(d string) any { return d[:10] + "X" }))
		s.rejects("create.cpf.formatted", Should, RequestTable,
			"A CPF written with dots and a dash, or in digits of another script, is rejected: digits only.",
			ofValue(), s.namesOf(field), s.dottedCPF(), s.spelledCPF("a CPF in Arabic digits", func(d string) any {
				return strings.Map(func(r rune) rune { return r - '0' + '\u0660' }, d)
			}))
		s.rejects("create.cpf.spaces", Should, RequestTable, "A CPF with a space between its digits is rejected.",
			ofValue(),
			s.namesOf(field), s.spelledCPF("a space inside the CPF", func(d string) any { return d[:6] + " " + d[6:] }))
		s.rejects("create.cpf.length", Should, RequestTable, "A CPF of fewer or more than 11 digits is rejected.",
			ofValue(), s.namesOf(field), s.spelledCPF("a CPF of 10 digits", func(d string) any { return d[:10] }),
			s.spelledCPF("a CPF of 14 digits", func(d string) any { return d + "000" }))
		s.rejects("create.cpf.type", Should, Errors, "A CPF given as a JSON number is rejected.", ofValue(),
			s.namesOf(field), s.unlessSentAs("number", field, s.spelledCPF("a CPF that is a JSON number",
				func(d string) any { return representative.Raw(d) })))
		s.observes("create.observed.cpf_outer_spaces", RequestTable,
			"How a CPF with a space before and after it is answered.",
			s.spelledCPF("a space before and after the CPF", func(d string) any { return " " + d + " " }))
		s.observes("create.observed.cpf_check_digits", RequestTable, "How a CPF with wrong check digits is answered.",
			s.spelledCPF("wrong check digits", func(d string) any { return representative.BreakCheckDigits(d) }))
	})
}

// spelledCPF changes the spelling of a valid CPF.
func (s *Suite) spelledCPF(name string, spell func(digits string) any) edit {
	return changed(name, func(c *target.Creation) { *c = c.With("document_number", spell(s.newCPF(false))) })
}

func (s *Suite) dottedCPF() edit {
	return s.spelledCPF("dots and a dash in the CPF",
		func(d string) any { return d[:3] + "." + d[3:6] + "." + d[6:9] + "-" + d[9:] })
}

// dates: the years are common ones in which the other dates of the request stay consistent.
func (s *Suite) dates() {
	s.Describe("dates", func() {
		s.Rule("create.dates.accepted", Must, RecordTable,
			"Dates written YYYY-MM-DD are accepted, including 29 February of a leap year.", func() {
				s.accepted("accepts a creation with ordinary dates", s.c.Creation)
				s.acceptedAnywhere(s.leapDays())
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
			"How a date without dashes, or with parts of one digit, is answered.",
			with("registration_update_date", "20230315"), with("registration_update_date", "2023-3-5"))
		s.observes("create.observed.datetime_for_date", RecordTable, "How a date-time in place of a date is answered.",
			with("registration_update_date", "2023-03-15T00:00:00Z"))
		s.observes("create.observed.end_before_start", RequestTable,
			"How a relationship that ends before it starts is answered.",
			all("an end a year before the start", map[string]any{
				"relationship_start_date": "2021-06-01", "relationship_end_date": "2020-06-01",
			}))
		s.observes("create.observed.future_birth", RequestTable, "How a birth date in the future is answered.",
			worded("a birth date in 2100", "birth_date", "2100-01-01"))
	})
}

func (s *Suite) impossible(id, year string) {
	spec.Helper()
	field := strings.TrimPrefix(id, "create.dates.")
	on := func(words, date string) edit { return worded(field+" "+words, field, year+date) } // a birth date is personal
	day, zero := on("on 30 February", "-02-30"), on("on day 0", "-03-00")
	if field == "relationship_start_date" || field == "registration_update_date" {
		zero = on("in month 0", "-00-15") // the other half of the fields: one parser reads them all
	}
	const edits = 7
	in := s.rows(id, Must, edits)[0]
	if day.often = field == "birth_date"; day.often { // one parser reads them all
		in = control.Accompanied(client.Create)
	}
	refused := s.inCompany(ofValue(), day, in)
	alike := func(words, date string) edit { return unless(refused, on(words, date)) }
	s.rejects(id, Must, RequestTable, "For "+field+" a day or month that does not exist is rejected, and so is text.",
		ofValue(), s.namesOf(field), day, alike("on 29 February of a common year", "-02-29"),
		alike("on 31 April", "-04-31"), on("in month 13", "-13-01"), alike("on 32 March", "-03-32"),
		unless(refused, zero), worded(field+" that is text", field, "not a date"))
}

func (s *Suite) notation(id, year string) {
	spec.Helper()
	field := strings.TrimSuffix(strings.TrimPrefix(id, "create.dates."), ".notation")
	dayFirst := worded(field+" written DD/MM/YYYY", field, "15/03/"+year)
	s.rejects(id, Should, RequestTable, "For "+field+" a notation other than YYYY-MM-DD is rejected, and so is a number.",
		ofValue(), s.namesOf(field), dayFirst, unless(s.send(target.AboutField, dayFirst),
			worded(field+" written MM/DD/YYYY", field, "03/15/"+year)),
		worded(field+" written YYYY/MM/DD", field, year+"/03/15"),
		s.unlessSentAs("number", field, worded(field+" written as a number", field, representative.Raw(year+"0315"))))
}

// worded is with under a name of its own.
func worded(name, field string, value any) edit {
	return changed(name, func(c *target.Creation) { *c = c.With(field, value) })
}
