package results

import (
	"time"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
	"github.com/gateassay/gateassay/load/threshold"
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
}

// add counts what a record holds so far; false: there is no interval yet.
func (s *Status) add(t *totals) bool {
	s.Duration, s.Stages = time.Duration(t.head.DurationNS), len(t.stages)
	s.K += t.head.Scheduled
	if t.count == 0 {
		return false
	}
	if e := t.elapsed(); e >= s.Elapsed {
		s.Elapsed, s.Stage = e, t.last.Stage
	}
	if s.Stage >= 1 && s.Stage <= len(t.head.Stages) {
		s.StageName = t.head.Stages[s.Stage-1].Name
	}
	s.Sent, s.Due = s.Sent+t.last.Sent, s.Due+t.last.Due
	for c, n := range t.whole.classes() {
		s.Classes[c] += n
	}
	addFiles(&s.Files, t.files)
	return true
}

// times fills in what is known of the times of the interval.
func (s *Status) times(d distributions) {
	s.Recent, s.Lag = d.classes(), timesOf(d.of(threshold.Lag))
	latency := d.latency("")
	s.Service, s.Response = latency.Service, latency.Response
}

// Status returns the last glance.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// Each calls f with each time that was recorded so far, up to the last interval: by class, or without one for those of
// no class. What f is given is valid during the call.
func (r *Recorder) Each(f func(time threshold.Time, class string, h *histogram.Histogram)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for at, h := range r.totals.whole {
		f(at.Time, at.Class, h)
	}
}
