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

// RunOutlook describes a run before it starts.
type RunOutlook struct {
	record.RunInfo
	Requests          int           // estimate; 0: unknown, as for a part of a suite
	Rate              float64       // requests per second at most
	EstimatedDuration time.Duration // time for the requests at that rate
}

func (s *session) runOutlook() RunOutlook {
	p := s.estimateDepth(s.target.Depth, s.forecast(s.plan, doctor.Report{}))
	return RunOutlook{
		RunInfo: s.info, Requests: p.Requests, EstimatedDuration: p.EstimatedDuration,
		Rate: cmp.Or(s.options.Rate, s.deployment.Limits.RequestsPerSecond),
	}
}

// RuleForecast says whether a run would verify a rule.
type RuleForecast struct {
	Rule  rules.Rule
	Cases int
	// key of the deployment file that is missing or wrong; empty: the rule would be verified
	MissingKey string
	KeyIsGiven bool // the key is given and must be corrected
}

// Forecast says which rules a run would verify, and estimates a run at each depth.
type Forecast struct {
	Rules  []RuleForecast
	Depths []DepthEstimate
}

// ForecastRun returns the forecast of a run, without sending anything.
func ForecastRun(o Options) (f Forecast, err error) {
	s, err := openSession(context.Background(), o)
	if err != nil {
		return f, err
	}
	defer s.close()
	return Forecast{s.forecast(s.plan, doctor.Report{}), s.depthEstimates(doctor.Report{})}, nil
}

// Examination is the doctor's report and the forecast of a run.
type Examination struct {
	doctor.Report
	Forecast
}

// Examine sends the controls of a run, lets the doctor examine the deployment, and forecasts a
// run.
func Examine(ctx context.Context, o Options) (x Examination, err error) {
	s, err := openSession(ctx, o)
	if err != nil {
		return x, err
	}
	defer s.close()
	if err := client.ObtainCredentials(s.ctx, s.deployment); err != nil {
		return x, err
	}
	s.plan.EnableObservations(s.ctx)
	x.Report = doctor.Examine(s.ctx, s.target, func(op client.Operation) *client.Exchange {
		wait, stop := context.WithTimeout(s.ctx, 2*s.deployment.Limits.Timeout)
		defer stop()
		return s.sendControl(wait, op)
	})
	x.Forecast = Forecast{s.forecast(s.plan, x.Report), s.depthEstimates(x.Report)}
	s.abort(nil)
	s.plan.Wait()
	return x, nil
}

// forecast returns a forecast for each selected rule, based on the deployment file and the
// doctor's report.
func (s *session) forecast(of *spec.Plan, found doctor.Report) (list []RuleForecast) {
	for _, r := range of.Rules() {
		cases := len(slices.DeleteFunc(slices.Clone(r.Cases), (*spec.Case).Excluded))
		if cases == 0 {
			continue
		}
		plan, asked := RuleForecast{Rule: r.Rule, Cases: cases}, r.Rule
		for _, operation := range r.Operations() {
			asked.Needs = slices.Concat(asked.Needs, rules.FindOperation(operation).Needs)
		}
		if need := spec.NotVerifiedReason(s.target.MissingSettings(asked)); need != nil {
			plan.MissingKey = need.Key
		} else if by := found.BlockingFinding(r.Rule); by != nil {
			plan.MissingKey, plan.KeyIsGiven = by.Name, true
		}
		list = append(list, plan)
	}
	return list
}
