package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
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

// part describes the shard. Of one that was killed only what has an outcome is known.
func (s *Shard) part() Part {
	t := s.totals
	p := Part{
		Shard: s.Info.Shard, Folder: s.Name, State: Stopped, Aborted: s.Info.Aborted, Scheduled: t.head.Scheduled,
		Sent: t.last.Sent, EndMS: millis(t.last.To), Generator: t.generator(),
	}
	switch p.Known = p.Scheduled - (p.Sent - t.recorded()); {
	case s.record.damage != nil:
		p.State, p.Known, p.Reason = Killed, t.recorded(), "its record is damaged: "+s.record.damage.Error()
	case !s.record.whole():
		p.State, p.Known, p.Reason = Killed, t.recorded(), "its record ends after "+seconds(p.EndMS)
	case p.Aborted != "":
		p.Reason = "it ended early: " + p.Aborted
	case t.unsent != "":
		p.Reason = "nothing was sent: " + t.unsent
	case p.Sent < p.Scheduled || s.Info.Partial:
		p.Reason = fmt.Sprintf("it sent %d of %d requests", p.Sent, p.Scheduled)
	default:
		p.State = Complete
	}
	return p
}

// compose describes each shard of a run of so many, and so many requests.
func compose(records []*Shard, shards int, requests int64) *Composition {
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
	if n := len(list); n == 0 {
		return ""
	} else if n > most {
		list = append(list[:most], fmt.Sprintf("and %d more", n-most))
	}
	text := strings.Join(list, "; ")
	if m.Unknown == 0 {
		return text + "; the outcome of all others is known"
	}
	return fmt.Sprintf("%s; %g%% of the schedule is known, what became of %d requests is unknown", text,
		math.Floor(m.Share*10_000+1e-6)/100, m.Unknown)
}

// generator is that of the shard that did worst: one that is not reliable, else the one with the highest send lag.
func (m *Composition) generator() Generator {
	late := func(p Part) float64 {
		switch {
		case p.Generator.Intervals == 0: // it recorded nothing
			return -1
		case !p.Generator.Reliable:
			return math.MaxFloat64
		}
		return p.Generator.LagP99MS
	}
	worst := slices.MaxFunc(m.Shards, func(a, b Part) int { return cmp.Compare(late(a), late(b)) })
	g := worst.Generator
	if g.Intervals == 0 {
		return Generator{Reason: "no shard recorded anything"}
	}
	if g.Shard = &worst.Shard; g.Reason != "" {
		g.Reason = fmt.Sprintf("shard %d: %s", worst.Shard, g.Reason)
	}
	return g
}
