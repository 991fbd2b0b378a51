package create

import (
	"encoding/json"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// variations are the valid creations of the suite. Each differs from the control in as little as possible, so that the
// refusal of one thing hides nothing else.
type variations struct {
	another        *plan.Observation[made] // the control over again for another person
	accents        *plan.Observation[made]
	participations []valued
	money          map[string][]valued     // income, patrimony
	flags          []valued                // pep and is_public_server; the value names both
	qualifications []valued                // all but the control's
	elsewhere      *plan.Observation[made] // leading zeros, and another state than the control's
	abroad         *plan.Observation[made] // an address abroad, and no country of issue
	noCountry      *plan.Observation[made]
	otherCountry   *plan.Observation[made]
	noRegistration *plan.Observation[made]
	leapDays       *plan.Observation[made]
	farDates       *plan.Observation[made] // on the other side of where two digits of a year, or a clock, turn over
	longTexts      *plan.Observation[made]
	rareTexts      *plan.Observation[made] // what a form may hold against a name or an address of mail, wrongly
	noComplement   *plan.Observation[made]
	earlierUpdate  *plan.Observation[made] // a registration that was updated before the relationship began
	languages      []valued
	product        *plan.Observation[made]
	onBehalfOf     *plan.Observation[made]
}

// valued is a variation by the value that it sends.
type valued struct {
	value string
	seen  *plan.Observation[made]
}

// leapDays are four dates that only leap years have.
func leapDays() map[string]string {
	return map[string]string{
		"birth_date": "1988-02-29", "relationship_start_date": "2020-02-29", "relationship_end_date": "2032-02-29",
		"registration_update_date": "2024-02-29",
	}
}

// Amounts in cents: nothing, more than 32 bits hold, and the most that a double holds exactly.
const (
	nothing  = "0"
	beyond32 = "3000000001"
	most53   = "9007199254740991"
)

// Longer than the columns that such texts often get, but not longer than names and streets are.
const (
	longName   = "Maria Antônia Conceição d'Alcântara Vasconcelos Montenegro de Araújo e Sá"
	longStreet = "Avenida Presidente Juscelino Kubitschek de Oliveira, Conjunto Habitacional Três Corações"
)

// Sound, though rare.
const rareName = "Ana-Maria Sousa-Prado"

// A name as it is, and in the letters that every system knows.
const (
	accented = "José D'Ávila Gonçalves"
	plainly  = "Jose D Avila Goncalves"
)

func (s *suite) variations() variations {
	v := variations{money: map[string][]valued{}}
	field := target.AboutField
	v.another = s.vary("another valid creation", field, func(valid target.Creation) target.Creation { return valid })
	v.accents = s.vary("a name with accents and an apostrophe", field, with("name", "Gateassay "+s.t.Run+" "+accented))
	for _, value := range []string{"0", "100", "33.33", "0.01", "99.99", "0.29"} {
		v.participations = append(v.participations, valued{
			value,
			s.vary("a participation of "+value, field, with("participation_percentage", json.Number(value))),
		})
	}
	for _, name := range []string{"income", "patrimony"} {
		for _, value := range []string{nothing, beyond32, most53} {
			v.money[name] = append(v.money[name], valued{
				value,
				s.vary(name+" of "+value+" cents", field, with(name, json.Number(value))),
			})
		}
	}
	for _, both := range []struct {
		value       string
		pep, public bool
	}{{"both true", true, true}, {"only pep true", true, false}, {"only is_public_server true", false, true}} {
		v.flags = append(v.flags, valued{both.value, s.vary("flags with "+both.value, field, func(valid target.Creation) target.Creation {
			return valid.With("pep", both.pep).With("is_public_server", both.public)
		})})
	}
	for _, value := range rules.Qualifications()[1:] {
		v.qualifications = append(v.qualifications, valued{value, s.vary("qualification "+value, field, with("qualification", value))})
	}
	v.elsewhere = s.vary("leading zeros in CPF and ZIP code, in another state", field, func(valid target.Creation) target.Creation {
		zip := "01310100"
		if text, ok := valid.Draft.Get("address.zip_code").(string); ok && len(text) > len(zip) {
			zip = "01310-100" // the deployment wants the dash
		}
		return s.withCPF(valid, zeroCPF()).With("address.zip_code", zip).With("address.street", "Avenida Paulista").
			With("address.neighborhood", "Bela Vista").With("address.city", "São Paulo").With("address.federative_unit", "SP")
	})
	v.abroad = s.vary("an address in Argentina and no country of issue", field, func(valid target.Creation) target.Creation {
		return valid.Without("document_country_of_issue").With("address.country", "ARG")
	})
	v.noCountry = s.vary("no country of issue", field, without("document_country_of_issue"))
	v.otherCountry = s.vary("country of issue ARG", field, with("document_country_of_issue", "ARG"))
	v.noRegistration = s.vary("no registration update date", field, without("registration_update_date"))
	v.leapDays = s.vary("29 February in all four dates", field, func(valid target.Creation) target.Creation {
		for name, day := range leapDays() {
			valid = valid.With(name, day)
		}
		return valid
	})
	v.farDates = s.vary("a birth in 1941 and an end in 2075", field, func(valid target.Creation) target.Creation {
		return valid.With("birth_date", "1941-12-30").With("relationship_end_date", "2075-12-30")
	})
	v.longTexts = s.vary("a long name and a long street", field, func(valid target.Creation) target.Creation {
		return valid.With("name", "Gateassay "+s.t.Run+" "+longName).With("address.street", longStreet)
	})
	v.rareTexts = s.vary("hyphens in the name, a plus sign in the email", field, func(valid target.Creation) target.Creation {
		email, _ := valid.Draft.Get("email").(string)
		return valid.With("name", "Gateassay "+s.t.Run+" "+rareName).With("email", strings.Replace(email, "@", "+gateassay@", 1))
	})
	v.noComplement = s.vary("no complement of the address", field, without("address.complement"))
	v.earlierUpdate = s.vary("a registration update before the start of the relationship", field, func(valid target.Creation) target.Creation {
		return valid.With("relationship_start_date", "2020-11-20").With("registration_update_date", "2019-08-17")
	})
	s.headerVariations(&v)
	return v
}

func (s *suite) headerVariations(v *variations) {
	for _, value := range []string{"pt-BR", "en-US"} {
		v.languages = append(v.languages, valued{value, s.vary("preferred language "+value, target.AboutField,
			func(valid target.Creation) target.Creation {
				valid.Language = value
				return valid
			})})
	}
	fixtures := s.t.Deployment.Fixtures
	v.product = s.vary("a product of the user", target.AboutCaller, func(valid target.Creation) target.Creation {
		valid.Product = fixtures.ProductID
		return valid
	})
	v.onBehalfOf = s.vary("on behalf of another user of the product", target.AboutCaller, func(valid target.Creation) target.Creation {
		valid.Product, valid.OnBehalfOf = fixtures.ProductID, fixtures.TargetUserID
		return valid
	})
}
