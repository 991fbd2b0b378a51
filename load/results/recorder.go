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
	LagLimit       time.Duration      // p99 of send lag above which the figures describe the generator; 0: 50 ms
	Interval       time.Duration      // between records; 0: 1 s
	Raw            bool               // write vegeta's encoding too
	URL            string             // of the operation, for kept exchanges and raw results
	Redactor       Redactor           // nil: exchanges are counted, none is kept
	Files          *files.Tracker     // nil: none
	Users          []string           // names of the identities that take turns
	Processors     *engine.Processors // those of the engine; nil: it has all

	// Progress says how many requests were begun so far and how many are in flight; nil: what was answered counts.
	Progress func() (begun, inFlight int64)
	// OnAbort is called once, from a goroutine of the recorder, when an abort rule says that the run must end.
	OnAbort func(reason string)
	// OnInterval is called after each interval, from a goroutine of the recorder.
	OnInterval func(Status)
}

const defaultLagLimit = 50 * time.Millisecond

// Recorder records one run. Record may be called from any number of goroutines, everything else from one.
type Recorder struct {
	o      Options
	shards *shards
	drain  *drain
	start  time.Time
	raw    *rawWriter
	kept   *exchanges
	beside *beside

	violated sync.Mutex
	rules    map[string]int64 // violated since the last interval

	mu      sync.Mutex // guards what follows; results never wait for it
	journal *journal
	totals  *totals
	status  Status
	watch   *threshold.Watch
	aborted string

	progress atomic.Pointer[func() (int64, int64)]
	cpu      time.Duration
	want     want // as of the last interval

	started, stop, stopped chan struct{}
}

