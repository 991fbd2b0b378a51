package results

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/schedule"
)

// Shard is what one shard of a run recorded, as far as it can be read.
type Shard struct {
	Name  string // what messages and the merged run call it
	Info  Info   // as it ended; as it began, when it did not end by itself
	Plan  []byte
	Start time.Time // zero: nothing of the schedule was, or may have been, sent

	dir    string
	record *record
	totals *totals
}

// ReadShard reads the record in a folder.
func ReadShard(dir string) (*Shard, error) {
	r, t, err := sum(dir)
	if err != nil {
		return nil, err
	}
	s := &Shard{Name: dir, Info: t.head.Run, Plan: t.head.Plan, dir: dir, record: r, totals: t}
	if r.end != nil {
		s.Info = r.end.Run
	}
	if t.last.Sent > 0 || !r.whole() {
		s.Start = r.start
	}
	return s, nil
}

// Composition says what a merged run was made of.
type Composition struct {
	// requests of the schedule of which it is known what became of them, or that they were not sent
	Known int64 `json:"known"`
	// all others: of shards that are missing or were killed; they may have been sent
	Unknown int64   `json:"unknown"`
	Share   float64 `json:"known_share"`
	Shards  []Part  `json:"shards"` // in order, also those that are missing
}

// State of a shard's record.
type State string

// The states of a shard's record.
const (
	Complete State = "complete"
	Stopped  State = "stopped" // it ended by itself, before its schedule did
	Killed   State = "killed"  // its record ends where its process did
	Missing  State = "missing" // there is no record
)

// Part is one shard of a merged run.
type Part struct {
	Shard     int       `json:"shard"`
	Folder    string    `json:"folder,omitempty"`
	State     State     `json:"state"`
	Reason    string    `json:"reason,omitempty"` // why it is not complete
	Aborted   string    `json:"aborted,omitempty"`
	Scheduled int64     `json:"scheduled"` // 0: missing
	Sent      int64     `json:"sent"`
	Generator Generator `json:"generator"`
}

// part describes the shard, and says of how many requests it is known what became of them: of one that was killed, of
// those with an outcome.
func (s *Shard) part() (p Part, known int64) {
	t := s.totals
	p = Part{
		Shard: s.Info.Shard, Folder: s.Name, State: Stopped, Aborted: s.Info.Aborted, Scheduled: t.head.Scheduled,
		Sent: t.last.Sent, Generator: t.generator(),
	}
	switch known = p.Scheduled - (p.Sent - t.recorded()); {
	case !s.record.whole():
		p.State, known, p.Reason = Killed, t.recorded(), "its record ends after "+seconds(millis(t.last.To))
		if s.record.damage != nil {
			p.Reason = "its record is damaged: " + s.record.damage.Error()
		}
	case p.Aborted != "":
		p.Reason = "it ended early: " + p.Aborted
	case t.unsent != "":
		p.Reason = "nothing was sent: " + t.unsent
	case p.Sent < p.Scheduled || s.Info.Partial:
		p.Reason = fmt.Sprintf("it sent %d of %d requests", p.Sent, p.Scheduled)
	default:
		p.State = Complete
	}
	return p, known
}

// lacks says what a merged run lacks for a verdict, or "". A run that an abort rule ended lacks nothing.
func (m *Composition) lacks() string {
	if m == nil {
		return ""
	}
	const most = 10
	var list []string
	for _, p := range m.Shards {
		if p.State != Complete && p.Aborted == "" {
			list = append(list, fmt.Sprintf("shard %d: %s", p.Shard, p.Reason))
		}
	}
	if n := len(list); n == 0 {
		return ""
	} else if n > most {
		list = append(list[:most], fmt.Sprintf("and %d more", n-most))
	}
	text := strings.Join(list, "; ")
	if m.Unknown > 0 {
		text += fmt.Sprintf("; %g%% of the schedule is known, what became of %d requests is unknown",
			math.Floor(m.Share*10_000+1e-6)/100, m.Unknown)
	}
	return text
}

