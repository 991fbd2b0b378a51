package create

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/target"
)

// bundles lists sound things that one valid creation carries at once, as a run may create few representatives.
func (s *Suite) bundles() [][]edit {
	return [][]edit{
		{percent("0"), cents("income", nothing), cents("patrimony", nothing)},
		{percent("100"), qualified("ATTORNEY"), flags(true, true)},
		{percent("33.33"), cents("income", beyond32), cents("patrimony", beyond32), qualified("ADMINISTRATOR")},
		{percent("0.01"), qualified("OTHER"), flags(true, false)},
		{percent("99.99"), flags(false, true), language("en-US")},
		{percent("0.29"), language("pt-BR")},
		{cents("income", most53), cents("patrimony", most53)},
		{cents("income", over53), cents("patrimony", over63)},
		{cents("income", "25e4"), cents("patrimony", "250000.00"), percent("2.5e1")},
		{s.marksInName(), marksInStreet()},
		{without("document_country_of_issue"), s.leapDays()},
		{with("document_country_of_issue", "ARG"), without("registration_update_date")},
		{s.zeroCPF(), s.elsewhere()},
	}
}

// accompaniedBundles lists what is as sound in any company.
func (s *Suite) accompaniedBundles() [][]edit {
	return [][]edit{
		{percent("0"), cents("income", nothing), cents("patrimony", nothing), s.leapDays()},
		{
			percent("100"), cents("income", beyond32), cents("patrimony", beyond32), flags(true, true),
			with("document_country_of_issue", "ARG"), s.accents(),
		},
		{
			percent("33.33"), without("document_country_of_issue"), without("registration_update_date"), s.zeroCPF(),
		},
	}
}

// Amounts in cents: nothing, more than 32 bits hold, and the most that a double holds exactly.
const (
	nothing  = "0"
	beyond32 = "3000000001"
	most53   = "9007199254740991"
	over53   = "9007199254740993" // the least that a double does not
	over63   = "9223372036854775809"
)

func percent(value string) edit { return with("participation_percentage", json.Number(value)) }

func cents(field, amount string) edit { return with(field, json.Number(amount)) }

func flags(pep, public bool) edit { return both(with("pep", pep), with("is_public_server", public)) }

// qualified has one of the four qualifications, unlisted another value in its place.
func qualified(value string) edit { return worded("qualification "+value, "qualification", value) }
func unlisted(value string) edit  { return with("qualification", value) }

func language(value string) edit {
	return changed("preferred language "+value, func(c *target.Creation) { c.Language = value })
}

// another is a valid creation that differs from the control in nothing but the person.
func another() edit { return changed("another person", func(*target.Creation) {}) }

// leapDays are dates that only leap years have. Where there is no end, there still is none.
func (s *Suite) leapDays() edit {
	return changed("29 February in every date", func(c *target.Creation) {
		*c = c.With("birth_date", "1988-02-29").With("relationship_start_date", "2020-02-29").
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

func all(name string, values map[string]any) edit {
	return changed(name, func(c *target.Creation) {
		for _, field := range slices.Sorted(maps.Keys(values)) {
			*c = c.With(field, values[field])
		}
	})
}

// A name as it is, and in the letters that every system knows.
const (
	accented = "José D'Ávila Gonçalves"
	plainly  = "Jose D Avila Goncalves"
)

func (s *Suite) accents() edit { return s.nameOf("a name with accents and an apostrophe", accented) }

// nameOf keeps the run's marker in front of a name.
func (s *Suite) nameOf(what, name string) edit {
	return changed(what, func(c *target.Creation) { *c = c.With("name", "Gateassay "+s.t.Run+" "+name) })
}

// longTexts are longer than the columns that such texts often get, but not longer than names and streets are.
func (s *Suite) longTexts() edit {
	return both(s.nameOf("a long name", "Maria Antônia Conceição d'Alcântara Vasconcelos Montenegro de Araújo e Sá"),
		all("a long street", map[string]any{
			"address.street": "Avenida Presidente Juscelino Kubitschek de Oliveira, Conjunto Habitacional Três " +
				"Corações",
		}))
}

// Characters that HTML, SQL, CSV or Latin-1 would change.
func (s *Suite) marksInName() edit {
	return s.nameOf("a name with marks and rare letters", `Łucja "Lu" D'Ávila & Filhos; <Ana>`)
}

func marksInStreet() edit {
	return all("a street with marks, an emoji and a combining accent", map[string]any{
		"address.street": "Rua \"A\" & B; 100% <x> \\ Ñandú 😀 Sa\u0303o",
	})
}

// rareTexts are sound, though a form may refuse them, wrongly.
func (s *Suite) rareTexts() edit {
	return both(s.nameOf("hyphens in the name", "Ana-Maria Sousa-Prado"),
		changed("a plus sign in the email", func(c *target.Creation) {
			email, _ := c.Draft.Get("email").(string)
			*c = c.With("email", strings.Replace(email, "@", "+gateassay@", 1))
		}))
}

// elsewhere is in another state than the control, with a ZIP code that begins with a zero, a digit like all others.
func (s *Suite) elsewhere() edit {
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

func (s *Suite) zeroCPF() edit {
	return changed("a CPF that begins with a zero", func(c *target.Creation) {
		*c = c.With("document_number", s.newCPF(true))
	})
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
