package create

import (
	"context"
	"net/http"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Keys of the deployment file below which it gives names.
const (
	fieldKeys  = "legal_representative.fields."
	headerKeys = "legal_representative.headers."
)

// namesOf says that a rule rests on the names of fields, as far as the document does not show them.
func (s *Suite) namesOf(fields ...string) spec.Option {
	var keys []string
	for _, field := range fields {
		if !s.t.Deployment.Documented(field) {
			keys = append(keys, fieldKeys+field)
		}
	}
	return spec.Names(keys...)
}

// unread is why nothing shows that the deployment reads the name of a field; nil: something does, or the document shows it.
func (s *Suite) unread(ctx context.Context, field string) error {
	if field == "" || s.t.Deployment.Documented(field) {
		return nil
	}
	_, err := s.evidence(fieldKeys + field).Get(ctx)
	return err
}

// unlessGiven says that a rule rests on the name of a header where the deployment file does not give it. Whoever accepts
// a creation without a header that is required does not require it, whatever its name is.
func (s *Suite) unlessGiven(header string) spec.Option {
	if s.t.Deployment.Has(headerKeys + header) {
		return spec.Names()
	}
	return spec.Names(headerKeys + header)
}

// Evidence is what shows that the deployment reads a name which the document does not show, by the key that the
// deployment file gives it under, or would: what was sent under it came back and is not what a deployment may fill in by
// itself, or a creation without it, or with nonsense in its place, was not answered as a valid one. That the file gives
// it shows nothing: a deployment that ignores what it does not know accepts whatever stands under a wrong name.
func (s *Suite) Evidence(key string) spec.AnyObservation { return s.evidence(key) }

func (s *Suite) evidence(key string) *spec.Observation[bool] {
	field, isField := strings.CutPrefix(key, fieldKeys)
	unread := "a creation without it, or with nonsense in its place, was not rejected"
	var edits []edit
	if isField {
		edits = append([]edit{without(field)}, raws(field, `{"gateassay":0}`)...)
		unread = "what was sent under it never came back, and " + unread
	} else if header := strings.TrimPrefix(key, headerKeys); header == "on_behalf_of" { // which is optional, and goes with a product
		edits = append(s.on(s.product(), s.header(header, malformed()[0], unknown()[0])...), s.on(s.onBehalf(), s.noProduct()[1])...)
	} else {
		edits = s.header(header, absent(), malformed()[0])
	}
	probes := make([]answer, len(edits))
	for i, e := range edits {
		probes[i] = s.refused(e)
	}
	return spec.Observe(s.Plan, "evidence of "+key, func(ctx context.Context) (bool, error) {
		if isField && s.cameBack(ctx, field) {
			return true, nil
		}
		for i, probe := range probes {
			a, err := probe.Get(ctx)
			if unaffordable(err) {
				last := edits[i]
				last.how, last.claim = howOf(last), target.Evidence
				a, err = s.send(ctx, last, plain())
			}
			if err == nil && s.treatedApart(ctx, a, isField) {
				return true, nil
			}
			if unaffordable(err) {
				return false, spec.Unmet("limits.max_creates", "check %s: nothing shows yet that the deployment reads its name, and the run may "+
					"create no more representatives", key)
			}
		}
		if s.t.Deployment.Has(key) {
			return false, spec.Unclear("check %s: nothing shows that the deployment reads the name given there; %s", key, unread)
		}
		return false, spec.Unmet(key, "the document does not show this name, and nothing shows that the deployment reads it: %s", unread)
	})
}

func unaffordable(err error) bool {
	need := spec.Need(err)
	return need != nil && need.Key == "limits.max_creates"
}

// treatedApart reports whether a creation got something else than a valid one gets, be it the wrong refusal. What may
// be about the caller, a repeat or a firewall that reads everything says nothing.
func (s *Suite) treatedApart(ctx context.Context, a target.Answer, aboutField bool) bool {
	switch a.Status {
	case http.StatusUnauthorized, http.StatusConflict, http.StatusTooManyRequests, 0:
		return false
	case http.StatusForbidden:
		return !aboutField
	}
	base, err := s.c.Creation.Get(ctx)
	return !a.Success() || err == nil && read(base).holdsRecord() && !read(a).holdsRecord()
}

// cameBack reports whether a value that was sent under a name, and is no default, came back in the record of some valid
// creation.
func (s *Suite) cameBack(ctx context.Context, name string) bool {
	f := where(called(name))[0]
	if f.Path == "address.zip_code" { // another notation shows as much
		f.Kind = Digits
	}
	return f.Path != "" && slices.ContainsFunc(s.validAnswers(ctx), func(a target.Answer) bool {
		r := read(a)
		sent := r.sent.Get(name)
		if r.record == nil || slices.Contains([]any{nil, false, "BRA", "PARTNER", "OTHER"}, sent) {
			return false
		}
		echo := r.echo(f, sent)
		return echo.Got != nil && echo.Likeness() == Alike
	})
}
