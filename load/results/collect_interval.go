package results

import (
	"time"

	"github.com/gateassay/gateassay/internal/machine"
	"github.com/gateassay/gateassay/load/threshold"
)

// timesWithWaiting returns a function for threshold.Snapshot.WithWaiting.
func (r *Recorder) timesWithWaiting(
	i *Interval,
) func(threshold.TimeKind, time.Duration) threshold.Distribution {
	if r.inFlight == nil {
		return nil
	}
	return func(of threshold.TimeKind, limit time.Duration) threshold.Distribution {
		times := i.Distribution(of)
		r.inFlight(func(due, sent time.Duration) {
			waited := i.To - due
			if of == threshold.TimeService {
				waited = i.To - sent
			}
			if waited > limit {
				times.Record(waited)
			}
		})
		return times
	}
}

// collectInterval returns the interval that ends now, and the time without any answer if that is
// a stall.
func (r *Recorder) collectInterval(last Progress, now time.Duration, final bool) (*Interval,
	time.Duration,
) {
	i := &Interval{Progress: Progress{N: last.N + 1, From: last.To, To: max(now, last.To+1)}}
	r.counting.Lock()
	i.intervalCounts, r.counts = r.counts, intervalCounts{}
	until := i.To
	if r.stopped > 0 { // later, nothing was due
		until = min(until, r.stopped)
	}
	silent := r.stalls.silentFor(until)
	i.Stalls = r.stalls.takeFound(until, final)
	r.counting.Unlock()
	if r.config.Files != nil {
		times, c := r.config.Files.TakeTimes()
		i.Files = &c
		for _, took := range times {
			i.Times.forKey(distributionKey{Time: threshold.TimeFile}).Record(took)
		}
	}
	i.Stage, i.Due = r.config.Schedule.StageAt(i.To)+1, r.config.Share.DueBy(until)
	i.Sent = r.totals.countKnown() + i.countKnown() // without progress, only results count
	if r.progress != nil {
		i.Sent, i.InFlight = r.progress()
	}
	used, usage := machine.CPUTime(), machine.ReadUsage()
	i.Machine = usage.Since(r.machine, i.To-i.From)
	if wall := i.To - i.From; wall >= minRateSpan {
		i.CPU = roundTo3Digits(float64(used-r.cpuUsed) / float64(wall) / float64(r.totals.head.CPUs))
	}
	r.cpuUsed, r.machine = used, usage
	return i, silent
}
