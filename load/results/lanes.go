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
)

// lane is one shard while intervals are merged by time.
type lane struct {
	*ShardRecord
	next     func() (*interval, bool)
	head     *interval // the next one; nil: there are no more
	moves    []move    // not yet made, by interval
	sent     int64     // so far
	recorded int64
	flight   int64
	files    *files.Counts
}

// mergeIntervals writes the intervals of all shards as those of one run. It gives the moves that no interval had a
// request for.
func mergeIntervals(o MergeOptions, moves []move, w *lineWriter) []move {
	var lanes []*lane
	for i, s := range o.Shards {
		next, stop := iter.Pull(s.intervals())
		defer stop()
		l := &lane{ShardRecord: s, next: next}
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
	var left []move
	for _, l := range lanes {
		left = append(left, l.moves...)
	}
	return left
}

func (l *lane) advance() { l.head, _ = l.next() }

// intervals walks the intervals that could be read before, and no further.
func (s *ShardRecord) intervals() iter.Seq[*interval] {
	return func(yield func(*interval) bool) {
		left := s.reading.totals.count
		_ = eachLine(s.Dir, func(l line) error {
			if left == 0 {
				return errStop
			}
			if l.Type != lineInterval || l.Interval == nil {
				return nil
			}
			if left--; !yield(l.Interval) {
				return errStop
			}
			return nil
		})
	}
}

// bundle is one interval of the merged run while it is put together.
type bundle struct {
	schedule *schedule.Schedule
	encoder  histogram.Encoder
	i        *interval
	to       int64 // of the interval before
	times    map[slot]*histogram.Histogram
	stalls   []Stall // of the run, that no interval holds yet
	users    map[int]*userTotals
}

// slot is what a histogram of an interval is of.
type slot struct {
	stage       int // from 1; 0: none
	class, time string
}

func (b *bundle) begin(n int) {
	b.i = &interval{N: n, FromNS: b.to, Rules: map[string]int64{}, Ends: map[int]int64{}}
	b.times, b.users = map[slot]*histogram.Histogram{}, map[int]*userTotals{}
}

// add takes the next interval of a shard in.
func (b *bundle) add(l *lane) {
	i := l.head
	found := map[slot]*histogram.Histogram{}
	for _, e := range i.Times {
		at := slot{e.Stage, e.Class, e.Time}
		if found[at] == nil {
			found[at] = new(histogram.Histogram)
		}
		_ = found[at].Decode(e.HDR) // it was decoded before
	}
	b.move(l, found)
	for at, h := range found {
		if b.times[at] == nil {
			b.times[at] = new(histogram.Histogram)
		}
		b.times[at].Add(h)
		if at.time == serviceTime {
			l.recorded += h.Count()
		}
	}
	l.recorded += i.Canceled
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
	b.beside(i)
	for stage, end := range i.Ends {
		b.i.Ends[stage] = max(b.i.Ends[stage], end)
	}
}

// move puts requests into the class that they belong to. A request may be in the interval after the one that told of
// it.
func (b *bundle) move(l *lane, found map[slot]*histogram.Histogram) {
	kept := l.moves[:0]
	for _, m := range l.moves {
		if m.interval > l.head.N || !m.make(found) {
			kept = append(kept, m)
			continue
		}
		b.i.Rules[m.rule]++
	}
	l.moves = kept
}

// make moves both times of the request; false when it is not there.
func (m move) make(found map[slot]*histogram.Histogram) bool {
	was := [2]slot{{m.stage + 1, m.from.String(), serviceTime}, {m.stage + 1, m.from.String(), responseTime}}
	took := [2]time.Duration{time.Duration(m.ServiceNS), time.Duration(m.ResponseNS)}
	service, response := found[was[0]], found[was[1]]
	if service == nil || response == nil || !service.Take(took[0]) {
		return false
	}
	if !response.Take(took[1]) {
		service.Record(took[0])
		return false
	}
	for n, at := range was {
		at.class = m.to.String()
		if found[at] == nil {
			found[at] = new(histogram.Histogram)
		}
		found[at].Record(took[n])
	}
	return true
}

// finish makes the interval that was put together.
func (b *bundle) finish(lanes []*lane) *interval {
	i := b.i
	i.ToNS = max(i.ToNS, i.FromNS+1)
	b.to = i.ToNS
	b.due(lanes)
	i.Files = together(lanes)
	i.Classes = map[string]int64{}
	whole := distributions{}
	for _, at := range slices.SortedFunc(maps.Keys(b.times), compareSlots) {
		h := b.times[at]
		if h.Count() == 0 {
			continue
		}
		if at.time == serviceTime {
			i.Classes[at.class] += h.Count()
		}
		whole.add(at.time, h)
		i.Times = append(i.Times, encodedHistogram{
			Stage: at.stage, Class: at.class, Time: at.time,
			MaxMS: millis(h.Max()), HDR: b.encoder.Encode(h),
		})
	}
	whole.into(i)
	b.besides()
	return i
}

// compareSlots keeps the order that one process records in: by stage, then class, lag after the classes.
func compareSlots(a, b slot) int {
	number := func(s slot) int {
		if s.class == "" {
			return judge.NumClasses
		}
		n, _ := classNumber(s.class)
		return n
	}
	return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(number(a), number(b)), -cmp.Compare(a.time, b.time))
}

// due fills in what was meant to be sent by the end of the interval, and what was.
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
		i.StageDue += max(due-share(first, l.Info), 0)
		i.Sent += l.sent
		i.InFlight += l.flight
	}
}

// together adds up the files that the shards follow.
func together(lanes []*lane) *files.Counts {
	var sum *files.Counts
	for _, l := range lanes {
		if l.files == nil {
			continue
		}
		if sum == nil {
			sum = &files.Counts{}
		}
		sum.Add(*l.files)
	}
	return sum
}
