package create

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// withJSON sets a field to a value given as JSON.
func withJSON(field, text string) lab.Probe {
	return withDescribedField(field+" "+text, field, representative.RawJSON(text))
}

// withEachJSON sets a field to each of several values given as JSON.
func withEachJSON(field string, texts ...string) (probes []lab.Probe) {
	for _, text := range texts {
		probes = append(probes, withJSON(field, text))
	}
	return probes
}

// jsonValues returns values given as JSON.
func jsonValues(texts ...string) (values []invalidvalues.Value) {
	for _, text := range texts {
		values = append(values,
			invalidvalues.Value{Description: text, Apply: invalidvalues.ReplaceWithJSON(text)})
	}
	return values
}

// withInvalidValue corrupts a field. The record may show the value before a corruption undone.
func withInvalidValue(field string, v invalidvalues.Value) lab.Probe {
	p := withChangedField(field+" "+v.Description, field, func(r *target.Request) {
		value := v.Apply(validValue(r, field))
		if written, ok := value.(json.RawMessage); ok {
			value = representative.RawJSON(written)
		}
		r.SetField(field, value)
	})
	if v.LooksLikeAttack {
		p.Expectation = attackRejected
	}
	if v.Recoverable {
		p = toleratedIfShown(p, field, func(a target.Answer) any { return a.Sent.UnmodifiedField(field) })
	}
	return p
}

// withDate sets a date in a common year that keeps the other dates of the request consistent.
func withDate(field, what, form string) lab.Probe {
	year := map[string]string{
		"birth_date": "1985", "relationship_start_date": "2021", "relationship_end_date": "2035",
		"registration_update_date": "2023",
	}[field]
	return withDescribedField(field+" "+what, field, strings.Replace(form, "YYYY", year, 1))
}

// inQuery gives a field in the query instead of the body.
func inQuery(field string) lab.Probe {
	without := withoutField(field)
	p := without.As(without.Description + " except in the query").AfterRejectionOf(without.Description)
	p.Edit = func(r *target.Request) {
		r.Query = map[string][]string{field: {fmt.Sprint(r.Draft.Get(field))}}
		r.RemoveFields(field)
	}
	return p.Sampled(spec.ThoroughOnly())
}

// thoroughOnly returns creations that only thorough runs send.
func thoroughOnly(probes ...lab.Probe) []lab.Probe {
	for i := range probes {
		probes[i].Sampling = spec.ThoroughOnly()
	}
	return probes
}

// unlessSentAs holds back a value where the deployment file gives the field its JSON type.
func (s *Suite) unlessSentAs(jsonType string, p lab.Probe) lab.Probe {
	field := p.ChangedFields[0]
	return p.Requiring(func(context.Context, *lab.Lab) error {
		if s.target.Deployment.LegalRepresentative.FieldTypes[field] != jsonType {
			return nil
		}
		return spec.NotVerifiedf("", "legal_representative.field_types says that %s is sent as a %s",
			field, jsonType)
	})
}

// toleratedIfEchoed excuses an acceptance if right accepts the record's value of the field. pattern
// is an extended regular expression of the same values as JSON.
func toleratedIfEchoed(p lab.Probe, pattern string, right func(got any) bool) lab.Probe {
	field := p.ChangedFields[0]
	p.Tolerated = func(a target.Answer) bool {
		got, known := echoedField(a, field)
		return known && right(got)
	}
	p.Tolerable = func(target.Answer) reproscript.Expectation { return fieldInRecord(field, pattern) }
	return p
}

// toleratedIfShown excuses an acceptance if the record's value of the field is the one that want
// returns.
func toleratedIfShown(p lab.Probe, field string, want func(target.Answer) any) lab.Probe {
	p.Tolerated = func(a target.Answer) bool {
		got, known := echoedField(a, field)
		return known && got == want(a)
	}
	p.Tolerable = func(a target.Answer) reproscript.Expectation {
		return fieldInRecord(field, regexp.QuoteMeta(jsonNotation(want(a))))
	}
	return p
}

// fieldInRecord expects a refusal, or a record whose value of the field matches the pattern.
func fieldInRecord(field, pattern string) reproscript.ExpectValue {
	return reproscript.ExpectValue{
		Path: representative.ResponsePath(field), Right: pattern, Refused: true,
	}
}

// echoedField returns the record's value of a field; known is false where there is no record.
func echoedField(a target.Answer, field string) (got any, known bool) {
	r := newAcceptedCreation(a)
	got, _ = r.record.Get(representative.ResponsePath(field))
	return got, a.IsSuccess() && r.parseError == nil
}

// participationInRange is the pattern of what isParticipationInRange accepts, in plain notation.
const participationInRange = `-?0(\.0+)?|[0-9]{1,2}(\.[0-9]+)?|100(\.0+)?`

// isParticipationInRange reports whether a participation is valid, as when decimals were cut.
func isParticipationInRange(got any) bool {
	share, ok := representative.ParseExactNumber(fmt.Sprint(got))
	return ok && share.Sign() >= 0 && share.Cmp(big.NewRat(100, 1)) <= 0
}
