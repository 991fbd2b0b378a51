package results

import (
	"time"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
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

// status is what is known so far.
func (t *totals) status() Status {
	return Status{
		Elapsed: t.elapsed(), Duration: time.Duration(t.head.DurationNS), Stage: t.last.Stage, Stages: len(t.head.Stages),
		StageName: t.head.Stages[t.last.Stage-1].Name, K: t.head.Scheduled, Sent: t.last.Sent, Due: t.last.Due,
		Classes: t.whole.classes(), Files: t.files,
	}
}
