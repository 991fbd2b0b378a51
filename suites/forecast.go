package suites

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/doctor"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// Outlook is what a run is about to do.
type Outlook struct {
	record.Info
	Requests int           // about so many; 0: not known, as of a part of a suite
	Rate     float64       // requests per second at most
	Takes    time.Duration // what the requests take at that rate
}

// requestsPerCheck is what a check of a whole suite takes on average, as runs of the reference gateway do; checks share
// requests, so it says nothing of a single rule.
var requestsPerCheck = map[string]float64{"create": 1.05, "export": 1.15, "replay": 2.15, "auth": 1.25}

func (s *session) outlook() Outlook {
	o := Outlook{Info: s.info, Rate: cmp.Or(s.o.Rate, s.dep.Limits.RequestsPerSecond)}
	all, selected, requests := map[string]int{}, map[string]int{}, 0.0
	for _, r := range s.plan.Catalogue() {
		all[r.Operation()]++
	}
	for _, p := range s.forecast(doctor.Report{}) {
		if selected[p.Rule.Operation()]++; p.Need == "" {
			requests += cmp.Or(requestsPerCheck[p.Rule.Operation()], 1) * float64(p.Cases)
		}
	}
	for operation, n := range selected {
		if n < all[operation] {
			return o
		}
	}
	o.Requests = int(requests)
	if o.Rate > 0 {
		o.Takes = time.Duration(requests / o.Rate * float64(time.Second))
	}
	return o
}

// RulePlan is what a run would do about one rule.
type RulePlan struct {
	Rule  rules.Rule
	Cases int
	Need  string // key of the deployment file that leaves it unverified; empty: it would be verified
	Given bool   // the key is there, and is to be corrected
}

// Preview returns what a run would verify and what it would leave unverified, without sending anything.
func Preview(o Options) ([]RulePlan, error) {
	s, err := open(context.Background(), o)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.forecast(doctor.Report{}), nil
}

// Examination is what the doctor found, and what a run would do about each rule.
type Examination struct {
	doctor.Report
	Plans []RulePlan
}

// Examine has the doctor look at a deployment, which begins with the controls of a run.
func Examine(ctx context.Context, o Options) (x Examination, err error) {
	s, err := open(ctx, o)
	if err != nil {
		return x, err
	}
	defer s.close()
	if err := client.SignIn(s.ctx, s.dep); err != nil {
		return x, err
	}
	s.plan.Begin(s.ctx)
	x.Report = doctor.Examine(s.ctx, s.target, func(op client.Operation) *client.Exchange {
		wait, stop := context.WithTimeout(s.ctx, 2*s.dep.Limits.Timeout)
		defer stop()
		return s.ask(wait, op)
	})
	x.Plans = s.forecast(x.Report)
	s.giveUp(nil)
	s.plan.Wait()
	return x, nil
}

// forecast is what a run would do, by the deployment file and what was found of it.
func (s *session) forecast(found doctor.Report) (list []RulePlan) {
	for _, r := range s.plan.Rules() {
		if !s.o.Select.Wants(r.Rule) {
			continue
		}
		plan, asked := RulePlan{Rule: r.Rule, Cases: len(r.Cases)}, r.Rule
		for _, operation := range r.Operations() {
			asked.Needs = slices.Concat(asked.Needs, rules.FindOperation(operation).Needs)
		}
		if need := spec.Need(s.target.Unmet(asked)); need != nil {
			plan.Need = need.Key
		} else if by := found.Blocked(r.Rule); by != nil {
			plan.Need, plan.Given = by.Name, true
		}
		list = append(list, plan)
	}
	return list
}
