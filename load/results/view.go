package results

import (
	"time"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
	"github.com/gateassay/gateassay/load/threshold"
)

// view is what thresholds see of a run, a stage or an interval.
type view struct {
	classes  [judge.NumClasses]int64
	times    distributions
	files    *files.Counts
	target   float64
	achieved float64
}

// distributions are those of the times, by name; absent or nil: nothing was measured.
type distributions map[string]*histogram.Histogram

func (d distributions) add(time string, h *histogram.Histogram) {
	if d[time] == nil {
		d[time] = new(histogram.Histogram)
	}
	d[time].Add(h)
}

// into fills in the times of an interval.
func (d distributions) into(i *interval) {
	for _, which := range threshold.Names() {
		if h := d[string(which)]; h != nil && h.Count() > 0 {
			t := timesOf(h)
			*i.times(which) = &t
		}
	}
}

func (v *view) Times(which threshold.Time) threshold.Times {
	if h := v.times[string(which)]; h != nil {
		return h
	}
	return nil
}

func (v *view) Rate() (target, achieved float64) { return v.target, v.achieved }

func (v *view) Count(which threshold.Count) (n, of int64) {
	numbers := threshold.Numbers{Classes: v.classes}
	if v.files != nil {
		numbers.FilesFailed, numbers.FilesReady = v.files.Failed, v.files.Ready
	}
	return which.Of(numbers)
}

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
	if t.head.Closed > 0 { // nothing was meant
		return Rate{Achieved: perSecond(max(t.recorded(), t.last.Sent), t.elapsed())}
	}
	due, meant, took := t.planned()
	return Rate{Target: perSecond(due, meant), Achieved: perSecond(max(t.recorded(), t.last.Sent), took)}
}

// planRate is the rate that the whole plan meant, also of what nothing is known about.
func (t *totals) planRate() float64 {
	known := t.head.Scheduled - t.head.Unknown
	if known <= 0 {
		return perSecond(t.head.Scheduled, time.Duration(t.head.DurationNS))
	}
	return round(t.rate().Target * float64(t.head.Scheduled) / float64(known))
}

// Whole is the run so far.
func (t *totals) Whole() threshold.Snapshot {
	r := t.rate()
	times := distributions{serviceTime: &t.service, responseTime: &t.response, lagTime: t.whole.lag, fileTime: &t.file}
	return &view{classes: t.whole.classes, times: times, files: t.files, target: r.Target, achieved: r.Achieved}
}

// stageRate is the planned and the achieved rate of a stage, from 0; false when it was not reached.
func (t *totals) stageRate(n int) (Rate, int64, bool) {
	span, elapsed := t.head.Stages[n], int64(t.elapsed())
	if t.through() {
		elapsed = max(elapsed, t.head.DurationNS)
	}
	if elapsed <= span.StartNS || t.unbegun() {
		return Rate{}, 0, false
	}
	if t.head.Closed > 0 {
		return t.rate(), t.last.Sent, true
	}
	var sent int64
	for _, c := range t.stages[n].classes {
		sent += c
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

// Stage is one stage of the run so far, from 1.
func (t *totals) Stage(number int) (threshold.Snapshot, bool) {
	n := number - 1
	if n < 0 || n >= len(t.stages) {
		return nil, false
	}
	r, _, reached := t.stageRate(n)
	if !reached {
		return nil, false
	}
	g := t.stages[n].group()
	times := distributions{serviceTime: merged(&g.service), responseTime: merged(&g.response), lagTime: g.lag}
	return &view{classes: t.stages[n].classes, times: times, target: r.Target, achieved: r.Achieved}, true
}
