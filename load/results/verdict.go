package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// assemble makes run.json of what was measured.
func (t *totals) assemble(info Info, notes []string) Run {
	info.Requests = t.last.Sent
	run := Run{
		Schema: Schema, Run: info, Plan: t.head.Plan, Rate: t.rate(), Latency: t.Times.latency(""),
		Thresholds: []threshold.Result{}, Generator: t.generator(), Classes: map[string]Class{}, Stages: []Stage{},
		Failures: t.Failures, Statuses: t.Statuses, Stalls: t.stalls, Slowest: t.Slow,
		Requests: Requests{
			Scheduled: t.head.Scheduled, Sent: t.last.Sent, Canceled: t.Canceled, Unknown: t.last.Sent - t.recorded(),
		},
	}
	classes := t.Times.classes()
	for c, at := range run.Requests.of() {
		*at = classes[c]
	}
	for name, n := range named(classes) {
		run.Classes[name] = Class{n, t.Times.latency(name)}
	}
	var stages []string
	for n, span := range t.head.Stages {
		d := t.stage(n)
		stages = append(stages, span.Name)
		if r, due, reached := t.stageRate(n, d.count()); reached {
			run.Stages = append(run.Stages, Stage{
				Number: n + 1, Name: span.Name, StartMS: span.StartNS / 1e6,
				EndMS: min(span.EndNS, int64(t.elapsed())) / 1e6, Scheduled: due, Requests: named(d.classes()),
				Rate: r, Latency: d.latency(""), LagP99MS: timesOf(d.of(threshold.Lag, "")).P99,
			})
		}
	}
	for _, expr := range t.head.Thresholds {
		parsed, err := threshold.Parse(expr)
		if err == nil {
			err = parsed.Bind(stages)
		}
		result := threshold.Result{Expr: expr, Observed: threshold.NoData, Reason: "it cannot be read"}
		if err == nil {
			result = parsed.Judge(t.snapshot)
		} else { // the plan was checked before: only a damaged record gets here
			notes = append(notes, fmt.Sprintf("the threshold %q cannot be judged: %v", expr, err))
		}
		run.Thresholds = append(run.Thresholds, result)
	}
	for i, name := range t.head.Users {
		u := t.user(i)
		run.Identities = append(run.Identities, Identity{name, u.Classes, timesOf(u.Response)})
	}
	for rule, n := range t.Rules {
		run.Violations = append(run.Violations, Violation{rule, n})
	}
	slices.SortFunc(run.Violations, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Rule, b.Rule))
	})
	if t.files != nil {
		run.Files = &Files{*t.files, timesOf(t.Times.of(threshold.File, ""))}
	}
	if t.head.Merge != nil {
		m := *t.head.Merge
		// The rate that the whole plan meant, also of what nothing is known about.
		if m.Rate = perSecond(t.head.Scheduled, time.Duration(t.head.DurationNS)); t.known() > 0 {
			m.Rate = round(run.Rate.Target * float64(t.head.Scheduled) / float64(t.known()))
		}
		run.Merge = &m
	}
	run.Notes = notes
	run.Verdict, run.Reason = t.conclude(run)
	if info.Shards > 1 && !info.Merged {
		run.Reason = fmt.Sprintf("shard %d of %d alone: %s", info.Shard, info.Shards, run.Reason)
	}
	return run
}

// named gives the classes that counted something by their names.
func named(classes [judge.NumClasses]int64) map[string]int64 {
	counts := map[string]int64{}
	for c, n := range classes {
		if n > 0 {
			counts[judge.Class(c).String()] = n
		}
	}
	return counts
}

// generator judges whether the figures describe the deployment or the generator. That of a merged run is its worst
// shard's.
func (t *totals) generator() Generator {
	if t.head.Merge != nil {
		return t.head.Merge.generator()
	}
	lag := t.Times.of(threshold.Lag, "")
	times := timesOf(lag)
	g := Generator{
		LagP50MS: times.P50, LagP99MS: times.P99, LagMaxMS: times.Max, CPUPeak: round(t.cpuPeak), CPUs: t.head.CPUs,
		starved: t.starved, Clamped: t.Clamped, LagLimit: millis(time.Duration(t.head.LagLimitNS)), Intervals: t.count,
	}
	if seconds := t.elapsed().Seconds(); seconds > 0 {
		g.CPU = round(t.cpuTime / seconds)
	}
	more := ""
	for _, words := range t.starved.words(millis(t.elapsed())) {
		more += "; " + words
	}
	if more += "; "; t.head.Run.Engine != string(engine.Direct) {
		more += "try --engine direct, or "
	}
	more += "split the plan over several machines with --shard"
	ports, open := t.Failures[judge.NoPorts.String()], t.Failures[judge.NoFiles.String()]
	switch {
	case open > 0:
		g.Reason = fmt.Sprintf("%s could not be sent: the process ran out of file descriptors; raise the "+
			"limit (ulimit -n) or use --max-in-flight", printable.Quantity(open, "request"))
	case ports > 0:
		g.Reason = fmt.Sprintf("%s could not be sent: no local ports are left; keep connections alive or "+
			"split the plan over several machines with --shard", printable.Quantity(ports, "request"))
	case lag.Quantile(99) > time.Duration(t.head.LagLimitNS):
		g.Reason = fmt.Sprintf("requests were sent late: the p99 of send lag is %g ms, the limit %g ms%s",
			g.LagP99MS, g.LagLimit, more)
	case t.busy > 1 && t.busy*10 > t.count:
		g.Reason = fmt.Sprintf("the CPUs of this machine were saturated in %d of %d s%s", t.busy, t.count, more)
	case g.Throttled > tooStarved*millis(t.elapsed()):
		g.Reason = "the generator was short of CPU time" + more
	}
	g.Reliable = g.Reason == ""
	return g
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }

