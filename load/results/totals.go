package results

import (
	"time"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
	"github.com/gateassay/gateassay/load/threshold"
)

// Names of times in interval records and in the tags of histograms.hlog.
const (
	serviceTime  = string(threshold.Service)
	responseTime = string(threshold.Response)
	lagTime      = string(threshold.Lag)
	fileTime     = string(threshold.File)
)

// group holds the times of a run, a stage or an interval.
type group struct {
	classes  [judge.NumClasses]int64
	service  [judge.NumClasses]*histogram.Histogram
	response [judge.NumClasses]*histogram.Histogram
	lag      *histogram.Histogram
}

func put(at **histogram.Histogram, h *histogram.Histogram) {
	if *at == nil {
		*at = new(histogram.Histogram)
	}
	(*at).Add(h)
}

func (g *group) add(class int, time string, h *histogram.Histogram) {
	switch time {
	case serviceTime:
		put(&g.service[class], h)
	case responseTime:
		put(&g.response[class], h)
	case lagTime:
		put(&g.lag, h)
	}
}

// merged gives the times of all classes together.
func merged(list *[judge.NumClasses]*histogram.Histogram) *histogram.Histogram {
	all := new(histogram.Histogram)
	for _, h := range list {
		all.Add(h)
	}
	return all
}

// stageTotals are the times of one stage, packed away once nothing is added any more.
type stageTotals struct {
	classes [judge.NumClasses]int64
	open    *group
	packed  []encodedHistogram
	idle    int
	end     int64 // when its last request began, in nanoseconds of the run
}

// group returns the stage's times, for reading.
func (s *stageTotals) group() *group {
	if s.open != nil || len(s.packed) == 0 {
		if s.open == nil {
			return &group{}
		}
		s.open.classes = s.classes
		return s.open
	}
	g := &group{classes: s.classes}
	unpack(g, s.packed)
	return g
}

func unpack(g *group, list []encodedHistogram) {
	for _, e := range list {
		var h histogram.Histogram
		if class, ok := classNumber(e.Class); h.Decode(e.HDR) == nil && ok {
			g.add(class, e.Time, &h)
		}
	}
}

// pack encodes what a stage holds when it was idle for long.
func (s *stageTotals) pack(encoder *histogram.Encoder) {
	if s.open == nil {
		return
	}
	s.packed = s.packed[:0]
	keep := func(class, time string, h *histogram.Histogram) {
		if h != nil && h.Count() > 0 {
			s.packed = append(s.packed, encodedHistogram{Class: class, Time: time, HDR: encoder.Encode(h)})
		}
	}
	for _, c := range judge.Classes() {
		keep(c.String(), serviceTime, s.open.service[c])
		keep(c.String(), responseTime, s.open.response[c])
	}
	keep("", lagTime, s.open.lag)
	s.open = nil
}

// classNumber finds a class by its name; empty stands for a time that has no class.
func classNumber(name string) (int, bool) {
	if name == "" {
		return 0, true
	}
	c, known := judge.ClassNamed(name)
	return int(c), known
}

// totals is everything that was measured so far. A live run and a rebuilt one fill it alike.
type totals struct {
	head     header
	whole    group
	service  histogram.Histogram // all classes
	response histogram.Histogram
	file     histogram.Histogram
	stages   []stageTotals
	failures map[string]int64
	rules    map[string]int64
	statuses map[string]int64
	stalls   []Stall
	slow     []Slow
	users    []userTotals
	want     want
	canceled int64
	clamped  int64
	files    *files.Counts
	last     interval
	cpuTime  float64 // CPU seconds, all CPUs
	cpuPeak  float64
	busy     int // intervals in which the CPUs were saturated
	count    int64
	encoder  histogram.Encoder
}

// userTotals is what was recorded of one identity.
type userTotals struct {
	classes  map[string]int64
	response histogram.Histogram
}

// add takes in what an interval holds of the identity. What cannot be read is left out: the classes of the run hold it.
func (t *userTotals) add(u user) {
	if t.response.Decode(u.HDR) == nil {
		sum(&t.classes, u.Classes)
	}
}

