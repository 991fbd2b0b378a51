package create

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/target"
)

// bundle is sound things that one valid creation carries at once, as a run may create few representatives.
type bundle struct {
	edit
	parts []edit
	open  bool // whether they are accepted is up to the deployment, which they may not break
}

func (s *Suite) bundles() []bundle {
	of := func(open bool, parts ...edit) bundle { return bundle{both(parts...), parts, open} }
	everywhere := func(parts ...edit) bundle { return bundle{both(parts...).inEveryContext(), parts, false} }
	return []bundle{
		everywhere(percent("0"), amount("income", nothing), amount("patrimony", nothing), leapDays()),
		everywhere(percent("100"), amount("income", beyond32), amount("patrimony", beyond32),
			with("document_country_of_issue", "ARG"), s.accents()),
		everywhere(percent("33.33"), without("document_country_of_issue"), without("registration_update_date"), s.zeroCPF(),
			elsewhere()),
		of(false, percent("0.01"), qualified("ATTORNEY"), with("pep", true), language("en-US")),
		of(false, percent("99.99"), qualified("ADMINISTRATOR"), with("is_public_server", true), language("pt-BR"),
			without("address.complement")),
		of(false, percent("0.29"), qualified("OTHER")),
		of(false, amount("income", most53), amount("patrimony", most53)),
		of(false, amount("income", over53), amount("patrimony", over63)),
		of(false, amount("income", "25e4"), amount("patrimony", "250000.00"), percent("2.5e1")),
		of(true, s.nameOf("a long name", "Maria Antônia Conceição d'Alcântara Vasconcelos Montenegro de Araújo e Sá"), // the columns
			worded("a long street", "address.street", // for such texts are often shorter, names and streets are not
				"Avenida Presidente Juscelino Kubitschek de Oliveira, Conjunto Habitacional Três Corações"), farDates()),
		of(true, s.nameOf("hyphens in the name", "Ana-Maria Sousa-Prado"), spelled("a plus sign in the email", "email",
			func(valid any) any { text, _ := valid.(string); return strings.Replace(text, "@", "+gateassay@", 1) }), earlierUpdate()),
		of(true, s.nameOf("a name with marks and rare letters", marks),
			all("an address with marks and rare letters", map[string]any{"address.street": "Rua " + marks, "address.complement": marks})),
	}
}

// bundleOf finds the bundle that an edit is part of.
func (s *Suite) bundleOf(e edit) (bundle, bool) {
	for _, b := range s.bundles() {
		if slices.ContainsFunc(b.parts, func(one edit) bool { return one.name == e.name }) {
			return b, true
		}
	}
	return bundle{}, false
}

// soundOf declares the valid creations with the sound edits of a field.
func (s *Suite) soundOf(field string) {
	for _, b := range s.bundles() {
		for _, e := range b.parts {
			if slices.Contains(e.fields, field) {
				s.sound(e)
			}
		}
	}
}

// rightValues: what has to be accepted. The largest amounts are judged by what comes back, where they are accepted.
func (s *Suite) rightValues() {
	const cpf, qualification = "document_number", "qualification"
	s.Describe("right values", func() {
		for _, f := range where(of(Cents)) {
			s.accepts("create.money."+f.Name+".integer", Must, Limits, "Whole cents, including 0, are accepted as "+f.Name+".",
				amount(f.Name, nothing), amount(f.Name, beyond32))
		}
		s.accepts("create.participation.zero", Must, Limits, "A participation of exactly 0 is accepted.", percent("0"))
		s.accepts("create.participation.hundred", Must, Limits, "A participation of exactly 100 is accepted.", percent("100"))
		s.accepts("create.participation.decimals", Must, RecordTable,
			"A participation with decimals between 0 and 100 is accepted.",
			percent("33.33"), percent("0.01"), percent("99.99"), percent("0.29"))
		s.Rule("create.cpf.digits", Must, RequestTable, "A CPF of 11 digits is accepted.", func() {
			s.accepted("accepts a creation with a CPF of 11 digits", s.ordinary(
				spelled("a CPF of 11 digits", cpf, func(any) any { return s.newCPF(false) }),
				func(c target.Creation) bool { return c.Draft.Get(cpf) != nil }))
			s.isAccepted(s.zeroCPF())
		})
		s.Rule("create.dates.accepted", Must, RecordTable,
			"Dates written YYYY-MM-DD are accepted, including 29 February of a leap year.", func() {
				s.accepted("accepts a creation with ordinary dates", s.c.Creation)
				s.isAccepted(leapDays())
			})
		for _, value := range []string{"PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER"} {
			s.Rule("create.qualification."+strings.ToLower(value), Must, RequestTable, value+" is accepted as qualification.",
				func() {
					if value == "PARTNER" {
						s.accepted("accepts a creation with qualification PARTNER", s.ordinary(qualified(value),
							func(c target.Creation) bool { return c.Draft.Get(qualification) == value }))
						return
					}
					s.isAccepted(qualified(value))
					s.acceptedAnywhere(label(qualified(value)), value)
				})
		}
	})
}

