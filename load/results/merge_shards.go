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

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/schedule"
)

// A Shard is the readable part of the record of one shard of a run.
type Shard struct {
	Name  string // the name in messages and in the merged run
	Info  RunInfo
	Plan  []byte
	Start time.Time // zero: no request of the schedule was sent

	totals *runTotals
}

// ReadShard reads the record in a folder.
func ReadShard(dir string) (*Shard, error) {
	t, err := readTotals(dir)
	if err != nil {
		return nil, err
	}
	s := &Shard{Name: dir, Info: t.toRun().Run, Plan: t.head.Plan, totals: t}
	if t.Sent > 0 || !t.ended {
		s.Start = t.start
	}
	return s, nil
}

// MergeInfo says which shards a merged run consists of. It counts requests of the schedule.
type MergeInfo struct {
	Known   int64       `json:"known"`   // requests with a known outcome, or known not to be sent
	Unknown int64       `json:"unknown"` // requests of shards that are missing or were killed
	Share   float64     `json:"known_share"`
	Shards  []ShardInfo `json:"shards"` // in order, including missing shards
}

// ShardInfo describes one shard of a merged run.
type ShardInfo struct {
	Shard     int             `json:"shard"`
	Folder    string          `json:"folder,omitempty"`
	Reason    string          `json:"reason,omitempty"` // why it is incomplete; or empty
	Aborted   string          `json:"aborted,omitempty"`
	Scheduled int64           `json:"scheduled"` // 0: its record is missing
	Sent      int64           `json:"sent"`
	Generator GeneratorHealth `json:"generator"`
}

// shardInfo describes the shard and counts its requests in MergeInfo.Known.
func (s *Shard) shardInfo() (p ShardInfo, known int64) {
	t := s.totals
	p = ShardInfo{
		Shard: s.Info.Shard, Folder: s.Name, Aborted: s.Info.Aborted,
		Scheduled: t.head.Scheduled, Sent: t.Sent, Generator: t.assessGenerator(),
	}
	switch known = p.Scheduled - (p.Sent - t.countKnown()); {
	case !t.ended && t.damage != nil:
		known, p.Reason = t.countKnown(), "its record is damaged: "+t.damage.Error()
	case !t.ended:
		known = t.countKnown()
		p.Reason = fmt.Sprintf("its record ends after %.1f s, it may have sent more", t.To.Seconds())
	case p.Aborted != "":
		p.Reason = "it ended early: " + p.Aborted
	case t.ending.Unsent != "":
		p.Reason = "nothing was sent: " + t.ending.Unsent
	case p.Sent < p.Scheduled || s.Info.Partial:
		p.Reason = fmt.Sprintf("it was interrupted after %d of %d requests", p.Sent, p.Scheduled)
	}
	return p, known
}

// missingText says which data a merged run needs for a verdict and does not have, or returns "".
// A shard that an abort rule ended counts as complete.
func (m *MergeInfo) missingText() string {
	if m == nil {
		return ""
	}
	var list []string
	for _, p := range m.Shards {
		if p.Reason != "" && p.Aborted == "" {
			list = append(list, fmt.Sprintf("shard %d: %s", p.Shard, p.Reason))
		}
	}
	text := printable.Truncate(strings.Join(list, "; "), 1000)
	if text != "" && m.Unknown > 0 {
		text += fmt.Sprintf("; %g%% of the schedule is known, the outcome of %d requests is "+
			"unknown", math.Floor(m.Share*10_000+1e-6)/100, m.Unknown)
	}
	return text
}

// worstGenerator returns the health of the worst generator of all shards: one that is not
// reliable, else the one with the highest send lag.
func (m *MergeInfo) worstGenerator() GeneratorHealth {
	worst := slices.MaxFunc(m.Shards, func(a, b ShardInfo) int {
		if (a.Generator.Reason == "") != (b.Generator.Reason == "") {
			return strings.Compare(a.Generator.Reason, b.Generator.Reason)
		}
		return cmp.Compare(a.Generator.LagP99MS, b.Generator.LagP99MS)
	})
	g := worst.Generator
	if g.Shard = &worst.Shard; g.Reason != "" {
		g.Reason = fmt.Sprintf("shard %d: %s", worst.Shard, g.Reason)
	}
	return g
}

