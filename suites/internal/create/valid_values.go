package create

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/representative"
	. "github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/target"
)

// probeBundle combines valid edits in one creation, as a run may create few representatives.
type probeBundle struct {
	answer lab.AnswerObservation
	parts  []lab.Probe
	open   bool // the deployment may refuse them, but not with a server error
}

func (s *Suite) probeBundles() []probeBundle {
	of := func(parts ...lab.Probe) probeBundle {
		return probeBundle{answer: s.observeBundle(lab.CombineProbes(parts...)), parts: parts}
	}
	all := func(parts ...lab.Probe) probeBundle {
		p := lab.CombineProbes(parts...).InAllConfigurations()
		return probeBundle{answer: s.observeBundle(p), parts: parts}
	}
	open := func(parts ...lab.Probe) probeBundle {
		b := of(parts...)
		b.open = true
		return b
	}
	return []probeBundle{
		all(withParticipation("0"), withAmount("income", centsZero),
			withAmount("patrimony", centsOver32Bit), withLeapDays()),
		all(withParticipation("100"), withAmount("income", centsOver32Bit),
			withAmount("patrimony", centsZero),
			withField("document_country_of_issue", "ARG"), s.withAccents()),
		all(withParticipation("33.33"), withoutField("document_country_of_issue"),
			withoutField("registration_update_date"), withZeroCPF(), withAddressElsewhere()),
		of(withParticipation("0.01"), withQualification("ATTORNEY"), withField("pep", true),
			withLanguage("en-US"), withDaysWithoutMidnight(),
			withAmount("income", centsCutByDoubles), withAmount("patrimony", centsCutByDoubles)),
		of(withParticipation("99.99"), withQualification("ADMINISTRATOR"),
			withField("is_public_server", true), withLanguage("pt-BR"),
			withoutField("address.complement"), withUppercaseUUIDs(), withCharset()),
		// as the control, unless that is refused
		of(withParticipation("0.29"), withQualification("PARTNER"), withLanguage(""), withPlainCPF(),
			withField("pep", false), withField("is_public_server", false), withBirthBefore1970()),
		of(withAmount("income", centsMax53Bit), withAmount("patrimony", centsMax53Bit),
			withQualification("OTHER")),
		of(withAmount("income", centsOver53Bit), withAmount("patrimony", centsOver63Bit)),
		of(withAmount("income", "25e4"), withAmount("patrimony", "250000.00"),
			withParticipation("2.5e1")),
		of(withServiceFields()...),
		// columns for such texts are often too short
		open(s.withName("a long name",
			"Maria Antônia Conceição d'Alcântara Vasconcelos Montenegro de Araújo e Sá"),
			withDescribedField("a long street", "address.street",
				"Avenida Presidente Juscelino Kubitschek de Oliveira, Conjunto Habitacional Três Corações"),
			// where a two-digit year or a clock overflows
			withFields("a birth in 1941 and an end in 2075",
				map[string]any{"birth_date": "1941-12-30", "relationship_end_date": "2075-12-30"})),
		open(s.withName("hyphens in the name", "Ana-Maria Sousa-Prado"), withPlusInEmail(),
			withFields("a registration update before the start of the relationship", map[string]any{
				"relationship_start_date": "2020-11-20", "registration_update_date": "2019-08-17",
			})),
		open(s.withName("a name with marks and rare letters", specialCharacters),
			withFields("an address with marks and rare letters", map[string]any{
				"address.street": "Rua " + specialCharacters, "address.complement": specialCharacters,
			}),
			withRespelledText("capitals in the domain of the email", "email", func(right string) any {
				return strings.Replace(right, "example", "Example", 1)
			})),
		open(withDescribedField("an address in another country", "address.country", "PRT"),
			withoutField("document_country_of_issue")),
	}
}

// observeValidValuesOf declares the valid creations that change a field. A quick run sends only
// those that other rules need.
func (s *Suite) observeValidValuesOf(field string) {
	if s.target.Depth == deployment.DepthQuick {
		return
	}
	for _, b := range s.bundles {
		for _, p := range b.parts {
			if slices.Contains(p.ChangedFields, field) {
				s.observeValid(p)
			}
		}
	}
}

// declareValidValues declares the rules on what has to be accepted. The largest amounts are
// judged by what comes back, if accepted.
func (s *Suite) declareValidValues() {
	s.Describe("valid values", func() {
		for _, f := range fieldsWhere(hasKind(KindCents)) {
			s.Rule("create.money."+f.Name+".integer", Must, SectionLimits,
				"Whole cents, including 0, are accepted as "+f.Name+".", func() {
					s.itAccepts(withAmount(f.Name, centsZero), withAmount(f.Name, centsOver32Bit))
				})
		}
		s.Rule("create.flags.accepted", Must, SectionRequest,
			"Flags are accepted whether they are true or false.", func() {
				s.itAccepts(withField("pep", true), withField("is_public_server", true),
					withField("pep", false), withField("is_public_server", false))
			})
		s.Rule("create.participation.zero", Must, SectionLimits,
			"A participation of exactly 0 is accepted.",
			func() { s.itAccepts(withParticipation("0")) })
		s.Rule("create.participation.hundred", Must, SectionLimits,
			"A participation of exactly 100 is accepted.",
			func() { s.itAccepts(withParticipation("100")) })
		s.Rule("create.participation.decimals", Must, SectionRecord,
			"A participation with decimals between 0 and 100 is accepted.", func() {
				s.itAccepts(withParticipation("33.33"), withParticipation("0.01"),
					withParticipation("99.99"), withParticipation("0.29"))
			})
		s.Rule("create.cpf.digits", Must, SectionRequest, "A CPF of 11 digits is accepted.",
			func() { s.itAccepts(withPlainCPF(), withZeroCPF()) })
		s.Rule("create.dates.accepted", Must, SectionRecord,
			"Dates written YYYY-MM-DD are accepted, whichever day they name, such as 29 February of a "+
				"leap year.",
			func() {
				s.lab.ItAccepts(newProbe("ordinary dates", nil), s.lab.ControlCreation)
				s.itAccepts(withLeapDays())
				if s.target.Depth != deployment.DepthQuick {
					s.itAccepts(withDaysWithoutMidnight(), withBirthBefore1970())
				}
			})
		for _, value := range []string{"PARTNER", "ATTORNEY", "ADMINISTRATOR", "OTHER"} {
			s.Rule("create.qualification."+strings.ToLower(value), Must, SectionRequest,
				value+" is accepted as qualification.",
				func() { s.itAccepts(withQualification(value)) })
		}
	})
}

