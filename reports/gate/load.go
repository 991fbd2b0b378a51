package gate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
)

// outcome judges the verdict that a load run or a search gave itself. silent says nothing unless it
// failed.
func (d *decider) outcome(subject string, r GateRun, silent bool) {
	check := string(r.Kind) + ".verdict"
	switch verdict := results.Verdict(r.Verdict); {
	case verdict == results.VerdictFail:
		d.add(
			subject,
			check,
			StateBlocked,
			fmt.Sprintf("expected %s to pass, found that it failed: %s",
				relativePath(r.Path),
				reasonOrNone(r.Reason),
			),
		)
	case silent:
	case verdict == results.VerdictPass:
		d.add(
			subject,
			check,
			StateHeld,
			fmt.Sprintf("%s passed: %s", relativePath(r.Path), reasonOrNone(r.Reason)),
		)
	default:
		d.add(
			subject,
			check,
			StateUndecided,
			fmt.Sprintf("expected a verdict on %s, found none: %s",
				relativePath(r.Path),
				reasonOrNone(r.Reason),
			),
		)
	}
}

// load checks a load run by its own verdict, the thresholds of the policy and the baseline.
func (d *decider) load(name string, r GateRun) {
	d.outcome(name, r, false)
	policy := d.policy.Load
	if policy == nil {
		return
	}
	judged := map[string]threshold.ThresholdResult{}
	var by []string
	for _, t := range r.Load.Thresholds {
		judged[canonical(t.Expr)] = t
		by = append(by, t.Expr)
	}
	for _, expr := range policy.Thresholds {
		check := "load.threshold " + printable.Clean(expr)
		switch found, there := judged[canonical(expr)]; {
		case !there:
			d.notAsked(name, check, "a run", expr, r, by)
		case found.OK:
			d.add(
				name,
				check,
				StateHeld,
				fmt.Sprintf("observed %s in %s", found.Observed, relativePath(r.Path)),
			)
		case found.Late:
			d.add(name, check, StateUndecided,
				fmt.Sprintf("observed %s in %s; %s", found.Observed, relativePath(r.Path), found.Reason))
		case found.Observed == threshold.NoData:
			d.add(
				name,
				check,
				StateUndecided,
				fmt.Sprintf("expected a figure, found no data in %s: %s",
					relativePath(r.Path),
					reasonOrNone(found.Reason),
				),
			)
		default:
			d.add(
				name,
				check,
				StateBlocked,
				fmt.Sprintf("expected %s, found %s in %s",
					printable.Clean(expr),
					found.Observed,
					relativePath(r.Path),
				),
			)
		}
	}
	if policy.Baseline != "" {
		d.regression(name, r.Run, policy.Baseline, policy.Tolerance)
	} else if len(policy.Thresholds) == 0 && !hasChosenThreshold(r.Load) {
		d.add(name, "load.thresholds", StateUndecided,
			fmt.Sprintf("expected a threshold, found none in the policy and "+
				"none in the plan of %s: nothing says how fast is good enough", relativePath(r.Path)))
	}
}

// notAsked says that a run was not judged by a threshold of the policy.
func (d *decider) notAsked(name, check, what, expr string, r GateRun, by []string) {
	d.add(name, check, StateUndecided, fmt.Sprintf("expected %s with --slo %s, found %s with %s",
		what,
		digest.ShellQuote(expr),
		relativePath(r.Path),
		cmp.Or(joinAlternatives(by), "no threshold"),
	))
}

// canonical is a threshold as it is written without blanks and the like; what is none stays as it
// is.
func canonical(expr string) string {
	if t, err := threshold.Parse(expr); err == nil {
		return t.String()
	}
	return expr
}

// hasChosenThreshold reports whether somebody chose a threshold for the run: the one that holds by
// default does not say how fast is good enough.
func hasChosenThreshold(run results.Run) bool {
	var p struct {
		SLO []string `json:"slo"`
	}
	_ = json.Unmarshal(run.Plan, &p) // without it the thresholds alone decide
	return slices.ContainsFunc(run.Thresholds, func(t threshold.ThresholdResult) bool {
		return t.Expr != plan.DefaultSLO || slices.Contains(p.SLO, t.Expr)
	})
}

// capacity checks a search by its own verdict, the rate that the policy asks for and the baseline.
func (d *decider) capacity(name string, r GateRun) {
	d.outcome(name, r, false)
	policy := d.policy.Capacity
	if policy == nil {
		return
	}
	for _, expr := range policy.Thresholds {
		check := "capacity.threshold " + printable.Clean(expr)
		if slices.ContainsFunc(r.Capacity.SLO,
			func(other string) bool { return canonical(other) == canonical(expr) }) {
			d.add(name, check, StateHeld, relativePath(r.Path)+" searched for it")
		} else {
			d.notAsked(name, check, "a search", expr, r, r.Capacity.SLO)
		}
	}
	if rate := r.Capacity.Capacity.Rate; policy.AtLeast > 0 {
		state := StateHeld
		if !(rate >= policy.AtLeast) {
			state = StateBlocked
		}
		d.add(
			name,
			"capacity.at_least",
			state,
			fmt.Sprintf("expected at least %.6g/s, found %.6g/s in %s",
				policy.AtLeast,
				rate,
				relativePath(r.Path),
			),
		)
	}
	if policy.Baseline != "" {
		d.regression(name, r.Run, policy.Baseline, policy.Tolerance)
	}
}