// Merge writes the record of a whole run into an empty folder, as if one process had recorded
// it, and the files made from it. info holds what the shards have in common. At least one shard
// is needed, and none twice. The caller checks that the shards belong together.
func Merge(dir string, info RunInfo, whole *schedule.Schedule, shards []*Shard, notes []string,
) (Run, error) {
	shards = slices.SortedFunc(slices.Values(shards),
		func(a, b *Shard) int { return a.Info.Shard - b.Info.Shard })
	for _, s := range shards {
		if len(s.totals.head.Stages) != len(whole.Stages()) || s.Info.Shard < 0 ||
			s.Info.Shard >= info.Shards {
			return Run{}, fmt.Errorf("%s is damaged: its header does not match the plan in it",
				filepath.Join(s.Name, runfolder.IntervalsName))
		}
	}
	made := &MergeInfo{}
	end := recordEnd{info, RunEnd{Notes: notes}}
	end.Run.FinishedAt, end.Run.Partial = info.StartedAt, len(shards) < info.Shards
	for i := range info.Shards {
		made.Shards = append(made.Shards, ShardInfo{Shard: i, Reason: "its record is missing"})
	}
	for _, s := range shards {
		p, known := s.shardInfo()
		made.Shards[p.Shard] = p
		made.Known += known
		end.Violated.sum(s.totals.ending.Violated)
		end.Run.Partial = end.Run.Partial || p.Reason != ""
		if s.Info.FinishedAt.After(end.Run.FinishedAt) {
			end.Run.FinishedAt = s.Info.FinishedAt
		}
		if p.Aborted != "" && end.Run.Aborted == "" {
			end.Run.Aborted = fmt.Sprintf("shard %d: %s", p.Shard, p.Aborted)
		}
	}
	made.Unknown, made.Share = whole.RequestCount()-made.Known, float64(made.Known)/float64(
		whole.RequestCount())
	head := *shards[0].totals.head
	head.Run, head.Merge, head.Scheduled = info, made, whole.RequestCount()
	head.Stages = slices.Clone(head.Stages)
	for i := range head.Stages {
		first, next, _, _ := whole.StageRange(i)
		head.Stages[i].Scheduled = next - first
	}
	w := runfolder.NewLineFile(dir, runfolder.IntervalsName)
	_ = w.Write(recordLine{Type: "run", Header: &head})
	_ = w.Write(recordLine{Type: "start", Start: &info.StartedAt})
	writeMergedIntervals(w, whole, shards)
	_ = w.Write(recordLine{Type: "end", End: &end})
	if err := w.Close(); err != nil {
		return Run{}, fmt.Errorf("cannot record the run: %w", err)
	}
	run, err := ReadRun(dir)
	if err == nil {
		err = writeResults(dir, run)
	}
	return run, err
}

// writeMergedIntervals merges the intervals that end at about the same moment: all shards record
// one each second from the same start, but one of two seconds when the disk or the machine was
// slow. Due counts come from the whole schedule, even if shards are missing. Stalls are left out
// because a shard sees only its own requests.
func writeMergedIntervals(w *runfolder.LineFile, whole *schedule.Schedule, shards []*Shard) {
	next, last := make([]func() (*Interval, bool), len(shards)), make([]Progress, len(shards))
	for n, s := range shards {
		var stop func()
		next[n], stop = iter.Pull((&intervalRecord{dir: s.totals.dir}).intervals)
		defer stop()
	}
	for before := (Progress{}); ; {
		i := &Interval{Progress: Progress{N: before.N + 1, From: before.To, To: before.To + 1}}
		ended := true
		take := func(n int) bool {
			one, ok := next[n]()
			if ok {
				i.add(&one.intervalCounts)
				i.CPU, i.To = max(i.CPU, one.CPU), max(i.To, one.To)
				i.Machine = i.Machine.WorseOf(one.Machine)
				last[n], ended = one.Progress, false
			}
			return ok
		}
		for n := range shards {
			take(n)
		}
		for n := range shards {
			for last[n].To+time.Second/2 < i.To && take(n) {
				// until it has caught up with a shard that recorded two seconds at once
			}
			i.Sent, i.InFlight = i.Sent+last[n].Sent, i.InFlight+last[n].InFlight
			if f := last[n].Files; f != nil {
				i.Files = cmp.Or(i.Files, &files.Counts{})
				i.Files.Add(*f)
			}
		}
		if ended {
			return
		}
		i.Stage, i.Due = whole.StageAt(i.To)+1, whole.DueBy(i.To)
		_ = w.Write(recordLine{Type: "interval", Interval: i}) // the first error shows at the end
		before = i.Progress
	}
}
