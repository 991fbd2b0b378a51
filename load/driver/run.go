// Package driver carries out load runs: it asks the deployment whether it can be loaded at all, sends the plan, and
// leaves a folder with everything that was measured.
package driver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/metrics"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

// Options of a load run.
type Options struct {
	Deployment *deployment.File // whom to load
	File       string           // its path, for the record; empty: the embedded gateway
	Plan       *plan.Plan
	Out        string // folder of the run; empty: reports/runs/<UTC time>-load
	Metrics    string // address to serve Prometheus metrics on; empty: none
	OTLP       string // address of a collector to send the same metrics to; empty: none
	Version    string
	Command    string
	View       View // what shows the run while it goes; nil: nothing
	// Render writes what people read into the folder of a run, once run.json is there; nil: nothing is rendered.
	Render func(folder string) error
	// Explain names the cause where the first valid export is not accepted; nil, or a nil error: the answer is named.
	Explain func(x *client.Exchange) error

	RunID   string // what shards of one run have in common; empty: a new one
	Shard   int    // of Plan.Shards, from 0
	Meeting Meeting

	verb string     // of the folder's name; empty: load
	ask  *discovery // what the preflight found out, when it was done before
}

// View shows a run; *live.View is one.
type View interface {
	Start(title string)
	Update(results.Status)
	Note(text string)
	Stop()
}

// UsageError is a run that cannot be carried out as it was asked for. Nothing was sent.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *UsageError) Unwrap() error { return e.Err }

// Result is a finished run.
type Result struct {
	Run    results.Run
	Folder string
	Errors []error // what could not be written; the run itself is whole
	Unsent error   // why metrics could not be sent to the collector; nil: they were
}

func (o Options) render(folder string) error {
	if o.Render == nil {
		return nil
	}
	return o.Render(folder)
}

// ExitCode is that of the command that made the run. A verdict of which a file could not be written is no result that
// others can read: 4.
func (r Result) ExitCode() int {
	if len(r.Errors) > 0 {
		return 4
	}
	return results.ExitCode(r.Run)
}

const (
	lead     = 100 * time.Millisecond // before the first request, in which connections and clocks get ready
	grace    = time.Second            // for what is in flight when a run is stopped
	fileWait = 2 * time.Minute        // at most, for files that are followed when the last request is answered
)

// Run sends a plan and records what happens. A *UsageError means that nothing was sent, as does every other error;
// whatever happens after the first request is in the result. When ctx ends, nothing more is sent, and what was
// measured is written and marked partial.
func Run(ctx context.Context, o Options) (Result, error) {
	r, err := prepare(o)
	if err != nil {
		return Result{}, err
	}
	defer r.close()
	result, err := r.run(ctx)
	if r.exporter != nil {
		result.Unsent = r.exporter.Close()
	}
	return result, err
}

// named is what metrics call the run.
func (r *run) named() metrics.Run {
	run := metrics.Run{
		ID: r.plan.RunID, Deployment: r.o.Deployment.Name, Version: r.o.Version, StartedAt: time.Now(),
	}
	if r.plan.Shards > 1 {
		run.Shard = strconv.Itoa(r.o.Shard)
	}
	return run
}

// run is a run in progress.
type run struct {
	o          Options
	plan       *plan.Plan
	schedule   *schedule.Schedule
	traffic    *traffic.Generator
	share      *schedule.Share // of the schedule, that is sent here
	thresholds []threshold.Threshold
	rules      []threshold.Rule
	base       *url.URL
	target     engine.Target
	http       *transport.HTTP     // of the vegeta engine
	fast       *transport.FastHTTP // of the direct engine
	client     *client.Client      // for its redactor
	folder     string
	tracked    *files.Tracker // nil: none
	scrapes    net.Listener   // for metrics; nil: none are served
	server     *metrics.Server
	shown      bool // by the view
	exporter   *metrics.Exporter
	notes      []string
	errs       []error
}

