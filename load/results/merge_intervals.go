package results

import (
	"cmp"
	"iter"
	"slices"

	"github.com/gateassay/gateassay/load/files"
)

// lane is one shard while intervals are merged by time.
type lane struct {
	next func() (*interval, error, bool)
	left int64     // intervals that can be read
	head *interval // the next one; nil: there are no more
	last interval  // the one before
}

func (l *lane) advance() {
	if l.head != nil {
		l.last = *l.head
	}
	if l.head = nil; l.left > 0 {
		l.head, _, _ = l.next()
		l.left--
	}
}

// mergeIntervals writes the intervals of all shards as those of one run.
func mergeIntervals(shards []*ShardRecord, w *journal) {
	var lanes []*lane
	for _, s := range shards {
		next, stop := iter.Pull2(intervals(s.Dir))
		defer stop()
		l := &lane{next: next, left: s.totals.count}
		l.advance()
		lanes = append(lanes, l)
	}
	stalls := commonStalls(shards)
	for n, to := 1, int64(0); ; n++ {
		i := &interval{N: n, FromNS: to, ToNS: -1}
		for _, l := range lanes {
			if l.head != nil {
				i.ToNS = max(i.ToNS, l.head.ToNS)
			}
		}
		if i.ToNS < 0 {
			return
		}
		for _, l := range lanes {
			for l.head != nil && l.head.ToNS <= i.ToNS {
				_ = l.head.decode() // it could be read before
				i.counts.add(&l.head.counts)
				i.CPU, i.starved = max(i.CPU, l.head.CPU), i.most(l.head.starved) // of the machine that did worst
				l.advance()
			}
		}
		i.ToNS = max(i.ToNS, to+1)
		to = i.ToNS
		i.sumUp(lanes)
		i.encode()
		for len(stalls) > 0 && int64((stalls[0].FromMS+stalls[0].MS)*1e6) <= i.ToNS {
			i.Stalls, stalls = append(i.Stalls, stalls[0]), stalls[1:]
		}
		w.write(line{Type: lineInterval, Interval: i})
	}
}

// sumUp adds the counts so far, of each shard those of its last interval.
func (i *interval) sumUp(lanes []*lane) {
	for _, l := range lanes {
		i.Stage = max(i.Stage, l.last.Stage)
	}
	for _, l := range lanes {
		i.Due += l.last.Due
		i.Sent += l.last.Sent
		i.InFlight += l.last.InFlight
		if l.last.Stage == i.Stage {
			i.StageDue += l.last.StageDue
		}
		addFiles(&i.Files, l.last.Files)
	}
}

// addFiles adds up the files that several shards follow; nil: none.
func addFiles(into **files.Counts, counts *files.Counts) {
	if counts == nil {
		return
	}
	if *into == nil {
		*into = &files.Counts{}
	}
	(*into).Add(*counts)
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
