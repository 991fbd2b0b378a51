package results

import (
	"cmp"
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/schedule"
)

// MergeOptions say which records make one run. That they belong together is for the caller to check.
type MergeOptions struct {
	Dir      string // the folder of the merged run; it must not hold a run
	Info     Info   // what the shards have in common, with the start; the rest is filled in
	Schedule *schedule.Schedule
	Shards   []*Shard // at least one, none twice
	Notes    []string
}

// Merge writes the record of the whole run, as one process would have recorded it, and everything that is made from it.
// Histograms are added, thresholds judged again; whatever no record shows is unknown.
func Merge(o MergeOptions) (Run, error) {
	if err := o.check(); err != nil {
		return Run{}, err
	}
	slices.SortFunc(o.Shards, func(a, b *Shard) int { return a.Info.Shard - b.Info.Shard })
	w, err := newJournal(o.Dir)
	if err != nil {
		return Run{}, err
	}
	head := o.header()
	w.write(line{Type: "run", Header: &head})
	w.write(line{Type: "start", Start: &o.Info.StartedAt})
	o.intervals(w.interval)
	if err := w.end(o.end(head.Merge)); err != nil {
		return Run{}, err
	}
	run, err := Read(o.Dir)
	if err == nil {
		err = write(o.Dir, run)
	}
	return run, err
}

// check reports whether the records can be those of shards of the schedule.
func (o MergeOptions) check() error {
	left := o.Schedule.K()
	for _, s := range o.Shards {
		t, name := s.totals, filepath.Join(s.Name, runfolder.IntervalsName)
		switch {
		case len(t.head.Stages) != len(o.Schedule.Stages()) || s.Info.Shard < 0 || s.Info.Shard >= o.Info.Shards ||
			s.Info.Shards != o.Info.Shards || t.head.Scheduled < 0:
			return fmt.Errorf("%s is damaged: its header does not match the plan in it", name)
		case t.last.Sent > t.head.Scheduled || t.Canceled < 0:
			return fmt.Errorf("%s is damaged: it holds %d requests, and its shard owns %d", name, t.last.Sent, t.head.Scheduled)
		}
		left -= t.head.Scheduled
	}
	if left < 0 || left > 0 && len(o.Shards) == o.Info.Shards {
		return fmt.Errorf("the records are damaged: together the shards own %d of %d requests", o.Schedule.K()-left, o.Schedule.K())
	}
	return nil
}

// header is that of the whole run. What a shard did not come to is unknown, where nobody says that it was not sent.
func (o MergeOptions) header() header {
	head := o.Shards[0].totals.head
	head.Run, head.Merge = o.Info, compose(o.Shards, o.Info.Shards, o.Schedule.K())
	head.Scheduled, head.Duration = o.Schedule.K(), o.Schedule.Duration()
	head.Merge.Rate = perSecond(head.Scheduled, head.Duration)
	head.Stages = slices.Clone(head.Stages)
	for i := range head.Stages {
		first, next, _, _ := o.Schedule.StageRange(i)
		known := int64(0)
		for _, s := range o.Shards {
			n := s.totals.head.Stages[i].Scheduled
			if !s.record.whole() {
				n = min(n, s.totals.stage(i).sent())
			}
			known += n
		}
		head.Stages[i].Scheduled, head.Stages[i].Unknown = next-first, max(next-first-known, 0)
	}
	return head
}

// end is what is known of the whole run at its end.
func (o MergeOptions) end(m *Composition) ending {
	const mostNotes = 40
	e := ending{Run: o.Info, Notes: o.Notes}
	e.Run.FinishedAt = e.Run.StartedAt
	for _, s := range o.Shards {
		if s.Info.FinishedAt.After(e.Run.FinishedAt) {
			e.Run.FinishedAt = s.Info.FinishedAt
		}
		if s.record.end != nil {
			for _, note := range s.record.end.Notes {
				e.Notes = append(e.Notes, fmt.Sprintf("shard %d: %s", s.Info.Shard, note))
			}
		}
	}
	if n := len(e.Notes); n > mostNotes {
		e.Notes = append(e.Notes[:mostNotes], fmt.Sprintf("%d more notes are in the folders of the shards", n-mostNotes))
	}
	for _, p := range m.Shards {
		e.Run.Partial = e.Run.Partial || p.State != Complete
		if p.Aborted != "" && e.Run.Aborted == "" {
			e.Run.Aborted = fmt.Sprintf("shard %d: %s", p.Shard, p.Aborted)
		}
	}
	return e
}

// intervals gives those of all shards as those of one run: the first of each together, then the second, and so on, as
// all tick once a second from one start.
func (o MergeOptions) intervals(each func(*Interval)) {
	next, last := make([]func() (*Interval, bool), len(o.Shards)), make([]Interval, len(o.Shards))
	for n, s := range o.Shards {
		var stop func()
		next[n], stop = iter.Pull(func(yield func(*Interval) bool) { _, _ = walk(s.dir, yield) })
		defer stop()
	}
	stalls := o.stalls()
	for i := (Interval{To: 1}); ; {
		i = Interval{N: i.N + 1, From: i.To, To: i.To + 1}
		if i.N == 1 {
			i.From = 0
		}
		some := false
		for n := range o.Shards {
			if one, ok := next[n](); ok {
				i.add(&one.counts)
				i.CPU, i.Throttled = max(i.CPU, one.CPU), max(i.Throttled, one.Throttled) // of the machine that did worst
				i.To, last[n], some = max(i.To, one.To), *one, true
			}
			i.soFar(&last[n])
		}
		if !some {
			return
		}
		for ; len(stalls) > 0 && stalls[0].FromMS+stalls[0].MS <= millis(i.To); stalls = stalls[1:] {
			i.Stalls = append(i.Stalls, stalls[0])
		}
		each(&i)
	}
}

// soFar adds what a shard had done by its last interval.
func (i *Interval) soFar(last *Interval) {
	if last.Stage > i.Stage {
		i.Stage, i.StageDue = last.Stage, 0
	}
	if last.Stage == i.Stage {
		i.StageDue += last.StageDue
	}
	i.Due, i.Sent, i.InFlight = i.Due+last.Due, i.Sent+last.Sent, i.InFlight+last.InFlight
	if last.Files != nil {
		if i.Files == nil {
			i.Files = &files.Counts{}
		}
		i.Files.Add(*last.Files)
	}
}

// stalls are the stretches in which no shard had an answer.
func (o MergeOptions) stalls() []Stall {
	common := o.Shards[0].totals.stalls
	for _, s := range o.Shards[1:] {
		var both []Stall
		for _, a := range common {
			for _, b := range s.totals.stalls {
				from, to := max(a.FromMS, b.FromMS), min(a.FromMS+a.MS, b.FromMS+b.MS)
				if to-from >= millis(shortestStall) {
					both = append(both, Stall{from, to - from, a.Waited + b.Waited, a.Failed + b.Failed, a.Open && b.Open})
				}
			}
		}
		common = both
	}
	return slices.SortedFunc(slices.Values(common), func(a, b Stall) int { return cmp.Compare(a.FromMS, b.FromMS) })
}
