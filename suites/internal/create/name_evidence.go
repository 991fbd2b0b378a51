package create

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/creationfields"
	. "github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// headerKeyPrefix stand in front of a header in the key of the deployment file that gives its name.
const headerKeyPrefix = "legal_representative.headers."

// restsOnFieldName says that a rule rests on the name of a field, as far as the document does not
// show it.
func (s *Suite) restsOnFieldName(field string) spec.Option {
	if creationfields.IsDocumented(s.target.Deployment.LegalRepresentative.Fields, field) {
		return spec.RestsOnNames()
	}
	return spec.RestsOnNames(lab.FieldKeyPrefix + field)
}

// nameUnconfirmedError is why nothing shows that the deployment reads the name of a field; nil:
// something does, or the document shows it.
func (s *Suite) nameUnconfirmedError(ctx context.Context, field string) error {
	if field == "" ||
		creationfields.IsDocumented(s.target.Deployment.LegalRepresentative.Fields, field) {
		return nil
	}
	_, err := s.EvidenceOfName(lab.FieldKeyPrefix + field).Get(ctx)
	return err
}

// EvidenceOfName is what shows that the deployment reads a name which the document does not show,
// by the key that the deployment file gives it under, or would: what was sent under it came back
// and is not what a deployment may fill in by itself, or a creation without it, or with nonsense in
// its place, was not answered as a valid one. That the file gives it shows nothing: a deployment
// that ignores what it does not know accepts whatever stands under a wrong name. It is looked for
// in the end, in what rules have sent by then, and only where that is not enough in requests of its
// own.
func (s *Suite) EvidenceOfName(key string) *spec.Observation[bool] {
	field, isField := strings.CutPrefix(key, lab.FieldKeyPrefix)
	var probes []lab.Probe
	switch header := strings.TrimPrefix(key, headerKeyPrefix); {
	case isField:
		probes = []lab.Probe{withoutField(field), s.withInvalidValue(fieldByName(field),
			rawJSON(`{"gateassay":0}`))}
	case header == "on_behalf_of": // which is optional, and goes with a product
		probes = append(s.withHeader(header, malformedUUIDs()[0], unknownUUIDs()[0]),
			s.withDefects(s.forTargetUser(), s.forTargetUserWithoutProduct()[1])...)
	default:
		probes = s.withHeader(header, noHeader(), malformedUUIDs()[0])
	}
	return spec.Observe(s.Plan, "evidence of "+key, func(ctx context.Context) (bool, error) {
		if isField && s.valueCameBack(ctx, field) {
			return true, nil
		}
		var unsent error
		answered := 0
		for _, p := range probes {
			a, err := s.lab.AnswerOrSend(ctx, p)
			if err != nil {
				unsent = err
				continue
			}
			if answered++; s.answeredDifferently(ctx, a, isField) {
				return true, nil
			}
		}
		const unread = "the document does not show this name, and nothing shows that the deployment " +
			"reads it: nothing that was " +
			"sent under it came back, and a creation without it, or with nonsense in its place, was not " +
			"rejected"
		need := spec.NotVerifiedReason(unsent)
		switch {
		case answered == 0, need != nil && need.Key == "limits.max_creates": // not all was sought
			return false, unsent
		case s.target.Deployment.Has(key):
			return false, spec.Inconclusivef("check %s: %s", key, unread)
		}
		return false, spec.NotVerifiedf(key, unread)
	}, spec.PhaseLate)
}

// answeredDifferently reports whether a creation got something else than a valid one gets, be it
// the wrong refusal. What may be about the caller, a repeat or a firewall that reads everything
// says nothing.
func (s *Suite) answeredDifferently(ctx context.Context, a target.Answer, aboutField bool) bool {
	switch a.Status {
	case http.StatusUnauthorized, http.StatusConflict, http.StatusTooManyRequests, 0:
		return false
	case http.StatusForbidden:
		return !aboutField
	}
	base, err := s.lab.ControlCreation.Get(ctx)
	return !a.IsSuccess() ||
		err == nil && newAcceptedCreation(base).hasRecord() && !newAcceptedCreation(a).hasRecord()
}

// valueCameBack reports whether a value that was sent under a name, and is no default, came back in
// a record that the run has seen.
func (s *Suite) valueCameBack(ctx context.Context, name string) bool {
	f := fieldByName(name)
	if f.Name == "address.zip_code" { // another notation shows as much
		f.Kind = KindDigits
	}
	shown := func(a target.Answer) bool {
		if a.Exchange == nil || f.Path == "" {
			return false
		}
		r := newAcceptedCreation(a)
		sent := r.sent.Get(name)
		if slices.Contains([]any{nil, false, "BRA", "PARTNER", "OTHER"}, sent) {
			return false
		}
		echo := r.echoedValue(f, sent)
		same, _ := echo.CompareValues()
		return echo.Got != nil && same
	}
	base, _ := s.lab.ControlCreation.Get(ctx)
	return shown(base) || slices.ContainsFunc(s.lab.ValidCreations(), shown)
}
