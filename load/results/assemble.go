package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
	"github.com/gateassay/gateassay/load/threshold"
)

// assemble makes run.json of what was measured.
func (t *totals) assemble(info Info, notes []string) Run {
	info.Requests = max(t.recorded(), t.last.Sent)
	run := Run{
		Schema: Schema, Run: info, Plan: t.head.Plan, Notes: notes, Rate: t.rate(),
		Latency:  Latency{timesOf(&t.service), timesOf(&t.response)},
		Requests: t.requests(), Generator: t.generator(), Classes: map[string]Class{}, Stages: []Stage{},
		Thresholds: t.judgeThresholds(&notes),
	}
	run.Notes = notes
	for c, n := range t.whole.classes {
		if n > 0 {
			run.Classes[judge.Class(c).String()] = Class{n, Latency{
				timesOf(t.whole.service[c]),
				timesOf(t.whole.response[c]),
			}}
		}
	}
	for n := range t.stages {
		if s, reached := t.stage(n); reached {
			run.Stages = append(run.Stages, s)
		}
	}
	run.Failures, run.Statuses = t.failures, t.statuses
	run.Stalls, run.Slowest, run.Closed = t.stalls, t.slow, t.head.Closed
	for i := range t.users {
		u := &t.users[i]
		run.Identities = append(run.Identities, Identity{t.head.Users[i], u.classes, timesOf(&u.response)})
	}
	for rule, n := range t.rules {
		run.Violations = append(run.Violations, Violation{rule, n})
	}
	slices.SortFunc(run.Violations, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Rule, b.Rule))
	})
	if t.files != nil {
		run.Files = &Files{Counts: *t.files, TimeMS: timesOf(&t.file)}
	}
	if t.head.Merge != nil {
		m := *t.head.Merge
		m.Rate = t.planRate()
		run.Merge = &m
	}
	run.Verdict, run.Reason = t.conclude(run)
	if info.Shards > 1 && !info.Merged {
		run.Reason = fmt.Sprintf("shard %d of %d alone: %s", info.Shard, info.Shards, run.Reason)
	}
	return run
}

func (t *totals) judgeThresholds(notes *[]string) []threshold.Result {
	names := make([]string, len(t.head.Stages))
	for i, s := range t.head.Stages {
		names[i] = s.Name
	}
	results := []threshold.Result{}
	for _, expr := range t.head.Thresholds {
		parsed, err := threshold.Parse(expr)
		if err == nil {
			err = parsed.Bind(names)
		}
		if err != nil { // the plan was checked before: only a damaged record gets here
			*notes = append(*notes, fmt.Sprintf("the threshold %q cannot be judged: %v", expr, err))
			results = append(results, threshold.Result{
				Expr:     expr,
				Observed: threshold.NoData, Reason: "it cannot be read",
			})
			continue
		}
		results = append(results, threshold.Evaluate([]threshold.Threshold{parsed}, t)...)
	}
	return results
}

func (t *totals) requests() Requests {
	sent := max(t.recorded(), t.last.Sent)
	q := Requests{Scheduled: t.head.Scheduled, Sent: sent, Canceled: t.canceled, Unknown: sent - t.recorded()}
	if t.head.Closed > 0 {
		q.Scheduled = sent
	}
	for c, at := range q.of() {
		*at = t.whole.classes[c]
	}
	return q
}

func (t *totals) stage(n int) (Stage, bool) {
	r, due, reached := t.stageRate(n)
	if !reached {
		return Stage{}, false
	}
	span, g := t.head.Stages[n], t.stages[n].group()
	s := Stage{
		Number: n + 1, Name: span.Name, StartMS: span.StartNS / 1e6,
		EndMS: min(span.EndNS, int64(t.elapsed())) / 1e6, Scheduled: due,
		Requests: map[string]int64{}, Rate: r, Latency: Latency{
			timesOf(merged(&g.service)),
			timesOf(merged(&g.response)),
		}, LagP99MS: timesOf(g.lag).P99,
	}
	for c, count := range t.stages[n].classes {
		if count > 0 {
			s.Requests[judge.Class(c).String()] = count
		}
	}
	return s, true
}

