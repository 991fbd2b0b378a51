package create

import (
	"context"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// itAccepts declares a case for each of the valid creations that it is accepted.
func (s *Suite) itAccepts(all ...lab.Probe) {
	spec.Helper()
	for _, p := range all {
		s.lab.ItAccepts(p, s.observeValid(p))
	}
}

// asValidProbe returns a probe that should be accepted and whose record is judged with all others.
func asValidProbe(p lab.Probe) lab.Probe {
	p.Valid, p.Expectation = true, lab.Expectation{}
	if p.ConcernsCaller {
		p.Conclusive = answers.ConclusiveForCaller
	}
	return p
}

// observeValid declares a valid creation. If it is part of a bundle, the bundle's answer serves
// for it. It is sent alone only if the bundle was refused, so that one refused part hides no
// other.
func (s *Suite) observeValid(p lab.Probe) lab.AnswerObservation {
	p = asValidProbe(p)
	var bundled lab.AnswerObservation
	if at := slices.IndexFunc(s.bundles, func(b probeBundle) bool {
		return slices.ContainsFunc(b.parts,
			func(part lab.Probe) bool { return part.Description == p.Description })
	}); at >= 0 {
		bundled = s.bundles[at].answer
		s.UseObservations(bundled)
	}
	return spec.ObserveAsCase(s.Plan, p.String(), func(ctx spec.Context) target.Answer {
		if bundled != nil {
			a, ok := bundled.TryGet(ctx)
			if ok && a.IsSuccess() {
				return a
			}
			p.Configurations = []design.Configuration{a.Condition}
		}
		a, err := s.lab.SendInConfigurations(ctx, p)
		ctx.StopOnError(err)
		if a.Status != http.StatusConflict {
			a, err = s.lab.ConfirmRefusal(ctx, p, a)
			ctx.StopOnError(err)
		}
		return a
	})
}

// observeBundle declares the creation of a bundle.
func (s *Suite) observeBundle(p lab.Probe) lab.AnswerObservation {
	p = asValidProbe(p)
	return spec.Observe(s.Plan, "several at once: "+p.String(),
		func(ctx context.Context) (target.Answer, error) {
			if p.AllConfigurations {
				p.Configurations = s.lab.ConfigurationsCoveringEachValue(p.Operation, p.Description)
			}
			return s.lab.SendInConfigurations(ctx, p)
		})
}