// Amounts in cents.
const (
	centsZero         = "0"
	centsCutByDoubles = "1999"                // divided by 100.0 and multiplied again, 1998.99...
	centsOver32Bit    = "3000000001"          // more than 32 bits hold
	centsMax53Bit     = "9007199254740991"    // largest integer that a double holds exactly
	centsOver53Bit    = "9007199254740993"    // smallest integer that a double does not hold
	centsOver63Bit    = "9223372036854775809" // more than 64 bits hold
)

func withAmount(field, value string) lab.Probe { return withField(field, json.Number(value)) }

func withParticipation(value string) lab.Probe {
	return withAmount("participation_percentage", value)
}

// withQualification returns a creation with one of the four qualifications.
func withQualification(value string) lab.Probe {
	return withDescribedField("qualification "+value, "qualification", value)
}

func withLanguage(value string) lab.Probe {
	return newProbe("preferred language "+cmp.Or(value, "left out"),
		func(r *target.Request) { r.Language = value })
}

// withLeapDays returns a creation with dates that only leap years have.
func withLeapDays() lab.Probe {
	return withFields("29 February in every date", map[string]any{
		"birth_date": "2000-02-29", "relationship_start_date": "2020-02-29",
		"registration_update_date": "2024-02-29",
	})
}

// withDaysWithoutMidnight returns a creation with dates on which summer time began at midnight
// in São Paulo. A program that reads a date as local midnight finds none, or gets the day
// before.
func withDaysWithoutMidnight() lab.Probe {
	return withFields("days that began at 1:00 in São Paulo", map[string]any{
		"birth_date": "1990-10-21", "relationship_start_date": "2015-10-18",
		"registration_update_date": "2017-10-15",
	})
}

// withBirthBefore1970 sets a birth date that many libraries represent by negative seconds.
func withBirthBefore1970() lab.Probe {
	return withFields("a birth before 1970", map[string]any{"birth_date": "1958-07-09"})
}

// withAddressElsewhere returns a creation in another state than the control's, with a ZIP code
// that starts with a zero and a street number that exceeds 16 bits.
func withAddressElsewhere() lab.Probe {
	zip := withFieldSpelled("", "address.zip_code", func(right any) any {
		if strings.Contains(fmt.Sprint(right), "-") { // the deployment wants it
			return "01310-100"
		}
		return "01310100"
	})
	number := withFieldSpelled("", "address.number", func(right any) any {
		if _, inQuotes := right.(representative.RawJSON); inQuotes { // the deployment wants a text
			return right
		}
		return 40_215
	})
	return lab.CombineProbes(zip, number, withFields("", map[string]any{
		"address.street": "Avenida Paulista", "address.neighborhood": "Bela Vista",
		"address.city": "São Paulo", "address.federative_unit": "SP",
	})).As("a ZIP code that begins with a zero, in another state")
}

func (s *Suite) withAccents() lab.Probe {
	return s.withName("a name with accents and an apostrophe", "José D'Ávila Gonçalves")
}

// withName sets a name, after the run's marker.
func (s *Suite) withName(what, name string) lab.Probe {
	return withDescribedField(what, "name", "Gateassay "+s.target.RunID+" "+name)
}

// specialCharacters is a name that careless handling of HTML, SQL, CSV or Latin-1 changes.
const specialCharacters = `Łucja "Lu" D'Ávila & Filhos; <Ana> 100% \ Ñandú Sa` + "\u0303o 😀"

// withPlusInEmail returns a creation with a plus sign in the email (RFC 5322, section 3.2.3).
func withPlusInEmail() lab.Probe {
	return withRespelledText("a plus sign in the email", "email",
		func(right string) any { return strings.Replace(right, "@", "+gateassay@", 1) })
}

func withPlainCPF() lab.Probe {
	return withFieldSpelled("a CPF of 11 digits", "document_number",
		func(valid any) any { return valid })
}

func withZeroCPF() lab.Probe {
	return withFieldSpelled("a CPF that begins with a zero", "document_number",
		func(any) any { return generateCPF(true) })
}

// generateCPF returns a valid CPF. If zero, it begins with a zero, which a number would lose.
func generateCPF(zero bool) string {
	rng := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	for {
		if digits := representative.NewCPF(rng); (digits[0] == '0') == zero {
			return digits
		}
	}
}