// conclude gives the verdict and why. A violated rule is one whoever was late; a missed threshold is not, when the
// generator was.
func (t *totals) conclude(run Run) (Verdict, string) {
	r := run.Requests
	answered := r.Sent - r.TransportErrors - r.Timeouts - r.Canceled - r.Unknown
	var missed, without []threshold.Result
	for _, result := range run.Thresholds {
		if result.Observed == threshold.NoData {
			without = append(without, result)
		} else if !result.OK {
			missed = append(missed, result)
		}
	}
	wrong, lacks := t.wrong(run), t.head.Merge.lacks()
	switch all := len(run.Thresholds); {
	case lacks != "" && wrong != "":
		return Inconclusive, lacks + "; what is known already fails: " + wrong
	case lacks != "":
		return Inconclusive, lacks
	case r.Sent == 0:
		return Inconclusive, cmp.Or(t.unsent, "no request was sent")
	case wrong != "":
		return Fail, wrong
	case answered <= 0:
		return Inconclusive, "the deployment answered no request"
	case !r.Worked() && run.Run.Aborted == "":
		return Inconclusive, hardly(run)
	case !run.Generator.Reliable:
		return Inconclusive, "the figures describe the generator: " + run.Generator.Reason
	case run.Run.Aborted != "":
		return Fail, "ended early: " + run.Run.Aborted
	case len(missed) > 0 && all == 1:
		return Fail, fmt.Sprintf("the threshold %s was missed: observed %s", missed[0].Expr, missed[0].Observed)
	case len(missed) > 0:
		return Fail, fmt.Sprintf("%d of %d thresholds missed, first %s: observed %s", len(missed), all,
			missed[0].Expr, missed[0].Observed)
	case run.Run.Partial:
		return Inconclusive, "interrupted before the whole schedule was sent"
	case len(without) > 0:
		return Fail, fmt.Sprintf("no data for %d of %s", len(without), printable.Quantity(all, "threshold"))
	case run.Files.none() && !slices.ContainsFunc(t.head.Thresholds, threshold.OnFiles):
		return Inconclusive, noFiles(run.Files.Counts)
	case all == 0:
		return Pass, "no rule was violated; there were no thresholds"
	case all == 1:
		return Pass, "no rule was violated and the threshold held"
	default:
		return Pass, fmt.Sprintf("no rule was violated and all %d thresholds held", all)
	}
}

// hardly says what came in place of usable answers, and whether the generator had a part in it.
func hardly(run Run) string {
	n, of := run.Requests.Usable()
	text := fmt.Sprintf("too few usable answers: %d of %d requests were accepted or blocked, and a verdict needs "+
		"%g%%; errors: %s", n, of, 100*leastUsable, run.ErrorWords())
	if !run.Generator.Reliable {
		text += "; the figures describe the generator, too: " + run.Generator.Reason
	}
	return text
}

// noFiles says what became of the files, of which none arrived.
func noFiles(c files.Counts) string {
	text := fmt.Sprintf("none of %s that were followed arrived: %d failed, %d still not there at the end",
		printable.Quantity(c.Failed+c.Pending, "file"), c.Failed, c.Pending)
	if c.Detail != "" {
		text += "; the first: " + c.Detail
	}
	return text + "; a threshold on file_failures or on a file. time would decide this"
}

// wrong is which rule the deployment broke, whatever else is known of it; empty: none.
func (t *totals) wrong(run Run) string {
	switch r := run.Requests; {
	case t.head.FailOnMisblock && r.FalseBlocks+r.MissedBlocks > 0:
		return fmt.Sprintf("replay protection: %s blocked, %s accepted",
			printable.Quantity(r.FalseBlocks, "fresh request"), printable.Quantity(r.MissedBlocks, "repeat"))
	case r.Malformed > 0 && len(run.Violations) > 0:
		return fmt.Sprintf("a documented rule was broken by %s", printable.Quantity(r.Malformed, "answer"))
	}
	return ""
}
