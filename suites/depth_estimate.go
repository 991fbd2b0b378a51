package suites

import (
	"cmp"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/doctor"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// DepthEstimate is what a run of a depth comes to, as far as its plan tells.
type DepthEstimate struct {
	Depth  string `json:"depth"`
	Rules  int    `json:"rules"`  // that it would verify
	Values int    `json:"values"` // that it would try
	// about so many; 0: not known, as of a part of a suite
	Requests  int `json:"requests"`
	Creations int `json:"creations"` // of representatives, at most about so many
	// what the requests take at the deployment's rate; 0: not known, or no time
	EstimatedDuration time.Duration `json:"-"`
}

// checkCost is what a check comes to on average.
type checkCost struct{ requests, creations float64 }

// averageCheckCost are those of a whole suite, as in runs of the reference gateway. Checks share
// requests, so they say nothing of a single rule.
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

// depthEstimates says of each depth what a run of it comes to, without sending anything.
func (s *session) depthEstimates(found doctor.Report) (all []DepthEstimate) {
	for _, depth := range deployment.Depths() {
		t := target.New(s.deployment, nil, 1) // another seed makes a difference of a few values
		t.Depth = depth
		plan, _ := declareRules(t, spec.Options{}, s.options.DeclareRules)
		plan.SelectRules(s.options.Select.includes)
		all = append(all, s.estimateDepth(depth, s.forecast(plan, found)))
	}
	return all
}

// estimateDepth sums up what a run would do about each rule.
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
		if selected[suite]++; r.MissingKey != "" {
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
