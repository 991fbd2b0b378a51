package create

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

// bundle is sound things that one valid creation carries at once, as a run may create few representatives.
type bundle struct {
	lab.Probe
	parts []lab.Probe
	open  bool // whether they are accepted is up to the deployment, which they may not break
}

func (s *Suite) bundled() []bundle {
	of := func(parts ...lab.Probe) bundle { return bundle{Probe: both(parts...), parts: parts} }
	all := func(parts ...lab.Probe) bundle { return bundle{Probe: everywhere(both(parts...)), parts: parts} }
	open := func(parts ...lab.Probe) bundle { return bundle{Probe: both(parts...), parts: parts, open: true} }
	return []bundle{
		all(percent("0"), amount("income", nothing), amount("patrimony", nothing), leapDays()),
		all(percent("100"), amount("income", beyond32), amount("patrimony", beyond32),
			with("document_country_of_issue", "ARG"), s.accents()),
		all(percent("33.33"), without("document_country_of_issue"), without("registration_update_date"), zeroCPF(),
			elsewhere()),
		of(percent("0.01"), qualified("ATTORNEY"), with("pep", true), language("en-US")),
		of(percent("99.99"), qualified("ADMINISTRATOR"), with("is_public_server", true), language("pt-BR"),
			without("address.complement"), capitals()),
		// as the control, unless that is refused
		of(percent("0.29"), qualified("PARTNER"), language(""), plainCPF(), with("pep", false), with("is_public_server", false)),
		of(amount("income", most53), amount("patrimony", most53), qualified("OTHER")),
		of(amount("income", over53), amount("patrimony", over63)),
		of(amount("income", "25e4"), amount("patrimony", "250000.00"), percent("2.5e1")),
		// the columns for such texts are often shorter, names and streets are not
		open(s.nameOf("a long name", "Maria Antônia Conceição d'Alcântara Vasconcelos Montenegro de Araújo e Sá"),
			worded("a long street", "address.street",
				"Avenida Presidente Juscelino Kubitschek de Oliveira, Conjunto Habitacional Três Corações"),
			// where two digits of a year, or a clock, turn over
			several("a birth in 1941 and an end in 2075", map[string]any{"birth_date": "1941-12-30", "relationship_end_date": "2075-12-30"})),
		open(s.nameOf("hyphens in the name", "Ana-Maria Sousa-Prado"), s.in(known("email"), spelling("a plus sign in the email", func(right string) any {
			return strings.Replace(right, "@", "+gateassay@", 1)
		})), several("a registration update before the start of the relationship", map[string]any{
			"relationship_start_date": "2020-11-20", "registration_update_date": "2019-08-17",
		})),
		open(s.nameOf("a name with marks and rare letters", marks),
			several("an address with marks and rare letters", map[string]any{"address.street": "Rua " + marks, "address.complement": marks}),
			s.in(known("email"), spelling("capitals in the domain of the email", func(right string) any {
				return strings.Replace(right, "example", "Example", 1)
			}))),
		open(worded("an address in another country", "address.country", "PRT"), without("document_country_of_issue")),
	}
}

// validOf declares the valid creations that change a field. A quick run makes do with those that other rules need.
func (s *Suite) validOf(field string) {
	if s.t.Depth == record.Quick {
		return
	}
	for _, b := range s.bundles {
		for _, p := range b.parts {
			if slices.Contains(p.ChangedFields, field) {
				s.valid(p)
			}
		}
	}
}

