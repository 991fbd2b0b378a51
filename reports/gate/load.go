package gate

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/diagnostic"
	"github.com/gateassay/gateassay/load/judge"
	load "github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
)

// outcome judges the verdict that a load run or a search gave itself. silent says nothing unless it failed.
func (d *decider) outcome(subject string, r Run, silent bool) {
	check := string(r.Kind) + ".verdict"
	switch load.Verdict(r.Verdict) {
	case load.Fail:
		d.add(subject, check, Blocked, fmt.Sprintf("%s failed: %s", short(r.Path), orNone(r.Reason)))
	case load.Pass:
		if !silent {
			d.add(subject, check, Held, fmt.Sprintf("%s passed: %s", short(r.Path), orNone(r.Reason)))
		}
	default:
		if !silent {
			d.add(subject, check, Undecided, fmt.Sprintf("%s gives no verdict: %s", short(r.Path), orNone(r.Reason)))
		}
	}
}

// load holds a load run against its own verdict, the thresholds of the policy and the baseline.
func (d *decider) load(name string, r Run) {
	d.outcome(name, r, false)
	policy := d.policy.Load
	if policy == nil {
		return
	}
	d.thresholds(name, r, policy.Thresholds)
	if policy.Baseline == "" {
		return
	}
	earlier, err := d.baseline(policy.Baseline, OfLoad)
	switch {
	case err != nil:
	case d.Compare == nil:
		err = fmt.Errorf("load runs cannot be compared here")
	case load.Verdict(earlier.Verdict) == load.Inconclusive:
		err = fmt.Errorf("the baseline %s gives no verdict: %s", policy.Baseline, orNone(earlier.Reason))
	}
	var worse []string
	if err == nil {
		worse, err = d.Compare(earlier.dir, r.dir, policy.Tolerance)
	}
	if err != nil {
		d.add(name, "load.regression", Undecided, err.Error())
		return
	}
	d.judge(name, "load.regression", Blocked, fmt.Sprintf("%s is not worse than %s by more than %s", short(r.Path), short(earlier.Path), percent(policy.Tolerance)),
		fmt.Sprintf("%s is worse than %s", short(r.Path), short(earlier.Path)), worse)
}

func percent(share float64) string { return fmt.Sprintf("%.4g%%", 100*share) }

// thresholds judges each threshold of the policy on a run.
func (d *decider) thresholds(name string, r Run, list []threshold.Threshold) {
	var stages []string
	for _, s := range r.load.Stages {
		for len(stages) < s.Number-1 && len(stages) < 10_000 {
			stages = append(stages, "")
		}
		stages = append(stages, s.Name)
	}
	for _, t := range list {
		bound := t
		text, _ := t.MarshalText() // cannot fail
		check := "load.threshold " + diagnostic.Clean(string(text))
		if err := bound.Bind(stages); err != nil {
			d.add(name, check, Undecided, fmt.Sprintf("%s reached no such stage", short(r.Path)))
			continue
		}
		result := threshold.Evaluate([]threshold.Threshold{bound}, measured{r.load})[0]
		switch {
		case result.OK:
			d.add(name, check, Held, fmt.Sprintf("observed %s in %s", result.Observed, short(r.Path)))
		case result.Observed == threshold.NoData:
			d.add(name, check, Undecided, fmt.Sprintf("no data in %s: %s", short(r.Path), orNone(result.Reason)))
		default:
			d.add(name, check, Blocked, fmt.Sprintf("missed, observed %s in %s", result.Observed, short(r.Path)))
		}
	}
}

// measured lets thresholds read the figures of run.json.
type measured struct{ load.Run }

func (m measured) Whole() threshold.Snapshot {
	q, g := m.Requests, m.Generator
	f := figures{rate: m.Rate, sent: q.Sent - q.Canceled - q.Unknown, times: map[threshold.Time]statistics{}, classes: map[judge.Class]int64{
		judge.Accepted: q.Accepted, judge.Blocked: q.Blocked, judge.FalseBlock: q.FalseBlocks, judge.MissedBlock: q.MissedBlocks,
		judge.Throttled: q.Throttled, judge.ClientError: q.ClientErrors, judge.ServerError: q.ServerErrors,
		judge.TransportError: q.TransportErrors, judge.Timeout: q.Timeouts, judge.Malformed: q.Malformed,
	}}
	if f.sent > 0 {
		f.times[threshold.Service] = statistics{m.Latency.Service, f.sent}
		f.times[threshold.Response] = statistics{m.Latency.Response, f.sent}
		f.times[threshold.Lag] = statistics{load.Times{P50: g.LagP50MS, P99: g.LagP99MS, Max: g.LagMaxMS}, f.sent}
	}
	if m.Files != nil {
		f.ready, f.failed = m.Files.Ready, m.Files.Failed
		if f.ready > 0 {
			f.times[threshold.File] = statistics{m.Files.TimeMS, f.ready}
		}
	}
	return f
}

