// Package load sends open-model load to the export operation of a deployment and judges every
// answer. Run sends a plan, FindCapacity looks for the highest rate that holds its thresholds,
// and WriteTargets prints the requests of a plan for vegeta.
package load

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/store"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/metrics"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
)

// Options configures a run. Only Deployment and Plan are required.
type Options struct {
	Deployment *deployment.File // must allow load, see plan.Plan.CheckPermitted
	File       string           // path of Deployment, for the record; empty: the embedded gateway
	Plan       *plan.Plan
	Out        string // folder of the run; empty: reports/runs/<UTC time>-load
	Metrics    string // address to serve Prometheus metrics on; empty: none
	OTLP       string // URL of a collector that Exporter sends the same metrics to; empty: none
	Raw        string // file for vegeta's own results, or Stdout; empty: none
	Version    string // version of the program, for the record
	Command    string // command line, for the record
	View       View   // shows the run in progress; nil: none

	// Render writes reports into the folder of a run after run.json is written; nil: no reports.
	Render func(folder string) error
	// Explain says why the first valid export was not accepted. If it is nil or returns nil, the
	// answer is quoted.
	Explain func(x *client.Exchange) error

	Buckets  store.Buckets       // opens a bucket that Meeting names
	Exporter metrics.NewExporter // sends metrics to OTLP

	RunID   string // the same for all shards of a run; empty: a new one
	Shard   int    // index of this shard in Plan.Shards, from 0
	Meeting Rendezvous

	verb string           // part of the folder's name; empty: load
	ask  *preflightResult // result of an earlier preflight; nil: none
}

// A View shows a run in progress. *live.TerminalView implements it.
type View interface {
	Start(title, folder string)
	Update(results.Status)
	Note(text string)
	Stop()
}

// A UsageError says that a run cannot be carried out as requested. Nothing was sent.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UsageError) Unwrap() error { return e.Err }

// Result describes a finished run.
type Result struct {
	Run    results.Run
	Folder string
	Err    error // files that could not be written; Run is complete even then
	Unsent error // why metrics could not be sent to the collector; nil: no error
}

// ExitCode returns the exit code of the command that made the run: 4 if a file could not be
// written, else results.ExitCode.
func (r Result) ExitCode() int {
	if r.Err != nil {
		return 4
	}
	return results.ExitCode(r.Run)
}

const (
	startDelay   = 100 * time.Millisecond // time to get ready before the first request
	maxLateness  = 5 * time.Second        // of a start for one process, on a busy machine
	drainTimeout = time.Second            // for requests in flight when a run is stopped
	maxFileWait  = 2 * time.Minute        // longest wait for files after the last answer
)

// Run sends a plan and records the run. If it returns an error, such as a *UsageError, no
// request of the schedule was sent; later errors are in the Result. When ctx ends, Run stops
// sending, writes the results so far and marks them partial.
func Run(ctx context.Context, o Options) (result Result, err error) {
	r, err := newRun(ctx, o)
	if err != nil {
		return Result{}, err
	}
	defer r.close()
	if err := r.openOutputs(); err != nil {
		return Result{}, err
	}
	sending, stop := context.WithCancel(ctx)
	defer stop()
	rec, err := results.OpenRecorder(r.recorderConfig(stop))
	if err != nil {
		return Result{}, err
	}
	defer context.AfterFunc(sending, rec.StopSending)()
	ending, cause := r.sendSchedule(sending, rec)
	if cause != nil { // no request of the schedule was sent
		if ending.Partial = ctx.Err() != nil; !ending.Partial {
			ending.Unsent = r.client.Redactor().Text(cause.Error())
			ending.Failing = errors.As(cause, new(failingError))
		}
	}
	r.closeConnections() // frees file descriptors for the files to be written
	ending.Notes = r.notes
	result.Folder = r.folder
	result.Run, err = rec.Finish(ending)
	r.o.View.Stop()
	result.Unsent = r.metrics.Close()
	result.Err = errors.Join(err, r.raw.close(), r.renderReports())
	if usage := (*UsageError)(nil); errors.As(cause, &usage) {
		return result, cause
	}
	return result, nil
}

// sendSchedule sends the schedule. It returns an error if no request of the schedule was sent.
func (r *loadRun) sendSchedule(ctx context.Context, rec *results.Recorder) (results.RunEnd, error) {
	url, err := r.metrics.Start(ctx, rec, r.metricLabels())
	if err != nil {
		return results.RunEnd{}, &UsageError{err}
	}
	found := r.o.ask
	if found == nil {
		if found, err = r.preflight(ctx); err != nil {
			return results.RunEnd{}, err
		}
	}
	r.notes = append(r.notes, found.notes...)
	violated := found.violated
	if r.o.ask != nil { // it counts for the search, not for each of its probes
		violated = nil
	}
	title := fmt.Sprintf("%s: %s", r.o.Deployment.Name, r.schedule.Describe())
	if r.plan.Shards > 1 {
		title += fmt.Sprintf(", shard %d of %d", r.o.Shard, r.plan.Shards)
	}
	r.o.View.Start(title, r.folder)
	start, err := r.agreeOnStart(ctx) // last, because only startDelay remains then
	if err != nil {
		return results.RunEnd{}, err
	}
	config := engine.Config{
		Engine: r.plan.Engine, Schedule: r.schedule, Share: r.share, StartAt: start, Target: r.target,
		HTTP: r.http, FastHTTP: r.fast, Source: r.traffic, Sink: rec, Judge: judge.New(found.statuses),
		Grace: drainTimeout, MaxInFlight: r.plan.MaxInFlight, MaxWorkers: r.plan.Connections,
	}
	if r.plan.Shards == 1 { // nobody else starts with it; what is sent late counts as lag
		config.MaxLateness = maxLateness
	}
	if r.raw.file != nil {
		config.Raw = r.raw.record
	}
	e := engine.New(config)
	if url != "" {
		r.o.View.Note("metrics: " + url)
	}
	if wait := time.Until(start); wait > time.Second {
		r.o.View.Note(fmt.Sprintf("begins at %s, in %s", start.UTC().Format(time.RFC3339),
			wait.Round(time.Second)))
	}
	rec.WatchInFlight(e.EachInFlight)
	rec.Start(start, e.State)
	summary, err := e.Run(ctx)
	if err != nil { // the start has passed: a shard read it too late, or the machine slept
		return results.RunEnd{}, err
	}
	r.awaitFiles(ctx)
	if n := summary.SkippedRepeats; n > 0 {
		r.addNote("%s sent as a fresh request, because the original had not been accepted by then",
			printable.Quantity(n, "repeat"))
	}
	// Ended after the last request was sent, it still lacks answers or files.
	partial := summary.Unsent > 0 || ctx.Err() != nil
	return results.RunEnd{Elapsed: summary.Elapsed, Partial: partial, Violated: violated}, nil
}

// awaitFiles waits for the followed files: for the time that the deployment file allows a file,
// plus the last poll.
func (r *loadRun) awaitFiles(ctx context.Context) {
	if r.files == nil {
		return
	}
	d := r.o.Deployment
	wait := min(d.Export.File.Timeout+d.Limits.Timeout, maxFileWait)
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if n := r.files.Finish(ctx); n > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		r.addNote("%s not ready %s after the last answer (export.file.timeout and limits.timeout, at "+
			"most %s); the run stopped waiting", printable.Quantity(n, "file"), wait, maxFileWait)
	}
	if n := r.files.Counts().Dropped; n > 0 {
		r.addNote("%s not followed, because this run follows at most %d at once: lower track_files",
			printable.Quantity(n, "file"), files.MaxTracked)
	}
}
