package create

import (
	"context"
	"math/rand/v2"
	"net/http"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

const cpf = "document_number"

// cpfAccepted: the 11 digits of a CPF.
func (s *suite) cpfAccepted(v variations) {
	s.controlAccepted("create.cpf.digits", "11 digits are accepted", "the same without a CPF", without(cpf))

	// A zero is a digit like all others, at the beginning too.
	zero := plan.Observe(s.p, "a CPF that begins with a zero", func(ctx context.Context) (target.Answer, error) {
		m, err := v.elsewhere.Get(ctx)
		if err != nil || m.Success() {
			return m.Answer, err
		}
		// That creation differs in its address, too.
		return s.c.Creations(ctx, target.AboutField, labelled("a CPF that begins with a zero", func(valid target.Creation) target.Creation {
			return s.withCPF(valid, zeroCPF())
		}))
	})
	s.p.It("create.cpf.digits", "11 digits that begin with a zero are accepted", plan.After(zero, v.elsewhere), func(ctx context.Context) {
		a := zero.Await(ctx)
		if a.Status == http.StatusConflict {
			s.p.Inconclusive("answered 409, which is about identifiers, and these were fresh; see create.repeat.other_transaction")
		}
		gomega.Expect(a).To(matchers.BeAccepted())
	})
}

// withCPF gives the creation other digits, which are personal.
func (s *suite) withCPF(valid target.Creation, digits string) target.Creation {
	s.t.Client.Redactor().Personal(digits)
	return valid.With(cpf, digits)
}

func (s *suite) cpfRejected() []kind {
	// rewritten changes the spelling of the valid CPF.
	rewritten := func(spell func(digits string) any) change {
		return func(valid target.Creation) target.Creation {
			digits := someCPF()
			return s.withCPF(valid, digits).With(cpf, spell(digits))
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
