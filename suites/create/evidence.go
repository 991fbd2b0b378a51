package create

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// headerKeys stand in front of a header in the key of the deployment file that gives its name.
const headerKeys = "legal_representative.headers."

// namesOf says that a rule rests on the name of a field, as far as the document does not show it.
func (s *Suite) namesOf(field string) spec.Option {
	if s.t.Deployment.Documented(field) {
		return spec.RestsOnNames()
	}
	return spec.RestsOnNames(lab.FieldKeyPrefix + field)
}

// unread is why nothing shows that the deployment reads the name of a field; nil: something does, or the document shows it.
func (s *Suite) unread(ctx context.Context, field string) error {
	if field == "" || s.t.Deployment.Documented(field) {
		return nil
	}
	_, err := s.Evidence(lab.FieldKeyPrefix + field).Get(ctx)
	return err
}

// Evidence is what shows that the deployment reads a name which the document does not show, by the key that the
// deployment file gives it under, or would: what was sent under it came back and is not what a deployment may fill in by
// itself, or a creation without it, or with nonsense in its place, was not answered as a valid one. That the file gives
// it shows nothing: a deployment that ignores what it does not know accepts whatever stands under a wrong name. It is looked for
// in the end, in what rules have sent by then, and only where that is not enough in requests of its own.
func (s *Suite) Evidence(key string) *spec.Observation[bool] {
	field, isField := strings.CutPrefix(key, lab.FieldKeyPrefix)
	var probes []lab.Probe
	switch header := strings.TrimPrefix(key, headerKeys); {
	case isField:
		probes = []lab.Probe{without(field), s.in(known(field), raw(`{"gateassay":0}`))}
	case header == "on_behalf_of": // which is optional, and goes with a product
		probes = append(s.header(header, malformed()[0], unknown()[0]), s.on(s.onBehalf(), s.noProduct()[1])...)
	default:
		probes = s.header(header, none(), malformed()[0])
	}
	return spec.Observe(s.Plan, "evidence of "+key, func(ctx context.Context) (bool, error) {
		if isField && s.cameBack(ctx, field) {
			return true, nil
		}
		var unsent error
		answered := 0
		for _, p := range probes {
			a, err := s.lab.SharedAnswer(ctx, p)
			if err != nil {
				unsent = err
				continue
			}
			if answered++; s.treatedApart(ctx, a, isField) {
				return true, nil
			}
		}
		const unread = "the document does not show this name, and nothing shows that the deployment reads it: nothing that was " +
			"sent under it came back, and a creation without it, or with nonsense in its place, was not rejected"
		need := spec.NotVerifiedReason(unsent)
		switch {
		case answered == 0, need != nil && need.Key == "limits.max_creates": // not all was sought
			return false, unsent
		case s.t.Deployment.Has(key):
			return false, spec.Inconclusivef("check %s: %s", key, unread)
		}
		return false, spec.NotVerifiedf(key, unread)
	}, spec.PhaseLate)
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
	base, err := s.lab.ControlCreation.Get(ctx)
	return !a.Success() || err == nil && read(base).holdsRecord() && !read(a).holdsRecord()
}

// cameBack reports whether a value that was sent under a name, and is no default, came back in a record that the run has seen.
func (s *Suite) cameBack(ctx context.Context, name string) bool {
	f := known(name)
	if f.Name == "address.zip_code" { // another notation shows as much
		f.Kind = Digits
	}
	shown := func(a target.Answer) bool {
		if a.Exchange == nil || f.Path == "" {
			return false
		}
		r := read(a)
		sent := r.sent.Get(name)
		if slices.Contains([]any{nil, false, "BRA", "PARTNER", "OTHER"}, sent) {
			return false
		}
		echo := r.echo(f, sent)
		same, _ := echo.Same()
		return echo.Got != nil && same
	}
	base, _ := s.lab.ControlCreation.Get(ctx)
	return shown(base) || slices.ContainsFunc(s.lab.ValidCreations(), shown)
}
