package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

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
	m := &Composition{Unknown: requests}
	for i := range shards {
		m.Shards = append(m.Shards, Part{Shard: i, State: Missing, Reason: "no record of it was given"})
	}
	left, missing := requests, int64(shards-len(records))
	for _, s := range records {
		p := s.part()
		m.Shards[p.Shard] = p
		m.Known += p.Known
		left -= p.Scheduled
	}
	for i := range m.Shards {
		if p := &m.Shards[i]; p.State == Missing {
			p.Scheduled = left / missing
			left, missing = left-p.Scheduled, missing-1
		}
	}
	m.Unknown -= m.Known
	m.Share = float64(m.Known) / float64(requests)
	return m
}

// lacks says what a merged run lacks for a verdict, or "". A run that an abort rule ended lacks nothing.
func (m *Composition) lacks() string {
	if m == nil {
		return ""
	}
	const most = 5
	var list []string
	for _, group := range m.Groups() {
		first := group[0]
		if first.State == Complete || first.State == Stopped && first.Aborted != "" {
			continue
		}
		what := first.Reason
		if first.State == Missing {
			what = "missing"
		}
		list = append(list, Numbers(group)+": "+what)
	}
	if len(list) == 0 {
		return ""
	}
	if n := len(list); n > most {
		list = append(list[:most], fmt.Sprintf("and %d more", n-most))
	}
	if m.Unknown == 0 {
		return strings.Join(list, "; ") + "; the outcome of all others is known"
	}
	return fmt.Sprintf("%s; %s%% of the schedule is known, what became of %d requests is unknown",
		strings.Join(list, "; "), strconv.FormatFloat(math.Floor(m.Share*10_000+1e-6)/100, 'f', -1, 64), m.Unknown)
}

// Groups puts shards that lack something for one reason together; those that are complete come last, each by itself.
func (m *Composition) Groups() [][]Part {
	var lacking, complete [][]Part
	for _, p := range m.Shards {
		at := slices.IndexFunc(lacking, func(g []Part) bool { return g[0].State == p.State && g[0].Reason == p.Reason })
		switch {
		case p.State == Complete:
			complete = append(complete, []Part{p})
		case at >= 0:
			lacking[at] = append(lacking[at], p)
		default:
			lacking = append(lacking, []Part{p})
		}
	}
	slices.SortStableFunc(lacking, func(a, b []Part) int { return cmp.Compare(len(b), len(a)) })
	return append(lacking, complete...)
}

// Numbers lists shards, in order, in a few words: "shards 0-2, 5".
func Numbers(parts []Part) string {
	var spans []string
	for i := 0; i < len(parts); i++ {
		first := parts[i].Shard
		for i+1 < len(parts) && parts[i+1].Shard == parts[i].Shard+1 {
			i++
		}
		span := strconv.Itoa(first)
		if last := parts[i].Shard; last > first {
			span += "-" + strconv.Itoa(last)
		}
		spans = append(spans, span)
	}
	if len(parts) == 1 {
		return "shard " + spans[0]
	}
	return "shards " + strings.Join(spans, ", ")
}

// generator is that of the shard that did worst: one that is not reliable, else the one with the highest send lag.
func (m *Composition) generator() Generator {
	parts := slices.DeleteFunc(slices.Clone(m.Shards), func(p Part) bool { return p.Generator.Intervals == 0 })
	if len(parts) == 0 {
		return Generator{Reason: "no shard recorded anything"}
	}
	worst := slices.MaxFunc(parts, func(a, b Part) int {
		if a.Generator.Reliable != b.Generator.Reliable {
			return map[bool]int{true: -1, false: 1}[a.Generator.Reliable]
		}
		return cmp.Compare(a.Generator.LagP99MS, b.Generator.LagP99MS)
	})
	g := worst.Generator
	g.Shard = &worst.Shard
	if g.Reason != "" {
		g.Reason = fmt.Sprintf("shard %d: %s", worst.Shard, g.Reason)
	}
	return g
}
