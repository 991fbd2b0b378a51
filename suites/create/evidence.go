package create

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Keys of the deployment file below which it gives names.
const (
	fieldKeys  = "legal_representative.fields."
	headerKeys = "legal_representative.headers."
)

// documented reports whether the API document shows the name of a field in requests.
func documented(field string) bool {
	return slices.Contains([]string{
		"shareholder_id", "name", "mother_name", "income", "patrimony", "participation_percentage", "phone_number",
		"email", "relationship_start_date", "registration_update_date", "address",
	}, field)
}

// namesOf says that a rule rests on the names of fields, as far as the document does not show them.
func namesOf(fields ...string) spec.Option {
	var keys []string
	for _, field := range fields {
		if !documented(field) {
			keys = append(keys, fieldKeys+field)
		}
	}
	return spec.Names(keys...)
}

// Evidence is what shows that the deployment reads a name which the document does not show, by the key that the
// deployment file would give it under: the file does, or what was sent under it came back and is not what a deployment
// may fill in by itself, or a creation without it, or with nonsense in its place, was rejected as invalid.
func (s *Suite) Evidence(key string) spec.AnyObservation { return s.evidence(key) }

func (s *Suite) evidence(key string) *spec.Observation[string] {
	var probes []answer
	field, isField := strings.CutPrefix(key, fieldKeys)
	if isField {
		probes = []answer{
			s.send(target.AboutField, without(field)),
			s.send(target.AboutField, raw(field, `{"gateassay":0}`)),
		}
	} else {
		header := s.header(strings.TrimPrefix(key, headerKeys))
		probes = []answer{s.send(target.AboutCaller, header.absent()), s.send(target.AboutCaller, header.garbage())}
	}
	return spec.Observe(s.Plan, "evidence of "+key, func(ctx context.Context) (string, error) {
		if s.t.Deployment.Has(key) {
			return "given", nil
		}
		if isField && s.cameBack(ctx, field) {
			return "came back", nil
		}
		for _, probe := range probes {
			a, err := probe.Get(ctx)
			if err == nil && (a.Status == http.StatusBadRequest || a.Status == http.StatusUnprocessableEntity) {
				return "rejected", nil
			}
		}
		for _, v := range slices.Concat(probes, s.valid) { // what the budget held back might have shown it
			if !v.Launched() {
				continue
			}
			var need *spec.NeedError
			if _, err := v.Get(ctx); errors.As(err, &need) && need.Key == "limits.max_creates" {
				return "", err
			}
		}
		return "", spec.Unmet(key,
			"the document does not show this name, and nothing shows that the deployment reads it: what was "+
				"sent under it never came back, and a creation without it, or with nonsense in its place, was not "+
				"rejected")
	})
}

// cameBack reports whether a value that was sent under a name came back in the record of some valid creation.
func (s *Suite) cameBack(ctx context.Context, field string) bool {
	path := representative.ResponsePath(field)
	for _, v := range append([]answer{s.c.Creation}, s.valid...) {
		if !v.Launched() || path == "" {
			continue
		}
		a, err := v.Get(ctx)
		if err != nil || !a.Success() {
			continue
		}
		r := s.read(a)
		switch sent := r.sent.Get(field); sent {
		case nil, false, "BRA", "PARTNER", "OTHER": // what may be a default
		default:
			if r.record == nil {
				continue
			}
			got, _ := r.record.Get(path)
			if got != nil && echoOf(path, sent, got).Likeness() == Alike {
				return true
			}
		}
	}
	return false
}
