package create

import (
	"math/rand/v2"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/target"
)

const cpf = "document_number"

// cpfAccepted: the 11 digits of a CPF.
func (s *suite) cpfAccepted() {
	s.controlAccepted("create.cpf.digits", "11 digits are accepted", "the same without a CPF", without(cpf))
}

func (s *suite) cpfRejected() []kind {
	// rewritten changes the spelling of the valid CPF.
	rewritten := func(spell func(digits string) any) change {
		return func(valid target.Creation) target.Creation {
			digits := someCPF()
			s.t.Client.Redactor().Personal(digits)
			return valid.With(cpf, spell(digits))
		}
	}
	formatted := func(d string) any { return d[:3] + "." + d[3:6] + "." + d[6:9] + "-" + d[9:] }

	// Digits only: none of the punctuation that people write.
	dotted := s.rejects("create.cpf.formatted", "dots and a dash are rejected", rewritten(formatted))
	// No letters.
	s.rejects("create.cpf.letters", "letters are rejected", rewritten(func(d string) any { return "AB" + d[2:] }))
	// No spaces, neither inside nor behind.
	s.rejects("create.cpf.spaces", "a space inside is rejected", rewritten(func(d string) any { return d[:6] + " " + d[6:] }))
	s.rejects("create.cpf.spaces", "a space at the end is rejected", rewritten(func(d string) any { return d + " " }))
	// A CPF has 11 digits.
	s.rejects("create.cpf.length", "10 digits are rejected", rewritten(func(d string) any { return d[:10] }))
	s.rejects("create.cpf.length", "12 digits are rejected", rewritten(func(d string) any { return d + "0" }))
	// It is a string: as a number it would lose its leading zeros.
	s.rejectsType("create.cpf.type", "a JSON number is rejected", cpf, "number",
		rewritten(func(d string) any { return representative.Raw(d) }))
	return []kind{{"malformed CPF", "", dotted}}
}

// someCPF is a valid CPF that can be written as a number: its first digit is no zero.
func someCPF() string {
	rng := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	for {
		if digits := representative.NewCPF(rng); digits[0] != '0' {
			return digits
		}
	}
}

// zeroCPF is a valid CPF that begins with a zero, which a number would lose.
func zeroCPF() string {
	rng := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	for {
		if digits := representative.NewCPF(rng); digits[0] == '0' {
			return digits
		}
	}
}
