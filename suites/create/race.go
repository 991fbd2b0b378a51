package create

import (
	"context"
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// race declares creations under one transaction ID that arrive at one instant, in the nth context of races.
func (s *Suite) race(what string, n, racers int, each next, when ...spec.Timing) *spec.Observation[[]*client.Exchange] {
	return spec.Observe(s.Plan, what, func(ctx context.Context) ([]*client.Exchange, error) {
		control, err := s.c.In(client.Create, s.c.Assign(client.Create, "create.repeat.race", 3)[n][0]).Get(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := s.c.Creation.Get(ctx); err != nil {
			return nil, err
		}
		one := s.t.Creation("one of " + what)
		s.c.Change(&one, control.Context)
		all := slices.Repeat([]target.Creation{one}, racers)
		for i := range all {
			all[i] = each(all[i])
		}
		return s.raced(ctx, s.t.CreateTogether(ctx, all))
	}, when...)
}

// raced looks for a reason to judge nothing by what a race got.
func (s *Suite) raced(ctx context.Context, answers []*client.Exchange) ([]*client.Exchange, error) {
	if len(answers) < 2 {
		return answers, spec.Unmet("limits.in_flight", "a race needs at least 2 requests in flight")
	}
	usable, created, broken := 0, 0, 0
	var trouble error
	for _, x := range answers {
		switch err := s.t.Usable(ctx, x); {
		case err != nil:
			trouble = err
			continue
		case x.Success():
			created++
		case x.Status >= 500:
			broken++
		}
		usable++
	}
	switch {
	case usable < 2 && trouble != nil:
		return answers, trouble
	case created == 0 && broken == 0:
		return answers, spec.Unclear("of %d creations at once under one transaction ID none was accepted", len(answers))
	}
	return answers, nil
}

// afterControl declares a creation that follows the control's when everything else of the run has ended.
func (s *Suite) afterControl(what string, follow next, before ...reason) repetitions {
	return spec.Observe(s.Plan, what, func(ctx context.Context) (repeated, error) {
		for _, keptBack := range before {
			if err := keptBack(ctx); err != nil {
				return repeated{}, err
			}
		}
		base, err := s.c.Creation.Get(ctx)
		if err != nil {
			return repeated{}, err
		}
		var again target.Creation
		x := s.t.Create(ctx, func() target.Creation {
			again = follow(*base.Creation)
			again.Label = what
			return again
		})
		if aboutCaller(x) && again.Credential == base.Creation.Credential {
			return repeated{}, spec.Unclear("the repeat got %s, which concerns the caller and not the repeat", target.Describe(x))
		}
		return repeated{list: []Repetition{{First: base.Exchange, Again: x, What: what}}}, s.t.Usable(ctx, x)
	}, spec.AtEnd)
}

// late repeats the control's creation, to the letter.
func (s *Suite) late() repetitions {
	return s.afterControl("The first creation again at the end of the run", func(first target.Creation) target.Creation {
		first.Repeats = true
		return first
	})
}
