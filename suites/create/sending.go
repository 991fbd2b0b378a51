package create

import (
	"context"
	"net/http"
	"slices"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// accepts declares a rule that each of some creations is accepted.
func (s *Suite) accepts(id string, level Level, section Section, statement string, all ...lab.Probe) {
	spec.Helper()
	s.Rule(id, level, section, statement, func() {
		for _, p := range all {
			s.accepted(p, s.valid(p))
		}
	})
}

// accepted declares the case that a valid creation is accepted, unless doubts end it.
func (s *Suite) accepted(p lab.Probe, seen answer, doubts ...lab.InconclusiveCheck) {
	spec.Helper()
	p.InconclusiveChecks = doubts
	s.lab.ItAccepts(p, seen)
}

// asValid is a probe that should be accepted, and whose record is judged with all others.
func asValid(p lab.Probe) lab.Probe {
	if p.Valid, p.Expectation = true, (lab.Expectation{}); p.ConcernsCaller {
		p.Conclusive = target.ConclusiveForCaller
	}
	return p
}

// valid declares a valid creation. Where a bundle has this part, it serves for it as well; only when that was refused is
// the part sent alone, so that the refusal of one thing hides nothing else.
func (s *Suite) valid(p lab.Probe) answer {
	p = asValid(p)
	var bundled answer
	if at := slices.IndexFunc(s.bundles, func(b bundle) bool {
		return slices.ContainsFunc(b.parts, func(part lab.Probe) bool { return part.Description == p.Description })
	}); at >= 0 {
		bundled = s.bundle(s.bundles[at])
	}
	return spec.Observe(s.Plan, p.String(), func(ctx context.Context) (target.Answer, error) {
		if bundled != nil {
			a, err := bundled.Get(ctx)
			if err == nil && a.Success() {
				return a, nil
			}
			p.Configurations = []design.Configuration{a.Condition}
		}
		a, err := s.lab.SendInConfigurations(ctx, p)
		if err != nil || !a.Refusal() || a.Status == http.StatusConflict {
			return a, err
		}
		other := another()
		other.ConcernsCaller = p.ConcernsCaller
		second, err := s.lab.SendInConfigurations(ctx, asValid(other))
		if err == nil && second.Refusal() { // there may be no more representatives
			err = spec.Inconclusivef("refused (%s), and so was another person without it (%s)", a, second)
		}
		return a, err
	})
}

// bundle declares the creation of a bundle.
func (s *Suite) bundle(b bundle) answer {
	p := asValid(b.Probe)
	if p.AllConfigurations {
		p.Configurations = s.lab.CoverEachValue(lab.Create, p.Description)
	}
	return spec.Observe(s.Plan, "several at once: "+p.String(), func(ctx context.Context) (target.Answer, error) {
		return s.lab.SendInConfigurations(ctx, p)
	})
}
