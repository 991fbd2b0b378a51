package results

import (
	"time"

	"github.com/gateassay/gateassay/load/threshold"
)

// beat records an interval each second from the start on.
func (r *Recorder) beat() {
	select {
	case <-time.After(time.Until(r.start)):
	case <-r.stop:
		return
	}
	tick := time.NewTicker(r.o.Interval)
	defer tick.Stop()
	for {
		select {
		case <-r.stop:
			return
		case now := <-tick.C:
			r.tick(now.Sub(r.start), false)
		}
	}
}

// tick records what happened since the last one.
func (r *Recorder) tick(now time.Duration, final bool) {
	r.mu.Lock()
	reason := r.interval(now, final)
	status := r.status
	r.mu.Unlock()
	r.journal.sync()
	r.raw.flush()
	if r.o.OnInterval != nil {
		r.o.OnInterval(status)
	}
	if reason != "" && r.o.OnAbort != nil {
		r.o.OnAbort(reason)
	}
}

// interval collects, writes and adds up one interval. It returns why the run must end, or "".
func (r *Recorder) interval(now time.Duration, final bool) string {
	t, before := r.totals, r.totals.last
	from := t.elapsed()
	now = max(now, from+1)
	if final {
		r.stalls.close(now)
	}
	i := &interval{N: before.N + 1, FromNS: int64(from), ToNS: int64(now), counts: r.workers.take(), Stalls: r.stalls.take()}
	if r.o.Files != nil {
		times, c := r.o.Files.Drain()
		i.Files = &c
		for _, took := range times {
			i.of(slot{Time: threshold.File}).Record(took)
		}
	}
	r.soFar(i, now)
	t.add(i)
	r.journal.interval(i)
	if span := now - from; !final || span >= r.o.Interval/2 || before.N == 0 { // too short for a rate: the one before stands
		latency := i.Times.latency("")
		r.status = Status{
			Target: perSecond(i.Due-before.Due, span), Achieved: perSecond(t.last.Sent-before.Sent, span), CPU: i.CPU,
			Service: latency.Service, Response: latency.Response, Lag: timesOf(i.Times.of(threshold.Lag, "")),
		}
	}
	s := &r.status
	s.Elapsed, s.Duration, s.Stage, s.Stages = t.elapsed(), time.Duration(t.head.DurationNS), t.last.Stage, len(t.head.Stages)
	s.StageName, s.K, s.Sent, s.Due = t.head.Stages[t.last.Stage-1].Name, t.head.Scheduled, t.last.Sent, t.last.Due
	s.Classes, s.Recent, s.Files, s.InFlight, s.Silent = t.Times.classes(), i.Times.classes(), t.files, i.InFlight, 0
	if !final {
		s.Silent = r.stalls.silent(now)
	}
	if r.aborted != "" || final || len(r.o.AbortOn) == 0 {
		return ""
	}
	whole, _ := t.snapshot(0)
	r.aborted = r.watch.Observe(from, now, i.Times.snapshot(Rate{s.Target, s.Achieved}, i.Files), whole)
	return r.aborted
}

// soFar fills in what is not counted from results.
func (r *Recorder) soFar(i *interval, now time.Duration) {
	s := r.o.Schedule
	within := min(now, s.Duration())
	stage := s.StageAt(within)
	first, _, _, _ := s.StageRange(stage)
	i.Stage, i.Due = stage+1, r.o.Share.DueBy(within)
	i.StageDue = max(i.Due-r.o.Share.Before(first), 0)
	if f := r.progress.Load(); f != nil {
		i.Sent, i.InFlight = (*f)()
	}
	so, used := starvedSoFar("/"), cpuTime()
	i.starved = so.since(r.starved)
	if wall := time.Duration(i.ToNS - i.FromNS); wall >= shortestSpan {
		i.CPU = round(float64(used-r.cpu) / float64(wall) / float64(r.totals.head.CPUs))
	}
	r.starved, r.cpu = so, used
}
