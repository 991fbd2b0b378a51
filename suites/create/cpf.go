package create

import (
	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/target"
)

func (s *Suite) cpf() {
	const field = "document_number"
	Describe("CPF", func() {
		s.Rule("create.cpf.digits", Must, RequestTable, "A CPF of 11 digits is accepted.", func() {
			s.accepted(types.NewCodeLocation(0), "accepts 11 digits", s.blamed(without(field)))
			s.accepted(types.NewCodeLocation(0), "accepts 11 digits that begin with a zero", s.vary(target.AboutField,
				s.zeroCPF()))
		})
		s.rejects("create.cpf.letters", Must, RequestTable, "A CPF with letters is rejected.", ofValue(), namesOf(field),
			s.spelledCPF("letters in the CPF", func(d string) any { return "AB" + d[2:] }))
		s.rejects("create.cpf.formatted", Should, RequestTable,
			"A CPF written with dots and a dash is rejected: digits only.", ofValue(), namesOf(field), s.dottedCPF())
		s.rejects("create.cpf.spaces", Should, RequestTable, "A CPF with a space between its digits is rejected.", ofValue(),
			namesOf(field), s.spelledCPF("a space inside the CPF", func(d string) any { return d[:6] + " " + d[6:] }))
		s.rejects("create.cpf.length", Should, RequestTable, "A CPF of fewer or more than 11 digits is rejected.", ofValue(),
			namesOf(field), s.spelledCPF("a CPF of 10 digits", func(d string) any { return d[:10] }),
			s.spelledCPF("a CPF of 12 digits", func(d string) any { return d + "0" }))
		s.rejects("create.cpf.type", Should, Errors, "A CPF given as a JSON number is rejected.", ofValue(), namesOf(field),
			s.unlessSentAs("number", field, s.spelledCPF("a CPF that is a JSON number",
				func(d string) any { return representative.Raw(d) })))
		s.observes("create.observed.cpf_outer_spaces", RequestTable, "What a CPF with a space before or behind it gets.",
			s.spelledCPF("a space before the CPF", func(d string) any { return " " + d }),
			s.spelledCPF("a space behind the CPF", func(d string) any { return d + " " }))
		s.observes("create.observed.cpf_check_digits", RequestTable, "What a CPF whose check digits are wrong gets.",
			s.spelledCPF("wrong check digits", func(d string) any { return representative.BreakCheckDigits(d) }))
	})
}

// spelledCPF changes the spelling of a valid CPF.
func (s *Suite) spelledCPF(name string, spell func(digits string) any) edit {
	return named(name, func(valid target.Creation) target.Creation {
		digits := newCPF(false)
		return s.withCPF(valid, digits).With("document_number", spell(digits))
	})
}

func (s *Suite) dottedCPF() edit {
	return s.spelledCPF("dots and a dash in the CPF",
		func(d string) any { return d[:3] + "." + d[3:6] + "." + d[6:9] + "-" + d[9:] })
}
