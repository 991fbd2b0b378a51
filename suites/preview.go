package suites

import (
	"context"
	"errors"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Planned is what a run would do about one rule.
type Planned struct {
	Rule   rules.Rule
	Checks int
	Need   string // deployment file key to add; empty: the rule would be verified
}

// Preview tells what a run would check and what it would leave unverified, without sending anything.
func Preview(ctx context.Context, o Options) ([]Planned, error) {
	selected, err := o.Select.Catalogue()
	if err != nil {
		return nil, err
	}
	dep := o.Deployment
	if dep == nil {
		embedded, err := StartEmbedded(ctx)
		if err != nil {
			return nil, err
		}
		defer embedded.Close()
		dep = embedded.Deployment
	}
	c, err := newClient(dep, o, nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	t := target.New(dep, c, 1)
	checks := map[string]int{}
	for _, check := range Build(t).Checks() {
		checks[check.Rule.ID]++
	}
	var list []Planned
	for _, r := range selected {
		planned := Planned{Rule: r, Checks: checks[r.ID]}
		var need *spec.NeedError
		if errors.As(t.Unmet(r), &need) {
			planned.Need = need.Key
		}
		list = append(list, planned)
	}
	return list, nil
}
