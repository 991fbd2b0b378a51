package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/machine"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

type runTotals struct {
	intervalRecord
	Progress
	intervalCounts
	stalls  []Stall
	cpuTime float64 // CPU share of the process times seconds
	cpuPeak float64
	loading int64        // intervals with requests under way; in others at most files were awaited
	busy    int64        // of loading: this process saturated the CPUs
	crowded int64        // of loading: all processes together saturated them
	machine machine.Load // CPU and Wait are shares times seconds
}

// SaturatedCPUShare is the share of all CPUs, 0 to 1, above which the CPUs count as saturated.
const SaturatedCPUShare = 0.92

func (t *runTotals) add(i *Interval) {
	t.intervalCounts.add(&i.intervalCounts)
	t.stalls = append(t.stalls, i.Stalls...)
	seconds := (i.To - i.From).Seconds()
	t.cpuTime += i.CPU * seconds
	loading := i.Sent > t.Sent || i.InFlight > 0 || i.countKnown() > 0
	if loading {
		t.loading++
	}
	if loading && seconds > 0.2 { // a shorter one, at the end of a run, says nothing
		t.cpuPeak = max(t.cpuPeak, i.CPU)
		if i.CPU > SaturatedCPUShare {
			t.busy++
		}
		if max(i.CPU, i.Machine.CPU) > SaturatedCPUShare {
			t.crowded++
		}
	}
	t.machine.CPU += i.Machine.CPU * seconds
	t.machine.Wait += i.Machine.Wait * seconds
	t.machine.RunQueue = max(t.machine.RunQueue, i.Machine.RunQueue)
	t.Progress = i.Progress
}

// distributionsOf returns the distributions of stage n, from 1, or of the whole run if n is 0.
func (t *runTotals) distributionsOf(n int) distributionSet {
	of := maps.Clone(t.Times)
	maps.DeleteFunc(of, func(s distributionKey, _ *Distribution) bool { return n > 0 && s.Stage != n })
	return of
}

// ratesOf returns the rates of a stage, from 1, or of the whole run if stage is 0, and the
// number of its requests that were due. The target rate covers the time in which requests were
// due, the achieved rate also the time by which they were sent late. reached is false if the run
// did not reach the stage.
func (t *runTotals) ratesOf(stage int) (r Rate, due int64, reached bool) {
	span, due, sent := stageSpan{End: t.head.Duration, Scheduled: t.head.Scheduled}, t.Due, t.Sent
	lastBegun := slices.Max(append(slices.Collect(maps.Values(t.LastBegun)), 0))
	if stage > 0 {
		span, sent, lastBegun = t.head.Stages[stage-1], t.distributionsOf(stage).count(),
			t.LastBegun[stage]
		for _, s := range t.head.Stages[:stage-1] {
			due -= s.Scheduled
		}
		due = min(max(due, 0), span.Scheduled)
	}
	late := max(lastBegun-span.End, 0)
	elapsed := t.To
	if stopped := t.ending.Stopped; stopped > 0 { // later, answers were awaited and nothing was sent
		elapsed = min(elapsed, stopped)
	}
	if t.Due >= t.head.Scheduled { // a run ends once its last request is answered
		elapsed = max(elapsed, t.head.Duration)
	}
	length, passed := span.End-span.Start, elapsed-span.Start
	switch {
	case passed < minRateSpan:
		return Rate{Target: perSecond(span.Scheduled, length)}, 0, stage == 0
	case passed < length:
		r.Target, r.Achieved = perSecond(due, passed), perSecond(sent, passed)
	default:
		r.Target, due = perSecond(span.Scheduled, length), span.Scheduled
		r.Achieved = perSecond(sent, length+late)
	}
	if sent > 0 {
		accepted := t.distributionsOf(stage).countByClass()[judge.ClassAccepted]
		r.Accepted = roundTo3Digits(r.Achieved * float64(accepted) / float64(sent))
	}
	return r, due, true
}

// snapshot returns the values that thresholds are judged by for a stage, from 1, or for the
// whole run if stage is 0. It is false if the run did not reach the stage.
func (t *runTotals) snapshot(stage int) (threshold.Snapshot, bool) {
	r, _, reached := t.ratesOf(stage)
	followed := t.Files
	if stage > 0 {
		followed = nil
	}
	s := t.distributionsOf(stage).snapshot(r, t.lateByClass(stage), followed)
	s.GeneratorUnreliable = t.isGeneratorUnreliable()
	s.Starved, s.Bound = t.isStarved(), t.assessGenerator().Bound != ""
	return s, reached
}

