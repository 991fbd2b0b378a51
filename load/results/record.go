package results

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// Lines of intervals.ndjson: one header, the start, one line an interval, one end. The file alone is enough to rebuild
// run.json.
const (
	lineRun      = "run"
	lineStart    = "start"
	lineInterval = "interval"
	lineEnd      = "end"
)

type line struct {
	Type     string     `json:"type"`
	Header   *header    `json:"header,omitempty"`
	Start    *time.Time `json:"start,omitempty"` // the moment that T(k) counts from; written before the first request
	Interval *interval  `json:"interval,omitempty"`
	End      *ending    `json:"end,omitempty"`
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
	N        int     `json:"n"` // from 1
	FromNS   int64   `json:"from_ns"`
	ToNS     int64   `json:"to_ns"`
	Stage    int     `json:"stage"`     // at its end, from 1
	Due      int64   `json:"due"`       // so far
	StageDue int64   `json:"stage_due"` // so far, in that stage
	Sent     int64   `json:"sent"`      // so far, answered or not
	InFlight int64   `json:"in_flight"`
	counts           // in the interval, as everything that follows
	Stalls   []Stall `json:"stalls,omitempty"` // that ended in it
	CPU      float64 `json:"cpu"`
	starved
	Files *files.Counts `json:"files,omitempty"` // so far
}

// ending is what is known after the last request.
type ending struct {
	Run    Info     `json:"run"`
	Notes  []string `json:"notes,omitempty"`
	Unsent string   `json:"unsent,omitempty"` // why nothing of the schedule was sent
	Lines  int      `json:"lines"`            // before this one
}

// journal is intervals.ndjson while it is written. An error is kept: a run goes on, and says so at its end.
type journal struct {
	what  string // is recorded
	file  *os.File
	lines int
	err   error
}

func newJournal(dir, what string) (*journal, error) {
	file, err := create(dir, runfolder.IntervalsName)
	if err != nil {
		return nil, fmt.Errorf("cannot record %s: %w; choose another folder with --out", what, err)
	}
	return &journal{what: what, file: file}, nil
}

// create makes a file that nobody else may read.
func create(dir, name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
}

func (j *journal) write(l line) {
	data, err := json.Marshal(l)
	if err == nil {
		_, err = j.file.Write(append(data, '\n'))
	}
	j.lines++
	j.fail(err)
}

func (j *journal) sync() { j.fail(j.file.Sync()) }

// fail keeps the first error.
func (j *journal) fail(err error) {
	if err != nil && j.err == nil {
		j.err = fmt.Errorf("cannot record %s: %w", j.what, err)
	}
}

const longestLine = 16 << 20

// lines walks the record, read as lines or as what is needed of them. A last line that was torn off is left out; any other that cannot be read ends the walk with an
// error.
func lines[T any](dir string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		file, err := runfolder.Open(filepath.Join(dir, runfolder.IntervalsName), runfolder.LargestStream)
		if err != nil {
			yield(none, err)
			return
		}
		defer file.Close()
		in := bufio.NewScanner(file)
		in.Buffer(nil, longestLine)
		in.Split(wholeLines)
		n, damage := 1, error(nil)
		for ; damage == nil && in.Scan(); n++ {
			var l T
			if err := json.Unmarshal(in.Bytes(), &l); err != nil {
				damage = fmt.Errorf("line %d: %w", n, err)
			} else if !yield(l, nil) {
				return
			}
		}
		if damage != nil && !in.Scan() {
			damage = nil // the last line, written in part and followed by a line break of the file system's
		}
		if err := cmp.Or(in.Err(), damage); err != nil {
			yield(none, err)
		}
	}
}

// wholeLines is a bufio.SplitFunc that leaves out what has no end.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	switch end := bytes.IndexByte(data, '\n'); {
	case end >= 0:
		return end + 1, data[:end], nil
	case atEOF:
		return len(data), nil, nil
	}
	return 0, nil, nil
}

// intervals walks the intervals as far as they can be read; an error means that there is no record. What is damaged,
// Read reports.
func intervals(dir string) iter.Seq2[*interval, error] {
	return func(yield func(*interval, error) bool) {
		for l, err := range lines[line](dir) {
			if errors.As(err, new(*fs.PathError)) {
				yield(nil, err)
			} else if l.Interval != nil && !yield(l.Interval, nil) {
				return
			}
		}
	}
}

// Interval is what happened between two moments of a run.
type Interval struct {
	From, To          time.Duration // since the start
	Stage             int           // at its end, from 1
	Due, Sent         int64         // so far
	Answered, Bad     int64         // Bad of these were neither accepted nor rightly blocked
	Service, Response *Distribution
}

// Intervals reads the intervals that a run recorded. An error says from which line on they cannot be read.
func Intervals(dir string, each func(*Interval)) error {
	for l, err := range lines[line](dir) {
		if err != nil {
			return fmt.Errorf("%s, %w", runfolder.IntervalsName, err)
		}
		i := l.Interval
		if i == nil || i.ToNS <= i.FromNS {
			continue
		}
		found := Interval{
			From: time.Duration(i.FromNS), To: time.Duration(i.ToNS), Stage: i.Stage, Due: i.Due, Sent: i.Sent,
			Service: i.Times.of(threshold.Service, ""), Response: i.Times.of(threshold.Response, ""),
		}
		for class, n := range i.Times.classes() {
			found.Answered += n
			if judge.Class(class).Bad() {
				found.Bad += n
			}
		}
		each(&found)
	}
	return nil
}
