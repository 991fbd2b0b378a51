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

	"github.com/gateassay/gateassay/internal/machine"
	"github.com/gateassay/gateassay/internal/redact"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
)

// Config configures a Recorder.
type Config struct {
	Dir            string  // the folder of the run, made by runfolder.Create; it must be empty
	Info           RunInfo // StartedAt, FinishedAt, Requests, Partial and Aborted are filled in
	Plan           any     // written as JSON
	Schedule       *schedule.Schedule
	Share          *schedule.Share // requests that this process sends; nil: those of Info.Shard
	Thresholds     []string
	AbortOn        []string
	FailOnMisblock bool
	Interval       time.Duration    // between records; 0: a second
	URL            string           // of the operation, shown in exchanges
	Redactor       *redact.Redactor // nil: no exchange is kept
	Files          *files.Tracker   // nil: files are not followed
	Users          []string         // names of the identities, by index

	// OnAbort is called once, when an abort rule ends the run, and OnInterval after each interval.
	// Both are called from a goroutine of the recorder and may be nil.
	OnAbort    func(reason string)
	OnInterval func(Status)
}

// maxTrustedLag is the p99 of send lag above which all figures describe the generator.
const maxTrustedLag = 50 * time.Millisecond

// lagLimit returns the highest p99 of send lag that the thresholds allow: a tenth of the
// tightest limit on response time, at most maxTrustedLag.
func lagLimit(thresholds []string) time.Duration {
	limit := maxTrustedLag
	for _, expr := range thresholds {
		if t, err := threshold.Parse(expr); err == nil {
			if of, _, most, ok := t.TimeLimit(); ok && of == threshold.TimeResponse && most > 0 {
				limit = min(limit, most/10)
			}
		}
	}
	return limit
}

// A Recorder records one run. Record is safe for concurrent use; call the other methods from one
// goroutine.
type Recorder struct {
	config    Config
	exchanges *runfolder.LineFile
	kept      [judge.NumClasses]atomic.Int32 // number of exchanges, by class
	start     time.Time
	progress  func() (begun, inFlight int64)
	inFlight  func(f func(due, sent time.Duration)) // may be nil

	counting sync.Mutex     // guards counts and stalls; counting per worker was no faster
	counts   intervalCounts // since the last interval
	stalls   stallDetector

	mu      sync.Mutex // guards the fields below; never held while counting
	journal *runfolder.LineFile
	totals  *runTotals
	status  Status
	watch   *threshold.AbortWatch
	aborted string
	stopped time.Duration // time from the start until StopSending; 0: it was not called
	cpuUsed time.Duration // as of the last interval
	machine machine.Usage // as of the last interval

	stop    chan struct{}
	ticking sync.WaitGroup
}

// OpenRecorder creates the files of a run and writes the header. The caller must call Start,
// unless the run is stopped before, and then Finish.
func OpenRecorder(c Config) (*Recorder, error) {
	c.Interval = cmp.Or(c.Interval, time.Second)
	c.Info.Shards = max(c.Info.Shards, 1)
	if c.Share == nil {
		c.Share = c.Schedule.NewShare(c.Info.Shard, c.Info.Shards, nil)
	}
	c.Info.StartedAt = cmp.Or(c.Info.StartedAt, time.Now()).UTC()
	plan, err := json.Marshal(c.Plan)
	if err != nil {
		return nil, fmt.Errorf("the plan cannot be written as JSON: %w", err)
	}
	head := recordHeader{
		Schema: Schema, Run: c.Info, Plan: plan, Scheduled: c.Share.Count(),
		Duration: c.Schedule.Duration(), Thresholds: append([]string{}, c.Thresholds...),
		FailOnMisblock: c.FailOnMisblock, LagLimit: lagLimit(c.Thresholds), CPUs: runtime.NumCPU(),
	}
	r := &Recorder{
		config: c, stalls: stallDetector{share: c.Share},
		exchanges: runfolder.NewLineFile(c.Dir, ExchangesName), stop: make(chan struct{}),
		journal: runfolder.NewLineFile(c.Dir, runfolder.IntervalsName), totals: &runTotals{},
	}
	if r.watch, err = threshold.NewAbortWatch(c.AbortOn); err != nil {
		return nil, err
	}
	for i, stage := range c.Schedule.Stages() {
		first, next, start, end := c.Schedule.StageRange(i)
		scheduled := c.Share.CountBefore(next) - c.Share.CountBefore(first)
		head.Stages = append(head.Stages, stageSpan{stage.Name, start, end, scheduled})
	}
	r.totals.head = &head
	err = cmp.Or(r.journal.Write(recordLine{Type: "run", Header: &head}), r.exchanges.Open())
	if err != nil {
		_, _ = r.journal.Close(), r.exchanges.Close() // they cannot be written to anyway
		return nil, fmt.Errorf("cannot record the run: %w; choose another folder with --out", err)
	}
	return r, nil
}

// WatchInFlight lets abort rules see the requests that wait for an answer. each calls its argument
// for each of them, with the moments when it was due and when it was sent, from the start of the
// run. Call it before Start.
func (r *Recorder) WatchInFlight(each func(f func(due, sent time.Duration))) { r.inFlight = each }

