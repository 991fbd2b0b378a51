package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/internal/machine"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/threshold"
)

// A recordLine is a line of intervals.ndjson: the header, the start, an interval or the end.
// run.json can be rebuilt from this file alone.
type recordLine struct {
	Type     string        `json:"type"`
	Header   *recordHeader `json:"header,omitempty"`
	Start    *time.Time    `json:"start,omitempty"` // the moment that due times T(k) count from
	Interval *Interval     `json:"interval,omitempty"`
	End      *recordEnd    `json:"end,omitempty"`
}

type recordHeader struct {
	Schema         string          `json:"schema"`
	Run            RunInfo         `json:"run"`
	Plan           json.RawMessage `json:"plan"`
	Scheduled      int64           `json:"scheduled"`
	Duration       time.Duration   `json:"duration_ns"`
	Stages         []stageSpan     `json:"stages"`
	Thresholds     []string        `json:"thresholds"`
	FailOnMisblock bool            `json:"fail_on_misblock"`
	LagLimit       time.Duration   `json:"lag_limit_ns"`
	CPUs           int             `json:"cpus"`
	Merge          *MergeInfo      `json:"merge,omitempty"`
}

// workerLimit returns the limit of the plan on requests in flight, and the flag that changes it.
func (h *recordHeader) workerLimit() (limit, flag string) {
	var p plan.Plan
	_ = json.Unmarshal(h.Plan, &p) // of another kind: no limit of its own
	switch {
	case p.MaxInFlight > 0 && (p.Connections == 0 || p.MaxInFlight <= p.Connections):
		return fmt.Sprintf("max_in_flight %d", p.MaxInFlight), "--max-in-flight"
	case p.Connections > 0:
		return fmt.Sprintf("connections %d", p.Connections), "--connections"
	}
	return fmt.Sprintf("of %d connections", engine.DefaultMaxWorkers), "--connections"
}

type stageSpan struct {
	Name      string        `json:"name,omitempty"`
	Start     time.Duration `json:"start_ns"`
	End       time.Duration `json:"end_ns"`
	Scheduled int64         `json:"scheduled"`
}

// Progress holds the state of a run at the end of an interval.
type Progress struct {
	N        int           `json:"n"` // number of the interval, from 1
	From     time.Duration `json:"from_ns"`
	To       time.Duration `json:"to_ns"`
	Stage    int           `json:"stage"` // from 1
	Due      int64         `json:"due"`
	Sent     int64         `json:"sent"` // answered or not
	InFlight int64         `json:"in_flight"`
	CPU      float64       `json:"cpu"`             // share of all CPUs that the process used
	Files    *files.Counts `json:"files,omitempty"` // nil: files are not followed
	Machine  machine.Load  `json:"machine,omitzero"`
}

// An Interval holds what a run recorded between two moments.
type Interval struct {
	Progress
	intervalCounts
	Stalls []Stall `json:"stalls,omitempty"` // stalls that ended in the interval
}

type recordEnd struct {
	Run RunInfo `json:"run"`
	RunEnd
}

type intervalRecord struct {
	dir    string
	head   *recordHeader
	start  time.Time // zero: the run did not start
	ending recordEnd
	ended  bool  // false: the process was killed, or the record is damaged
	damage error // why reading stopped early; nil: it did not
}

func (r *intervalRecord) err() error {
	if r.damage == nil {
		return nil
	}
	name := filepath.Join(r.dir, runfolder.IntervalsName)
	return fmt.Errorf("%s cannot be read: %w", name, r.damage)
}

// ErrEmpty says that a record has no header: the process was killed before it wrote one.
var ErrEmpty = errors.New("it is empty")

const maxLineBytes = 16 << 20

// intervals reads the record. It is an iter.Seq of its intervals. It ignores an incomplete last
// line and stops at any other unreadable line, which it keeps in r.damage.
func (r *intervalRecord) intervals(yield func(*Interval) bool) {
	name := filepath.Join(r.dir, runfolder.IntervalsName)
	file, err := runfolder.OpenBounded(name, runfolder.MaxStreamBytes)
	if err != nil {
		r.damage = err
		return
	}
	defer file.Close()
	from := &runfolder.LimitedReader{From: file}
	for lines := json.NewDecoder(from); !r.ended && r.damage == nil; {
		from.Remaining = maxLineBytes
		var l recordLine
		err := lines.Decode(&l)
		switch i := l.Interval; {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			if r.head == nil {
				r.damage = ErrEmpty
			}
			return
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
			if !yield(i) {
				return
			}
		case l.End != nil:
			r.ending, r.ended = *l.End, true
		}
	}
}

// EachInterval calls each for every interval that a run recorded. The error says where the
// record becomes unreadable.
func EachInterval(dir string, each func(*Interval)) error {
	r := &intervalRecord{dir: dir}
	for i := range r.intervals {
		if i.To > i.From {
			each(i)
		}
	}
	return r.err()
}

// ReadRunID returns the ID of the run that a folder holds, or "".
func ReadRunID(dir string) string {
	r := &intervalRecord{dir: dir}
	for range r.intervals {
		break
	}
	return cmp.Or(r.head, &recordHeader{}).Run.ID
}

// Classes counts the requests of an interval by class.
func (i *Interval) Classes() [judge.NumClasses]int64 { return i.Times.countByClass() }

// Distribution returns the distribution of one time in the interval, over all classes.
func (i *Interval) Distribution(time threshold.TimeKind) *Distribution {
	return i.Times.overStages(time, "")
}

// Status describes the last interval of a run and the run so far.
type Status struct {
	Progress
	Classes [judge.NumClasses]int64 // of the run so far
	Silent  time.Duration           // time since the last answer; 0: no stall

	Rate               // in the interval, like the times
	ServiceAndResponse // in milliseconds
	Lag                DurationStats

	Duration  time.Duration // of the schedule
	Scheduled int64         // requests that this process sends
	Stages    int
	StageName string
}

// Status returns the status as of the last interval.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

func (r *Recorder) updateStatus(i *Interval, before Progress, final bool, silent time.Duration) {
	t, s := r.totals, &r.status
	// The last interval can be too short for a rate. Then the previous figures stay.
	if span := i.To - i.From; !final || span >= r.config.Interval/2 || before.N == 0 {
		*s = Status{
			Rate: Rate{
				Target: perSecond(i.Due-before.Due, span), Achieved: perSecond(i.Sent-before.Sent, span),
				Accepted: perSecond(i.Classes()[judge.ClassAccepted], span),
			},
			ServiceAndResponse: i.Times.latencyOf(""),
			Lag:                newDurationStats(i.Times.overStages(threshold.TimeLag, "")),
		}
	}
	s.Progress, s.Classes = i.Progress, t.Times.countByClass()
	if s.Silent = silent; final {
		s.Silent = 0
	}
	s.Duration, s.Scheduled = t.head.Duration, t.head.Scheduled
	s.Stages, s.StageName = len(t.head.Stages), t.head.Stages[i.Stage-1].Name
}
