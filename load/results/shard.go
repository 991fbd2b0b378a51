package results

import (
	"encoding/json"
	"fmt"
	"time"
)

// mostCrossings bounds what is kept of one shard, for the memory of whoever merges.
const mostCrossings = 1 << 20

// Unsent begins the last note of a run of whose schedule nothing was sent; the reason follows.
const Unsent = "nothing was sent: "

// ShardRecord is what one shard of a run recorded, as far as it can be read.
type ShardRecord struct {
	Dir   string
	Name  string // what messages and the merged run call it
	Info  Info   // as it ended; as it began, when it did not end by itself
	Plan  json.RawMessage
	Start time.Time // zero: it never came to that

	*reading
	crossed []shardCrossing
	dropped int64 // crossings beyond the bound
}

// shardCrossing is a crossing with the number of the interval that it was recorded in.
type shardCrossing struct {
	Crossing
	shard    int // place in the list of shards
	interval int
}

// ReadShard reads the interval records of a folder.
func ReadShard(dir string) (*ShardRecord, error) {
	s := &ShardRecord{Dir: dir, Name: dir}
	r, err := readRecord(dir, func(i *interval) {
		for _, c := range i.Crossed {
			if len(s.crossed) == mostCrossings {
				s.dropped++
				continue
			}
			s.crossed = append(s.crossed, shardCrossing{Crossing: c, interval: i.N})
		}
	})
	if err != nil {
		return nil, err
	}
	s.reading, s.Info, s.Plan, s.Start = r, r.totals.head.Run, r.totals.head.Plan, r.start
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
		Sent: t.last.Sent, EndMS: millis(t.elapsed()), ClockMS: s.Info.ClockMS, Generator: t.generator(),
	}
	p.Known = p.Scheduled - (p.Sent - t.recorded())
	if s.first > 0 {
		p.FirstMS = new(millis(s.first))
	}
	switch end := s.end; {
	case !s.whole():
		p.State, p.Known, p.Reason = Killed, t.recorded(), "its record was cut off"
		if s.damage != nil {
			p.Reason = "its record is damaged: " + s.damage.Error()
		} else if end != nil {
			p.Reason = fmt.Sprintf("its record lacks lines: %d of %d could be read", s.lines, end.Lines)
		}
	case p.Sent < p.Scheduled || end.Run.Partial:
		p.State, p.Reason = Stopped, "it was stopped"
		if p.Aborted != "" {
			p.Reason = "it ended early: " + p.Aborted
		} else if p.Sent == 0 && len(end.Notes) > 0 {
			p.Reason = end.Notes[len(end.Notes)-1]
		}
	}
	return p
}

// unknown is how many requests of a stage nothing is known about.
func (s *ShardRecord) unknown(stage int) int64 {
	if s.whole() {
		return 0
	}
	return max(s.totals.head.Stages[stage].Scheduled-s.totals.stages[stage].distributions().count(), 0)
}

// unheard is how many requests of the shard may have been sent without a trace.
func (s *ShardRecord) unheard() int64 {
	if s.whole() {
		return 0
	}
	return max(s.totals.head.Scheduled-s.totals.last.Sent, 0)
}

// due is how many requests of the shard are due when n of the whole schedule are. One that was killed owes no more than
// is known of it.
func (s *ShardRecord) due(n int64) int64 {
	if s.whole() {
		return s.Info.share(n)
	}
	return min(s.Info.share(n), s.totals.last.Sent)
}
