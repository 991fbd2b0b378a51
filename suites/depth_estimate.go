package suites

import (
	"cmp"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/doctor"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// DepthEstimate estimates the size of a run at one depth.
type DepthEstimate struct {
	Depth  string `json:"depth"`
	Rules  int    `json:"rules"`  // rules that it would verify
	Values int    `json:"values"` // values that it would try
	// estimate; 0: unknown, as for a part of a suite
	Requests  int `json:"requests"`
	Creations int `json:"creations"` // legal representatives created, at most about this many
	// time for the requests at the deployment's rate; 0: unknown, or no rate limit
	EstimatedDuration time.Duration `json:"-"`
}

// checkCost is the average number of requests and creations of a check.
type checkCost struct{ requests, creations float64 }

// averageCheckCost returns the average for a whole suite, measured on runs of the reference
// gateway. Checks share requests, so the average does not hold for a single rule.
func averageCheckCost(depth, suite string) checkCost {
	return map[string]map[string]checkCost{
		deployment.DepthQuick: {
			"create": {0.6, 0.13}, "export": {1.1, 0}, "replay": {1.4, 0}, "auth": {0.95, 0},
		},
		deployment.DepthStandard: {
			"create": {1.05, 0.14}, "export": {1, 0}, "replay": {2.15, 0}, "auth": {1.15, 0.05},
		},
		deployment.DepthThorough: {
			"create": {1.8, 0.13}, "export": {3.4, 0}, "replay": {2.9, 0}, "auth": {1.5, 0.03},
		},
	}[depth][suite]
}

// depthEstimates estimates a run at each depth, without sending anything.
func (s *session) depthEstimates(found doctor.Report) (all []DepthEstimate) {
	for _, depth := range deployment.Depths() {
		t := target.New(s.deployment, nil, 1) // the seed changes a few values only
		t.Depth = depth
		plan, _ := declareRules(t, spec.Options{}, s.options.DeclareRules)
		plan.SelectRules(s.options.Select.includes)
		all = append(all, s.estimateDepth(depth, s.forecast(plan, found)))
	}
	return all
}

// estimateDepth sums up the forecasts of the rules at one depth.
func (s *session) estimateDepth(depth string, forecasts []RuleForecast) DepthEstimate {
	p := DepthEstimate{Depth: depth}
	requests, creations, whole, selected := 0.0, 0.0, map[string]int{}, map[string]int{}
	for _, r := range s.plan.Rules() {
		if len(r.SampledCases(depth, s.options.Seed)) > 0 {
			whole[r.Operation()]++
		}
	}
	for _, r := range forecasts {
		suite := r.Rule.Operation()
		selected[suite]++
		if r.MissingKey != "" {
			continue
		}
		p.Rules, p.Values = p.Rules+1, p.Values+r.Cases
		c := averageCheckCost(depth, suite)
		requests += cmp.Or(c.requests, 1) * float64(r.Cases)
		creations += c.creations * float64(r.Cases)
	}
	for suite, n := range selected {
		if n < whole[suite] {
			return p
		}
	}
	p.Requests, p.Creations = int(requests), min(int(creations), s.deployment.Limits.MaxCreates)
	if rate := cmp.Or(s.options.Rate, s.deployment.Limits.RequestsPerSecond); rate > 0 {
		p.EstimatedDuration = time.Duration(requests / rate * float64(time.Second))
	}
	return p
}
