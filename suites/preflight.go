package suites

import (
	"context"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/doctor"
)

// preflightFor bounds how long the rest of a run waits for its controls: a slow deployment can be tested all the same.
const preflightFor = 5 * time.Second

// testable obtains the credentials, sends the run's controls ahead of the rest, and reports whether that leaves anything to
// judge. If not, it ends the run with the obstacle.
func (s *session) testable(ctx context.Context) bool {
	s.plan.Begin(ctx)
	err := client.SignIn(ctx, s.dep)
	switch {
	case err == nil:
		s.obstacle = s.preflight(ctx)
	case ctx.Err() == nil:
		s.obstacle = doctor.Unsigned(err)
	}
	if s.obstacle != nil {
		s.pulse.stop(s.obstacle)
	}
	return err == nil && s.obstacle == nil
}

// preflight is what the answers to the controls, one after the other, show to be in the way of every rule; nil: nothing.
func (s *session) preflight(ctx context.Context) *doctor.Obstacle {
	wait, stop := context.WithTimeout(ctx, preflightFor)
	defer stop()
	s.pulse.cutOff = stop
	acting := s.plan.Acting()
	var answers []*client.Exchange
	if slices.ContainsFunc(acting, func(r rules.Rule) bool { return r.Operation() != "create" }) {
		s.controls.Export.Ended(wait)
		answers = append(answers, s.pulse.answer(client.Export))
	}
	creates := s.dep.Fixtures.ShareholderID != "" && slices.ContainsFunc(acting, func(r rules.Rule) bool {
		return r.Operation() == "create" || r.Operation() == "auth"
	})
	if dead, _ := s.pulse.ill(); creates && !dead {
		s.controls.Creation.Ended(wait)
		answers = append(answers, s.pulse.answer(client.Create))
	}
	dead, broken := s.pulse.ill()
	if o := doctor.Obstruct(s.dep, answers); o != nil {
		if !dead && answers[0].Err != nil {
			return nil // the last attempt failed, and there will be others
		}
		return o
	}
	if broken {
		return doctor.OutOfOrder(s.dep, answers)
	}
	return nil
}
