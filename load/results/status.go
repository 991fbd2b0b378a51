package results

import (
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// Status is a glance at a run: the last interval, and the run so far.
type Status struct {
	Progress
	Classes [judge.NumClasses]int64 // so far
	Silent  time.Duration           // there has been no answer for so long, though requests wait; 0: there are answers

	Rate    // in the interval, as the times
	Latency // in milliseconds
	Lag     Times

	Duration  time.Duration // of the schedule
	Scheduled int64         // requests of the schedule, that this process sends
	Stages    int
	StageName string
}

// Status returns the last glance.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// updateStatus brings the status up to an interval.
func (r *Recorder) updateStatus(i *Interval, before Progress, final bool, silent time.Duration) {
	t, s := r.totals, &r.status
	if span := i.To - i.From; !final || span >= r.o.Interval/2 || before.N == 0 { // too short for a rate: the one before stands
		*s = Status{
			Rate:    Rate{perSecond(i.Due-before.Due, span), perSecond(i.Sent-before.Sent, span)},
			Latency: i.Times.latency(""), Lag: timesOf(i.Times.of(threshold.Lag, "")),
		}
	}
	s.Progress, s.Classes, s.Silent = i.Progress, t.Times.classes(), silent
	s.Duration, s.Scheduled = t.head.Duration, t.head.Scheduled
	s.Stages, s.StageName = len(t.head.Stages), t.head.Stages[i.Stage-1].Name
}
