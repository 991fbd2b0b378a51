package results

import (
	"time"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/threshold"
)

// totals is everything that was measured so far. A live run and a rebuilt one fill it alike.
type totals struct {
	head header
	counts
	stalls  []Stall
	files   *files.Counts
	last    Interval // its numbers; Sent is at least what was recorded
	cpuTime float64  // CPU seconds, all CPUs
	cpuPeak float64
	busy    int64  // intervals in which the CPUs were saturated
	unsent  string // why nothing of the schedule was sent
}

// Saturated is the share of all CPUs above which the generator is taken to be short of them.
const Saturated = 0.92

// add takes in an interval.
func (t *totals) add(i *Interval) {
	t.counts.add(&i.counts)
	t.stalls = append(t.stalls, i.Stalls...)
	if i.Files != nil {
		t.files = i.Files
	}
	seconds := (i.To - i.From).Seconds()
	t.cpuTime += i.CPU * seconds
	if seconds > 0.2 { // a sliver at the end says nothing
		t.cpuPeak = max(t.cpuPeak, i.CPU)
		if i.CPU > Saturated {
			t.busy++
		}
	}
	t.last = *i
	t.last.counts, t.last.Stalls = counts{}, nil
	t.last.Sent = max(i.Sent, t.recorded()) // no progress is known: what was answered was sent
}

// stage is what was measured in a stage, from 0.
func (t *totals) stage(n int) distributions {
	some := distributions{}
	for s, d := range t.Times {
		if s.Stage == n+1 {
			some[s] = d
		}
	}
	return some
}

// tail is how much later than planned the last request of a stage began.
func (t *totals) tail(stage int) time.Duration {
	return max(t.Ends[stage+1]-t.head.Stages[stage].End, 0)
}

// through reports whether everything was due: the run may end before the schedule does, once its last request is
// answered.
func (t *totals) through() bool {
	return t.last.Due >= t.head.Scheduled || t.last.To >= t.head.Duration
}

// unbegun reports whether the run was stopped, or is looked at, before its first request.
func (t *totals) unbegun() bool { return !t.through() && t.last.Sent == 0 }

// rate is over the time in which requests were due: the whole schedule where it was sent to its end, with what its last
// requests were late, and where nothing was sent of it.
func (t *totals) rate() Rate {
	whole, late := stageSpan{End: t.head.Duration, Scheduled: t.head.Scheduled}, time.Duration(0)
	for i, span := range t.head.Stages {
		if span.Scheduled > 0 {
			late = t.tail(i)
		}
	}
	if r, _, reached := t.over(whole, t.last.Due, t.last.Sent, late); reached {
		return r
	}
	return Rate{perSecond(whole.Scheduled, whole.End), perSecond(t.last.Sent, t.last.To)}
}

// stageRate is the rate of a stage, from 0, that sent so many requests, and how many were due; false when it was not reached.
func (t *totals) stageRate(n int, sent int64) (Rate, int64, bool) {
	due := t.head.Stages[n].Scheduled
	if t.last.Stage == n+1 {
		due = t.last.StageDue
	}
	return t.over(t.head.Stages[n], due, sent, t.tail(n))
}

// over is the planned and the achieved rate of a stretch of the schedule, of which so much was due by now and sent, its
// last request late by so much; and how many were due. It is false where the stretch was not reached.
func (t *totals) over(span stageSpan, due, sent int64, late time.Duration) (Rate, int64, bool) {
	elapsed := t.last.To
	if t.through() {
		elapsed = max(elapsed, t.head.Duration)
	}
	length := span.End - span.Start
	switch passed := elapsed - span.Start; {
	case passed <= 0 || t.unbegun():
		return Rate{}, 0, false
	case passed < length:
		return Rate{perSecond(due, passed), perSecond(sent, passed)}, due, true
	}
	return Rate{perSecond(span.Scheduled, length), perSecond(sent, length+late)}, span.Scheduled, true
}

// snapshot is the run so far, or one stage of it, from 1; false: the stage was not reached.
func (t *totals) snapshot(stage int) (threshold.Snapshot, bool) {
	if stage == 0 {
		return t.Times.snapshot(t.rate(), t.files), true
	}
	if stage < 0 || stage > len(t.head.Stages) {
		return threshold.Snapshot{}, false
	}
	d := t.stage(stage - 1)
	r, _, reached := t.stageRate(stage-1, d.sent())
	return d.snapshot(r, nil), reached
}
