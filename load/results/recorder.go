package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
)

// Redactor takes secrets out of a text; the client's is one.
type Redactor interface{ Text(string) string }

// Options of a recorder.
type Options struct {
	Dir            string // the folder of the run, made by runfolder.Create; it must be empty
	Info           Info   // StartedAt, FinishedAt, Requests, Partial and Aborted are filled in
	Plan           any    // written as JSON
	Schedule       *schedule.Schedule
	Share          *schedule.Share // what this process sends of it; nil: all
	StageNames     []string        // in order; may be shorter than the stages
	Thresholds     []threshold.Threshold
	AbortOn        []threshold.Rule
	FailOnMisblock bool
	LagLimit       time.Duration  // p99 of send lag above which the figures describe the generator; 0: 50 ms
	Interval       time.Duration  // between records; 0: 1 s
	Raw            bool           // write vegeta's encoding too
	URL            string         // of the operation, for kept exchanges and raw results
	Redactor       Redactor       // nil: exchanges are counted, none is kept
	Files          *files.Tracker // nil: none
	Users          []string       // names of the identities that take turns

	// OnAbort is called once, from a goroutine of the recorder, when an abort rule says that the run must end.
	OnAbort func(reason string)
	// OnInterval is called after each interval, from a goroutine of the recorder.
	OnInterval func(Status)
}

// Status is a glance at a run: the last interval, and the run so far.
type Status struct {
	Elapsed   time.Duration
	Duration  time.Duration // of the schedule
	Stage     int           // from 1
	Stages    int
	StageName string

	Target   float64 // requests per second, in the interval
	Achieved float64
	Sent     int64 // so far
	Due      int64
	K        int64 // requests of the schedule
	InFlight int64

	Service  Times // of the interval, in milliseconds
	Response Times
	Lag      Times

	Classes [judge.NumClasses]int64 // so far
	Recent  [judge.NumClasses]int64 // in the interval
	Files   *files.Counts           // so far
	CPU     float64                 // share of all CPUs
	Silent  time.Duration           // there has been no answer for so long, though requests wait; 0: there are answers
}

// Recorder records one run. Record may be called from any number of goroutines, everything else from one.
type Recorder struct {
	o       Options
	workers *workers
	stalls  *stalls
	raw     *rawWriter
	kept    *exchanges
	start   time.Time

	mu      sync.Mutex // guards what follows; results never wait for it
	journal *journal
	totals  *totals
	status  Status
	watch   *threshold.Watch
	aborted string

	progress atomic.Pointer[func() (begun, inFlight int64)]
	cpu      time.Duration // as of the last interval
	starved  starved       // as of the last interval

	stop, stopped chan struct{} // stopped: nil before Start
}

// Open makes the files of a run and writes its header. Start must follow, then Finish.
func Open(o Options) (*Recorder, error) {
	o.Interval, o.LagLimit = cmp.Or(o.Interval, time.Second), cmp.Or(o.LagLimit, 50*time.Millisecond)
	o.Info.Shards = max(o.Info.Shards, 1)
	if o.Share == nil {
		o.Share = o.Schedule.Share(o.Info.Shard, o.Info.Shards, nil)
	}
	o.Info.StartedAt = cmp.Or(o.Info.StartedAt, time.Now()).UTC()
	head, err := o.header()
	if err != nil {
		return nil, err
	}
	r := &Recorder{
		o: o, totals: &totals{head: *head}, stalls: &stalls{share: o.Share, length: o.Schedule.Duration()},
		watch: threshold.NewWatch(o.AbortOn), kept: &exchanges{dir: o.Dir, redactor: o.Redactor},
		stop: make(chan struct{}),
	}
	var last []int64
	for i := range head.Stages {
		_, next, _, _ := o.Schedule.StageRange(i)
		last = append(last, next)
	}
	r.workers = newWorkers(last, len(head.Users) > 0)
	if r.journal, err = newJournal(o.Dir); err != nil {
		return nil, err
	}
	if r.journal.header(head); r.journal.err == nil && o.Raw {
		r.raw, r.journal.err = newRawWriter(o.Dir, o.Redactor)
	}
	if r.journal.err != nil {
		return nil, errors.Join(r.journal.err, r.journal.file.Close())
	}
	return r, nil
}