// generator is that of the shard that did worst: one that is not reliable, else the one with the highest send lag.
func (m *Composition) generator() Generator {
	lateness := func(p Part) float64 {
		if p.Generator.Reason != "" {
			return math.MaxFloat64
		}
		return p.Generator.LagP99MS
	}
	worst := slices.MaxFunc(m.Shards, func(a, b Part) int { return cmp.Compare(lateness(a), lateness(b)) })
	g := worst.Generator
	if g.Shard = &worst.Shard; g.Reason != "" {
		g.Reason = fmt.Sprintf("shard %d: %s", worst.Shard, g.Reason)
	}
	return g
}

// merger makes one run of what shards recorded.
type merger struct {
	info   Info
	whole  *schedule.Schedule
	shards []*Shard
}

// Merge writes the record of a whole run into a folder that holds none, as one process would have recorded it, and
// everything that is made from it. Histograms are added, thresholds judged again. info is what the shards, of which there
// is at least one and none twice, have in common, with the start; that they belong together is for the caller to check.
func Merge(dir string, info Info, whole *schedule.Schedule, shards []*Shard, notes []string) (Run, error) {
	m := &merger{info, whole, slices.SortedFunc(slices.Values(shards), func(a, b *Shard) int { return a.Info.Shard - b.Info.Shard })}
	for _, s := range shards {
		if len(s.totals.head.Stages) != len(whole.Stages()) || s.Info.Shard < 0 || s.Info.Shard >= info.Shards {
			return Run{}, fmt.Errorf("%s is damaged: its header does not match the plan in it",
				filepath.Join(s.Name, runfolder.IntervalsName))
		}
	}
	w, err := newJournal(dir)
	if err != nil {
		return Run{}, err
	}
	head, end := m.frame(notes)
	w.write(line{Type: "run", Header: &head})
	w.write(line{Type: "start", Start: &info.StartedAt})
	m.intervals(w.interval)
	if err := w.end(end); err != nil {
		return Run{}, err
	}
	run, err := Read(dir)
	if err == nil {
		err = write(dir, run)
	}
	return run, err
}

// frame is what stands before and after the intervals.
func (m *merger) frame(notes []string) (header, ending) {
	made := &Composition{}
	for i := range m.info.Shards {
		made.Shards = append(made.Shards, Part{Shard: i, State: Missing, Reason: "missing"})
	}
	e := ending{Run: m.info, Notes: notes}
	e.Run.FinishedAt, e.Run.Partial = e.Run.StartedAt, len(m.shards) < m.info.Shards
	for _, s := range m.shards {
		p, known := s.part()
		made.Shards[p.Shard] = p
		made.Known += known
		e.Run.Partial = e.Run.Partial || p.State != Complete
		if s.Info.FinishedAt.After(e.Run.FinishedAt) {
			e.Run.FinishedAt = s.Info.FinishedAt
		}
		if p.Aborted != "" && e.Run.Aborted == "" {
			e.Run.Aborted = fmt.Sprintf("shard %d: %s", p.Shard, p.Aborted)
		}
	}
	made.Unknown, made.Share = m.whole.K()-made.Known, float64(made.Known)/float64(m.whole.K())
	head := m.shards[0].totals.head
	head.Run, head.Merge, head.Scheduled, head.Stages = m.info, made, m.whole.K(), slices.Clone(head.Stages)
	for i := range head.Stages {
		first, next, _, _ := m.whole.StageRange(i)
		head.Stages[i].Scheduled = next - first
	}
	return head, e
}

// intervals gives those of all shards as those of one run: the first of each together, then the second, and so on, as
// all tick once a second from one start.
func (m *merger) intervals(each func(*Interval)) {
	next, last := make([]func() (*Interval, bool), len(m.shards)), make([]Interval, len(m.shards))
	for n, s := range m.shards {
		var stop func()
		next[n], stop = iter.Pull(func(yield func(*Interval) bool) { _, _ = walk(s.dir, yield) })
		defer stop()
	}
	stalls := m.stalls()
	for i := (Interval{}); ; {
		i = Interval{N: i.N + 1, From: i.To, To: i.To + 1}
		some := false
		for n := range m.shards {
			if one, ok := next[n](); ok {
				i.add(&one.counts)
				i.CPU, i.To = max(i.CPU, one.CPU), max(i.To, one.To) // of the machine that did worst
				last[n], some = *one, true
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
func (m *merger) stalls() []Stall {
	common := m.shards[0].totals.stalls
	for _, s := range m.shards[1:] {
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
