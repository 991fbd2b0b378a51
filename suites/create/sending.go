package create

import (
	"context"
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// plain is to send a request in no context.
func plain() []design.Context { return []design.Context{nil} }

// send sends a creation with an edit in one context after the other, until one is not answered right. The condition of
// the answer is the smallest context that it takes.
func (s *Suite) send(ctx context.Context, e edit, in []design.Context) (target.Answer, error) {
	for _, keptBack := range e.before {
		if err := keptBack(ctx); err != nil {
			return target.Answer{}, err
		}
	}
	var about []string // the options that it is about stay out of its contexts
	headers := s.t.Deployment.LegalRepresentative.Headers
	if e.how.scope { // for whom it runs, and inside what product
		about = []string{target.HeaderProduct, headers.OnBehalfOf}
	}
	if e.how.language {
		about = append(about, headers.Language)
	}
	a, condition, err := control.InContexts(ctx, s.c, client.Create, in, e.holds, func(with design.Context) (target.Answer, error) {
		with = with.Without(about...)
		a, err := s.c.Creations(ctx, e.how.clear, func(valid *target.Creation) {
			s.c.Change(valid, with)
			valid.Label = label(e)
			if len(with) > 0 {
				valid.Label += ", with " + with.String()
			}
			if valid.Unwelcome = !e.how.sound; valid.Unwelcome {
				valid.Claim = e.claim
			}
			e.apply(valid)
		})
		a.Subject = label(e)
		if err == nil && e.how.sound && a.Success() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.made = append(s.made, a)
		}
		return a, err
	})
	a.Condition = condition
	return a, err
}

// refused declares a creation with a defect. It comes after what is meant to be accepted: a run may create few
// representatives, and a rejection that fails to happen uses one up. What is only observed comes last of all, and makes
// records of what the rules left.
func (s *Suite) refused(e edit) answer {
	rule, when := s.Building().ID, spec.Yielding
	e.how, e.claim = howOf(e), target.Preceded
	if s.Building().Level == rules.Observe {
		when, e.claim = spec.AtEnd, target.Observed
	}
	seen := spec.Observe(s.Plan, label(e), func(ctx context.Context) (target.Answer, error) {
		in := []design.Context{e.in}
		if e.everywhere {
			in = s.c.Assign(client.Create, rule, 1)[0]
		}
		return s.send(ctx, e, in)
	}, when)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.defects[e.name] = defect{e, seen}
	return seen
}

// sound declares a valid creation. Where a bundle has this edit, it serves for it as well; only when that was refused is
// the edit sent alone, so that the refusal of one thing hides nothing else.
func (s *Suite) sound(e edit) answer {
	var bundled answer
	if b, found := s.bundleOf(e); found {
		bundled = s.valid("several at once: "+label(b.edit), func(ctx context.Context) (target.Answer, error) {
			in := plain()
			if b.everywhere {
				in = s.c.Assign(client.Create, b.name, 1)[0]
			}
			return s.send(ctx, b.asSound(), in)
		})
	}
	return s.valid(label(e), func(ctx context.Context) (target.Answer, error) {
		in := plain()
		if bundled != nil {
			a, err := bundled.Get(ctx)
			if err == nil && a.Success() {
				return a, nil
			}
			in = []design.Context{a.Condition}
		}
		a, err := s.send(ctx, e.asSound(), in)
		if err != nil || !a.Refusal() || a.Status == http.StatusConflict {
			return a, err
		}
		other, err := s.send(ctx, another().rejected(e.how).asSound(), plain())
		if err == nil && other.Refusal() { // there may be no more representatives
			err = spec.Unclear("refused (%s), and so was another person without it (%s)", a, other)
		}
		return a, err
	})
}

// valid declares a creation that is meant to be accepted.
func (s *Suite) valid(name string, act func(context.Context) (target.Answer, error)) answer {
	seen := spec.Observe(s.Plan, name, act)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.meant, seen) {
		s.meant = append(s.meant, seen)
	}
	return seen
}