func (o *Options) header() (*header, error) {
	plan, err := json.Marshal(o.Plan)
	if err != nil {
		return nil, fmt.Errorf("the plan cannot be written as JSON: %w", err)
	}
	head := &header{
		Schema: Schema, Run: o.Info, Plan: plan, Scheduled: o.Share.Count(), DurationNS: int64(o.Schedule.Duration()),
		FailOnMisblock: o.FailOnMisblock, LagLimitNS: int64(o.LagLimit), CPUs: runtime.NumCPU(), Thresholds: []string{},
	}
	if len(o.Users) > 1 {
		head.Users = o.Users
	}
	for i := range o.Schedule.Stages() {
		first, next, start, end := o.Schedule.StageRange(i)
		span := stageSpan{
			StartNS: int64(start), EndNS: int64(end), Scheduled: o.Share.Before(next) - o.Share.Before(first),
		}
		if i < len(o.StageNames) {
			span.Name = o.StageNames[i]
		}
		head.Stages = append(head.Stages, span)
	}
	for _, t := range o.Thresholds {
		head.Thresholds = append(head.Thresholds, t.Expr)
	}
	return head, nil
}

// SetProgress says what tells how many requests were begun so far and how many are in flight; without it what was
// answered counts.
func (r *Recorder) SetProgress(f func() (begun, inFlight int64)) { r.progress.Store(&f) }

// Start begins to record an interval each second. start is the moment that T(k) counts from; it may lie ahead. It is
// written down at once, as it is what shards of one run have in common.
func (r *Recorder) Start(start time.Time) {
	r.start, r.cpu, r.starved = start, cpuTime(), starvedSoFar("/")
	r.mu.Lock()
	r.journal.start(start.UTC().Round(0))
	r.mu.Unlock()
	r.stopped = make(chan struct{})
	go func() {
		defer close(r.stopped)
		r.beat()
	}()
}

// Ending says how a run ended.
type Ending struct {
	Elapsed time.Duration // from the start to the last answer
	Partial bool          // the schedule was not sent to its end
	Unsent  string        // why nothing of it was; empty: it was, or the run was interrupted
	Notes   []string
}

// Finish records the last interval, ends the record, and writes run.json, histograms.hlog and series.csv. It returns
// the run even when something could not be written. Nothing may be recorded any more. A run that never started is
// recorded as one that sent nothing.
func (r *Recorder) Finish(e Ending) (Run, error) {
	close(r.stop)
	if r.stopped != nil {
		<-r.stopped
	}
	r.tick(max(e.Elapsed, r.totals.elapsed()), true)
	r.mu.Lock()
	defer r.mu.Unlock()
	info := r.o.Info
	info.FinishedAt, info.Partial, info.Aborted = time.Now().UTC(), e.Partial, r.aborted
	if !r.start.IsZero() && !r.start.After(info.FinishedAt) { // it may have been stopped before its start
		info.StartedAt = r.start.UTC()
	}
	info.Requests = r.totals.last.Sent
	r.totals.unsent = e.Unsent
	notes := slices.Concat(e.Notes, r.kept.notes(r.totals.Times.classes()))
	err := errors.Join(r.journal.end(&ending{Run: info, Notes: notes, Unsent: e.Unsent}), r.kept.close(), r.raw.close())
	if err != nil {
		notes = append(notes, err.Error())
	}
	run := r.totals.assemble(info, notes)
	return run, errors.Join(err, write(r.o.Dir, run))
}

// Record makes a Recorder the sink of an engine: it counts the result, keeps the exchange of a bad one, hands the file
// of a sampled export to the tracker, and writes vegeta's encoding where that was asked for. The run must begin at the
// moment given to Start.
func (r *Recorder) Record(worker int, x *engine.Result) {
	r.workers.record(worker, x)
	r.stalls.result(x)
	switch {
	case x.Verdict.Class == judge.Accepted:
		if r.o.Files.Wants(x.K) {
			if id, ok := judge.FileID(x.Exchange.Answer); ok {
				r.o.Files.Accepted(id, r.start.Add(x.Exchange.Done))
			}
		}
	case x.Verdict.Failure != judge.Canceled && r.kept.wants(x.Verdict.Class):
		r.kept.keep(r.exchange(x))
	}
	if r.raw != nil {
		r.raw.write(engine.AsVegeta(x, r.start, r.o.Info.ID, r.o.URL))
	}
}

// Status returns the last glance.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// Each calls f with each time that was recorded so far, up to the last interval: by class, or without one for those of
// no class.
func (r *Recorder) Each(f func(time threshold.Time, class string, d *Distribution)) {
	r.mu.Lock()
	whole := distributions{}
	for at, d := range r.totals.Times {
		at.Stage = 0
		whole.at(at).Add(d)
	}
	r.mu.Unlock()
	for at, d := range whole {
		f(at.Time, at.Class, d)
	}
}
