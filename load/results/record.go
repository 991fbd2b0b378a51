package results

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
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
	Classes  map[string]int64 `json:"classes,omitempty"` // in the interval, as everything that follows
	counts
	Stalls   []Stall `json:"stalls,omitempty"` // that ended in the interval
	Service  *Times  `json:"service_ms,omitempty"`
	Response *Times  `json:"response_ms,omitempty"`
	Lag      *Times  `json:"lag_ms,omitempty"`
	File     *Times  `json:"file_ms,omitempty"`
	CPU      float64 `json:"cpu"`
	starved
	Files      *files.Counts `json:"files,omitempty"` // so far
	Histograms []encoded     `json:"histograms,omitempty"`
}

// encoded is a distribution as HdrHistogram logs hold it.
type encoded struct {
	slot
	MaxMS float64 `json:"max_ms"`
	HDR   string  `json:"hdr"`
}

// of is where the figures of a time stand; nil there: nothing was measured.
func (i *interval) of(which threshold.Time) **Times {
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

// encode fills in what follows from the distributions.
func (i *interval) encode() {
	i.Classes = map[string]int64{}
	for _, at := range slices.SortedFunc(maps.Keys(i.times), compareSlots) {
		d := i.times[at]
		i.Histograms = append(i.Histograms, encoded{at, millis(d.Quantile(100)), d.Encode()})
		if at.Time == threshold.Service {
			i.Classes[at.Class] += d.Count()
		}
	}
	for _, which := range threshold.Names() {
		if d := i.times.of(which, ""); d.Count() > 0 {
			t := timesOf(d)
			*i.of(which) = &t
		}
	}
	for n := range i.Users {
		i.Users[n].HDR = i.Users[n].response.Encode()
	}
}

// decode reads the distributions. What later versions measure beside them is left out.
func (i *interval) decode() error {
	for _, e := range i.Histograms {
		if !slices.Contains(threshold.Names(), e.Time) {
			continue
		}
		_, known := judge.ClassNamed(e.Class)
		if classless := e.Time == threshold.Lag || e.Time == threshold.File; known == classless {
			return fmt.Errorf("unknown class %q", e.Class)
		}
		d, err := Decode(e.HDR)
		if err != nil {
			return err
		}
		i.at(e.slot).Add(d)
	}
	for n := range i.Users {
		d, err := Decode(i.Users[n].HDR)
		if err != nil {
			return err
		}
		i.Users[n].response = d
	}
	return nil
}

// compareSlots orders by stage, then class, lag after the classes, service before response.
func compareSlots(a, b slot) int {
	number := func(s slot) int {
		if c, known := judge.ClassNamed(s.Class); known {
			return int(c)
		}
		return judge.NumClasses
	}
	return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(number(a), number(b)), -cmp.Compare(a.Time, b.Time))
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

// lines walks the interval records. A last line that was torn off is left out; any other that cannot be read ends the
// walk with an error.
func lines(dir string) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		file, err := runfolder.Open(filepath.Join(dir, runfolder.IntervalsName), runfolder.LargestStream)
		if err != nil {
			yield(line{}, err)
			return
		}
		defer file.Close()
		in := bufio.NewReaderSize(file, 256<<10)
		for n := 1; ; n++ {
			data, err := readLine(in)
			if errors.Is(err, io.EOF) {
				return // nothing left, or a line without its end
			}
			var l line
			if err == nil {
				err = json.Unmarshal(data, &l)
			}
			if err != nil {
				if _, more := in.Peek(1); more != nil {
					return // the last line, written in part and followed by a line break of the file system's
				}
				l, err = line{}, fmt.Errorf("line %d: %w", n, err)
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

func readLine(in *bufio.Reader) ([]byte, error) {
	var whole []byte
	for {
		part, err := in.ReadSlice('\n')
		whole = append(whole, part...)
		if len(whole) > longestLine {
			return nil, errors.New("a line is longer than any that is written")
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

// intervals walks the intervals as far as they can be read; an error means that there is no record. What is damaged,
// Read reports.
func intervals(dir string) iter.Seq2[*interval, error] {
	return func(yield func(*interval, error) bool) {
		for l, err := range lines(dir) {
			if missing := new(os.PathError); errors.As(err, &missing) {
				yield(nil, err)
			} else if l.Type == lineInterval && l.Interval != nil && !yield(l.Interval, nil) {
				return
			}
		}
	}
}
