package create

import (
	"context"
	"errors"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// blamed is the control, and where it was not accepted, the same request without what a rule is about.
type blamed struct {
	base control.Creation
	twin target.Answer // accepted although the control was not; empty otherwise
}

// controlAccepted declares that something which the control itself sends is accepted. A control that was refused proves
// nothing by itself; but when the same request is accepted once that one thing is different, the thing was the reason.
// Without a twin the check rests on the control alone.
func (s *suite) controlAccepted(rule, name, twin string, edit change) {
	if edit == nil {
		s.p.It(rule, name, plan.After(s.c.Creation), func(ctx context.Context) {
			gomega.Expect(s.c.Creation.Await(ctx).Answer).To(matchers.BeAccepted())
		})
		return
	}
	seen := plan.Observe(s.p, twin, func(ctx context.Context) (blamed, error) {
		base, refused := s.c.Creation.Get(ctx)
		if refused == nil {
			return blamed{base: base}, nil
		}
		if !errors.Is(refused, plan.ErrInconclusive) {
			return blamed{}, refused
		}
		x := s.t.Create(ctx, func() target.Creation { return edit(s.t.Creation(twin)) })
		if err := s.t.Usable(ctx, x); err != nil {
			return blamed{}, err
		}
		if !x.Success() {
			return blamed{}, refused
		}
		// The twin passed: once more as it was, so that a passing trouble is not taken for a refusal.
		again := s.t.Create(ctx, func() target.Creation { return s.t.Creation("valid creation") })
		if err := s.t.Usable(ctx, again); err != nil {
			return blamed{}, err
		}
		b := blamed{twin: target.Answer{Exchange: x}}
		b.base.Exchange = again
		return b, nil
	})
	s.p.It(rule, name, plan.After(seen), func(ctx context.Context) {
		b := seen.Await(ctx)
		b.base.Control = b.twin.Exchange
		gomega.Expect(b.base.Answer).To(matchers.BeAccepted())
	})
}
