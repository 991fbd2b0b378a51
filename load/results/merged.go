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
	Rate float64 `json:"planned_rate,omitempty"`
	// between the first shard to begin and the last; absent: fewer than two began
	SkewMS *float64 `json:"start_skew_ms,omitempty"`
	// whether the skew counts how far the machines' clocks are apart
	Clocks   bool           `json:"clocks_compared"`
	Crossing CrossingCounts `json:"crossing"`
	Shards   []Part         `json:"shards"` // in order, also those that are missing
}

// CrossingCounts counts the deliberate repeats whose original another shard sent.
type CrossingCounts struct {
	Groups int64 `json:"groups"` // of requests with one content
	Judged int64 `json:"judged"` // of these: enough answers are known to judge it
	Missed int64 `json:"missed_blocks"`
	False  int64 `json:"false_blocks"`
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
	Scheduled int64     `json:"scheduled"`
	Sent      int64     `json:"sent"`
	Known     int64     `json:"known"`
	EndMS     float64   `json:"end_ms"`             // how far its record goes, from the start
	FirstMS   *float64  `json:"first_ms,omitempty"` // how late its first request was sent
	ClockMS   *float64  `json:"clock_ms,omitempty"` // how far its clock was ahead of the shared folder's
	Generator Generator `json:"generator"`
}

// lacks says what a merged run lacks for a verdict, or "": first what several shards give as the reason. A run that an
// abort rule ended lacks nothing.
func (m *Composition) lacks() string {
	if m == nil {
		return ""
	}
	var list []string
	common, alike := m.common()
	if len(alike) > 0 {
		list = append(list, fmt.Sprintf("%s, so %s sent nothing", common, Numbers(alike)))
	}
	for _, p := range m.Shards {
		switch {
		case p.State == Complete || p.State == Stopped && p.Aborted != "" || slices.Contains(alike, p.Shard):
		case p.State == Missing:
			list = append(list, fmt.Sprintf("shard %d is missing", p.Shard))
		case p.State == Killed:
			list = append(list, fmt.Sprintf("the record of shard %d ends after %s s", p.Shard,
				strconv.FormatFloat(math.Round(p.EndMS/100)/10, 'f', -1, 64)))
		default:
			list = append(list, fmt.Sprintf("shard %d sent %d of %d requests", p.Shard, p.Sent, p.Scheduled))
		}
	}
	if len(list) == 0 {
		return ""
	}
	const most = 5
	if n := len(list); n > most {
		list = append(list[:most], fmt.Sprintf("and so on, %d of %d shards in all",
			n+max(len(alike)-1, 0), len(m.Shards)))
	}
	if m.Unknown == 0 {
		return strings.Join(list, ", ") + "; the outcome of all others is known"
	}
	return fmt.Sprintf("%s; %s%% of the schedule is known, what became of %d requests is unknown",
		strings.Join(list, ", "), percent(m.Share), m.Unknown)
}

// common is why shards sent nothing, where several give one reason, and which do.
func (m *Composition) common() (reason string, shards []int) {
	by := map[string][]int{}
	for _, p := range m.Shards {
		if why, none := strings.CutPrefix(p.Reason, Unsent); none && p.State == Stopped {
			if by[why] = append(by[why], p.Shard); len(by[why]) > len(shards) {
				reason, shards = why, by[why]
			}
		}
	}
	if len(shards) < 2 {
		return "", nil
	}
	return reason, shards
}

// Numbers lists shards, in order, in a few words: "shards 0-2 and 5".
func Numbers(shards []int) string {
	var parts []string
	for i := 0; i < len(shards); {
		last := i
		for last+1 < len(shards) && shards[last+1] == shards[last]+1 {
			last++
		}
		text := strconv.Itoa(shards[i])
		if last > i+1 {
			text += "-" + strconv.Itoa(shards[last])
		} else {
			last = i
		}
		parts = append(parts, text)
		i = last + 1
	}
	switch n := len(parts); {
	case len(shards) == 1:
		return "shard " + parts[0]
	case n == 1:
		return "shards " + parts[0]
	default:
		return "shards " + strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
}

// percent never rounds up to 100.
func percent(share float64) string {
	return strconv.FormatFloat(math.Floor(share*10_000+1e-6)/100, 'f', -1, 64)
}

// generator is that of the shard that did worst: one that is not reliable, else the one with the highest send lag.
func (m *Composition) generator() Generator {
	var parts []Part
	for _, p := range m.Shards {
		if p.State != Missing && p.Generator.Intervals > 0 {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return Generator{Reason: "no shard recorded anything"}
	}
	worst := slices.MaxFunc(parts, func(a, b Part) int {
		if reliable := a.Generator.Reliable; reliable != b.Generator.Reliable {
			return map[bool]int{true: -1, false: 1}[reliable]
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

// skew is how far apart the shards began.
func (m *Composition) skew() {
	var began []Part
	m.Clocks = true
	for _, p := range m.Shards {
		if p.FirstMS != nil {
			began = append(began, p)
			m.Clocks = m.Clocks && p.ClockMS != nil
		}
	}
	if len(began) < 2 {
		m.Clocks = false
		return
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range began {
		at := *p.FirstMS
		if m.Clocks {
			at -= *p.ClockMS // a clock that is ahead begins too early
		}
		low, high = min(low, at), max(high, at)
	}
	m.SkewMS = new(round(high - low))
}
