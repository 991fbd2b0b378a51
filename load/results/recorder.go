package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
)

// Redactor takes secrets out of a text, and out of the beginning of a body; the client's is one.
type Redactor interface {
	Text(string) string
	Beginning(body []byte, most int, person bool) (kept []byte, short bool)
}

// Options of a recorder.
type Options struct {
	Dir            string // the folder of the run, made by runfolder.Create; it must be empty
	Info           Info   // StartedAt, FinishedAt, Requests, Partial and Aborted are filled in
	Plan           any    // written as JSON
	Schedule       *schedule.Schedule
	Share          *schedule.Share // what this process sends of it; nil: all
	Thresholds     []string
	AbortOn        []string
	FailOnMisblock bool
	Interval       time.Duration  // between records; 0: 1 s
	URL            string         // of the operation, for kept exchanges
	Redactor       Redactor       // nil: exchanges are counted, none is kept
	Files          *files.Tracker // nil: none
	Users          []string       // names of the identities that take turns

	// OnAbort is called once, from a goroutine of the recorder, when an abort rule says that the run must end.
	OnAbort func(reason string)
	// OnInterval is called after each interval, from a goroutine of the recorder.
	OnInterval func(Status)
}

// longestLag is the p99 of send lag above which the figures describe the generator, whatever is asked.
const longestLag = 50 * time.Millisecond

// lagLimit is the p99 of send lag of which the thresholds leave room: a tenth of the tightest on response time.
func lagLimit(thresholds []string) time.Duration {
	limit := longestLag
	for _, expr := range thresholds {
		if t, err := threshold.Parse(expr); err == nil {
			if of, _, most, ok := t.TimeLimit(); ok && of == threshold.Response && most > 0 {
				limit = min(limit, most/10)
			}
		}
	}
	return limit
}

// Recorder records one run. Record may be called from any number of goroutines, everything else from one.
type Recorder struct {
	o         Options
	exchanges *runfolder.Lines               // those that are kept, written the moment they are seen
	kept      [judge.NumClasses]atomic.Int32 // how many, by class
	start     time.Time
	progress  func() (begun, inFlight int64)

	results sync.Mutex // guards what results are counted in: one lock is no slower than a cell for each worker
	counts  counts     // since the last interval
	stalls  stalls

	mu      sync.Mutex // guards what follows; results do not wait for it
	journal *runfolder.Lines
	totals  *totals
	status  Status
	watch   *threshold.Watch
	aborted string
	cpuUsed time.Duration // as of the last interval
	machine machine       // likewise

	stop    chan struct{}
	ticking sync.WaitGroup
}

// Open makes the files of a run and writes its header. Start must follow, then Finish.
func Open(o Options) (*Recorder, error) {
	o.Interval = cmp.Or(o.Interval, time.Second)
	o.Info.Shards = max(o.Info.Shards, 1)
	if o.Share == nil {
		o.Share = o.Schedule.Share(o.Info.Shard, o.Info.Shards, nil)
	}
	o.Info.StartedAt = cmp.Or(o.Info.StartedAt, time.Now()).UTC()
	plan, err := json.Marshal(o.Plan)
	if err != nil {
		return nil, fmt.Errorf("the plan cannot be written as JSON: %w", err)
	}
	head := header{
		Schema: Schema, Run: o.Info, Plan: plan, Scheduled: o.Share.Count(), Duration: o.Schedule.Duration(),
		FailOnMisblock: o.FailOnMisblock, LagLimit: lagLimit(o.Thresholds), CPUs: runtime.NumCPU(), Thresholds: append([]string{}, o.Thresholds...),
	}
	r := &Recorder{
		o: o, stalls: stalls{share: o.Share},
		exchanges: runfolder.NewLines(o.Dir, ExchangesName), stop: make(chan struct{}),
		journal: runfolder.NewLines(o.Dir, runfolder.IntervalsName), totals: &totals{},
	}
	if r.watch, err = threshold.NewWatch(o.AbortOn); err != nil {
		return nil, err
	}
	for i, stage := range o.Schedule.Stages() {
		first, next, start, end := o.Schedule.StageRange(i)
		head.Stages = append(head.Stages, stageSpan{stage.Name, start, end, o.Share.Before(next) - o.Share.Before(first)})
	}
	r.totals.head = &head
	if err := cmp.Or(r.journal.Write(line{Type: "run", Header: &head}), r.exchanges.Open()); err != nil {
		_, _ = r.journal.Close(), r.exchanges.Close() // of files that cannot be written to
		return nil, fmt.Errorf("cannot record the run: %w; choose another folder with --out", err)
	}
	return r, nil
}

// Start begins to record an interval each second. start is the moment that T(k) counts from; it may lie ahead. It is
// written down at once, as it is what shards of one run have in common. progress tells how many requests were begun so
// far and how many are in flight; without it what was answered counts.
func (r *Recorder) Start(start time.Time, progress func() (begun, inFlight int64)) {
	r.start, r.progress, r.cpuUsed, r.machine = start, progress, cpuTime(), readMachine()
	at := start.UTC().Round(0)
	r.mu.Lock()
	_ = r.journal.Write(line{Type: "start", Start: &at})
	r.mu.Unlock()
	r.ticking.Go(func() {
		for {
			next := max(time.Since(start), 0).Truncate(r.o.Interval) + r.o.Interval
			select {
			case <-r.stop:
				return
			case <-time.After(time.Until(start.Add(next))):
				r.tick(time.Since(start), false)
			}
		}
	})
}