// Open makes the files of a run and writes its header. Start must follow, then Finish.
func Open(o Options) (*Recorder, error) {
	if o.Interval <= 0 {
		o.Interval = time.Second
	}
	if o.LagLimit <= 0 {
		o.LagLimit = defaultLagLimit
	}
	if o.Info.Shards < 1 {
		o.Info.Shards = 1
	}
	if o.Share == nil {
		o.Share = o.Schedule.Share(o.Info.Shard, o.Info.Shards, nil)
	}
	if o.Info.StartedAt.IsZero() {
		o.Info.StartedAt = time.Now()
	}
	o.Info.StartedAt = o.Info.StartedAt.UTC()
	plan, err := json.Marshal(o.Plan)
	if err != nil {
		return nil, fmt.Errorf("the plan cannot be written as JSON: %w", err)
	}
	head := header{
		Schema: Schema, Run: o.Info, Plan: plan, Scheduled: o.Share.Count(),
		DurationNS:     int64(o.Schedule.Duration()),
		FailOnMisblock: o.FailOnMisblock, LagLimitNS: int64(o.LagLimit), CPUs: runtime.NumCPU(),
		Thresholds: []string{},
	}
	if len(o.Users) > 1 {
		head.Users = o.Users
	}
	var last []int64
	for i := range o.Schedule.Stages() {
		first, next, start, end := o.Schedule.StageRange(i)
		span := stageSpan{
			StartNS: int64(start), EndNS: int64(end),
			Scheduled: o.Share.Before(next) - o.Share.Before(first),
		}
		if i < len(o.StageNames) {
			span.Name = o.StageNames[i]
		}
		head.Stages = append(head.Stages, span)
		last = append(last, next)
	}
	for _, t := range o.Thresholds {
		head.Thresholds = append(head.Thresholds, t.Expr)
	}
	r := &Recorder{
		o: o, shards: newShards(last), totals: newTotals(head), rules: map[string]int64{},
		watch: threshold.NewWatch(o.AbortOn), kept: &exchanges{dir: o.Dir, redactor: o.Redactor},
		started: make(chan struct{}), stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	r.drain = newDrain(r.shards)
	r.beside = &beside{due: r.due, spacing: r.spacing, users: make([]userCounts, len(head.Users))}
	if o.Progress != nil {
		r.SetProgress(o.Progress)
	}
	if r.journal, err = newJournal(o.Dir, "the run"); err != nil {
		return nil, err
	}
	if o.Raw {
		if r.raw, err = newRawWriter(o.Dir, o.Redactor); err != nil {
			return nil, errors.Join(err, r.journal.file.Close())
		}
	}
	if r.journal.write(line{Type: lineRun, Header: &head}); r.journal.err != nil {
		return nil, errors.Join(r.journal.err, r.journal.file.Close())
	}
	go r.beat()
	return r, nil
}

// SetProgress replaces Options.Progress, for an engine that is made after its sink.
func (r *Recorder) SetProgress(f func() (begun, inFlight int64)) { r.progress.Store(&f) }

// Start begins to record an interval each second. start is the moment that T(k) counts from; it may lie ahead. It is
// written down at once, as it is what shards of one run have in common.
func (r *Recorder) Start(start time.Time) {
	r.start, r.cpu, r.want = start, cpuTime(), wanted()
	at := start.UTC().Round(0)
	r.mu.Lock()
	r.journal.write(line{Type: lineStart, Start: &at})
	r.mu.Unlock()
	close(r.started)
}

// beat records an interval each second from the start on. Until then a shard writes a line each second, by which others
// distinguish one that waits from one that was killed.
func (r *Recorder) beat() {
	defer close(r.stopped)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	started, sending := r.started, false
	var due <-chan time.Time
	for {
		select {
		case <-r.stop:
			return
		case <-started:
			started, due = nil, time.After(time.Until(r.start))
		case <-due:
			sending = true
			tick.Reset(r.o.Interval)
		case now := <-tick.C:
			if sending {
				r.o.Processors.Wait(func() { r.tick(now.Sub(r.start), false) })
			} else if r.o.Info.Shards > 1 {
				r.mu.Lock()
				r.journal.write(line{Type: lineAlive})
				r.mu.Unlock()
				_ = r.journal.file.Sync() // a shared folder may keep what is not synced from others
			}
		}
	}
}

// due is how many requests of this shard were meant to be sent by a moment.
func (r *Recorder) due(at time.Duration) int64 {
	return r.o.Share.DueBy(at)
}

// spacing is the time between two requests of this shard, in seconds.
func (r *Recorder) spacing(at time.Duration) float64 {
	rate := r.o.Share.Rate(min(at, r.o.Schedule.Duration()-1))
	if rate <= 0 {
		return 0
	}
	return 1 / rate
}

// tick records what happened since the last one.
func (r *Recorder) tick(now time.Duration, final bool) {
	r.mu.Lock()
	status, reason := r.interval(now, final)
	r.mu.Unlock()
	if r.raw != nil {
		r.fail(r.raw.flush())
	}
	if err := r.journal.file.Sync(); err != nil {
		r.fail(fmt.Errorf("the record of the run is not safely on disk: %w", err))
	}
	if r.o.OnInterval != nil {
		r.o.OnInterval(status)
	}
	if reason != "" && r.o.OnAbort != nil {
		r.o.OnAbort(reason)
	}
}

func (r *Recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.journal.err = cmp.Or(r.journal.err, err)
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
	<-r.stopped
	r.tick(max(e.Elapsed, r.totals.elapsed()), true)
	r.mu.Lock()
	defer r.mu.Unlock()
	info := r.o.Info
	info.FinishedAt, info.Partial, info.Aborted = time.Now().UTC(), e.Partial, r.aborted
	if !r.start.IsZero() && !r.start.After(info.FinishedAt) { // it may have been stopped before its start
		info.StartedAt = r.start.UTC()
	}
	info.Requests = r.totals.last.Sent
	notes := slices.Concat(e.Notes, r.kept.notes(r.totals.whole.classes()))
	r.journal.write(line{Type: lineEnd, End: &ending{Run: info, Notes: notes, Unsent: e.Unsent, Lines: r.journal.lines}})
	errs := []error{r.journal.err, r.journal.file.Sync(), r.journal.file.Close(), r.kept.close()}
	if r.raw != nil {
		errs = append(errs, r.raw.close())
	}
	if err := errors.Join(errs...); err != nil {
		notes = append(notes, err.Error())
	}
	r.totals.unsent = e.Unsent
	run := r.totals.assemble(info, notes)
	return run, errors.Join(errors.Join(errs...), write(r.o.Dir, run))
}
