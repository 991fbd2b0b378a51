package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	Shards   []*ShardRecord // at least one, none twice
	Notes    []string
}

// Merge writes the record of the whole run, as one process would have recorded it, and everything that is made from it.
// Histograms are added, thresholds judged again; whatever no record shows is unknown.
func Merge(o MergeOptions) (Run, error) {
	left := o.Schedule.K()
	for _, s := range o.Shards {
		if err := s.check(len(o.Schedule.Stages()), o.Info.Shards); err != nil {
			return Run{}, err
		}
		left -= s.totals.head.Scheduled
	}
	if left < 0 || left > 0 && len(o.Shards) == o.Info.Shards {
		return Run{}, fmt.Errorf("the records are damaged: together the shards own %d of %d requests", o.Schedule.K()-left,
			o.Schedule.K())
	}
	slices.SortFunc(o.Shards, func(a, b *ShardRecord) int { return a.Info.Shard - b.Info.Shard })
	w, err := newJournal(o.Dir)
	if err != nil {
		return Run{}, err
	}
	head := o.header()
	w.header(&head)
	w.start(o.Info.StartedAt)
	mergeIntervals(o.Shards, w.interval)
	if err := w.end(o.end(head.Merge)); err != nil {
		return Run{}, err
	}
	kept := o.exchanges()
	run, err := Read(o.Dir)
	if err == nil {
		err = write(o.Dir, run)
	}
	return run, errors.Join(kept, err)
}

// header is that of the whole run. What a shard did not come to is unknown, where nobody says that it was not sent.
func (o MergeOptions) header() header {
	head := o.Shards[0].totals.head
	head.Run, head.Merge = o.Info, compose(o.Shards, o.Info.Shards, o.Schedule.K())
	head.Scheduled, head.DurationNS, head.Unknown = o.Schedule.K(), int64(o.Schedule.Duration()), o.Schedule.K()
	head.Stages = slices.Clone(head.Stages)
	for i := range head.Stages {
		first, next, _, _ := o.Schedule.StageRange(i)
		head.Stages[i].Scheduled, head.Stages[i].Unknown = next-first, next-first
	}
	for _, s := range o.Shards {
		known := s.totals.head.Scheduled
		if !s.whole() {
			known = s.totals.last.Sent
		}
		head.Unknown -= known
		for i, span := range s.totals.head.Stages {
			if !s.whole() {
				span.Scheduled = min(s.totals.stage(i).count(), span.Scheduled)
			}
			head.Stages[i].Unknown = max(head.Stages[i].Unknown-span.Scheduled, 0)
		}
	}
	return head
}

// end is what is known of the whole run at its end.
func (o MergeOptions) end(m *Composition) *ending {
	const mostNotes = 40
	e := &ending{Run: o.Info, Notes: o.Notes}
	e.Run.FinishedAt = e.Run.StartedAt
	for _, s := range o.Shards {
		if s.Info.FinishedAt.After(e.Run.FinishedAt) {
			e.Run.FinishedAt = s.Info.FinishedAt
		}
		if s.end != nil {
			for _, note := range s.end.Notes {
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

// mergeIntervals gives the intervals of all shards as those of one run: the first of each together, then the second,
// and so on, as all tick once a second from one start.
func mergeIntervals(shards []*ShardRecord, each func(*interval)) {
	type lane struct {
		next func() (*interval, error, bool)
		left int64    // intervals that can be read
		last interval // the one before
	}
	var lanes []*lane
	for _, s := range shards {
		next, stop := iter.Pull2(intervals(s.Dir))
		defer stop()
		lanes = append(lanes, &lane{next: next, left: s.totals.count})
	}
	stalls := commonStalls(shards)
	for n, from := 1, int64(0); ; n++ {
		i, some := &interval{N: n, FromNS: from, ToNS: from + 1}, false
		for _, l := range lanes {
			if l.left > 0 {
				one, _, _ := l.next()
				l.left, some = l.left-1, true
				i.counts.add(&one.counts)
				i.CPU, i.starved = max(i.CPU, one.CPU), i.most(one.starved) // of the machine that did worst
				i.ToNS, l.last = max(i.ToNS, one.ToNS), *one
			}
			i.soFar(&l.last)
		}
		if !some {
			return
		}
		for from = i.ToNS; len(stalls) > 0 && int64((stalls[0].FromMS+stalls[0].MS)*1e6) <= from; stalls = stalls[1:] {
			i.Stalls = append(i.Stalls, stalls[0])
		}
		each(i)
	}
}

// soFar adds what a shard had done by its last interval.
func (i *interval) soFar(last *interval) {
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

// commonStalls are the stretches in which no shard had an answer.
func commonStalls(shards []*ShardRecord) []Stall {
	common := shards[0].totals.stalls
	for _, s := range shards[1:] {
		var both []Stall
		for _, a := range common {
			for _, b := range s.totals.stalls {
				from, to := max(a.FromMS, b.FromMS), min(a.FromMS+a.MS, b.FromMS+b.MS)
				if to-from >= millis(shortestStall) {
					both = append(both, Stall{
						FromMS: from, MS: to - from, Waited: a.Waited + b.Waited,
						Failed: a.Failed + b.Failed, Open: a.Open && b.Open,
					})
				}
			}
		}
		common = both
	}
	return slices.SortedFunc(slices.Values(common), func(a, b Stall) int { return cmp.Compare(a.FromMS, b.FromMS) })
}

// exchanges keeps the first exchanges of each class of all shards, as far as they can be read.
func (o MergeOptions) exchanges() error {
	var all []Exchange
	for _, s := range o.Shards {
		file, err := runfolder.Open(filepath.Join(s.Dir, ExchangesName), runfolder.LargestProof)
		if err != nil {
			continue // it had none
		}
		in := json.NewDecoder(file)
		for x := (Exchange{}); in.Decode(&x) == nil; x = (Exchange{}) { // to the end, or what a killed process left
			all = append(all, x)
		}
		_ = file.Close()
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b Exchange) int { return a.At.Compare(b.At) })
	return runfolder.Replace(o.Dir, ExchangesName, 0o600, func(w io.Writer) error {
		taken, out := map[string]int{}, json.NewEncoder(w)
		for _, x := range all {
			if taken[x.Class]++; taken[x.Class] > keptEach {
				continue
			}
			if err := out.Encode(x); err != nil {
				return err
			}
		}
		return nil
	})
}
