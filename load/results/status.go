package results

import (
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// Status is the last interval of a run, and the run so far.
type Status struct {
	Progress
	Classes [judge.NumClasses]int64 // so far
	Silent  time.Duration           // since the last answer, in a stall; 0: no stall

	Rate    // in the interval, as the times
	Latency // in milliseconds
	Lag     Times

	Duration  time.Duration // of the schedule
	Scheduled int64         // requests of the schedule, that this process sends
	Stages    int
	StageName string
}

// Status returns the status as of the last interval.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

func (r *Recorder) updateStatus(i *Interval, before Progress, final bool, silent time.Duration) {
	t, s := r.totals, &r.status
	// A last interval can be too short for a rate: the one before stands.
	if span := i.To - i.From; !final || span >= r.config.Interval/2 || before.N == 0 {
		*s = Status{
			Rate:    Rate{perSecond(i.Due-before.Due, span), perSecond(i.Sent-before.Sent, span)},
			Latency: i.Times.latency(""), Lag: timesOf(i.Times.of(threshold.Lag, "")),
		}
	}
	s.Progress, s.Classes = i.Progress, t.Times.classes()
	if s.Silent = silent; final {
		s.Silent = 0
	}
	s.Duration, s.Scheduled = t.head.Duration, t.head.Scheduled
	s.Stages, s.StageName = len(t.head.Stages), t.head.Stages[i.Stage-1].Name
}