// rightValues: what has to be accepted. The largest amounts are judged by what comes back, where they are accepted.
func (s *Suite) rightValues() {
	s.Describe("right values", func() {
		for _, f := range where(of(Cents)) {
			s.accepts("create.money."+f.Name+".integer", Must, Limits, "Whole cents, including 0, are accepted as "+f.Name+".",
				amount(f.Name, nothing), amount(f.Name, beyond32))
		}
		s.accepts("create.flags.accepted", Must, RequestTable, "Flags are accepted whether they are true or false.",
			with("pep", true), with("is_public_server", true), with("pep", false), with("is_public_server", false))
		s.accepts("create.participation.zero", Must, Limits, "A participation of exactly 0 is accepted.", percent("0"))
		s.accepts("create.participation.hundred", Must, Limits, "A participation of exactly 100 is accepted.", percent("100"))
		s.accepts("create.participation.decimals", Must, RecordTable,
			"A participation with decimals between 0 and 100 is accepted.",
			percent("33.33"), percent("0.01"), percent("99.99"), percent("0.29"))
		s.accepts("create.cpf.digits", Must, RequestTable, "A CPF of 11 digits is accepted.", plainCPF(), zeroCPF())
		s.Rule("create.dates.accepted", Must, RecordTable,
			"Dates written YYYY-MM-DD are accepted, including 29 February of a leap year.", func() {
				s.accepted(probe("ordinary dates", nil), s.lab.ControlCreation)
				s.accepted(leapDays(), s.valid(leapDays()))
			})
		for _, value := range []string{"PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER"} {
			s.accepts("create.qualification."+strings.ToLower(value), Must, RequestTable, value+" is accepted as qualification.",
				qualified(value))
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

func amount(field, value string) lab.Probe { return with(field, json.Number(value)) }

func percent(value string) lab.Probe { return amount("participation_percentage", value) }

// qualified has one of the four qualifications.
func qualified(value string) lab.Probe { return worded("qualification "+value, "qualification", value) }

func language(value string) lab.Probe {
	return probe("preferred language "+cmp.Or(value, "left out"), func(r *target.Request) { r.Language = value })
}

// another is a valid creation that differs from the control in nothing but the person.
func another() lab.Probe { return probe("another person", func(*target.Request) {}) }

// leapDays are dates that only leap years have.
func leapDays() lab.Probe {
	return several("29 February in every date", map[string]any{
		"birth_date": "2000-02-29", "relationship_start_date": "2020-02-29", "registration_update_date": "2024-02-29",
	})
}

// elsewhere is in another state than the control, with a ZIP code that begins with a zero, a digit like all others, and a
// street number that 16 bits do not hold.
func elsewhere() lab.Probe {
	zip := spelled("", "address.zip_code", func(right any) any {
		if strings.Contains(fmt.Sprint(right), "-") { // the deployment wants it
			return "01310-100"
		}
		return "01310100"
	})
	number := spelled("", "address.number", func(right any) any {
		if _, inQuotes := right.(representative.Raw); inQuotes { // the deployment wants a text
			return right
		}
		return 40_215
	})
	return named("a ZIP code that begins with a zero, in another state", both(zip, number, several("", map[string]any{
		"address.street": "Avenida Paulista", "address.neighborhood": "Bela Vista", "address.city": "São Paulo",
		"address.federative_unit": "SP",
	})))
}

func (s *Suite) accents() lab.Probe {
	return s.nameOf("a name with accents and an apostrophe", "José D'Ávila Gonçalves")
}

// nameOf keeps the run's marker in front of a name.
func (s *Suite) nameOf(what, name string) lab.Probe {
	return worded(what, "name", "Gateassay "+s.t.RunID+" "+name)
}

// What HTML, SQL, CSV or Latin-1 would change.
const marks = `Łucja "Lu" D'Ávila & Filhos; <Ana> 100% \ Ñandú Sa` + "\u0303o 😀"

func plainCPF() lab.Probe {
	return spelled("a CPF of 11 digits", "document_number", func(valid any) any { return valid })
}

func zeroCPF() lab.Probe {
	return spelled("a CPF that begins with a zero", "document_number", func(any) any { return newCPF(true) })
}

// newCPF is a valid CPF. One that begins with a zero would lose it as a number.
func newCPF(zero bool) string {
	rng := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	for {
		if digits := representative.NewCPF(rng); (digits[0] == '0') == zero {
			return digits
		}
	}
}