// generator judges whether the figures describe the deployment or the generator. That of a merged run is its worst
// shard's.
func (t *totals) generator() Generator {
	if t.head.Merge != nil {
		return t.head.Merge.generator()
	}
	g := Generator{
		CPUPeak: round(t.cpuPeak), CPUs: t.head.CPUs, want: t.want, Clamped: t.clamped,
		LagLimit: millis(time.Duration(t.head.LagLimitNS)), Intervals: t.count,
	}
	if seconds := t.elapsed().Seconds(); seconds > 0 {
		g.CPU = round(t.cpuTime / seconds)
	}
	lag := t.whole.lag
	if lag == nil {
		lag = new(histogram.Histogram)
	}
	g.LagP50MS, g.LagP99MS, g.LagMaxMS = millis(lag.Quantile(50)), millis(lag.Quantile(99)), millis(lag.Max())
	lacked := ""
	for _, words := range t.want.words(millis(t.elapsed())) {
		lacked += "; " + words
	}
	ports, open := t.failures[judge.NoPorts.String()], t.failures[judge.NoFiles.String()]
	switch {
	case open > 0:
		g.Reason = fmt.Sprintf("%d requests could not be sent: the process has no file descriptors left; raise the "+
			"limit (ulimit -n) or use --max-in-flight", open)
	case ports > 0:
		g.Reason = fmt.Sprintf("%d requests could not be sent: no local ports are left; keep connections alive or "+
			"give more source addresses", ports)
	case lag.Quantile(99) > time.Duration(t.head.LagLimitNS):
		g.Reason = fmt.Sprintf("requests were sent late: the p99 of send lag is %g ms, the limit %g ms%s%s",
			g.LagP99MS, g.LagLimit, lacked, t.faster())
	case t.busy > 1 && int64(t.busy)*10 > t.count:
		g.Reason = fmt.Sprintf("the CPUs of this machine were saturated in %d of %d s%s%s",
			t.busy, t.count, lacked, t.faster())
	case g.Throttled > starved*millis(t.elapsed()):
		g.Reason = "the generator was short of CPU time" + lacked + t.faster()
	}
	g.Reliable = g.Reason == ""
	return g
}

// faster says what sends more than this run could.
func (t *totals) faster() string {
	if t.head.Run.Engine == string(engine.Direct) {
		return "; split the plan over several machines with --shard"
	}
	return "; try --engine direct, or split the plan over several machines with --shard"
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }

// conclude gives the verdict and why. A violated rule is one whoever was late; a missed threshold is not, when the
// generator was.
func (t *totals) conclude(run Run) (Verdict, string) {
	r := run.Requests
	answered := r.Sent - r.TransportErrors - r.Timeouts - r.Canceled - r.Unknown
	missed, without := 0, 0
	var first *threshold.Result
	for i, result := range run.Thresholds {
		if result.OK {
			continue
		}
		if result.Observed == threshold.NoData {
			without++
		} else if missed++; missed == 1 {
			first = &run.Thresholds[i]
		}
	}
	violations := int64(0)
	for _, v := range run.Violations {
		violations += v.Count
	}
	misblocks := r.FalseBlocks + r.MissedBlocks
	switch {
	case t.head.Merge.lacks() != "":
		return Inconclusive, t.head.Merge.lacks() + t.certain(r, violations)
	case r.Sent == 0:
		return Inconclusive, "no request was sent"
	case t.head.FailOnMisblock && misblocks > 0:
		return Fail, misblocked(r)
	case r.Malformed > 0 && violations > 0:
		return Fail, fmt.Sprintf("%d answers break a documented rule", r.Malformed)
	case answered <= 0:
		return Inconclusive, "the deployment answered no request"
	case !r.Worked() && run.Run.Aborted == "":
		return Inconclusive, hardly(run)
	case !run.Generator.Reliable:
		return Inconclusive, "the figures describe the generator: " + run.Generator.Reason
	case run.Run.Aborted != "":
		return Fail, "ended early: " + run.Run.Aborted
	case missed > 0:
		return Fail, fmt.Sprintf("%d of %d thresholds missed, first %s: observed %s", missed,
			len(run.Thresholds), first.Expr, first.Observed)
	case run.Run.Partial:
		return Inconclusive, "interrupted before the schedule was sent to its end"
	case without > 0:
		return Fail, fmt.Sprintf("%d of %d thresholds have no data", without, len(run.Thresholds))
	case len(run.Thresholds) == 0:
		return Pass, "no rule was violated; there were no thresholds"
	}
	return Pass, fmt.Sprintf("no rule was violated and %d of %d thresholds held",
		len(run.Thresholds), len(run.Thresholds))
}

// hardly says what came in place of usable answers, and whether the generator had a part in it.
func hardly(run Run) string {
	n, of := run.Requests.Usable()
	text := fmt.Sprintf("hardly any usable answer: %d of %d requests were accepted or blocked, and a verdict needs "+
		"%g%%; errors: %s",
		n, of, 100*leastUsable, run.ErrorWords())
	if !run.Generator.Reliable {
		text += "; the figures describe the generator, too: " + run.Generator.Reason
	}
	return text
}

func misblocked(r Requests) string {
	return fmt.Sprintf("replay protection: %d fresh requests blocked, %d repeats accepted", r.FalseBlocks,
		r.MissedBlocks)
}

// certain adds what is wrong whatever the parts that are missing held.
func (t *totals) certain(r Requests, violations int64) string {
	switch {
	case t.head.FailOnMisblock && r.FalseBlocks+r.MissedBlocks > 0:
		return "; what is known fails already: " + misblocked(r)
	case r.Malformed > 0 && violations > 0:
		return fmt.Sprintf("; what is known fails already: %d answers break a documented rule", r.Malformed)
	}
	return ""
}
