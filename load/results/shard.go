package results

import (
	"encoding/json"
	"fmt"
	"time"
)

// ShardRecord is what one shard of a run recorded, as far as it can be read.
type ShardRecord struct {
	Dir   string
	Name  string // what messages and the merged run call it
	Info  Info   // as it ended; as it began, when it did not end by itself
	Plan  json.RawMessage
	Start time.Time // zero: it never came to that

	*reading
}

// ReadShard reads the interval records of a folder.
func ReadShard(dir string) (*ShardRecord, error) {
	r, err := readRecord(dir)
	if err != nil {
		return nil, err
	}
	s := &ShardRecord{Dir: dir, Name: dir, reading: r, Info: r.totals.head.Run, Plan: r.totals.head.Plan, Start: r.start}
	if r.end != nil {
		s.Info = r.end.Run
	}
	return s, nil
}

// Began reports whether anything of the schedule was, or may have been, sent.
func (s *ShardRecord) Began() bool {
	return !s.Start.IsZero() && (s.totals.last.Sent > 0 || !s.whole())
}

// part describes the shard. Of one that was killed only what has an outcome is known.
func (s *ShardRecord) part() Part {
	t := s.totals
	p := Part{
		Shard: s.Info.Shard, Folder: s.Name, State: Complete, Aborted: s.Info.Aborted, Scheduled: t.head.Scheduled,
		Sent: t.last.Sent, EndMS: millis(t.elapsed()), Generator: t.generator(),
	}
	p.Known = p.Scheduled - (p.Sent - t.recorded())
	switch {
	case !s.whole():
		p.State, p.Known, p.Reason = Killed, t.recorded(), fmt.Sprintf("its record ends after %s", seconds(p.EndMS))
		if s.damage != nil {
			p.Reason = "its record is damaged: " + s.damage.Error()
		}
	case p.Sent < p.Scheduled || s.end.Run.Partial:
		p.State, p.Reason = Stopped, fmt.Sprintf("it sent %d of %d requests", p.Sent, p.Scheduled)
		if p.Aborted != "" {
			p.Reason = "it ended early: " + p.Aborted
		} else if s.end.Unsent != "" {
			p.Reason = "nothing was sent: " + s.end.Unsent
		}
	}
	return p
}

// accounted is how many of the shard's requests something is known about, and how many of them are of each stage.
func (s *ShardRecord) accounted() (all int64, stages []int64) {
	t := s.totals
	all = t.head.Scheduled
	if !s.whole() {
		all = min(t.last.Sent, all)
	}
	for i, span := range t.head.Stages {
		n := span.Scheduled
		if !s.whole() {
			n = min(t.stage(i).count(), n)
		}
		stages = append(stages, n)
	}
	return all, stages
}
