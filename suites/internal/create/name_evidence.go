package create

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/representative"
	. "github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// headerKeyPrefix precedes a header in the key of the deployment file that gives its name.
const headerKeyPrefix = "legal_representative.headers."

// restsOnFieldName makes a rule rest on the name of a field, unless the name is documented.
func (s *Suite) restsOnFieldName(field string) spec.Option {
	return spec.RestsOnNames(s.lab.UndocumentedNameKeys(field)...)
}

// nameUnconfirmedError returns why nothing shows that the deployment reads the name of a field.
// It is nil if something does, or if the name is documented.
func (s *Suite) nameUnconfirmedError(ctx context.Context, field string) (err error) {
	for _, key := range s.lab.UndocumentedNameKeys(field) {
		_, err = s.EvidenceOfName(key).Get(ctx)
	}
	return err
}

// EvidenceOfName declares the evidence that the deployment reads an undocumented name, which is
// given by its key in the deployment file. A name is confirmed if its value came back and is no
// default, or if a creation without it, or with nonsense in its place, got another answer than a
// valid one. An entry in the file confirms nothing: a deployment that ignores unknown names
// accepts a wrong one. The evidence is collected at the end of the run from the requests of
// rules; if these are not enough, further ones are sent.
func (s *Suite) EvidenceOfName(key string) *spec.Observation[bool] {
	field, isField := strings.CutPrefix(key, lab.FieldKeyPrefix)
	var probes []lab.Probe
	switch header := strings.TrimPrefix(key, headerKeyPrefix); {
	case isField:
		probes = []lab.Probe{
			withoutField(field), withField(field, representative.RawJSON(`{"gateassay":0}`)),
		}
	case header == "on_behalf_of": // it is optional and needs a product
		probes = append(
			s.withHeader(header, invalidvalues.MalformedUUIDs()[0], unknownUUIDs()[0]),
			s.withDefects(s.forTargetUser(), s.forTargetUserWithoutProduct()[1])...)
	default:
		probes = append([]lab.Probe{s.withoutHeader(header)},
			s.withHeader(header, invalidvalues.MalformedUUIDs()[0])...)
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
			answered++
			if s.answeredDifferently(ctx, a, isField) {
				return true, nil
			}
		}
		const unread = "the document does not show this name, and nothing shows that the deployment " +
			"reads it: nothing that was " +
			"sent under it came back, and a creation without it, or with nonsense in its place, was not " +
			"rejected"
		need := spec.NotVerifiedReason(unsent)
		switch {
		case answered == 0, need != nil && need.Key == "limits.max_creates": // the search is incomplete
			return false, unsent
		case s.target.Deployment.Has(key):
			return false, spec.Inconclusivef("check %s: %s", key, unread)
		}
		return false, spec.NotVerifiedf(key, unread)
	}, spec.PhaseLate)
}

// answeredDifferently reports whether a creation got another answer than a valid one, even a
// wrong refusal. Answers that may be about the caller, a repeat or a firewall do not count.
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

// valueCameBack reports whether some record shows a value sent under a name that is no default.
func (s *Suite) valueCameBack(ctx context.Context, name string) bool {
	f := fieldByName(name)
	if f.Name == "address.zip_code" { // another notation is evidence, too
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
