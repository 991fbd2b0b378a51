package create

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/target"
)

// bundle is sound things that one valid creation carries at once, as a run may create few representatives.
type bundle struct {
	edits        []edit
	everyContext bool
}

func (s *Suite) bundles() []bundle {
	together := func(edits ...edit) bundle { return bundle{edits: edits} }
	everywhere := func(edits ...edit) bundle { return bundle{edits, true} }
	return []bundle{
		everywhere(percent("0"), amount("income", nothing), amount("patrimony", nothing), leapDays()),
		everywhere(percent("100"), amount("income", beyond32), amount("patrimony", beyond32),
			with("document_country_of_issue", "ARG"), s.accents()),
		everywhere(percent("33.33"), without("document_country_of_issue"), without("registration_update_date"), s.zeroCPF(),
			elsewhere()),
		together(percent("0.01"), qualified("ATTORNEY"), with("pep", true), language("en-US")),
		together(percent("99.99"), qualified("ADMINISTRATOR"), with("is_public_server", true), language("pt-BR"),
			without("address.complement")),
		together(percent("0.29"), qualified("OTHER")),
		// Nothing obliges a deployment to accept these.
		together(amount("income", most53), amount("patrimony", most53)),
		together(amount("income", over53), amount("patrimony", over63)),
		together(amount("income", "25e4"), amount("patrimony", "250000.00"), percent("2.5e1")),
		together(s.longTexts(), farDates()),
		together(s.rareTexts(), earlierUpdate()),
		together(s.marksInName(), marksInAddress()),
	}
}

// bundleOf finds the bundle that an edit is part of.
func (s *Suite) bundleOf(e edit) (bundle, bool) {
	all := s.bundles()
	i := slices.IndexFunc(all, func(b bundle) bool {
		return slices.ContainsFunc(b.edits, func(one edit) bool { return one.name == e.name })
	})
	if i < 0 {
		return bundle{}, false
	}
	return all[i], true
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

// amounts: no limit is shown, but there may be one below the largest.
func amounts(field string, more ...string) (edits []edit) {
	for _, value := range append([]string{nothing, beyond32, most53}, more...) {
		edits = append(edits, amount(field, value))
	}
	return edits
}

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
	return changed("29 February in every date", func(c *target.Creation) {
		*c = c.With("birth_date", "2000-02-29").With("relationship_start_date", "2020-02-29").
			With("registration_update_date", "2024-02-29")
		if c.Draft.Get("relationship_end_date") != nil {
			*c = c.With("relationship_end_date", "2032-02-29")
		}
	})
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

// abroad is an address in another country than the document's default.
func abroad() edit {
	return changed("an address in Argentina and no country of issue", func(c *target.Creation) {
		country := "ARG"
		if c.Draft.Get("address.country") == "BR" {
			country = "AR" // the deployment wants two letters
		}
		*c = c.Without("document_country_of_issue").With("address.country", country)
	})
}

// elsewhere is in another state than the control, with a ZIP code that begins with a zero, a digit like all others.
func elsewhere() edit {
	const name = "a ZIP code that begins with a zero, in another state"
	return changed(name, func(c *target.Creation) {
		zip := "01310100"
		if text, ok := c.Draft.Get("address.zip_code").(string); ok && len(text) > len(zip) {
			zip = "01310-100" // the deployment wants the dash
		}
		all(name, map[string]any{
			"address.zip_code": zip, "address.street": "Avenida Paulista", "address.neighborhood": "Bela Vista",
			"address.city": "São Paulo", "address.federative_unit": "SP",
		}).apply(c)
	})
}

func (s *Suite) accents() edit {
	return s.nameOf("a name with accents and an apostrophe", "José D'Ávila Gonçalves")
}

// nameOf keeps the run's marker in front of a name.
func (s *Suite) nameOf(what, name string) edit {
	return worded(what, "name", "Gateassay "+s.t.Run+" "+name)
}

// longTexts are longer than the columns that such texts often get, but not longer than names and streets are.
func (s *Suite) longTexts() edit {
	return both(s.nameOf("a long name", "Maria Antônia Conceição d'Alcântara Vasconcelos Montenegro de Araújo e Sá"),
		worded("a long street", "address.street",
			"Avenida Presidente Juscelino Kubitschek de Oliveira, Conjunto Habitacional Três Corações"))
}

// rareTexts are sound, though a form may refuse them, wrongly.
func (s *Suite) rareTexts() edit {
	return both(s.nameOf("hyphens in the name", "Ana-Maria Sousa-Prado"),
		spelled("a plus sign in the email", "email", func(valid any) any {
			email, _ := valid.(string)
			return strings.Replace(email, "@", "+gateassay@", 1)
		}))
}

// What HTML, SQL, CSV or Latin-1 would change.
const marks = `Łucja "Lu" D'Ávila & Filhos; <Ana> 100% \ Ñandú Sa` + "\u0303o 😀"

func (s *Suite) marksInName() edit { return s.nameOf("a name with marks and rare letters", marks) }

func marksInAddress() edit {
	return all("an address with marks and rare letters", map[string]any{
		"address.street": "Rua " + marks, "address.complement": marks,
	})
}

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
