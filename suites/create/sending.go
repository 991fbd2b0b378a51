package create

import (
	"context"
	"net/http"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// contexts of an edit of a rule; none: it is sent plainly.
func (s *Suite) contexts(e edit, rule string) []design.Context {
	if e.everywhere {
		return s.c.Assign(client.Create, rule, 1)[0]
	}
	return nil
}

// send sends a creation with an edit in one context after the other, until one is not answered right.
func (s *Suite) send(ctx context.Context, e edit, in []design.Context) (a target.Answer, err error) {
	for _, keptBack := range e.before {
		if err := keptBack(ctx); err != nil {
			return a, err
		}
	}
	// Once a rule is seen to be broken, more of the same would only make representatives, and break other rules as well.
	other, known := s.defects[e.like]
	if e.like != "" && !known {
		panic("create: no rule sends a creation with " + e.like)
	}
	if known && other.seen.Launched() {
		if a, err := other.seen.Get(ctx); err == nil && !other.holds(a) {
			return a, spec.Unmet("", "not sent: a request with a similar defect was not rejected, %s", label(other.edit))
		}
	}
	lr := s.t.Deployment.LegalRepresentative
	if e.jsonType != "" && lr.FieldTypes[e.field()] == e.jsonType {
		return a, spec.Unmet("", "legal_representative.field_types says that %s is sent as a %s", e.field(), e.jsonType)
	}
	trial := control.Trial{
		Op: client.Create, In: in, Clear: e.clear, Right: e.holds,
		Edit: func(x control.Call) {
			x.Label = label(e)
			if x.Unwelcome = !e.valid; x.Unwelcome {
				x.Claim = e.claim
			}
			e.apply(x.Creation)
		},
	}
	if e.whose {
		trial.Without = []string{target.HeaderProduct, lr.Headers.OnBehalfOf}
	}
	return s.c.Try(ctx, trial)
}

// refused declares a creation with a defect. It comes after what is meant to be accepted: a run may create few
// representatives, and a rejection that fails to happen uses one up. What is only observed comes last of all, and makes
// records of what the rules left.
func (s *Suite) refused(e edit) answer {
	rule, phase := s.Building(), spec.AfterAcceptances
	if e.claim = target.Preceded; rule.Level == rules.Observe {
		phase, e.claim = spec.Late, target.Observed
	}
	seen := spec.Observe(s.Plan, label(e), func(ctx context.Context) (target.Answer, error) {
		return s.send(ctx, e, s.contexts(e, rule.ID))
	}, phase)
	s.defects[e.name] = defect{e, seen}
	return seen
}

// sound declares a valid creation. Where a bundle has this edit, it serves for it as well; only when that was refused is
// the edit sent alone, so that the refusal of one thing hides nothing else.
func (s *Suite) sound(e edit) answer {
	var bundled answer
	if b := s.bundleOf(e); b != nil {
		bundled = spec.Observe(s.Plan, "several at once: "+label(b.edit), func(ctx context.Context) (target.Answer, error) {
			return s.send(ctx, b.asValid(), s.contexts(b.edit, b.name))
		})
	}
	return spec.Observe(s.Plan, label(e), func(ctx context.Context) (target.Answer, error) {
		var in []design.Context
		if bundled != nil {
			a, err := bundled.Get(ctx)
			if err == nil && a.Success() {
				return a, nil
			}
			in = []design.Context{a.Condition}
		}
		a, err := s.send(ctx, e.asValid(), in)
		if err != nil || !a.Refusal() || a.Status == http.StatusConflict {
			return a, err
		}
		other, err := s.send(ctx, another().expecting(e.outcome).asValid(), nil)
		if err == nil && other.Refusal() { // there may be no more representatives
			err = spec.Unclear("refused (%s), and so was another person without it (%s)", a, other)
		}
		return a, err
	})
}