func (t *runTotals) toRun() Run {
	info, notes := t.ending.Run, t.ending.Notes
	if !t.ended {
		info = t.head.Run
		info.StartedAt = cmp.Or(t.start, info.StartedAt)
		info.FinishedAt, info.Partial = info.StartedAt.Add(t.To), true
		notes = append(notes, fmt.Sprintf("the run was cut off; only its first %s are "+
			"recorded", t.To.Round(time.Millisecond)))
	}
	if t.damage != nil {
		notes = append(notes, fmt.Sprintf("%s is damaged: %v", runfolder.IntervalsName, t.damage))
	}
	info.Requests = t.Sent
	n := t.Times.countByClass()
	run := Run{
		Schema: Schema, Run: info, Plan: t.head.Plan, Notes: notes, Merge: t.head.Merge,
		Requests: RequestCounts{
			Scheduled: t.head.Scheduled, Sent: t.Sent, Canceled: t.Canceled,
			Unknown: t.Sent - t.countKnown(), Accepted: n[judge.ClassAccepted],
			Blocked:     n[judge.ClassBlocked],
			FalseBlocks: n[judge.ClassFalseBlock], MissedBlocks: n[judge.ClassMissedBlock],
			Throttled: n[judge.ClassThrottled], ClientErrors: n[judge.ClassClientError],
			ServerErrors: n[judge.ClassServerError], TransportErrors: n[judge.ClassTransportError],
			Timeouts: n[judge.ClassTimeout], Malformed: n[judge.ClassMalformed],
			Late: threshold.CountValues{Classes: t.lateByClass(0)}.Sent(),
		},
		Latency: t.Times.latencyOf(""), Generator: t.assessGenerator(), Classes: map[string]ClassResult{},
		Failures: t.Failures, Statuses: t.Statuses, Codes: t.Codes, Bytes: t.Bytes,
		Stalls: t.stalls,
		Stages: []StageResult{}, Thresholds: []threshold.Result{},
	}
	run.Rate, _, _ = t.ratesOf(0)
	for name, n := range countsByClassName(n) {
		run.Classes[name] = ClassResult{n, t.Times.latencyOf(name)}
	}
	for n, span := range t.head.Stages {
		if r, due, reached := t.ratesOf(n + 1); reached {
			d := t.distributionsOf(n + 1)
			run.Stages = append(run.Stages, StageResult{
				Number: n + 1, Name: span.Name, StartMS: span.Start.Milliseconds(),
				EndMS: min(span.End, t.To).Milliseconds(), Scheduled: due,
				Requests: countsByClassName(d.countByClass()), Rate: r, Latency: d.latencyOf(""),
				LagP99MS: newDurationStats(d.overStages(threshold.TimeLag, "")).P99,
			})
		}
	}
	for _, expr := range t.head.Thresholds {
		run.Thresholds = append(run.Thresholds, t.judgeThreshold(expr))
	}
	var broken countsByName[string]
	broken.sum(t.Rules)
	broken.sum(t.ending.Violated)
	for _, rule := range slices.Sorted(maps.Keys(broken)) {
		run.Violations = append(run.Violations, Violation{rule, broken[rule]})
	}
	if t.Files != nil {
		run.Files = &FileTimes{*t.Files, newDurationStats(t.Times.overStages(threshold.TimeFile, ""))}
	}
	run.Verdict, run.Reason = t.decideVerdict(run)
	if info.Shards > 1 && !info.Merged {
		run.Reason = fmt.Sprintf("shard %d of %d alone: %s", info.Shard, info.Shards, run.Reason)
	}
	return run
}

func (t *runTotals) judgeThreshold(expr string) threshold.Result {
	var stages []string
	for _, span := range t.head.Stages {
		stages = append(stages, span.Name)
	}
	parsed, err := threshold.Parse(expr)
	if err = cmp.Or(err, parsed.Bind(stages)); err != nil { // the record is damaged
		return threshold.Result{Expr: expr, Observed: threshold.NoData, Reason: err.Error()}
	}
	g := t.assessGenerator()
	return parsed.Judge(func(stage int) (threshold.Snapshot, bool) {
		s, reached := t.snapshot(stage)
		s.Crowded = isFrequent(g.Saturated, g.Intervals)
		return s, reached
	})
}

// countsByClassName returns the counts by class name, without zeros.
func countsByClassName(classes [judge.NumClasses]int64) map[string]int64 {
	counts := map[string]int64{}
	for c, n := range classes {
		if n > 0 {
			counts[judge.Class(c).String()] = n
		}
	}
	return counts
}

// ReadRun makes a run from its interval records. A run that was killed is partial. It lacks at
// most its last two seconds, and requests that it sent and did not record count as unknown.
func ReadRun(dir string) (Run, error) {
	t, err := readTotals(dir)
	if err != nil {
		return Run{}, err
	}
	return t.toRun(), nil
}

func readTotals(dir string) (*runTotals, error) {
	t := &runTotals{intervalRecord: intervalRecord{dir: dir}}
	for i := range t.intervals {
		t.add(i)
	}
	if t.head == nil {
		return nil, t.err()
	}
	return t, nil
}