// Amounts in cents.
const (
	nothing  = "0"
	beyond32 = "3000000001"          // more than 32 bits hold
	most53   = "9007199254740991"    // the most that a double holds exactly
	over53   = "9007199254740993"    // the least that a double does not
	over63   = "9223372036854775809" // more than 64 bits hold
)

func amount(field, value string) edit { return with(field, json.Number(value)) }

func percent(value string) edit { return amount("participation_percentage", value) }

// qualified has one of the four qualifications.
func qualified(value string) edit { return worded("qualification "+value, "qualification", value) }

func language(value string) edit {
	return changed("preferred language "+value, func(c *target.Creation) { c.Language = value })
}

// another is a valid creation that differs from the control in nothing but the person.
func another() edit { return changed("another person", func(*target.Creation) {}) }

// leapDays are dates that only leap years have. Where there is no end, there still is none.
func leapDays() edit {
	const end = "relationship_end_date"
	e := all("29 February in every date", map[string]any{
		"birth_date": "2000-02-29", "relationship_start_date": "2020-02-29", "registration_update_date": "2024-02-29", end: "2032-02-29",
	})
	given := e.apply
	e.apply = func(c *target.Creation) {
		had := c.Draft.Get(end) != nil
		if given(c); !had {
			*c = c.Without(end)
		}
	}
	return e
}

// farDates lie on the other side of where two digits of a year, or a clock, turn over.
func farDates() edit {
	return all("a birth in 1941 and an end in 2075", map[string]any{
		"birth_date": "1941-12-30", "relationship_end_date": "2075-12-30",
	})
}

// earlierUpdate is a registration that was updated before the relationship began.
func earlierUpdate() edit {
	return all("a registration update before the start of the relationship", map[string]any{
		"relationship_start_date": "2020-11-20", "registration_update_date": "2019-08-17",
	})
}

// elsewhere is in another state than the control, with a ZIP code that begins with a zero, a digit like all others.
func elsewhere() edit {
	const name = "a ZIP code that begins with a zero, in another state"
	zip := spelled(name, "address.zip_code", func(valid any) any {
		if text, _ := valid.(string); len(text) > len("01310100") {
			return "01310-100" // the deployment wants the dash
		}
		return "01310100"
	})
	return both(zip, all(name, map[string]any{
		"address.street": "Avenida Paulista", "address.neighborhood": "Bela Vista", "address.city": "São Paulo",
		"address.federative_unit": "SP",
	})).named(name)
}

func (s *Suite) accents() edit {
	return s.nameOf("a name with accents and an apostrophe", "José D'Ávila Gonçalves")
}

// nameOf keeps the run's marker in front of a name.
func (s *Suite) nameOf(what, name string) edit {
	return worded(what, "name", "Gateassay "+s.t.Run+" "+name)
}

// What HTML, SQL, CSV or Latin-1 would change.
const marks = `Łucja "Lu" D'Ávila & Filhos; <Ana> 100% \ Ñandú Sa` + "\u0303o 😀"

func (s *Suite) zeroCPF() edit {
	return spelled("a CPF that begins with a zero", "document_number", func(any) any { return s.newCPF(true) })
}

// newCPF is a valid CPF, which is personal. One that begins with a zero would lose it as a number.
func (s *Suite) newCPF(zero bool) string {
	rng := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	for {
		if digits := representative.NewCPF(rng); (digits[0] == '0') == zero {
			s.t.Client.Redactor().Personal(digits)
			return digits
		}
	}
}
