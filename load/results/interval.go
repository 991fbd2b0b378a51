package results

import (
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
	"github.com/gateassay/gateassay/load/threshold"
)

// interval collects, writes and adds up one interval. It returns why the run must end, or "".
func (r *Recorder) interval(now time.Duration, final bool) (Status, string) {
	t := r.totals
	from := t.elapsed()
	now = max(now, from+1)
	i := &interval{
		N: t.last.N + 1, FromNS: int64(from), ToNS: int64(now), Ends: map[int]int64{}, Classes: map[string]int64{},
	}
	times, recent := distributions{}, distributions{}
	take := func(at slot, h *histogram.Histogram) {
		if h.Count() > 0 {
			i.Clamped += h.Clamped()
			i.put(at, h, &t.encoder)
			times.at(at).Add(h)
		}
	}
	r.drain.collect(final, func(stage, column int, first, second *histogram.Histogram) {
		i.Ends[stage+1] = r.shards.end(stage)
		if column == judge.NumClasses {
			take(slot{stage + 1, "", threshold.Lag}, first)
			return
		}
		take(slot{stage + 1, judge.Class(column).String(), threshold.Service}, first)
		take(slot{stage + 1, judge.Class(column).String(), threshold.Response}, second)
	})
	if r.o.Files != nil {
		var h histogram.Histogram
		c := r.o.Files.Drain(&h)
		i.Files = &c
		take(slot{Time: threshold.File}, &h)
	}
	if last := time.Duration(r.beside.answered.Load()); final && last > 0 {
		r.beside.stall(last, now, r.beside.failed.Load()-r.beside.before.Load(), true)
	}
	r.beside.drain(i, &t.encoder)
	recent.add(times)
	i.summarise(recent)
	r.counts(i, now)
	before := t.last
	t.add(i, times)
	r.journal.write(line{Type: lineInterval, Interval: i})
	span := now - from
	rate := Rate{perSecond(i.Due-before.Due, span), perSecond(t.last.Sent-before.Sent, span)}
	status := Status{InFlight: i.InFlight, Target: rate.Target, Achieved: rate.Achieved, CPU: i.CPU}
	status.add(t)
	status.times(recent)
	if !final {
		status.Silent = r.beside.silent(now)
	}
	if final && span < r.o.Interval/2 && before.N > 0 { // too short for a rate: that of the one before stands
		status.Target, status.Achieved, status.CPU = r.status.Target, r.status.Achieved, r.status.CPU
		status.Service, status.Response, status.Lag = r.status.Service, r.status.Response, r.status.Lag
	}
	r.status = status
	reason := ""
	if r.aborted == "" && !final && len(r.o.AbortOn) > 0 {
		whole, _ := t.snapshot(0)
		reason = r.watch.Observe(from, now, recent.snapshot(rate, i.Files), whole)
		r.aborted = reason
	}
	return r.status, reason
}

// counts fills in what does not come from histograms.
func (r *Recorder) counts(i *interval, now time.Duration) {
	s := r.o.Schedule
	within := min(now, s.Duration())
	stage := s.StageAt(within)
	first, _, _, _ := s.StageRange(stage)
	due := s.DueBy(within)
	if now >= s.Duration() {
		due = s.K()
	}
	i.Stage, i.Due = stage+1, r.o.Share.Before(due)
	kept := wanted()
	i.want, r.want = kept.since(r.want), kept
	i.StageDue = max(i.Due-r.o.Share.Before(first), 0)
	i.Canceled = r.shards.canceled.Swap(0)
	i.Failures = map[string]int64{}
	for f := range r.shards.failures {
		if n := r.shards.failures[f].Swap(0); n > 0 {
			i.Failures[judge.Failure(f).String()] = n
		}
	}
	r.violated.Lock()
	i.Rules, r.rules = r.rules, map[string]int64{}
	r.violated.Unlock()
	if f := r.progress.Load(); f != nil {
		i.Sent, i.InFlight = (*f)()
	} else {
		i.Sent = r.totals.recorded()
	}
	used := cpuTime()
	if wall := time.Duration(i.ToNS - i.FromNS); wall >= shortest {
		i.CPU = round(float64(used-r.cpu) / float64(wall) / float64(r.totals.head.CPUs))
	}
	r.cpu = used
}
