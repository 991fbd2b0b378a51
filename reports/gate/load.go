package gate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
)

// outcome judges the verdict that a load run or a search gave itself. silent says nothing unless it failed.
func (d *decider) outcome(subject string, r Run, silent bool) {
	check := string(r.Kind) + ".verdict"
	switch results.Verdict(r.Verdict) {
	case results.Fail:
		d.add(subject, check, Blocked, fmt.Sprintf("expected %s to pass, found that it failed: %s",
			short(r.Path), orNone(r.Reason)))
	case results.Pass:
		if !silent {
			d.add(subject, check, Held, fmt.Sprintf("%s passed: %s", short(r.Path), orNone(r.Reason)))
		}
	default:
		if !silent {
			d.add(subject, check, Undecided,
				fmt.Sprintf("expected a verdict on %s, found none: %s", short(r.Path), orNone(r.Reason)))
		}
	}
}

// load checks a load run by its own verdict, the thresholds of the policy and the baseline.
func (d *decider) load(name string, r Run) {
	d.outcome(name, r, false)
	policy := d.policy.Load
	if policy == nil {
		return
	}
	d.thresholds(name, r, parsed(policy.Thresholds))
	if policy.Baseline != "" {
		d.compare(name, r, policy.Baseline, policy.Tolerance)
	} else if len(policy.Thresholds) == 0 && !chosen(r.Load) {
		d.add(name, "load.thresholds", Undecided, fmt.Sprintf("expected a threshold, found none in the policy and "+
			"none in the plan of %s: nothing says how fast is good enough", short(r.Path)))
	}
}

// chosen reports whether somebody chose a threshold for the run: the one that holds by default does not say how fast is
// good enough.
func chosen(run results.Run) bool {
	var p struct {
		SLO []string `json:"slo"`
	}
	_ = json.Unmarshal(run.Plan, &p) // without it the thresholds alone decide
	return slices.ContainsFunc(run.Thresholds, func(t threshold.Result) bool {
		return t.Expr != plan.DefaultSLO || slices.Contains(p.SLO, t.Expr)
	})
}

// compare compares a run with the baseline of its kind.
func (d *decider) compare(name string, r Run, baseline string, tolerance float64) {
	check := string(r.Kind) + ".regression"
	earlier, err := d.baseline(baseline, r.Kind)
	var worse []string
	if err == nil {
		worse, err = compare.Worse(earlier.Run, r.Run, tolerance)
	}
	if err != nil {
		d.add(name, check, Undecided, fmt.Sprintf("expected %s not to be worse than %s, found no answer: %s",
			short(r.Path), short(baseline), err))
		return
	}
	if before, now := earlier.Capacity.Capacity.Rate, r.Capacity.Capacity.Rate; r.Kind == recorded.OfCapacity &&
		len(worse) == 0 && !(now >= before*(1-tolerance)) {
		d.add(name, check, Undecided, fmt.Sprintf("expected at least %.6g/s, %s less than %s found, found %.6g/s in "+
			"%s, which may be noise: search again with a higher --to or a longer --step-duration",
			before*(1-tolerance), percent(tolerance), short(earlier.Path), now, short(r.Path)))
		return
	}
	d.judge(name, check, Blocked, fmt.Sprintf("%s is not worse than %s by more than %s",
		short(r.Path), short(earlier.Path), percent(tolerance)),
		fmt.Sprintf("expected %s not to be worse than %s by more than %s, and it is",
			short(r.Path), short(earlier.Path), percent(tolerance)), worse)
}

func percent(share float64) string { return fmt.Sprintf("%.4g%%", 100*share) }

// thresholds judges each threshold of the policy on a run.
func (d *decider) thresholds(name string, r Run, list []threshold.Threshold) {
	for _, t := range list {
		bound := t
		check := "load.threshold " + printable.Clean(t.Expr)
		if err := bound.Bind(stages(r.Load)); err != nil {
			d.add(name, check, Undecided,
				fmt.Sprintf("expected a stage of that name or number, found none that %s reached", short(r.Path)))
			continue
		}
		result := bound.Judge(snapshots(r.Load))
		switch {
		case result.OK:
			d.add(name, check, Held, fmt.Sprintf("observed %s in %s", result.Observed, short(r.Path)))
		case result.Observed == threshold.NoData:
			d.add(name, check, Undecided, fmt.Sprintf("expected a figure, found no data in %s: %s",
				short(r.Path), orNone(result.Reason)))
		default:
			d.add(name, check, Blocked, fmt.Sprintf("expected %s, found %s in %s",
				printable.Clean(t.Expr), result.Observed, short(r.Path)))
		}
	}
}

