// Package driver carries out load runs: it asks the deployment whether it can be loaded at all, sends the plan, and
// leaves a folder with everything that was measured.
package driver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
)

// Options of a load run.
type Options struct {
	Deployment *deployment.File // whom to load
	File       string           // its path, for the record; empty: the embedded gateway
	Plan       *plan.Plan
	Out        string // folder of the run; empty: reports/runs/<UTC time>-load
	Metrics    string // address to serve Prometheus metrics on; empty: none
	OTLP       string // address of a collector to send the same metrics to; empty: none
	Raw        string // file for vegeta's own results, or Stdout; empty: none
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

	verb string     // of the folder's name
	ask  *discovery // what the preflight found out, when it was done before
}

// View shows a run; *live.View is one.
type View interface {
	Start(title, folder string)
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
	Err    error // what could not be written; the run itself is whole
	Unsent error // why metrics could not be sent to the collector; nil: they were
}

// ExitCode is that of the command that made the run. A verdict of which a file could not be written is no result that
// others can read: 4.
func (r Result) ExitCode() int {
	if r.Err != nil {
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
func Run(ctx context.Context, o Options) (result Result, err error) {
	r, err := prepare(ctx, o, all()...)
	if err != nil {
		return Result{}, err
	}
	defer r.close()
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
	r.hangUp() // what the run leaves needs descriptors, which connections may have used up
	ending.Notes = r.notes
	result.Folder = r.folder
	result.Run, err = rec.Finish(ending)
	r.view.Stop()
	result.Unsent = r.metrics.Close()
	result.Err = errors.Join(err, r.endRaw(), r.o.Render(r.folder))
	if usage := (*UsageError)(nil); errors.As(cause, &usage) {
		return result, cause
	}
	return result, nil
}

// carryOut sends the schedule; an error is why nothing of it was sent.
func (r *run) carryOut(ctx context.Context, rec *results.Recorder) (ending results.Ending, err error) {
	url, err := r.metrics.Start(ctx, rec, r.named())
	if err != nil {
		return ending, &UsageError{err}
	}
	found := r.o.ask
	if found == nil {
		if found, err = r.preflight(ctx); err != nil {
			return ending, err
		}
	}
	r.notes = append(r.notes, found.notes...)
	title := fmt.Sprintf("%s: %s", r.o.Deployment.Name, r.schedule.Words())
	if r.plan.Shards > 1 {
		title += fmt.Sprintf(", shard %d of %d", r.o.Shard, r.plan.Shards)
	}
	r.view.Start(title, r.folder)
	start, err := r.begin(ctx) // last, as what comes after it has a tenth of a second
	if err != nil {
		return ending, err
	}
	e := engine.New(engine.Options{
		Name: engine.Name(r.plan.Engine), Schedule: r.schedule, Target: r.target, HTTP: r.http, FastHTTP: r.fast,
		Source: r.traffic, Sink: rec, Judge: judge.New(found.status), Share: r.share, StartAt: start,
		MaxInFlight: r.plan.MaxInFlight, MaxWorkers: r.plan.Connections, Grace: grace, Raw: r.raw,
	})
	if url != "" {
		r.view.Note("metrics: " + url)
	}
	if wait := time.Until(start); wait > time.Second {
		r.view.Note(fmt.Sprintf("begins at %s, in %s", start.UTC().Format(time.RFC3339), wait.Round(time.Second)))
	}
	rec.Start(start, e.State)
	summary, err := e.Run(ctx)
	if err != nil { // a shard heard of the start too late, or the machine was asleep
		return ending, err
	}
	r.await(ctx)
	if n := summary.Spared; n > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s sent as a fresh request, because the original had not been accepted by then",
			printable.Quantity(n, "repeat")))
	}
	return results.Ending{Elapsed: summary.Elapsed, Partial: summary.Unsent > 0}, nil
}

// hangUp closes every connection.
func (r *run) hangUp() {
	if r.http != nil {
		r.http.Close()
	}
	if r.fast != nil {
		r.fast.Close()
	}
	if r.client != nil {
		r.client.Close()
	}
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
	if n := r.tracked.Finish(ctx); n > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		r.notes = append(r.notes, fmt.Sprintf("%s still not there %s after the last request was answered "+
			"(export.file.timeout and limits.timeout, at most %s); the run stopped waiting",
			printable.Quantity(n, "file"), wait, fileWait))
	}
}
