package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	Interval *Interval  `json:"interval,omitempty"`
	End      *ending    `json:"end,omitempty"`
}

// header is what is known before the first request.
type header struct {
	Schema         string          `json:"schema"`
	Run            Info            `json:"run"`
	Plan           json.RawMessage `json:"plan"`
	Scheduled      int64           `json:"scheduled"`
	Duration       time.Duration   `json:"duration_ns"`
	Stages         []stageSpan     `json:"stages"`
	Thresholds     []string        `json:"thresholds"`
	FailOnMisblock bool            `json:"fail_on_misblock"`
	LagLimit       time.Duration   `json:"lag_limit_ns"`
	CPUs           int             `json:"cpus"`
	Merge          *Composition    `json:"merge,omitempty"`
}

// stageSpan is one stage of the plan, with this shard's share of its requests.
type stageSpan struct {
	Name      string        `json:"name,omitempty"`
	Start     time.Duration `json:"start_ns"`
	End       time.Duration `json:"end_ns"`
	Scheduled int64         `json:"scheduled"`
}

// Interval is what happened between two moments of a run, and a few counts so far.
type Interval struct {
	N        int           `json:"n"` // from 1
	From     time.Duration `json:"from_ns"`
	To       time.Duration `json:"to_ns"`
	Stage    int           `json:"stage"`     // at its end, from 1
	Due      int64         `json:"due"`       // so far
	StageDue int64         `json:"stage_due"` // so far, in that stage
	Sent     int64         `json:"sent"`      // so far, answered or not
	InFlight int64         `json:"in_flight"`
	counts                 // in the interval, as everything that follows
	Stalls   []Stall       `json:"stalls,omitempty"` // that ended in it
	CPU      float64       `json:"cpu"`              // share of the machine's that the generator used
	Files    *files.Counts `json:"files,omitempty"`  // so far
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

func (j *journal) write(l line) {
	data, err := json.Marshal(l)
	if err == nil {
		_, err = j.file.Write(append(data, '\n'))
	}
	j.err = cmp.Or(j.err, err)
}

func (j *journal) interval(i *Interval) { j.write(line{Type: "interval", Interval: i}) }

func (j *journal) sync() { j.err = cmp.Or(j.err, j.file.Sync()) }

// end writes the last line and closes the file. It returns the first error of the whole record.
func (j *journal) end(e ending) error {
	j.write(line{Type: "end", End: &e})
	j.sync()
	if err := errors.Join(j.err, j.file.Close()); err != nil {
		return fmt.Errorf("cannot record the run: %w", err)
	}
	return nil
}

// record is a recorded run, but for its intervals.
type record struct {
	head   *header
	start  time.Time // zero: nothing was to be sent yet
	end    *ending   // nil: the process was killed
	damage error     // where reading stopped early
}

// whole reports whether nothing is missing.
func (r *record) whole() bool { return r.end != nil && r.damage == nil }

// ErrEmpty is a record whose process was killed before it had written the first line.
var ErrEmpty = errors.New("it is empty")

const longestLine = 16 << 20

// walk reads the record in a folder and gives its intervals, until each reports that it has enough. A last line that was
// torn off is left out; any other that cannot be read ends the record there.
func walk(dir string, each func(*Interval) bool) (*record, error) {
	path := filepath.Join(dir, runfolder.IntervalsName)
	file, err := runfolder.Open(path, runfolder.LargestStream)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, err)
	}
	defer file.Close()
	r, from, recorded := &record{}, &runfolder.Ration{From: file}, int64(0)
	for lines := json.NewDecoder(from); r.end == nil && r.damage == nil; {
		from.Left = longestLine
		var l line
		err := lines.Decode(&l)
		switch i := l.Interval; {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return r, r.damaged(path, ErrEmpty)
		case err != nil:
			r.damage = fmt.Errorf("after byte %d: %w", lines.InputOffset(), err)
		case r.head == nil && l.Header == nil:
			r.damage = errors.New("its first line is not the header of a load run")
		case r.head == nil && l.Header.Schema != Schema:
			r.damage = fmt.Errorf("it is of schema %q, not %q", l.Header.Schema, Schema)
		case r.head == nil:
			r.head = l.Header
		case l.Start != nil:
			r.start = *l.Start
		case i != nil && (i.To < i.From || i.From < 0):
			r.damage = fmt.Errorf("interval %d ends before it starts", i.N)
		case i != nil:
			recorded += i.recorded()
			if i.Sent = max(i.Sent, recorded); !each(i) { // no progress was known: what was answered was sent
				return r, nil
			}
		case l.End != nil:
			r.end = l.End
		}
	}
	return r, r.damaged(path, r.damage)
}

// damaged is the error of a record that has no header.
func (r *record) damaged(path string, why error) error {
	if r.head != nil {
		return nil
	}
	return fmt.Errorf("%s cannot be read: %w", path, why)
}

// Intervals reads the intervals that a run recorded. An error says from where on they cannot be read.
func Intervals(dir string, each func(*Interval)) error {
	r, err := walk(dir, func(i *Interval) bool {
		if i.To > i.From {
			each(i)
		}
		return true
	})
	if err == nil && r.damage != nil {
		err = fmt.Errorf("%s: %w", runfolder.IntervalsName, r.damage)
	}
	return err
}

// Classes counts the requests of an interval by what became of them.
func (i *Interval) Classes() [judge.NumClasses]int64 { return i.Times.classes() }

// Of is one time of an interval.
func (i *Interval) Of(time threshold.Time) *Distribution { return i.Times.of(time, "") }
