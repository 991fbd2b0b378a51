package results

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
)

// lane is one shard while intervals are merged by time.
type lane struct {
	*ShardRecord
	next     func() (*interval, error, bool)
	left     int64     // intervals that could be read before: it goes no further
	head     *interval // the next one; nil: there are no more
	moves    []move    // not yet made, by interval
	sent     int64     // so far
	recorded int64
	flight   int64
	files    *files.Counts
}

// mergeIntervals writes the intervals of all shards as those of one run. It gives the moves that no interval had a
// request for.
func mergeIntervals(o MergeOptions, moves []move, w *journal) (left []move) {
	var lanes []*lane
	for i, s := range o.Shards {
		next, stop := iter.Pull2(intervals(s.Dir))
		defer stop()
		l := &lane{ShardRecord: s, next: next, left: s.totals.count}
		for _, m := range moves {
			if m.shard == i {
				l.moves = append(l.moves, m)
			}
		}
		slices.SortFunc(l.moves, func(a, b move) int { return cmp.Compare(a.interval, b.interval) })
		l.advance()
		lanes = append(lanes, l)
	}
	b := &bundle{schedule: o.Schedule, stalls: commonStalls(o.Shards)}
	for n := 1; ; n++ {
		var edge int64 = -1
		for _, l := range lanes {
			if l.head != nil {
				edge = max(edge, l.head.ToNS)
			}
		}
		if edge < 0 {
			break
		}
		b.begin(n)
		for _, l := range lanes {
			for l.head != nil && l.head.ToNS <= edge {
				b.add(l)
				l.advance()
			}
		}
		w.write(line{Type: lineInterval, Interval: b.finish(lanes)})
	}
	for _, l := range lanes {
		left = append(left, l.moves...)
	}
	return left
}

func (l *lane) advance() {
	if l.head = nil; l.left > 0 {
		l.head, _, _ = l.next()
		l.left--
	}
}

// bundle is one interval of the merged run while it is put together.
type bundle struct {
	schedule *schedule.Schedule
	encoder  histogram.Encoder
	i        *interval
	to       int64 // of the interval before
	times    distributions
	stalls   []Stall // of the run, that no interval holds yet
	users    map[int]*userTotals
}

func (b *bundle) begin(n int) {
	b.i = &interval{N: n, FromNS: b.to, Rules: map[string]int64{}, Ends: map[int]int64{}, Classes: map[string]int64{}}
	b.times, b.users = distributions{}, map[int]*userTotals{}
}

// add takes the next interval of a shard in.
func (b *bundle) add(l *lane) {
	i := l.head
	found, _ := i.distributions() // they were read before
	l.moves = slices.DeleteFunc(l.moves, func(m move) bool {
		// A request may be in the interval after the one that holds its crossing.
		if m.interval > i.N || !m.make(found) {
			return false
		}
		b.i.Rules[m.rule]++
		return true
	})
	for at, h := range found {
		b.times.at(at).Add(h)
	}
	l.recorded += found.count() + i.Canceled
	l.sent, l.flight = max(l.sent, i.Sent, l.recorded), i.InFlight
	if i.Files != nil {
		l.files = i.Files
	}
	b.i.ToNS = max(b.i.ToNS, i.ToNS)
	b.i.Canceled += i.Canceled
	b.i.Clamped += i.Clamped
	b.i.CPU = max(b.i.CPU, i.CPU) // of the busiest machine
	sum(&b.i.Failures, i.Failures)
	sum(&b.i.Rules, i.Rules)
	sum(&b.i.Statuses, i.Statuses)
	b.i.Slow = slowest(append(b.i.Slow, i.Slow...))
	b.i.want = b.i.most(i.want)
	for _, u := range i.Users {
		if b.users[u.Identity] == nil {
			b.users[u.Identity] = &userTotals{}
		}
		b.users[u.Identity].add(u)
	}
	for stage, end := range i.Ends {
		b.i.Ends[stage] = max(b.i.Ends[stage], end)
	}
}

// make moves both times of the request to its class; false when it is not there.
func (m move) make(found distributions) bool {
	at := func(class judge.Class, time threshold.Time) *histogram.Histogram {
		return found.at(slot{m.stage + 1, class.String(), time})
	}
	service, response := time.Duration(m.ServiceNS), time.Duration(m.ResponseNS)
	if !at(m.from, threshold.Service).Take(service) {
		return false
	}
	if !at(m.from, threshold.Response).Take(response) {
		at(m.from, threshold.Service).Record(service)
		return false
	}
	at(m.to, threshold.Service).Record(service)
	at(m.to, threshold.Response).Record(response)
	return true
}

// finish makes the interval that was put together.
func (b *bundle) finish(lanes []*lane) *interval {
	i := b.i
	i.ToNS = max(i.ToNS, i.FromNS+1)
	b.to = i.ToNS
	b.due(lanes)
	for _, at := range slices.SortedFunc(maps.Keys(b.times), compareSlots) {
		if h := b.times[at]; h.Count() > 0 {
			i.put(at, h, &b.encoder)
		}
	}
	i.summarise(b.times)
	for _, n := range slices.Sorted(maps.Keys(b.users)) {
		u := b.users[n]
		i.Users = append(i.Users, user{Identity: n, Classes: u.classes, HDR: b.encoder.Encode(&u.response)})
	}
	for len(b.stalls) > 0 && int64((b.stalls[0].FromMS+b.stalls[0].MS)*1e6) <= i.ToNS {
		i.Stalls, b.stalls = append(i.Stalls, b.stalls[0]), b.stalls[1:]
	}
	return i
}

// compareSlots keeps the order that one process records in: by stage, then class, lag after the classes.
func compareSlots(a, b slot) int {
	number := func(s slot) int {
		c, known := judge.ClassNamed(s.Class)
		if !known {
			return judge.NumClasses
		}
		return int(c)
	}
	return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(number(a), number(b)), -cmp.Compare(a.Time, b.Time))
}

// due fills in what was meant to be sent by the end of the interval, what was, and the files that the shards follow.
func (b *bundle) due(lanes []*lane) {
	i, s := b.i, b.schedule
	within := min(time.Duration(i.ToNS), s.Duration())
	stage := s.StageAt(within)
	first, _, _, _ := s.StageRange(stage)
	n := s.DueBy(within)
	i.Stage = stage + 1
	for _, l := range lanes {
		due := l.due(n)
		i.Due += due
		i.StageDue += max(due-l.Info.share(first), 0)
		i.Sent += l.sent
		i.InFlight += l.flight
		addFiles(&i.Files, l.files)
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
	if len(shards) == 0 {
		return nil
	}
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
