package results

import (
	"time"

	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
	"github.com/gateassay/gateassay/load/threshold"
)

// slot is what a histogram of a record is of.
type slot struct {
	Stage int            `json:"stage,omitempty"` // from 1; 0: of no stage
	Class string         `json:"class,omitempty"` // empty for lag and file
	Time  threshold.Time `json:"time"`
}

// distributions are histograms by what they are of. Where there is none, nothing was measured.
type distributions map[slot]*histogram.Histogram

// at is the histogram of a slot, made where there was none.
func (d distributions) at(s slot) *histogram.Histogram {
	h := d[s]
	if h == nil {
		h = new(histogram.Histogram)
		d[s] = h
	}
	return h
}

// add takes in others, whatever stage they are of.
func (d distributions) add(more distributions) {
	for s, h := range more {
		s.Stage = 0
		d.at(s).Add(h)
	}
}

// of gives one time of all classes and stages together.
func (d distributions) of(time threshold.Time) *histogram.Histogram {
	all := new(histogram.Histogram)
	for s, h := range d {
		if s.Time == time {
			all.Add(h)
		}
	}
	return all
}

// latency gives both times that requests take, of one class or, without a name, of all.
func (d distributions) latency(class string) Latency {
	if class == "" {
		return Latency{timesOf(d.of(threshold.Service)), timesOf(d.of(threshold.Response))}
	}
	return Latency{
		timesOf(d[slot{Class: class, Time: threshold.Service}]),
		timesOf(d[slot{Class: class, Time: threshold.Response}]),
	}
}

// classes counts requests by class; no stages are told apart.
func (d distributions) classes() (n [judge.NumClasses]int64) {
	for _, c := range judge.Classes() {
		if h := d[slot{Class: c.String(), Time: threshold.Service}]; h != nil {
			n[c] = h.Count()
		}
	}
	return n
}

// count is how many requests there were.
func (d distributions) count() (n int64) {
	for s, h := range d {
		if s.Time == threshold.Service {
			n += h.Count()
		}
	}
	return n
}

// snapshot is what thresholds see of them.
func (d distributions) snapshot(r Rate, followed *files.Counts) threshold.Snapshot {
	s := threshold.Snapshot{Times: map[threshold.Time]threshold.Times{}, Target: r.Target, Achieved: r.Achieved}
	for _, which := range threshold.Names() {
		s.Times[which] = d.of(which)
	}
	s.Classes = d.classes()
	if followed != nil {
		s.FilesFailed, s.FilesReady = followed.Failed, followed.Ready
	}
	return s
}

// stageTotals are the times of one stage, packed away once nothing is added any more.
type stageTotals struct {
	open   distributions
	packed []encodedHistogram
	idle   int
	end    int64 // when its last request began, in nanoseconds of the run
}

// distributions returns the stage's times, for reading.
func (s *stageTotals) distributions() distributions {
	if s.open != nil {
		return s.open
	}
	d := distributions{}
	for _, e := range s.packed {
		_ = d.at(e.slot).Decode(e.HDR) // it was encoded here
	}
	return d
}

// pack encodes what a stage holds when it was idle for long.
func (s *stageTotals) pack(encoder *histogram.Encoder) {
	for at, h := range s.open {
		s.packed = append(s.packed, encodedHistogram{slot: at, HDR: encoder.Encode(h)})
	}
	s.open = nil
}

// totals is everything that was measured so far. A live run and a rebuilt one fill it alike.
type totals struct {
	head     header
	whole    distributions // of no stage
	stages   []stageTotals
	failures map[string]int64
	rules    map[string]int64
	statuses map[string]int64
	stalls   []Stall
	slow     []Slow
	users    []userTotals
	want     want
	unsent   string // why nothing of the schedule was sent
	canceled int64
	clamped  int64
	files    *files.Counts
	last     interval // its numbers; Sent is at least what was recorded
	cpuTime  float64  // CPU seconds, all CPUs
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
		head: head, whole: distributions{}, stages: make([]stageTotals, len(head.Stages)),
		users: make([]userTotals, len(head.Users)),
	}
}

// Saturated is the share of all CPUs above which the generator is taken to be short of them.
const Saturated = 0.92

// add takes in an interval with its times.
func (t *totals) add(i *interval, times distributions) {
	t.whole.add(times)
	for at, h := range times {
		if at.Stage < 1 || at.Stage > len(t.stages) {
			continue
		}
		s := &t.stages[at.Stage-1]
		s.open, s.packed, s.idle = s.distributions(), nil, 0
		at.Stage = 0
		s.open.at(at).Add(h)
	}
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
	t.last = interval{
		N: i.N, ToNS: i.ToNS, Stage: i.Stage, Due: i.Due, StageDue: i.StageDue, InFlight: i.InFlight,
		Sent: max(i.Sent, t.recorded()), // no progress is known: what was answered was sent
	}
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

func (t *totals) recorded() int64 { return t.whole.count() + t.canceled }

// through reports whether everything was due: the run may end before the schedule does, once its last request is
// answered.
func (t *totals) through() bool {
	return t.last.Due >= t.head.Scheduled-t.head.Unknown ||
		t.elapsed() >= time.Duration(t.head.DurationNS)
}

// unbegun reports whether the run was stopped, or is looked at, before its first request.
func (t *totals) unbegun() bool { return !t.through() && t.last.Sent == 0 }

func (t *totals) elapsed() time.Duration { return time.Duration(t.last.ToNS) }
