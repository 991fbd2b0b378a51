package suites

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/doctor"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// RulePlan is what a run would do about one rule.
type RulePlan struct {
	Rule  rules.Rule
	Cases int
	Need  string // deployment file key to add; empty: the rule would be verified
}

// Preview returns what a run would verify and what it would leave unverified, without sending anything.
func Preview(o Options) ([]RulePlan, error) {
	dep := o.Deployment
	if dep == nil {
		embedded, err := StartEmbedded(context.Background())
		if err != nil {
			return nil, err
		}
		defer embedded.Close()
		dep = embedded.Deployment
	}
	t := target.New(dep, nil, 1)
	p := Declare(t, spec.Options{}, o.Own)
	if _, err := o.chosen(p); err != nil {
		return nil, err
	}
	var list []RulePlan
	for _, r := range p.Rules() {
		if !o.Select.Wants(r.Rule) {
			continue
		}
		plan, asked := RulePlan{Rule: r.Rule, Cases: len(r.Cases)}, r.Rule
		for _, operation := range r.Operations() {
			asked.Needs = slices.Concat(asked.Needs, rules.FindOperation(operation).Needs)
		}
		if need := spec.Need(t.Unmet(asked)); need != nil {
			plan.Need = need.Key
		}
		list = append(list, plan)
	}
	return list, nil
}

// Forecast is how many rules a run would verify, by what the doctor found.
type Forecast struct {
	Verified, Of int
	Exact        bool // nothing found leaves it to the data how many there are
	Gaps         []Gap
}

// Gap is a key of the deployment file that leaves rules unverified.
type Gap struct {
	Key    string
	Absent bool // to be added; otherwise to be corrected
	Rules  int
}

// NewForecast compares what a run needs with what the doctor found. Gaps come in the order of their rules, the most
// first.
func NewForecast(plans []RulePlan, found doctor.Report) Forecast {
	p := Forecast{Of: len(plans)}
	leave := func(key string, absent bool) {
		at := slices.IndexFunc(p.Gaps, func(g Gap) bool { return g.Key == key && g.Absent == absent })
		if at < 0 {
			at, p.Gaps = len(p.Gaps), append(p.Gaps, Gap{Key: key, Absent: absent})
		}
		p.Gaps[at].Rules++
	}
	for _, one := range plans {
		by := found.Blocked(one.Rule)
		switch {
		case one.Need != "":
			leave(one.Need, true)
		case by != nil:
			leave(by.Name, false)
		case found.Reachable:
			p.Verified++
		}
	}
	// A refused operation blocks all its rules; any other key that is in doubt may still leave some of a rule's requests.
	p.Exact = !slices.ContainsFunc(found.Findings, func(f doctor.Finding) bool {
		return f.State != doctor.OK && strings.Contains(f.Name, ".") &&
			!slices.ContainsFunc(rules.Operations(), func(o rules.Operation) bool { return slices.Contains(f.Blocks, o.Name) })
	})
	slices.SortStableFunc(p.Gaps, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(b.Rules, a.Rules), cmp.Compare(a.Key, b.Key))
	})
	return p
}
