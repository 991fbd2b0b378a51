package create

import (
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
	"github.com/gateassay/gateassay/suites/wrong"
)

// money: the largest amounts are judged by what comes back, where they are accepted.
func (s *Suite) money() {
	s.Describe("money", func() {
		for _, f := range where(of(cents)) {
			id := "create.money." + f.name
			s.accepts(id+".integer", Must, Limits, "Whole cents, including 0, are accepted as "+f.name+".",
				amount(f.name, nothing), amount(f.name, beyond32))
			s.rejects(id+".fraction", Must, Limits, "A fraction of a cent is rejected as "+f.name+".",
				amount(f.name, "1000.5").inEveryContext(), amount(f.name, "1000.000001"))
			s.rejects(id+".string", Should, Errors, "A string or a boolean is rejected as "+f.name+".",
				s.typed(f.name, "string", `"1000"`), s.typed(f.name, "string", "true"))
		}
		s.observes("create.observed.negative_money", Limits, "How negative income and patrimony are answered.",
			amount("income", "-1"), amount("patrimony", "-1"))
	})
}

func (s *Suite) flags() {
	s.Describe("flags", func() {
		for _, f := range where(of(flag)) {
			s.rejects("create.flags."+f.name, Should, RequestTable,
				"For "+f.name+" a string or a number in place of a boolean is rejected.",
				s.typed(f.name, "string", `"true"`), s.typed(f.name, "number", "1"))
		}
	})
}

func (s *Suite) qualification() {
	const field = "qualification"
	other := func(value string) edit { return with(field, value) }
	takenForNone := s.ifShown(field, func(got any, _ target.Creation) bool { return got != "" })
	s.Describe(field, func() {
		s.Rule("create.qualification.partner", Must, RequestTable, "PARTNER is accepted as qualification.", func() {
			s.accepted("accepts a creation with qualification PARTNER", s.ordinary(qualified("PARTNER"),
				func(c target.Creation) bool { return c.Draft.Get(field) == "PARTNER" }))
			s.qualifiedAnywhere("PARTNER")
		})
		for _, value := range []string{"ATTORNEY", "ADMINISTRATOR", "OTHER"} {
			s.Rule("create.qualification."+strings.ToLower(value), Must, RequestTable, value+" is accepted as qualification.",
				func() {
					s.isAccepted(qualified(value))
					s.qualifiedAnywhere(value)
				})
		}
		s.rejects("create.qualification.unknown", Must, RequestTable, "A qualification outside the four is rejected.",
			other("PARTNERS").inEveryContext(), other("PART"), other("DIRECTOR"), raw(field, "7"), other("").unlessFine(takenForNone))
		s.rejects("create.qualification.lower_case", Should, RequestTable,
			"A qualification in lower case, or with a space beside it, is rejected.", other("partner"), other(" OTHER"))
		s.observes("create.observed.empty_qualification", RequestTable, "How an empty qualification is answered.",
			other(""))
	})
}

func (s *Suite) email() {
	s.Describe("email", func() {
		s.rejects("create.email.at_sign", Should, RequestTable, "An e-mail address without @ is rejected.",
			worded("an email without @", "email", "no-at-sign.example.com").inEveryContext())
		s.rejects("create.email.spaces", Should, RequestTable, "An e-mail address with spaces is rejected.",
			worded("a space before the @ of the email", "email", "with space@example.com"),
			worded("a space after the @ of the email", "email", "person@exam ple.com"))
	})
}

