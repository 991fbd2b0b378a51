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

// line is one of intervals.ndjson: a header, the start, one for each interval, an end. The file alone is enough to
// rebuild run.json.
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
}

// journal is intervals.ndjson while it is written. An error is kept: a run goes on, and says so at its end.
type journal struct {
	file *os.File
	err  error
}

func newJournal(dir string) (*journal, error) {
	file, err := create(dir, runfolder.IntervalsName)
	if err != nil {
		return nil, fmt.Errorf("cannot record the run: %w; choose another folder with --out", err)
	}
	return &journal{file: file}, nil
}

// create makes a file that nobody else may read.
func create(dir, name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
}

func (j *journal) header(h *header)     { j.write(line{Type: "run", Header: h}) }
func (j *journal) start(at time.Time)   { j.write(line{Type: "start", Start: &at}) }
func (j *journal) interval(i *interval) { j.write(line{Type: "interval", Interval: i}) }

// end writes the last line and closes the file. It returns the first error of the whole record.
func (j *journal) end(e *ending) error {
	j.write(line{Type: "end", End: e})
	j.sync()
	if err := errors.Join(j.err, j.file.Close()); err != nil {
		return fmt.Errorf("cannot record the run: %w", err)
	}
	return nil
}

func (j *journal) write(l line) {
	data, err := json.Marshal(l)
	if err == nil {
		_, err = j.file.Write(append(data, '\n'))
	}
	j.err = cmp.Or(j.err, err)
}

func (j *journal) sync() { j.err = cmp.Or(j.err, j.file.Sync()) }

const longestLine = 16 << 20

// lines walks the record. A last line that was torn off is left out; any other that cannot be read ends the walk with an
// error.
func lines(dir string) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		file, err := runfolder.Open(filepath.Join(dir, runfolder.IntervalsName), runfolder.LargestStream)
		if err != nil {
			yield(line{}, err)
			return
		}
		defer file.Close()
		in := bufio.NewScanner(file)
		in.Buffer(nil, longestLine)
		in.Split(wholeLines)
		n, damage := 1, error(nil)
		for ; damage == nil && in.Scan(); n++ {
			var l line
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
			yield(line{}, err)
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
		for l, err := range lines(dir) {
			if errors.As(err, new(*fs.PathError)) {
				yield(nil, err)
			} else if l.Interval != nil && !yield(l.Interval, nil) {
				return
			}
		}
	}
}

// ErrEmpty is a record whose process was killed before it had written the first line.
var ErrEmpty = errors.New("it is empty")

// reading is a record as far as it could be read.
type reading struct {
	totals *totals
	start  time.Time // zero: nothing was to be sent yet
	end    *ending   // nil: the process was killed
	damage error     // where reading stopped early
}

// whole reports whether nothing is missing.
func (r *reading) whole() bool { return r.end != nil && r.damage == nil }

// readRecord reads the interval records of a folder.
func readRecord(dir string) (*reading, error) {
	r := &reading{}
	for l, err := range lines(dir) {
		if r.damage = err; err == nil {
			r.damage = r.take(l)
		}
		if r.damage != nil || r.end != nil {
			break
		}
	}
	if r.totals == nil {
		return nil, fmt.Errorf("%s cannot be read: %w", filepath.Join(dir, runfolder.IntervalsName),
			cmp.Or(r.damage, ErrEmpty))
	}
	return r, nil
}

// take adds a line of the record.
func (r *reading) take(l line) error {
	switch i := l.Interval; {
	case r.totals == nil && l.Header == nil:
		return errors.New("its first line is not the header of a load run")
	case r.totals == nil && l.Header.Schema != Schema:
		return fmt.Errorf("it is of schema %q, not %q", l.Header.Schema, Schema)
	case r.totals == nil:
		r.totals = &totals{head: *l.Header}
	case l.Start != nil:
		r.start = *l.Start
	case i != nil && (i.ToNS < i.FromNS || i.FromNS < 0):
		return fmt.Errorf("interval %d ends before it starts", i.N)
	case i != nil:
		r.totals.add(i)
	case l.End != nil:
		r.end, r.totals.unsent = l.End, l.End.Unsent
	}
	return nil
}

// Interval is what happened between two moments of a run.
type Interval struct {
	From, To  time.Duration // since the start
	Stage     int           // at its end, from 1
	Due, Sent int64         // so far
	InFlight  int64         // at its end
	CPU       float64       // share of the machine's that the generator used
	Classes   [judge.NumClasses]int64
	Times     map[threshold.Time]*Distribution
}

// Intervals reads the intervals that a run recorded. An error says from which line on they cannot be read.
func Intervals(dir string, each func(*Interval)) error {
	var recorded int64
	for l, err := range lines(dir) {
		if err != nil {
			return fmt.Errorf("%s, %w", runfolder.IntervalsName, err)
		}
		i := l.Interval
		if i == nil || i.ToNS <= i.FromNS {
			continue
		}
		recorded += i.Times.count() + i.Canceled
		found := Interval{
			From: time.Duration(i.FromNS), To: time.Duration(i.ToNS), Stage: i.Stage, Due: i.Due, Sent: max(i.Sent, recorded),
			InFlight: i.InFlight, CPU: i.CPU, Classes: i.Times.classes(), Times: map[threshold.Time]*Distribution{},
		}
		for _, name := range threshold.Names() {
			found.Times[name] = i.Times.of(name, "")
		}
		each(&found)
	}
	return nil
}
