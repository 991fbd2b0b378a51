package suites

import (
	"context"
	"errors"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
)

// Planned is what a run would do about one rule.
type Planned struct {
	Rule  rules.Rule
	Specs int
	Need  string // deployment file key to add; empty: the rule would be verified
}

// Preview returns what a run would verify and what it would leave unverified, without sending anything.
func Preview(ctx context.Context, o Options) ([]Planned, error) {
	s, release, err := newSession(ctx, o, spec.Options{})
	if err != nil {
		return nil, err
	}
	defer release()
	if err := s.plan.Prepare(spec.Order{}, s.declare); err != nil {
		return nil, err
	}
	selected, err := o.Select.Of(s.plan.Catalogue())
	if err != nil {
		return nil, err
	}
	specs := map[string]int{}
	for _, found := range s.plan.Specs() {
		specs[found.Rule.ID]++
	}
	var list []Planned
	for _, r := range selected {
		planned := Planned{Rule: r, Specs: specs[r.ID]}
		var need *spec.NeedError
		if errors.As(s.target.Unmet(r), &need) {
			planned.Need = need.Key
		}
		list = append(list, planned)
	}
	return list, nil
}
