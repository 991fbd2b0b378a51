package results

import (
	"time"

	"github.com/gateassay/gateassay/load/threshold"
)

// planned is how many requests were due by now, and in what time: the whole schedule where it was sent to its end, with
// what its last requests were late, and where nothing was sent of it. Requests of which nothing is known are left out.
func (t *totals) planned() (due int64, meant, took time.Duration) {
	length := time.Duration(t.head.DurationNS)
	if e := t.elapsed(); t.unbegun() {
		return t.head.Scheduled - t.head.Unknown, length, e
	} else if !t.through() {
		return t.last.Due, e, e
	}
	var tail time.Duration
	for i := len(t.stages) - 1; i >= 0; i-- {
		if t.head.Stages[i].Scheduled > 0 {
			tail = t.tail(i)
			break
		}
	}
	return t.head.Scheduled - t.head.Unknown, length, length + tail
}

func (t *totals) rate() Rate {
	due, meant, took := t.planned()
	return Rate{Target: perSecond(due, meant), Achieved: perSecond(t.last.Sent, took)}
}

// planRate is the rate that the whole plan meant, also of what nothing is known about.
func (t *totals) planRate() float64 {
	known := t.head.Scheduled - t.head.Unknown
	if known <= 0 {
		return perSecond(t.head.Scheduled, time.Duration(t.head.DurationNS))
	}
	return round(t.rate().Target * float64(t.head.Scheduled) / float64(known))
}

// stageRate is the planned and the achieved rate of a stage, from 0, that sent so many requests, and how many were due;
// false when it was not reached.
func (t *totals) stageRate(n int, sent int64) (Rate, int64, bool) {
	span, elapsed := t.head.Stages[n], int64(t.elapsed())
	if t.through() {
		elapsed = max(elapsed, t.head.DurationNS)
	}
	if elapsed <= span.StartNS || t.unbegun() {
		return Rate{}, 0, false
	}
	length := time.Duration(span.EndNS - span.StartNS)
	known := span.Scheduled - span.Unknown
	if elapsed >= span.EndNS {
		return Rate{Target: perSecond(known, length), Achieved: perSecond(sent, length+t.tail(n))}, known, true
	}
	due, ran := known, time.Duration(elapsed-span.StartNS)
	if t.last.Stage == n+1 {
		due = t.last.StageDue
	}
	return Rate{Target: perSecond(due, ran), Achieved: perSecond(sent, ran)}, due, true
}

// snapshot is the run so far, or one stage of it, from 1; false: the stage was not reached.
func (t *totals) snapshot(stage int) (threshold.Snapshot, bool) {
	if stage == 0 {
		return t.whole.snapshot(t.rate(), t.files), true
	}
	if stage < 0 || stage > len(t.stages) {
		return threshold.Snapshot{}, false
	}
	d := t.stages[stage-1].distributions()
	r, _, reached := t.stageRate(stage-1, d.count())
	return d.snapshot(r, nil), reached
}