// sum adds counts to a map, which is made where there are some.
func sum(into *map[string]int64, counts map[string]int64) {
	if *into == nil && len(counts) > 0 {
		*into = map[string]int64{}
	}
	for name, n := range counts {
		(*into)[name] += n
	}
}

func newTotals(head header) *totals {
	return &totals{
		head: head, stages: make([]stageTotals, len(head.Stages)),
		users: make([]userTotals, len(head.Users)),
	}
}

// times adds a histogram of an interval. stage counts from 0, -1 for none.
func (t *totals) times(stage, class int, kind string, h *histogram.Histogram) {
	if kind == fileTime {
		t.file.Add(h)
		return
	}
	t.whole.add(class, kind, h)
	switch kind {
	case serviceTime:
		t.whole.classes[class] += h.Count()
		t.service.Add(h)
	case responseTime:
		t.response.Add(h)
	}
	if stage < 0 || stage >= len(t.stages) {
		return
	}
	s := &t.stages[stage]
	if s.open == nil {
		s.open = &group{}
		unpack(s.open, s.packed)
		s.packed = nil
	}
	s.idle = 0
	s.open.add(class, kind, h)
	if kind == serviceTime {
		s.classes[class] += h.Count()
	}
}

// Saturated is the share of all CPUs above which the generator is taken to be short of them.
const Saturated = 0.92

// interval adds the counts of an interval, after its times.
func (t *totals) interval(i *interval) {
	sum(&t.failures, i.Failures)
	sum(&t.rules, i.Rules)
	sum(&t.statuses, i.Statuses)
	t.stalls, t.slow = append(t.stalls, i.Stalls...), slowest(append(t.slow, i.Slow...))
	for _, u := range i.Users {
		if u.Identity >= 0 && u.Identity < len(t.users) {
			t.users[u.Identity].add(u)
		}
	}
	t.want.add(i.want)
	for n, end := range i.Ends {
		if n >= 1 && n <= len(t.stages) {
			t.stages[n-1].end = max(t.stages[n-1].end, end)
		}
	}
	t.canceled += i.Canceled
	t.clamped += i.Clamped
	if i.Files != nil {
		t.files = i.Files
	}
	seconds := time.Duration(i.ToNS - i.FromNS).Seconds()
	t.cpuTime += i.CPU * seconds
	if seconds > 0.2 { // a sliver at the end says nothing
		t.cpuPeak = max(t.cpuPeak, i.CPU)
		if i.CPU > Saturated {
			t.busy++
		}
	}
	t.count++
	t.last = *i
	t.last.Times, t.last.Classes, t.last.Failures, t.last.Rules, t.last.Ends, t.last.Crossed = nil, nil, nil, nil, nil,
		nil
	t.last.Statuses, t.last.Stalls, t.last.Slow, t.last.Users = nil, nil, nil, nil
	for n := range t.stages {
		s := &t.stages[n]
		if s.open == nil {
			continue
		}
		if s.idle++; s.idle > idleTicks {
			s.pack(&t.encoder)
		}
	}
}

// tail is how much later than planned the last request of a stage began.
func (t *totals) tail(stage int) time.Duration {
	return time.Duration(max(t.stages[stage].end-t.head.Stages[stage].EndNS, 0))
}

func (t *totals) recorded() int64 {
	var n int64
	for _, c := range t.whole.classes {
		n += c
	}
	return n + t.canceled
}

// through reports whether everything was due: the run may end before the schedule does, once its last request is
// answered.
func (t *totals) through() bool {
	return t.head.Closed == 0 && t.last.Due >= t.head.Scheduled-t.head.Unknown ||
		t.elapsed() >= time.Duration(t.head.DurationNS)
}

// unbegun reports whether the run was stopped, or is looked at, before its first request.
func (t *totals) unbegun() bool { return !t.through() && max(t.recorded(), t.last.Sent) == 0 }

func (t *totals) elapsed() time.Duration { return time.Duration(t.last.ToNS) }