// Ending says how a run ended.
type Ending struct {
	Elapsed time.Duration `json:"-"`                // from the start to the last answer
	Partial bool          `json:"-"`                // the schedule was not sent to its end
	Unsent  string        `json:"unsent,omitempty"` // why nothing of it was; empty: it was, or the run was interrupted
	Notes   []string      `json:"notes,omitempty"`
}

// Finish records the last interval, ends the record, and writes run.json, histograms.hlog and series.csv. It returns
// the run even when something could not be written. Nothing may be recorded any more. A run that never started is
// recorded as one that sent nothing.
func (r *Recorder) Finish(e Ending) (Run, error) {
	close(r.stop)
	r.ticking.Wait()
	r.tick(max(e.Elapsed, r.totals.To), true)
	r.mu.Lock()
	defer r.mu.Unlock()
	info := r.o.Info
	info.FinishedAt, info.Partial, info.Aborted, info.Requests = time.Now().UTC(), e.Partial, r.aborted, r.totals.Sent
	if !r.start.IsZero() && !r.start.After(info.FinishedAt) { // it may have been stopped before its start
		info.StartedAt = r.start.UTC()
	}
	end := &ending{info, e}
	_ = r.journal.Write(line{Type: "end", End: end}) // the first error shows at the end
	err := errors.Join(r.journal.Close(), r.exchanges.Close())
	if err != nil {
		err = fmt.Errorf("cannot record the run: %w", err)
		end.Notes = append(end.Notes, err.Error())
	}
	r.totals.ending, r.totals.ended = *end, true
	run := r.totals.run()
	return run, errors.Join(err, write(r.o.Dir, run))
}

// Record makes a Recorder the sink of an engine: it counts the result, keeps the exchange of a bad one, and hands the file
// of a sampled export to the tracker. The run must begin at the moment given to Start.
func (r *Recorder) Record(x *engine.Result) {
	r.results.Lock()
	r.counts.result(r.o.Schedule.StageOf(x.K)+1, x)
	r.stalls.result(x)
	r.results.Unlock()
	switch class := x.Verdict.Class; {
	case class == judge.Accepted && r.o.Files.Wants(x.K):
		if id, ok := judge.FileID(x.Body); ok {
			r.o.Files.Accepted(id, r.start.Add(x.Intended+x.Response))
		}
	case class.Bad() && x.Verdict.Failure != judge.Canceled && r.roomFor(class):
		_ = r.exchanges.Write(r.exchange(x)) // the first error shows at the end
	}
}

// tick records what happened since the last interval.
func (r *Recorder) tick(now time.Duration, final bool) {
	r.mu.Lock()
	before := r.totals.Progress
	i := r.interval(before, now)
	r.results.Lock()
	found, silent := r.stalls.take(i.To, final)
	r.results.Unlock()
	i.Stalls = found
	r.totals.add(i)
	_ = r.journal.Write(line{Type: "interval", Interval: i})
	r.updateStatus(i, before, final, silent)
	status, reason := r.status, ""
	if r.aborted == "" && !final && len(r.o.AbortOn) > 0 {
		whole, _ := r.totals.snapshot(0)
		reason = r.watch.Observe(i.From, i.To, i.Times.snapshot(status.Rate, i.Files), whole)
		r.aborted = reason
	}
	r.mu.Unlock()
	r.journal.Sync()
	if r.o.OnInterval != nil {
		r.o.OnInterval(status)
	}
	if reason != "" && r.o.OnAbort != nil {
		r.o.OnAbort(reason)
	}
}

// interval collects what comes after another.
func (r *Recorder) interval(last Progress, now time.Duration) *Interval {
	i := &Interval{Progress: Progress{N: last.N + 1, From: last.To, To: max(now, last.To+1)}}
	r.results.Lock()
	i.counts, r.counts = r.counts, counts{}
	r.results.Unlock()
	if r.o.Files != nil {
		times, c := r.o.Files.Drain()
		i.Files = &c
		for _, took := range times {
			i.Times.at(slot{Time: threshold.File}).Record(took)
		}
	}
	i.Stage, i.Due = r.o.Schedule.StageAt(i.To)+1, r.o.Share.DueBy(i.To)
	i.Sent = r.totals.recorded() + i.recorded() // at least: nobody may know better
	if r.progress != nil {
		i.Sent, i.InFlight = r.progress()
	}
	used, machine := cpuTime(), readMachine()
	i.Machine = machine.since(r.machine, i.To-i.From)
	if wall := i.To - i.From; wall >= shortestSpan {
		i.CPU = round(float64(used-r.cpuUsed) / float64(wall) / float64(r.totals.head.CPUs))
	}
	r.cpuUsed, r.machine = used, machine
	return i
}

// Each calls f with each time that was recorded so far, up to the last interval: by class, or without one for those of
// no class.
func (r *Recorder) Each(f func(time threshold.Time, class string, d *Distribution)) {
	var whole distributions
	r.mu.Lock()
	for s, times := range r.totals.Times {
		whole.at(slot{Class: s.Class, Time: s.Time}).Add(times)
	}
	r.mu.Unlock()
	for s, times := range whole {
		f(s.Time, s.Class, times)
	}
}
