package results

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results/histogram"
	"github.com/gateassay/gateassay/load/threshold"
)

// Lines of intervals.ndjson: one header, the start, one line an interval, one end; a shard that waits writes one each
// second. The file alone is enough to rebuild run.json.
const (
	lineRun      = "run"
	lineStart    = "start"
	lineInterval = "interval"
	lineEnd      = "end"
	lineAlive    = "alive" // of a shard that waits for its start: others see the record grow
)

type line struct {
	Type     string     `json:"type"`
	Header   *header    `json:"header,omitempty"`
	Start    *time.Time `json:"start,omitempty"` // the moment that T(k) counts from; written before the first request
	Interval *interval  `json:"interval,omitempty"`
	End      *ending    `json:"end,omitempty"`
}

// journal is intervals.ndjson while it is written. An error is kept: a run goes on, and says so at its end.
type journal struct {
	what  string // is recorded
	file  *os.File
	lines int
	err   error
}

func newJournal(dir, what string) (*journal, error) {
	file, err := os.OpenFile(filepath.Join(dir, runfolder.IntervalsName),
		os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot record %s: %w; choose another folder with --out", what, err)
	}
	return &journal{what: what, file: file}, nil
}

func (j *journal) write(l line) {
	data, err := json.Marshal(l)
	if err == nil {
		_, err = j.file.Write(append(data, '\n'))
	}
	j.lines++
	if err != nil && j.err == nil {
		j.err = fmt.Errorf("cannot record %s: %w", j.what, err)
	}
}

// header is what is known before the first request.
type header struct {
	Schema         string          `json:"schema"`
	Run            Info            `json:"run"`
	Plan           json.RawMessage `json:"plan"`
	Scheduled      int64           `json:"scheduled"`
	Unknown        int64           `json:"unknown,omitempty"` // of these, in a merged run: nothing is known about them
	DurationNS     int64           `json:"duration_ns"`
	Stages         []stageSpan     `json:"stages"`
	Thresholds     []string        `json:"thresholds"`
	FailOnMisblock bool            `json:"fail_on_misblock"`
	LagLimitNS     int64           `json:"lag_limit_ns"`
	CPUs           int             `json:"cpus"`
	Merge          *Composition    `json:"merge,omitempty"`
	Users          []string        `json:"users,omitempty"` // whose credentials take turns
}

// stageSpan is one stage of the plan, with this shard's share of its requests.
type stageSpan struct {
	Name      string `json:"name,omitempty"`
	StartNS   int64  `json:"start_ns"`
	EndNS     int64  `json:"end_ns"`
	Scheduled int64  `json:"scheduled"`
	Unknown   int64  `json:"unknown,omitempty"` // of these, in a merged run
}

// interval is what happened between two moments of the run, and a few counts so far.
type interval struct {
	N        int              `json:"n"` // from 1
	FromNS   int64            `json:"from_ns"`
	ToNS     int64            `json:"to_ns"`
	Stage    int              `json:"stage"`     // at its end, from 1
	Due      int64            `json:"due"`       // so far
	StageDue int64            `json:"stage_due"` // so far, in that stage
	Sent     int64            `json:"sent"`      // so far, answered or not
	InFlight int64            `json:"in_flight"`
	Classes  map[string]int64 `json:"classes,omitempty"` // in the interval
	Canceled int64            `json:"canceled,omitempty"`
	Failures map[string]int64 `json:"failures,omitempty"` // in the interval
	Rules    map[string]int64 `json:"rules,omitempty"`    // in the interval
	// in the interval, of answers that were not as they should be
	Statuses map[string]int64   `json:"statuses,omitempty"`
	Stalls   []Stall            `json:"stalls,omitempty"` // that ended in the interval
	Slow     []Slow             `json:"slow,omitempty"`   // in the interval
	Users    []user             `json:"users,omitempty"`  // in the interval
	Service  *Times             `json:"service_ms,omitempty"`
	Response *Times             `json:"response_ms,omitempty"`
	Lag      *Times             `json:"lag_ms,omitempty"`
	CPU      float64            `json:"cpu"`
	want                        // in the interval
	Clamped  int64              `json:"clamped,omitempty"`
	Ends     map[int]int64      `json:"ends_ns,omitempty"` // of stages, from 1: when the last request so far began
	Files    *files.Counts      `json:"files,omitempty"`   // so far
	File     *Times             `json:"file_ms,omitempty"`
	Times    []encodedHistogram `json:"histograms,omitempty"`
}

// times is where a time of the interval stands; nil there: nothing was measured.
func (i *interval) times(which threshold.Time) **Times {
	switch which {
	case threshold.Service:
		return &i.Service
	case threshold.Response:
		return &i.Response
	case threshold.Lag:
		return &i.Lag
	}
	return &i.File
}

// encodedHistogram is a histogram of the interval: HdrHistogram V2 in base64.
type encodedHistogram struct {
	slot
	MaxMS float64 `json:"max_ms"`
	HDR   string  `json:"hdr"`
}

// put records a histogram in the interval.
func (i *interval) put(at slot, h *histogram.Histogram, encoder *histogram.Encoder) {
	i.Times = append(i.Times, encodedHistogram{at, millis(h.Max()), encoder.Encode(h)})
	if at.Time == threshold.Service {
		i.Classes[at.Class] += h.Count()
	}
}

// summarise fills in the figures of all times.
func (i *interval) summarise(d distributions) {
	for _, which := range threshold.Names() {
		if h := d.of(which); h.Count() > 0 {
			t := timesOf(h)
			*i.times(which) = &t
		}
	}
}

// distributions reads the histograms of the interval.
func (i *interval) distributions() (distributions, error) {
	d := distributions{}
	var decoder histogram.Decoder
	for _, e := range i.Times {
		if !slices.Contains(threshold.Names(), e.Time) {
			continue // of a later version
		}
		_, known := judge.ClassNamed(e.Class)
		if classless := e.Time == threshold.Lag || e.Time == threshold.File; known == classless {
			return nil, fmt.Errorf("unknown class %q", e.Class)
		}
		if err := decoder.Add(d.at(e.slot), e.HDR); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// ending is what is known after the last request.
type ending struct {
	Run    Info     `json:"run"`
	Notes  []string `json:"notes,omitempty"`
	Unsent string   `json:"unsent,omitempty"` // why nothing of the schedule was sent
	Lines  int      `json:"lines"`            // before this one
}
