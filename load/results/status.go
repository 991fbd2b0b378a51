package results

import (
	"time"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
)

// Status is a glance at a run: the last interval, and the run so far.
type Status struct {
	Elapsed   time.Duration
	Duration  time.Duration // of the schedule
	Stage     int           // from 1
	Stages    int
	StageName string

	Target   float64 // requests per second, in the interval
	Achieved float64
	Sent     int64 // so far
	Due      int64
	K        int64 // requests of the schedule
	InFlight int64

	Service  Times // of the interval, in milliseconds
	Response Times
	Lag      Times

	Classes [judge.NumClasses]int64 // so far
	Recent  [judge.NumClasses]int64 // in the interval
	Files   *files.Counts           // so far
	CPU     float64                 // share of all CPUs
	Silent  time.Duration           // there has been no answer for so long, though requests wait; 0: there are answers
	Closed  bool                    // the closed model
}

func (r *Recorder) describe(i *interval, recent *view) Status {
	t := r.totals
	s := Status{
		Elapsed: t.elapsed(), Duration: time.Duration(t.head.DurationNS), Stage: i.Stage, Stages: len(t.stages),
		Target: recent.target, Achieved: recent.achieved, Sent: t.last.Sent, Due: i.Due,
		K: t.head.Scheduled, InFlight: i.InFlight,
		Service: timesOf(recent.times[serviceTime]), Response: timesOf(recent.times[responseTime]),
		Lag:     timesOf(recent.times[lagTime]),
		Classes: t.whole.classes, Recent: recent.classes, Files: t.files, CPU: i.CPU, Closed: t.head.Closed > 0,
	}
	if i.Stage >= 1 && i.Stage <= len(t.head.Stages) {
		s.StageName = t.head.Stages[i.Stage-1].Name
	}
	return s
}

// Status returns the last glance.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// Each calls f with the times of each class and of send lag so far, all that was recorded up to the last interval. lag
// is nil for a class; for lag, class is judge.NumClasses and service and response are nil. What f is given is valid
// during the call.
func (r *Recorder) Each(f func(class judge.Class, service, response, lag *histogram.Histogram)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range judge.Classes() {
		if h := r.totals.whole.service[c]; h != nil {
			f(c, h, r.totals.whole.response[c], nil)
		}
	}
	if r.totals.whole.lag != nil {
		f(judge.NumClasses, nil, nil, r.totals.whole.lag)
	}
}