// stages are the names of the stages that a run reached, by their number.
func stages(run results.Run) (names []string) {
	for _, s := range run.Stages {
		for len(names) < s.Number-1 && len(names) < 10_000 {
			names = append(names, "")
		}
		names = append(names, s.Name)
	}
	return names
}

// snapshots lets thresholds read the figures of run.json: of the whole run for 0, or of a stage.
func snapshots(run results.Run) func(stage int) (threshold.Snapshot, bool) {
	return func(stage int) (threshold.Snapshot, bool) {
		if stage == 0 {
			return whole(run), true
		}
		for _, s := range run.Stages {
			if s.Number == stage {
				var classes [judge.NumClasses]int64
				for _, c := range judge.Classes() {
					classes[c] = s.Requests[c.String()]
				}
				return figures(s.Rate, s.Latency, classes), true
			}
		}
		return threshold.Snapshot{}, false
	}
}

func whole(run results.Run) threshold.Snapshot {
	s := figures(run.Rate, run.Latency, run.Requests.Classes())
	if n, g := s.Sent(), run.Generator; n > 0 {
		s.Times[threshold.Lag] = statistics{results.Times{P50: g.LagP50MS, P99: g.LagP99MS, Max: g.LagMaxMS}, n}
	}
	if run.Files != nil {
		s.FilesReady, s.FilesFailed = run.Files.Ready, run.Files.Failed
		s.Times[threshold.File] = statistics{run.Files.TimeMS, run.Files.Ready}
	}
	return s
}

// figures is a snapshot made of what was recorded.
func figures(r results.Rate, l results.Latency, classes [judge.NumClasses]int64) threshold.Snapshot {
	numbers := threshold.Numbers{Classes: classes}
	return threshold.Snapshot{
		Numbers: numbers, Target: r.Target, Achieved: r.Achieved,
		Times: map[threshold.Time]threshold.Times{
			threshold.Service:  statistics{l.Service, numbers.Sent()},
			threshold.Response: statistics{l.Response, numbers.Sent()},
		},
	}
}

// statistics are the recorded figures of a distribution. A policy names no other (see kept).
type statistics struct {
	results.Times
	count int64
}

func (s statistics) Count() int64        { return s.count }
func (s statistics) Mean() time.Duration { return milliseconds(s.Times.Mean) }

func (s statistics) Quantile(p float64) time.Duration {
	for _, recorded := range results.Statistics() {
		if recorded.Quantile == p {
			return milliseconds(*recorded.Of(&s.Times))
		}
	}
	return math.MaxInt64 // never holds as an upper bound
}

func milliseconds(ms float64) time.Duration { return time.Duration(math.Round(ms * 1e6)) }

// capacity checks a search by its own verdict, the rate that the policy asks for and the baseline.
func (d *decider) capacity(name string, r Run) {
	d.outcome(name, r, false)
	policy := d.policy.Capacity
	if policy == nil {
		return
	}
	d.searched(name, r, parsed(policy.Thresholds))
	if rate := r.Capacity.Capacity.Rate; policy.AtLeast > 0 {
		state := Held
		if !(rate >= policy.AtLeast) {
			state = Blocked
		}
		d.add(name, "capacity.at_least", state,
			fmt.Sprintf("expected at least %.6g/s, found %.6g/s in %s", policy.AtLeast, rate, short(r.Path)))
	}
	if policy.Baseline != "" {
		d.compare(name, r, policy.Baseline, policy.Tolerance)
	}
}

// searched finds thresholds that a search did not ask for: what it found says nothing of them.
func (d *decider) searched(name string, r Run, list []threshold.Threshold) {
	for _, t := range list {
		check := "capacity.threshold " + printable.Clean(t.Expr)
		if slices.ContainsFunc(r.Capacity.SLO, func(expr string) bool {
			other, err := threshold.Parse(expr)
			return err == nil && other.String() == t.String()
		}) {
			d.add(name, check, Held, short(r.Path)+" searched for it")
			continue
		}
		d.add(name, check, Undecided, fmt.Sprintf("expected a search with --slo %s, found %s with %s",
			digest.Quote(t.Expr), short(r.Path), cmp.Or(either(r.Capacity.SLO), "no threshold")))
	}
}
