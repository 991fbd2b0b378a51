package create

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// invalidValue returns a creation with a value that a field must not have.
type invalidValue func(f field) lab.Probe

// with returns the value with a change of its creation.
func (v invalidValue) with(change func(lab.Probe) lab.Probe) invalidValue {
	return func(f field) lab.Probe { return change(v(f)) }
}

func (v invalidValue) inAllConfigurations() invalidValue {
	return v.with(lab.Probe.InAllConfigurations)
}

func (v invalidValue) thoroughOnly() invalidValue {
	return v.with(func(p lab.Probe) lab.Probe { return p.Sampled(spec.ThoroughOnly()) })
}

// afterRejectionOf returns the value held back unless a simpler one of the field is rejected,
// which is given by its description without the field's name.
func (v invalidValue) afterRejectionOf(simpler string) invalidValue {
	return func(f field) lab.Probe { return v(f).AfterRejectionOf(f.Name + " " + simpler) }
}

// toleratedIf returns the value with an acceptance excused where right accepts what the record
// shows.
func (v invalidValue) toleratedIf(right func(got any) bool) invalidValue {
	return v.with(func(p lab.Probe) lab.Probe {
		return toleratedIfEchoed(p, func(got any, _ target.Request) bool { return right(got) })
	})
}

// unlessSentAs returns a value that is valid, and not tried, where the deployment file gives the
// field this JSON type.
func (s *Suite) unlessSentAs(jsonType string, v invalidValue) invalidValue {
	return func(f field) lab.Probe {
		p := v(f)
		p.Precondition = func(context.Context) error {
			if s.target.Deployment.LegalRepresentative.FieldTypes[f.Name] != jsonType {
				return nil
			}
			return spec.NotVerifiedf("", "legal_representative.field_types says that %s is sent as a %s",
				f.Name, jsonType)
		}
		return p
	}
}

func absentValue() invalidValue { return func(f field) lab.Probe { return withoutField(f.Name) } }

// inQuery is a text in the query instead of the body.
func inQuery(f field) lab.Probe {
	p := withoutField(f.Name)
	withoutIt := p.Edit
	p.Edit = func(r *target.Request) {
		value := fmt.Sprint(r.Draft.Get(f.Name))
		withoutIt(r)
		r.Query = map[string][]string{f.Name: {value}}
	}
	return p.As(p.Description + " but in the query").AfterRejectionOf(p.Description).
		Sampled(spec.ThoroughOnly())
}

// rawJSON returns a value given as JSON.
func rawJSON(text string) invalidValue {
	return func(f field) lab.Probe {
		return withDescribedField(f.Name+" "+text, f.Name, representative.RawJSON(text))
	}
}

// numericLiteral returns a number, in the type that the deployment uses for numbers.
func numericLiteral(text string) invalidValue {
	return func(f field) lab.Probe { return withAmount(f.Name, text) }
}

// respelledValue derives a value from the text of the valid one.
func respelledValue(what string, spell func(right string) any) invalidValue {
	return func(f field) lab.Probe { return withRespelledText(what, f.Name, spell) }
}

// dateLiteral returns a date in a common year that keeps the other dates of the request
// consistent.
func dateLiteral(what, form string) invalidValue {
	return func(f field) lab.Probe {
		year := map[string]string{
			"birth_date": "1985", "relationship_start_date": "2021", "relationship_end_date": "2035",
			"registration_update_date": "2023",
		}[f.Name]
		return withDescribedField(f.Name+" "+what, f.Name, strings.Replace(form, "YYYY", year, 1))
	}
}

// invalidValuesOf converts the values of a class. Where the corruption can be undone, the record
// may show the value before it.
func invalidValuesOf(class []invalidvalues.Value) (all []invalidValue) {
	for _, c := range class {
		all = append(all, func(f field) lab.Probe {
			p := withFieldSpelled(f.Name+" "+c.Description, f.Name, c.Apply)
			if c.LooksLikeAttack {
				p = asAttack(p)
			}
			if c.Recoverable {
				p = toleratedIfEchoed(p, func(got any, sent target.Request) bool {
					return got == sent.UnmodifiedField(f.Name)
				})
			}
			return p
		})
	}
	return all
}

// isParticipationInRange excuses an acceptance where the record shows a valid participation: the
// deployment cut decimals, which it may.
func isParticipationInRange(got any) bool {
	share, ok := representative.ParseExactNumber(fmt.Sprint(got))
	return ok && share.Sign() >= 0 && share.Cmp(big.NewRat(100, 1)) <= 0
}