func (s *Suite) cpf() {
	const field = "document_number"
	spelledCPF := func(name string, spell func(digits string) any) edit {
		return spelled(name, field, func(any) any { return spell(s.newCPF(false)) })
	}
	s.Describe("CPF", func() {
		s.Rule("create.cpf.digits", Must, RequestTable, "A CPF of 11 digits is accepted.", func() {
			s.accepted("accepts a creation with a CPF of 11 digits", s.blamed(without(field)))
			s.isAccepted(s.zeroCPF())
		})
		s.rejects("create.cpf.letters", Must, RequestTable, "A CPF with letters is rejected.",
			spelledCPF("letters in the CPF", func(d string) any { return "AB" + d[2:] }).inEveryContext(),
			spelledCPF("X for the last digit of the CPF", func(d string) any { return d[:10] + "X" }))
		s.rejects("create.cpf.formatted", Should, RequestTable,
			"A CPF written with dots and a dash, or in digits of another script, is rejected: digits only.",
			spelledCPF("dots and a dash in the CPF",
				func(d string) any { return d[:3] + "." + d[3:6] + "." + d[6:9] + "-" + d[9:] }),
			spelledCPF("a CPF in Arabic digits", func(d string) any { return wrong.Digits('\u0660')(d) }))
		s.rejects("create.cpf.spaces", Should, RequestTable, "A CPF with a space between its digits is rejected.",
			spelledCPF("a space inside the CPF", func(d string) any { return d[:6] + " " + d[6:] }))
		s.rejects("create.cpf.length", Should, RequestTable, "A CPF of fewer or more than 11 digits is rejected.",
			spelledCPF("a CPF of 10 digits", func(d string) any { return d[:10] }),
			spelledCPF("a CPF of 14 digits", func(d string) any { return d + "000" }))
		s.rejects("create.cpf.type", Should, Errors, "A CPF given as a JSON number is rejected.",
			spelledCPF("a CPF that is a JSON number", func(d string) any { return representative.Raw(d) }).
				only(s.notSentAs("number", field)))
		s.observes("create.observed.cpf_outer_spaces", RequestTable,
			"How a CPF with a space before and after it is answered.",
			spelledCPF("a space before and after the CPF", func(d string) any { return " " + d + " " }))
		s.observes("create.observed.cpf_check_digits", RequestTable, "How a CPF with wrong check digits is answered.",
			spelledCPF("wrong check digits", func(d string) any { return representative.BreakCheckDigits(d) }))
	})
}

func (s *Suite) dates() {
	s.Describe("dates", func() {
		s.Rule("create.dates.accepted", Must, RecordTable,
			"Dates written YYYY-MM-DD are accepted, including 29 February of a leap year.", func() {
				s.accepted("accepts a creation with ordinary dates", s.c.Creation)
				s.isAccepted(leapDays())
			})
		for _, f := range where(of(date)) {
			s.impossible(f)
			s.otherNotation(f)
		}
		const update = "registration_update_date"
		s.observes("create.observed.date_notation", RequestTable,
			"How a date without dashes, or with parts of one digit, is answered.",
			with(update, "20230315"), with(update, "2023-3-5"))
		s.observes("create.observed.datetime_for_date", RecordTable, "How a date-time in place of a date is answered.",
			with(update, "2023-03-15T00:00:00Z"))
		s.observes("create.observed.end_before_start", RequestTable,
			"How a relationship that ends before it starts is answered.",
			all("an end a year before the start", map[string]any{
				"relationship_start_date": "2021-06-01", "relationship_end_date": "2020-06-01",
			}))
		s.observes("create.observed.future_birth", RequestTable, "How a birth date in the future is answered.",
			worded("a birth date in 2100", "birth_date", "2100-01-01"))
	})
}

// impossible: one parser reads all dates, so what is sent in every context, and a day or a month of zero, is for some of
// them to carry.
func (s *Suite) impossible(f field) {
	spec.Helper()
	on := func(words, date string) edit { return worded(f.name+" "+words, f.name, f.year+date) } // a birth date is personal
	day, zero := on("on 30 February", "-02-30"), on("on day 0", "-03-00")
	if f.name == "birth_date" {
		day = day.inEveryContext()
	}
	if f.name == "relationship_start_date" || f.name == "registration_update_date" {
		zero = on("in month 0", "-00-15")
	}
	s.rejects("create.dates."+f.name, Must, RequestTable,
		"For "+f.name+" a day or month that does not exist is rejected, and so is text.",
		day, on("on 29 February of a common year", "-02-29").unlessLike(day), on("on 31 April", "-04-31").unlessLike(day),
		on("in month 13", "-13-01").unlessLike(day), on("on 32 March", "-03-32").unlessLike(day), zero.unlessLike(day),
		worded(f.name+" that is text", f.name, "not a date"))
}

func (s *Suite) otherNotation(f field) {
	spec.Helper()
	s.rejects("create.dates."+f.name+".notation", Should, RequestTable,
		"For "+f.name+" a notation other than YYYY-MM-DD is rejected, and so is a number.",
		worded(f.name+" written DD/MM/YYYY", f.name, "15/03/"+f.year),
		worded(f.name+" written MM/DD/YYYY", f.name, "03/15/"+f.year).unlessLike(worded(f.name+" written DD/MM/YYYY", f.name, "")),
		worded(f.name+" written YYYY/MM/DD", f.name, f.year+"/03/15"),
		worded(f.name+" written as a number", f.name, representative.Raw(f.year+"0315")).only(s.notSentAs("number", f.name)))
}