// Start begins to record an interval each second. start is the moment that due times T(k) count
// from. It may be in the future, and all shards of a run share it. progress returns the number
// of requests begun so far and of those in flight; if it is nil, only requests with a result are
// counted.
func (r *Recorder) Start(start time.Time, progress func() (begun, inFlight int64)) {
	at := start.UTC().Round(0)
	r.mu.Lock()
	r.start, r.progress, r.cpuUsed, r.machine = start, progress, machine.CPUTime(), machine.ReadUsage()
	_ = r.journal.Write(recordLine{Type: "start", Start: &at})
	r.mu.Unlock()
	r.ticking.Go(func() {
		for {
			next := max(time.Since(start), 0).Truncate(r.config.Interval) + r.config.Interval
			select {
			case <-r.stop:
				return
			case <-time.After(time.Until(start.Add(next))):
				r.tick(time.Since(start), false)
			}
		}
	})
}

// StopSending notes that the run was stopped: no request is due from now on. It is safe for
// concurrent use.
func (r *Recorder) StopSending() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.start.IsZero() {
		r.stopped = max(time.Since(r.start), 1)
	}
}

// RunEnd says how a run ended.
type RunEnd struct {
	Elapsed time.Duration `json:"-"` // time from the start to the last answer
	Partial bool          `json:"-"` // stopped before its end
	// Stopped is the time from the start until the run was stopped; 0: it was not. The recorder
	// sets it.
	Stopped time.Duration `json:"stopped_ns,omitempty"`
	// Unsent is the reason why no request was sent; empty if one was or the run was interrupted.
	Unsent string `json:"unsent,omitempty"`
	// Failing says that it is an error of the deployment, which it answered every request with.
	Failing bool `json:"failing,omitempty"`
	// Violated counts the answers before the run, by the rule that they broke.
	Violated countsByName[string] `json:"violated_before,omitempty"`
	Notes    []string             `json:"notes,omitempty"`
}

// Finish records the last interval, ends the record, and writes run.json, histograms.hlog and
// series.csv. The error says which file could not be written; the Run is complete even then. A
// run that never started sent nothing.
func (r *Recorder) Finish(e RunEnd) (Run, error) {
	close(r.stop)
	r.ticking.Wait()
	r.tick(max(e.Elapsed, r.totals.To), true)
	r.mu.Lock()
	defer r.mu.Unlock()
	info := r.config.Info
	info.FinishedAt, info.Partial, info.Aborted = time.Now().UTC(), e.Partial, r.aborted
	info.Requests, e.Stopped = r.totals.Sent, r.stopped
	if !r.start.IsZero() && !r.start.After(info.FinishedAt) { // else it was stopped before its start
		info.StartedAt = r.start.UTC()
	}
	end := &recordEnd{info, e}
	_ = r.journal.Write(recordLine{Type: "end", End: end}) // Close returns the first error
	err := errors.Join(r.journal.Close(), r.exchanges.Close())
	if err != nil {
		err = fmt.Errorf("cannot record the run: %w", err)
		end.Notes = append(end.Notes, err.Error())
	}
	r.totals.ending, r.totals.ended = *end, true
	run := r.totals.toRun()
	return run, errors.Join(err, writeResults(r.config.Dir, run))
}

// Record implements engine.Sink: it counts the result, keeps the exchange of a bad result, and
// passes the file of a sampled export to the tracker. Times in x count from the start given to
// Start.
func (r *Recorder) Record(x *engine.RequestResult) {
	r.counting.Lock()
	r.counts.record(r.config.Schedule.StageOf(x.K)+1, x)
	r.stalls.record(x)
	r.counting.Unlock()
	switch class := x.Judgement.Class; {
	case class == judge.ClassAccepted && r.config.Files.IsSampled(x.K):
		if id, ok := judge.FileID(x.Body); ok {
			r.config.Files.Track(id, x.Request.Identity, r.start.Add(x.Intended+x.Response))
		}
	case class.IsBad() && x.Judgement.Failure != judge.FailureCanceled && r.claimExchange(class):
		_ = r.exchanges.Write(r.copyExchange(x)) // Close returns the first error
	}
}

func (r *Recorder) tick(now time.Duration, final bool) {
	r.mu.Lock()
	before := r.totals.Progress
	i, silent := r.collectInterval(before, now, final)
	r.totals.add(i)
	_ = r.journal.Write(recordLine{Type: "interval", Interval: i})
	r.updateStatus(i, before, final, silent)
	status, reason := r.status, ""
	if r.aborted == "" && !final && len(r.config.AbortOn) > 0 {
		whole, _ := r.totals.snapshot(0)
		ended := i.Times.snapshot(status.Rate, i.lateByClass(0), i.Files)
		ended.WithWaiting = r.timesWithWaiting(i)
		reason = r.watch.Observe(i.From, i.To, ended, whole)
		r.aborted = reason
	}
	r.mu.Unlock()
	r.journal.Sync()
	if r.config.OnInterval != nil {
		r.config.OnInterval(status)
	}
	if reason != "" && r.config.OnAbort != nil {
		r.config.OnAbort(reason)
	}
}

// EachDistribution calls f with each distribution recorded up to the last interval, by time and
// class. class is empty for lag and file.
func (r *Recorder) EachDistribution(
	f func(time threshold.TimeKind, class string, d *Distribution),
) {
	var whole distributionSet
	r.mu.Lock()
	for s, times := range r.totals.Times {
		whole.forKey(distributionKey{Class: s.Class, Time: s.Time}).Add(times)
	}
	r.mu.Unlock()
	for s, times := range whole {
		f(s.Time, s.Class, times)
	}
}
