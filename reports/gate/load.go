package gate

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
)

// checkOutcome checks the verdict of a load run or a search; silent: it reports failures only.
func (d *decider) checkOutcome(subject string, r recorded.Run, silent bool) {
	check, run, reason := string(r.Kind)+".verdict", shownPath(r.Path), reasonOrNone(r.Reason)
	switch verdict := results.Verdict(r.Verdict); {
	case verdict == results.VerdictFail:
		d.addFinding(subject, check, StateBlocked, "expected %s to pass, found that it failed: %s", run,
			reason)
	case silent:
	case verdict == results.VerdictPass:
		d.addFinding(subject, check, StateHeld, "%s passed: %s", run, reason)
	default:
		d.addFinding(subject, check, StateUndecided, "expected a verdict on %s, found none: %s", run,
			reason)
	}
}

// checkMeasurement checks a load run or a search by its verdict, the policy and the baseline.
func (d *decider) checkMeasurement(name string, r recorded.Run) {
	d.checkOutcome(name, r, false)
	policy := d.policy.Load
	switch c := d.policy.Capacity; {
	case r.Kind == recorded.KindCapacity && c != nil:
		policy = &c.LoadPolicy
		d.checkCapacitySearch(name, r, c)
	case r.Kind == recorded.KindLoad && policy != nil:
		d.checkLoadRun(name, r, policy)
	default:
		return
	}
	if policy.Baseline != "" {
		d.checkRegression(name, r, policy.Baseline, policy.Tolerance)
	}
}

func (d *decider) checkLoadRun(name string, r recorded.Run, policy *LoadPolicy) {
	judged, run := map[string]threshold.Result{}, shownPath(r.Path)
	var by []string
	for _, t := range r.Load.Thresholds {
		judged[canonicalThreshold(t.Expr)] = t
		by = append(by, t.Expr)
	}
	for _, expr := range policy.Thresholds {
		check := "load.threshold " + printable.Clean(expr)
		switch found, there := judged[canonicalThreshold(expr)]; {
		case !there:
			d.addNotJudged(name, check, "a run", expr, r, by)
		case found.OK:
			d.addFinding(name, check, StateHeld, "observed %s in %s", found.Observed, run)
		case found.Late:
			d.addFinding(name, check, StateUndecided, "observed %s in %s; %s", found.Observed, run,
				found.Reason)
		case found.Observed == threshold.NoData:
			d.addFinding(name, check, StateUndecided, "expected a figure, found no data in %s: %s", run,
				reasonOrNone(found.Reason))
		default:
			d.addFinding(name, check, StateBlocked, "expected %s, found %s in %s", printable.Clean(expr),
				found.Observed, run)
		}
	}
	if policy.Baseline == "" && len(policy.Thresholds) == 0 && !hasChosenThreshold(r.Load) {
		d.addFinding(name, "load.thresholds", StateUndecided,
			"expected a threshold, found none in the policy and none in the plan of %s: nothing says how "+
				"fast is good enough", run)
	}
}

func (d *decider) addNotJudged(name, check, what, expr string, r recorded.Run, by []string) {
	d.addFinding(name, check, StateUndecided, "expected %s with --slo %s, found %s with %s", what,
		digest.ShellQuote(expr), shownPath(r.Path), cmp.Or(joinAlternatives(by), "no threshold"))
}

// canonicalThreshold returns a threshold in its usual spelling. Other texts are unchanged.
func canonicalThreshold(expr string) string {
	if t, err := threshold.Parse(expr); err == nil {
		return t.String()
	}
	return expr
}

// hasChosenThreshold reports whether a threshold was set for the run. The default one does not say
// how fast is fast enough.
func hasChosenThreshold(run results.Run) bool {
	var p struct {
		SLO []string `json:"slo"`
	}
	_ = json.Unmarshal(run.Plan, &p) // without a plan only the thresholds count
	return slices.ContainsFunc(run.Thresholds, func(t threshold.Result) bool {
		return t.Expr != plan.DefaultSLO || slices.Contains(p.SLO, t.Expr)
	})
}

func (d *decider) checkCapacitySearch(name string, r recorded.Run, policy *CapacityPolicy) {
	for _, expr := range policy.Thresholds {
		check := "capacity.threshold " + printable.Clean(expr)
		if slices.ContainsFunc(r.Capacity.SLO,
			func(other string) bool { return canonicalThreshold(other) == canonicalThreshold(expr) }) {
			d.addFinding(name, check, StateHeld, "%s searched with this threshold", shownPath(r.Path))
		} else {
			d.addNotJudged(name, check, "a search", expr, r, r.Capacity.SLO)
		}
	}
	if rate := r.Capacity.Capacity.Rate; policy.AtLeast > 0 {
		state := StateHeld
		if !(rate >= policy.AtLeast) {
			state = StateBlocked
		}
		d.addFinding(name, "capacity.at_least", state, "expected at least %.6g/s, found %.6g/s in %s",
			policy.AtLeast, rate, shownPath(r.Path))
	}
}
