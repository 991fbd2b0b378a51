package create

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// invalidValue is a value that a field must not have. A * in its texts stands for the field's
// name.
type invalidValue struct {
	description string
	// corrupt derives it from the valid value; nil: the field is left out.
	corrupt           func(f field, right any) any
	allConfigurations bool // sent in every context of its rule
	// jsonType: the value is right, and not tried, where the deployment file gives the field this
	// type.
	jsonType string
	// requiresRejectionOf describes a simpler value. Where that is not rejected, this one is not
	// sent.
	requiresRejectionOf string
	sampling            spec.Sampling // sampling of its case
	// looksLikeAttack: web firewalls take it for an attack, see invalidvalues.Value.
	looksLikeAttack bool
	// tolerated reports whether an acceptance is right, given the record's value of the field;
	// nil: never.
	tolerated func(f field, got any, sent target.Request) bool
}

func (v invalidValue) inAllConfigurations() invalidValue {
	v.allConfigurations = true
	return v
}
func (v invalidValue) ofJSONType(jsonType string) invalidValue { v.jsonType = jsonType; return v }
func (v invalidValue) thoroughOnly() invalidValue {
	v.sampling = spec.ThoroughOnly()
	return v
}

func (v invalidValue) requiringRejectionOf(words string) invalidValue {
	v.requiresRejectionOf = words
	return v
}

func (v invalidValue) toleratedIf(
	right func(f field, got any, sent target.Request) bool,
) invalidValue {
	v.tolerated = right
	return v
}

func (v invalidValue) asAttack() invalidValue { v.looksLikeAttack = true; return v }

func absentValue() invalidValue { return invalidValue{description: "no *"} }

// rawJSON returns a value given as JSON.
func rawJSON(text string) invalidValue {
	return invalidValue{
		description: "* " + text,
		corrupt:     func(field, any) any { return representative.RawJSON(text) },
	}
}

// numericLiteral returns a number, in the type that the deployment uses for numbers.
func numericLiteral(text string) invalidValue {
	return invalidValue{
		description: "* " + text,
		corrupt:     func(field, any) any { return json.Number(text) },
	}
}

// respelledValue derives a value from the text of the valid one.
func respelledValue(words string, spell func(right string) any) invalidValue {
	return invalidValue{
		description: words,
		corrupt:     func(_ field, right any) any { return spell(fmt.Sprint(right)) },
	}
}

// dateLiteral returns a date in a common year that keeps the other dates of the request
// consistent.
func dateLiteral(words, form string) invalidValue {
	return invalidValue{description: words, corrupt: func(f field, _ any) any {
		return strings.Replace(form, "YYYY", yearWithoutLeapDay(f), 1)
	}}
}

func yearWithoutLeapDay(f field) string {
	return map[string]string{
		"birth_date": "1985", "relationship_start_date": "2021", "relationship_end_date": "2035",
		"registration_update_date": "2023",
	}[f.Name]
}

// invalidValuesOf converts the values of a class. Where the corruption can be undone, the record
// may show the value before it.
func invalidValuesOf(class []invalidvalues.Value) (all []invalidValue) {
	for _, c := range class {
		v := invalidValue{
			description:     "* " + c.Description,
			corrupt:         func(_ field, right any) any { return c.Apply(right) },
			looksLikeAttack: c.LooksLikeAttack,
		}
		if c.Recoverable {
			v.tolerated = func(f field, got any, sent target.Request) bool {
				return got == sent.UnmodifiedField(f.Name)
			}
		}
		all = append(all, v)
	}
	return all
}

// isParticipationInRange excuses an acceptance where the record shows a valid participation: the
// deployment cut decimals, which it may.
func isParticipationInRange(_ field, got any, _ target.Request) bool {
	share, ok := representative.ParseExactNumber(fmt.Sprint(got))
	return ok && share.Sign() >= 0 && share.Cmp(big.NewRat(100, 1)) <= 0
}

// withInvalidValue returns a creation with an invalid value of a field.
func (s *Suite) withInvalidValue(f field, v invalidValue) lab.Probe {
	p := withoutField(f.Name)
	if v.corrupt != nil {
		p = withFieldSpelled("", f.Name, func(right any) any { return v.corrupt(f, right) })
	}
	p.Description = withFieldName(f, v.description)
	p.AllConfigurations = v.allConfigurations
	p.RequiresRejectionOf = withFieldName(f, v.requiresRejectionOf)
	p.Sampling = v.sampling
	if v.looksLikeAttack {
		p.Expectation = expectAttackRejected()
	}
	if v.tolerated != nil {
		p = toleratedIfEchoed(f.Name,
			func(got any, sent target.Request) bool { return v.tolerated(f, got, sent) }, p)
	}
	if v.jsonType != "" && s.target.Deployment.LegalRepresentative.FieldTypes[f.Name] == v.jsonType {
		p.Precondition = func(context.Context) error {
			return spec.NotVerifiedf("", "legal_representative.field_types says that %s is sent as a %s",
				f.Name, v.jsonType)
		}
	}
	return p
}
