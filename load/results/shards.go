package results

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
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

// ReadShard reads the record in a folder.
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

// check reports whether the record can be that of a shard of this schedule.
func (s *ShardRecord) check(stages, shards int) error {
	t := s.totals
	switch name := filepath.Join(s.Name, runfolder.IntervalsName); {
	case len(t.head.Stages) != stages || s.Info.Shard < 0 || s.Info.Shard >= shards || s.Info.Shards != shards ||
		t.head.Scheduled < 0:
		return fmt.Errorf("%s is damaged: its header does not match the plan in it", name)
	case t.last.Sent > t.head.Scheduled || t.Canceled < 0:
		return fmt.Errorf("%s is damaged: it holds %d requests, and its shard owns %d", name, t.last.Sent, t.head.Scheduled)
	}
	return nil
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
	case s.damage != nil:
		p.State, p.Known, p.Reason = Killed, t.recorded(), "its record is damaged: "+s.damage.Error()
	case !s.whole():
		p.State, p.Known, p.Reason = Killed, t.recorded(), "its record ends after "+seconds(p.EndMS)
	case p.Aborted != "":
		p.State, p.Reason = Stopped, "it ended early: "+p.Aborted
	case s.end.Unsent != "":
		p.State, p.Reason = Stopped, "nothing was sent: "+s.end.Unsent
	case p.Sent < p.Scheduled || s.end.Run.Partial:
		p.State, p.Reason = Stopped, fmt.Sprintf("it sent %d of %d requests", p.Sent, p.Scheduled)
	}
	return p
}

// Composition says what a merged run was made of.
type Composition struct {
	// requests of the schedule of which it is known what became of them, or that they were not sent
	Known int64 `json:"known"`
	// all others: of shards that are missing or were killed; they may have been sent
	Unknown int64   `json:"unknown"`
	Share   float64 `json:"known_share"`
	// requests per second of the whole plan; the target rate of the run is that of what is known
	Rate   float64 `json:"planned_rate,omitempty"`
	Shards []Part  `json:"shards"` // in order, also those that are missing
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
	Scheduled int64     `json:"scheduled"` // of those that are missing, an equal share of what the others do not send
	Sent      int64     `json:"sent"`
	Known     int64     `json:"known"`
	EndMS     float64   `json:"end_ms"` // how far its record goes, from the start
	Generator Generator `json:"generator"`
}

// compose describes each shard of a plan with so many requests.
func compose(records []*ShardRecord, shards int, requests int64) *Composition {
	m := &Composition{Shards: make([]Part, shards)}
	left, missing := requests, int64(shards-len(records))
	for _, s := range records {
		p := s.part()
		m.Shards[p.Shard], m.Known, left = p, m.Known+p.Known, left-p.Scheduled
	}
	for i := range m.Shards {
		if p := &m.Shards[i]; p.State == "" {
			*p = Part{Shard: i, State: Missing, Reason: "missing", Scheduled: left / missing}
			left, missing = left-p.Scheduled, missing-1
		}
	}
	m.Unknown, m.Share = requests-m.Known, float64(m.Known)/float64(requests)
	return m
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
	switch n := len(list); {
	case n == 0:
		return ""
	case n > most:
		list = append(list[:most], fmt.Sprintf("and %d more", n-most))
	}
	text := strings.Join(list, "; ")
	if m.Unknown == 0 {
		return text + "; the outcome of all others is known"
	}
	return fmt.Sprintf("%s; %s%% of the schedule is known, what became of %d requests is unknown", text,
		strconv.FormatFloat(math.Floor(m.Share*10_000+1e-6)/100, 'f', -1, 64), m.Unknown)
}

// generator is that of the shard that did worst: one that is not reliable, else the one with the highest send lag.
func (m *Composition) generator() Generator {
	worst := slices.MaxFunc(m.Shards, func(a, b Part) int {
		late := func(p Part) float64 {
			switch {
			case p.Generator.Intervals == 0: // it recorded nothing
				return -1
			case !p.Generator.Reliable:
				return math.MaxFloat64
			}
			return p.Generator.LagP99MS
		}
		return cmp.Compare(late(a), late(b))
	})
	g := worst.Generator
	if g.Intervals == 0 {
		return Generator{Reason: "no shard recorded anything"}
	}
	g.Shard = &worst.Shard
	if g.Reason != "" {
		g.Reason = fmt.Sprintf("shard %d: %s", worst.Shard, g.Reason)
	}
	return g
}
