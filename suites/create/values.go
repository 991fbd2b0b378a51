package create

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/invalidvalues"
	"github.com/gateassay/gateassay/suites/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// value is one that a field should not have. In its words a * stands for the field's name.
type value struct {
	words      string
	spoil      func(f field, right any) any // makes it of the right one; nil: the field is left out
	everywhere bool                         // it is sent in every context of its rule
	jsonType   string                       // a right value of that type: no defect where the deployment file says that the field has it
	unless     string                       // words of a simpler one: where that is not rejected, this one is not sent
	turn       spec.Sampling                // of its case
	attack     bool                         // web firewalls take it for one, see invalidvalues.Value
	// an acceptance is right where the record shows such a value of the field; nil: none is
	shows func(f field, got any, sent target.Request) bool
}

func (v value) everyContext() value            { v.everywhere = true; return v }
func (v value) of(jsonType string) value       { v.jsonType = jsonType; return v }
func (v value) thorough() value                { v.turn = spec.ThoroughOnly(); return v }
func (v value) unlessTaken(words string) value { v.unless = words; return v }
func (v value) unlessShown(right func(f field, got any, sent target.Request) bool) value {
	v.shows = right
	return v
}

func (v value) asAttack() value { v.attack = true; return v }

func absent() value { return value{words: "no *"} }

// raw is a value as it is written.
func raw(text string) value {
	return value{words: "* " + text, spoil: func(field, any) any { return representative.Raw(text) }}
}

// numeral is a value of the type that the deployment has numbers in.
func numeral(text string) value {
	return value{words: "* " + text, spoil: func(field, any) any { return json.Number(text) }}
}

// spelling makes a value of the text of the right one.
func spelling(words string, spell func(right string) any) value {
	return value{words: words, spoil: func(_ field, right any) any { return spell(fmt.Sprint(right)) }}
}

// dated is a date in a common year, in which the other dates of the request stay consistent.
func dated(words, form string) value {
	return value{words: words, spoil: func(f field, _ any) any { return strings.Replace(form, "YYYY", year(f), 1) }}
}

func year(f field) string {
	return map[string]string{
		"birth_date": "1985", "relationship_start_date": "2021", "relationship_end_date": "2035", "registration_update_date": "2023",
	}[f.Name]
}

// each is the values of a class. Where what spoils one can be undone, the record may show what a valid creation would
// have: the value before it was spoilt.
func each(class []invalidvalues.Value) (all []value) {
	for _, c := range class {
		v := value{words: "* " + c.Description, spoil: func(_ field, right any) any { return c.Apply(right) }, attack: c.LooksLikeAttack}
		if c.Recoverable {
			v.shows = func(f field, got any, sent target.Request) bool { return got == sent.UnmodifiedField(f.Name) }
		}
		all = append(all, v)
	}
	return all
}

// inRange excuses an acceptance where the record shows a participation that nothing is wrong with: its decimals were cut,
// which are not said to be kept.
func inRange(_ field, got any, _ target.Request) bool {
	share, ok := representative.ExactNumber(fmt.Sprint(got))
	return ok && share.Sign() >= 0 && share.Cmp(big.NewRat(100, 1)) <= 0
}

// in is a creation with a value of a field.
func (s *Suite) in(f field, v value) lab.Probe {
	p := without(f.Name)
	if v.spoil != nil {
		p = spelled("", f.Name, func(right any) any { return v.spoil(f, right) })
	}
	p.Description, p.AllConfigurations, p.RequiresRejectionOf, p.Sampling = about(f, v.words), v.everywhere, about(f, v.unless), v.turn
	if v.attack {
		p.Expectation = ofAttack()
	}
	if v.shows != nil {
		p = unlessShown(f.Name, func(got any, sent target.Request) bool { return v.shows(f, got, sent) }, p)
	}
	if v.jsonType != "" && s.t.Deployment.LegalRepresentative.FieldTypes[f.Name] == v.jsonType {
		p.Precondition = func(context.Context) error {
			return spec.NotVerifiedf("", "legal_representative.field_types says that %s is sent as a %s", f.Name, v.jsonType)
		}
	}
	return p
}
