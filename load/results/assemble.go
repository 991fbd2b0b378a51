package results

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// assemble makes run.json of what was measured.
func (t *totals) assemble(info Info, notes []string) Run {
	info.Requests = t.last.Sent
	run := Run{
		Schema: Schema, Run: info, Plan: t.head.Plan, Rate: t.rate(), Latency: t.Times.latency(""),
		Thresholds: []threshold.Result{}, Generator: t.generator(), Classes: map[string]Class{}, Stages: []Stage{},
		Failures: t.Failures, Statuses: t.Statuses, Stalls: t.stalls, Slowest: t.Slow, Merge: t.head.Merge,
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
		if r, due, reached := t.stageRate(n, d.sent()); reached {
			run.Stages = append(run.Stages, Stage{
				Number: n + 1, Name: span.Name, StartMS: span.Start.Milliseconds(),
				EndMS: min(span.End, t.last.To).Milliseconds(), Scheduled: due, Requests: named(d.classes()),
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
	for rule, n := range t.Rules {
		run.Violations = append(run.Violations, Violation{rule, n})
	}
	slices.SortFunc(run.Violations, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Rule, b.Rule))
	})
	if t.files != nil {
		run.Files = &Files{*t.files, timesOf(t.Times.of(threshold.File, ""))}
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

// Read makes the run of what its interval records hold. A run whose process was killed is partial and lacks at most its
// last two seconds; what was sent and not recorded is called unknown.
func Read(dir string) (Run, error) {
	r, t, err := sum(dir)
	if err != nil {
		return Run{}, err
	}
	info, notes := t.head.Run, []string(nil)
	if r.end != nil {
		info, notes = r.end.Run, r.end.Notes
	} else {
		info.StartedAt = cmp.Or(r.start, info.StartedAt)
		info.FinishedAt, info.Partial = info.StartedAt.Add(t.last.To), true
		notes = append(notes, fmt.Sprintf("the run was cut off; what it recorded in its first %s is all there is",
			t.last.To.Round(time.Millisecond)))
	}
	if r.damage != nil {
		info.Partial = true
		notes = append(notes, fmt.Sprintf("%s is damaged: %v", runfolder.IntervalsName, r.damage))
	}
	return t.assemble(info, notes), nil
}

// sum adds up a record.
func sum(dir string) (*record, *totals, error) {
	t := &totals{}
	r, err := walk(dir, func(i *Interval) bool { t.add(i); return true })
	if err != nil {
		return nil, nil, err
	}
	if t.head = *r.head; r.end != nil {
		t.unsent = r.end.Unsent
	}
	return r, t, nil
}