// run asks, sends, waits and writes.
func (r *run) run(ctx context.Context) (Result, error) {
	sending, stop := context.WithCancel(ctx)
	defer stop()
	rec, err := results.Open(r.recording(stop))
	if err != nil {
		return Result{}, err
	}
	ending, cause := r.carryOut(sending, rec)
	if cause != nil { // nothing of the schedule was sent
		ending.Partial = ctx.Err() != nil
		if !ending.Partial {
			ending.Unsent = r.client.Redactor().Text(cause.Error())
		}
	}
	ending.Notes = r.notes
	recorded, err := rec.Finish(ending)
	r.remember(err)
	if r.shown {
		r.o.View.Stop()
	}
	if r.server != nil {
		r.remember(r.server.Close())
	}
	r.remember(r.o.render(r.folder))
	result := Result{Run: recorded, Folder: r.folder, Errors: r.errs}
	if usage := (*UsageError)(nil); errors.As(cause, &usage) {
		return result, cause
	}
	return result, nil
}

// carryOut sends the schedule; an error is why nothing of it was sent.
func (r *run) carryOut(ctx context.Context, rec *results.Recorder) (ending results.Ending, err error) {
	found, err := r.approach(ctx, rec)
	if err != nil {
		return ending, err
	}
	r.notes = append(r.notes, found.notes...)
	r.o.View.Start(r.title())
	r.shown = true
	start, err := r.begin(ctx) // last, as what comes after it has a tenth of a second
	if err != nil {
		return ending, err
	}
	o := engine.Options{
		Name: engine.Name(r.plan.Engine), Schedule: r.schedule, Target: r.target, HTTP: r.http, FastHTTP: r.fast,
		Source: r.traffic, Sink: rec, Judge: judge.New(found.status), Share: r.share, StartAt: start, Trace: r.plan.Trace,
		MaxInFlight: r.plan.MaxInFlight, MaxWorkers: r.plan.Connections, Grace: grace,
	}
	e, err := engine.New(o)
	if err != nil {
		return ending, &UsageError{err}
	}
	if r.server != nil {
		r.o.View.Note("metrics: http://" + r.server.Addr() + "/metrics")
	}
	if wait := time.Until(start); wait > time.Second {
		r.o.View.Note(fmt.Sprintf("begins at %s, in %s", start.UTC().Format(time.RFC3339), wait.Round(time.Second)))
	}
	rec.Start(start, e.State)
	summary, err := e.Run(ctx)
	if err != nil { // the machine was asleep
		return ending, err
	}
	r.await(ctx)
	if n := summary.Spared; n > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s sent as a fresh request, because the original had not been accepted by then",
			printable.Quantity(n, "repeat")))
	}
	return results.Ending{Elapsed: summary.Elapsed, Partial: summary.Unsent > 0}, nil
}

// approach opens what shows the run to others, and asks whether the deployment can be loaded.
func (r *run) approach(ctx context.Context, rec *results.Recorder) (found *discovery, err error) {
	if r.scrapes != nil {
		if r.server, err = metrics.Serve(r.scrapes, rec, r.named()); err != nil {
			return nil, &UsageError{fmt.Errorf("--metrics: %w", err)}
		}
	}
	if r.o.OTLP != "" {
		if r.exporter, err = metrics.Export(ctx, r.o.OTLP, rec, r.named()); err != nil {
			return nil, &UsageError{err}
		}
	}
	if r.o.ask != nil {
		return r.o.ask, nil
	}
	return r.preflight(ctx)
}

// await gives the files that are followed as long as the deployment file says that a file takes, and the last poll of
// each its answer.
func (r *run) await(ctx context.Context) {
	if r.tracked == nil {
		return
	}
	d := r.o.Deployment
	wait := min(d.Export.File.Timeout+d.Limits.Timeout, fileWait)
	ctx, enough := context.WithTimeout(ctx, wait)
	defer enough()
	r.tracked.Finish(ctx)
	if n := r.tracked.Counts().Pending; n > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		r.notes = append(r.notes, fmt.Sprintf("%s still not there %s after the last request was answered "+
			"(export.file.timeout and limits.timeout, at most %s); the run stopped waiting",
			printable.Quantity(n, "file"), wait, fileWait))
	}
}

func (r *run) remember(err error) {
	if err != nil {
		r.errs = append(r.errs, err)
	}
}

type noView struct{}

func (noView) Start(string)          {}
func (noView) Update(results.Status) {}
func (noView) Note(string)           {}
func (noView) Stop()                 {}