func (m measured) Stage(number int) (threshold.Snapshot, bool) {
	for _, s := range m.Stages {
		if s.Number != number {
			continue
		}
		f := figures{rate: s.Rate, times: map[threshold.Time]statistics{}, classes: map[judge.Class]int64{}}
		for c := range judge.NumClasses {
			n := s.Requests[judge.Class(c).String()]
			f.classes[judge.Class(c)] = n
			f.sent += n
		}
		if f.sent > 0 {
			f.times[threshold.Service] = statistics{s.Latency.Service, f.sent}
			f.times[threshold.Response] = statistics{s.Latency.Response, f.sent}
		}
		return f, true
	}
	return nil, false
}

// figures is a snapshot made of what was recorded.
type figures struct {
	rate          load.Rate
	sent          int64
	classes       map[judge.Class]int64
	ready, failed int64 // files
	times         map[threshold.Time]statistics
}

func (f figures) Rate() (target, achieved float64) { return f.rate.Target, f.rate.Achieved }

func (f figures) Times(which threshold.Time) threshold.Times {
	if s, measured := f.times[which]; measured {
		return s
	}
	return nil
}

func (f figures) Count(which threshold.Count) (n, of int64) {
	c := f.classes
	switch which {
	case threshold.Errors:
		return f.sent - c[judge.Accepted] - c[judge.Blocked], f.sent
	case threshold.FalseBlocks:
		return c[judge.FalseBlock], c[judge.Accepted] + c[judge.FalseBlock]
	case threshold.MissedBlocks:
		return c[judge.MissedBlock], c[judge.Blocked] + c[judge.MissedBlock]
	case threshold.FileFailures:
		return f.failed, f.failed + f.ready
	}
	class, known := map[threshold.Count]judge.Class{
		threshold.Accepted: judge.Accepted, threshold.Blocked: judge.Blocked, threshold.Throttled: judge.Throttled,
		threshold.ClientErrors: judge.ClientError, threshold.ServerErrors: judge.ServerError, threshold.TransportErrors: judge.TransportError,
		threshold.Timeouts: judge.Timeout, threshold.Malformed: judge.Malformed,
	}[which]
	if !known {
		return 0, 0
	}
	return c[class], f.sent
}

// statistics are the recorded figures of a distribution. A policy names no other (see recorded).
type statistics struct {
	load.Times
	count int64
}

func (s statistics) Count() int64        { return s.count }
func (s statistics) Mean() time.Duration { return milliseconds(s.Times.Mean) }
func (s statistics) Max() time.Duration  { return milliseconds(s.Times.Max) }

func (s statistics) Quantile(p float64) time.Duration {
	switch p {
	case 50:
		return milliseconds(s.P50)
	case 90:
		return milliseconds(s.P90)
	case 95:
		return milliseconds(s.P95)
	case 99:
		return milliseconds(s.P99)
	case 99.9:
		return milliseconds(s.P999)
	}
	return math.MaxInt64 // never holds as an upper bound
}

func milliseconds(ms float64) time.Duration { return time.Duration(math.Round(ms * 1e6)) }

// capacity holds a search against its own verdict, the rate that the policy asks for and the baseline.
func (d *decider) capacity(name string, r Run) {
	d.outcome(name, r, false)
	policy := d.policy.Capacity
	if policy == nil {
		return
	}
	rate := r.capacity.Capacity.Rate
	if policy.AtLeast > 0 {
		state, not := Held, ""
		if !(rate >= policy.AtLeast) {
			state, not = Blocked, " only"
		}
		d.add(name, "capacity.at_least", state, fmt.Sprintf("%s found%s %.6g/s, at least %.6g/s are asked for", short(r.Path), not, rate, policy.AtLeast))
	}
	if policy.Baseline == "" {
		return
	}
	earlier, err := d.baseline(policy.Baseline, OfCapacity)
	if err == nil && load.Verdict(earlier.Verdict) != load.Pass {
		err = fmt.Errorf("the baseline %s found no capacity: %s", policy.Baseline, orNone(earlier.Reason))
	}
	if err != nil {
		d.add(name, "capacity.regression", Undecided, err.Error())
		return
	}
	before := earlier.capacity.Capacity.Rate
	state := Held
	if !(rate >= before*(1-policy.Tolerance)) {
		state = Blocked
	}
	d.add(name, "capacity.regression", state, fmt.Sprintf("%s found %.6g/s, %s %.6g/s; at most %s less is allowed", short(r.Path), rate, short(earlier.Path), before, percent(policy.Tolerance)))
}

// headline is a decision in a few words.
func headline(d Decision) string {
	word := map[State]string{Held: "passes", Blocked: "blocked", Undecided: "not decided"}[d.Verdict]
	if d.Policy.Name != "" {
		return digest.Clean(digest.Clip(d.Policy.Name, 200)) + ": " + word
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
