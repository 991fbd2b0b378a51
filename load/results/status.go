package results

import (
	"time"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// Status is a glance at a run: the last interval, and the run so far.
type Status struct {
	Elapsed   time.Duration
	Duration  time.Duration // of the schedule
	Stage     int           // from 1
	Stages    int
	StageName string

	Rate           // in the interval
	Sent     int64 // so far
	Due      int64
	K        int64 // requests of the schedule
	InFlight int64

	Latency // of the interval, in milliseconds
	Lag     Times

	Classes [judge.NumClasses]int64 // so far
	Files   *files.Counts           // so far
	CPU     float64                 // share of all CPUs
	Silent  time.Duration           // there has been no answer for so long, though requests wait; 0: there are answers
}

// Status returns the last glance.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// glance brings the status up to an interval.
func (r *Recorder) glance(i *Interval, before Interval, final bool, silent time.Duration) {
	t, s := r.totals, &r.status
	if span := i.To - i.From; !final || span >= r.o.Interval/2 || before.N == 0 { // too short for a rate: the one before stands
		*s = Status{
			Rate: Rate{perSecond(i.Due-before.Due, span), perSecond(t.last.Sent-before.Sent, span)}, CPU: i.CPU,
			Latency: i.Times.latency(""), Lag: timesOf(i.Times.of(threshold.Lag, "")),
		}
	}
	s.Elapsed, s.Duration, s.Stage, s.Stages = i.To, t.head.Duration, i.Stage, len(t.head.Stages)
	s.StageName, s.K, s.Sent, s.Due = t.head.Stages[i.Stage-1].Name, t.head.Scheduled, t.last.Sent, i.Due
	s.Classes, s.Files, s.InFlight, s.Silent = t.Times.classes(), t.files, i.InFlight, silent
}
