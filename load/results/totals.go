package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// totals is everything that was measured so far. A live run and a rebuilt one fill it alike.
type totals struct {
	record
	Progress
	counts
	stalls  []Stall
	cpuTime float64 // CPU seconds, all CPUs
	cpuPeak float64
	busy    int64 // intervals in which the process alone saturated the CPUs
	crowded int64 // intervals in which all processes together did
	machine Load  // CPU and Wait in seconds
}

// Saturated is the share of all CPUs above which whoever needs one is taken to be short of them.
const Saturated = 0.92

// add takes in an interval.
func (t *totals) add(i *Interval) {
	t.counts.add(&i.counts)
	t.stalls = append(t.stalls, i.Stalls...)
	seconds := (i.To - i.From).Seconds()
	t.cpuTime += i.CPU * seconds
	if seconds > 0.2 { // a sliver at the end says nothing
		t.cpuPeak = max(t.cpuPeak, i.CPU)
		if i.CPU > Saturated {
			t.busy++
		}
		if max(i.CPU, i.Machine.CPU) > Saturated {
			t.crowded++
		}
	}
	t.machine.CPU += i.Machine.CPU * seconds
	t.machine.Wait += i.Machine.Wait * seconds
	t.machine.RunQueue = max(t.machine.RunQueue, i.Machine.RunQueue)
	t.Progress = i.Progress
}

// stage is what was measured in a stage, from 1; 0: in all.
func (t *totals) stage(n int) distributions {
	of := maps.Clone(t.Times)
	maps.DeleteFunc(of, func(s slot, _ *Distribution) bool { return n > 0 && s.Stage != n })
	return of
}

// rate is the planned and the achieved rate of a stage, from 1, or of all, 0, over the time in which its requests were due,
// with what the last of them was late; and how many were due. It is false where the stage was not reached.
func (t *totals) rate(stage int) (r Rate, due int64, reached bool) {
	span, due, sent := stageSpan{End: t.head.Duration, Scheduled: t.head.Scheduled}, t.Due, t.Sent
	lastBegun := slices.Max(append(slices.Collect(maps.Values(t.LastBegun)), 0))
	if stage > 0 {
		span, sent, lastBegun = t.head.Stages[stage-1], t.stage(stage).count(), t.LastBegun[stage]
		for _, s := range t.head.Stages[:stage-1] {
			due -= s.Scheduled
		}
		due = min(max(due, 0), span.Scheduled)
	}
	late := max(lastBegun-span.End, 0)
	// The run may end before the schedule does, once its last request is answered.
	through, elapsed := t.Due >= t.head.Scheduled || t.To >= t.head.Duration, t.To
	if through {
		elapsed = max(elapsed, t.head.Duration)
	}
	length := span.End - span.Start
	passed := elapsed - span.Start
	switch {
	case passed < shortestSpan:
		return Rate{Target: perSecond(span.Scheduled, length)}, 0, stage == 0
	case passed < length:
		return Rate{perSecond(due, passed), perSecond(sent, passed)}, due, true
	}
	return Rate{perSecond(span.Scheduled, length), perSecond(sent, length+late)}, span.Scheduled, true
}

// snapshot is the run so far, 0, or one stage of it, from 1; false: the stage was not reached.
func (t *totals) snapshot(stage int) (threshold.Snapshot, bool) {
	r, _, reached := t.rate(stage)
	followed := t.Files
	if stage > 0 {
		followed = nil
	}
	return t.stage(stage).snapshot(r, followed), reached
}

// run makes run.json of what was measured.
func (t *totals) run() Run {
	info, notes := t.head.Run, []string(nil)
	if t.ended {
		info, notes = t.ending.Run, t.ending.Notes
	} else {
		info.StartedAt = cmp.Or(t.start, info.StartedAt)
		info.FinishedAt, info.Partial = info.StartedAt.Add(t.To), true
		notes = append(notes, fmt.Sprintf("the run was cut off; what it recorded in its first %s is all there is",
			t.To.Round(time.Millisecond)))
	}
	if t.damage != nil {
		notes = append(notes, fmt.Sprintf("%s is damaged: %v", runfolder.IntervalsName, t.damage))
	}
	info.Requests = t.Sent
	classes := t.Times.classes()
	run := Run{
		Schema: Schema, Run: info, Plan: t.head.Plan, Latency: t.Times.latency(""), Thresholds: []threshold.Result{},
		Generator: t.generator(), Classes: map[string]Class{}, Stages: []Stage{}, Failures: t.Failures,
		Statuses: t.Statuses, Codes: t.Codes, Bytes: t.Bytes, Stalls: t.stalls, Merge: t.head.Merge,
		Requests: Requests{
			Scheduled: t.head.Scheduled, Sent: t.Sent, Canceled: t.Canceled, Unknown: t.Sent - t.recorded(),
			Accepted: classes[judge.Accepted], Blocked: classes[judge.Blocked],
			FalseBlocks: classes[judge.FalseBlock], MissedBlocks: classes[judge.MissedBlock],
			Throttled: classes[judge.Throttled], ClientErrors: classes[judge.ClientError], ServerErrors: classes[judge.ServerError],
			TransportErrors: classes[judge.TransportError], Timeouts: classes[judge.Timeout], Malformed: classes[judge.Malformed],
		},
	}
	run.Rate, _, _ = t.rate(0)
	for name, n := range named(classes) {
		run.Classes[name] = Class{n, t.Times.latency(name)}
	}
	var stages []string
	for n, span := range t.head.Stages {
		stages = append(stages, span.Name)
		if r, due, reached := t.rate(n + 1); reached {
			d := t.stage(n + 1)
			run.Stages = append(run.Stages, Stage{
				Number: n + 1, Name: span.Name, StartMS: span.Start.Milliseconds(),
				EndMS: min(span.End, t.To).Milliseconds(), Scheduled: due, Requests: named(d.classes()),
				Rate: r, Latency: d.latency(""), LagP99MS: timesOf(d.of(threshold.Lag, "")).P99,
			})
		}
	}
	blurred := t.blurred(run.Generator)
	judged := func(stage int) (threshold.Snapshot, bool) {
		s, reached := t.snapshot(stage)
		s.Blurred, s.Crowded = blurred, often(run.Generator.Saturated, run.Generator.Intervals)
		return s, reached
	}
	for _, expr := range t.head.Thresholds {
		result := threshold.Result{Expr: expr, Observed: threshold.NoData, Reason: "it cannot be read"} // in a damaged record
		if parsed, err := threshold.Parse(expr); err == nil && parsed.Bind(stages) == nil {
			result = parsed.Judge(judged)
		}
		run.Thresholds = append(run.Thresholds, result)
	}
	for _, rule := range slices.Sorted(maps.Keys(t.Rules)) {
		run.Violations = append(run.Violations, Violation{rule, t.Rules[rule]})
	}
	if t.Files != nil {
		run.Files = &Files{*t.Files, timesOf(t.Times.of(threshold.File, ""))}
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
	t, err := readTotals(dir)
	if err != nil {
		return Run{}, err
	}
	return t.run(), nil
}

// readTotals adds up a record.
func readTotals(dir string) (*totals, error) {
	t := &totals{record: record{dir: dir}}
	for i := range t.intervals {
		t.add(i)
	}
	if t.head == nil {
		return nil, t.err()
	}
	return t, nil
}
