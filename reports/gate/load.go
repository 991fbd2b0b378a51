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
func (d *decider) outcome(subject string, r Run, silent bool) {
	check := string(r.Kind) + ".verdict"
	switch verdict := results.Verdict(r.Verdict); {
	case verdict == results.VerdictFail:
		d.add(subject, check, Blocked,
			fmt.Sprintf("expected %s to pass, found that it failed: %s", short(r.Path), orNone(r.Reason)))
	case silent:
	case verdict == results.VerdictPass:
		d.add(subject, check, Held, fmt.Sprintf("%s passed: %s", short(r.Path), orNone(r.Reason)))
	default:
		d.add(subject, check, Undecided,
			fmt.Sprintf("expected a verdict on %s, found none: %s", short(r.Path), orNone(r.Reason)))
	}
}

// load checks a load run by its own verdict, the thresholds of the policy and the baseline.
func (d *decider) load(name string, r Run) {
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
			d.add(name, check, Held, fmt.Sprintf("observed %s in %s", found.Observed, short(r.Path)))
		case found.Late:
			d.add(name, check, Undecided,
				fmt.Sprintf("observed %s in %s; %s", found.Observed, short(r.Path), found.Reason))
		case found.Observed == threshold.NoData:
			d.add(name, check, Undecided,
				fmt.Sprintf("expected a figure, found no data in %s: %s", short(r.Path), orNone(found.Reason)))
		default:
			d.add(
				name,
				check,
				Blocked,
				fmt.Sprintf("expected %s, found %s in %s",
					printable.Clean(expr),
					found.Observed,
					short(r.Path),
				),
			)
		}
	}
	if policy.Baseline != "" {
		d.regression(name, r.Run, policy.Baseline, policy.Tolerance)
	} else if len(policy.Thresholds) == 0 && !chosen(r.Load) {
		d.add(name, "load.thresholds", Undecided,
			fmt.Sprintf("expected a threshold, found none in the policy and "+
				"none in the plan of %s: nothing says how fast is good enough", short(r.Path)))
	}
}

// notAsked says that a run was not judged by a threshold of the policy.
func (d *decider) notAsked(name, check, what, expr string, r Run, by []string) {
	d.add(name, check, Undecided, fmt.Sprintf("expected %s with --slo %s, found %s with %s",
		what, digest.Quote(expr), short(r.Path), cmp.Or(either(by), "no threshold")))
}

// canonical is a threshold as it is written without blanks and the like; what is none stays as it
// is.
func canonical(expr string) string {
	if t, err := threshold.Parse(expr); err == nil {
		return t.String()
	}
	return expr
}

// chosen reports whether somebody chose a threshold for the run: the one that holds by default does
// not say how fast is good enough.
func chosen(run results.Run) bool {
	var p struct {
		SLO []string `json:"slo"`
	}
	_ = json.Unmarshal(run.Plan, &p) // without it the thresholds alone decide
	return slices.ContainsFunc(run.Thresholds, func(t threshold.ThresholdResult) bool {
		return t.Expr != plan.DefaultSLO || slices.Contains(p.SLO, t.Expr)
	})
}

// capacity checks a search by its own verdict, the rate that the policy asks for and the baseline.
func (d *decider) capacity(name string, r Run) {
	d.outcome(name, r, false)
	policy := d.policy.Capacity
	if policy == nil {
		return
	}
	for _, expr := range policy.Thresholds {
		check := "capacity.threshold " + printable.Clean(expr)
		if slices.ContainsFunc(r.Capacity.SLO,
			func(other string) bool { return canonical(other) == canonical(expr) }) {
			d.add(name, check, Held, short(r.Path)+" searched for it")
		} else {
			d.notAsked(name, check, "a search", expr, r, r.Capacity.SLO)
		}
	}
	if rate := r.Capacity.Capacity.Rate; policy.AtLeast > 0 {
		state := Held
		if !(rate >= policy.AtLeast) {
			state = Blocked
		}
		d.add(name, "capacity.at_least", state,
			fmt.Sprintf("expected at least %.6g/s, found %.6g/s in %s", policy.AtLeast, rate, short(r.Path)))
	}
	if policy.Baseline != "" {
		d.regression(name, r.Run, policy.Baseline, policy.Tolerance)
	}
}
