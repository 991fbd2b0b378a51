package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/metrics"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

// run is a run in progress.
type run struct {
	o        Options
	view     View
	plan     *plan.Plan
	schedule *schedule.Schedule
	traffic  *traffic.Generator
	share    *schedule.Share // of the schedule, that is sent here
	base     *url.URL
	target   engine.Target
	http     *transport.HTTP     // of the vegeta engine
	fast     *transport.FastHTTP // of the direct engine
	client   *client.Client      // for the preflight, and its redactor
	folder   string
	tracked  *files.Tracker // nil: none
	metrics  *metrics.Server
	raw      func(vegeta.Result) // keeps vegeta's own results; nil: nothing does
	endRaw   func() error
	notes    []string
	ctx      context.Context // ends with the run
	asking   sync.WaitGroup  // for credentials
	closing  []func()
}

// prepare takes the steps that may refuse before something is sent.
func prepare(ctx context.Context, o Options, steps ...func(*run) error) (*run, error) {
	r := &run{o: o, view: o.View, endRaw: func() error { return nil }}
	if r.view == nil {
		r.view = noView{}
	}
	if o.Render == nil {
		r.o.Render = func(string) error { return nil }
	}
	ctx, end := context.WithCancel(ctx)
	r.ctx, r.closing = ctx, append(r.closing, func() { end(); r.asking.Wait() })
	for _, step := range steps {
		if err := step(r); err != nil {
			r.close()
			return nil, &UsageError{err}
		}
	}
	return r, nil
}

// all are the steps before a run.
func all() []func(*run) error {
	return []func(*run) error{(*run).layOut, (*run).reach, (*run).track, (*run).show}
}

// layOut makes the schedule and the traffic of a plan that may be sent, and finds out what of it this shard sends: a repeat
// belongs to whoever sends its original.
func (r *run) layOut() (err error) {
	if err = cmp.Or(r.o.Plan.Permitted(r.o.Deployment), r.o.together()); err != nil {
		return err
	}
	r.plan = r.o.Plan.WithRun(cmp.Or(r.o.RunID, plan.NewRunID()))
	if r.schedule, err = r.plan.Schedule(); err != nil {
		return err
	}
	if r.traffic, err = r.plan.Generator(r.o.Deployment, r.schedule); err != nil {
		return err
	}
	origin := r.traffic.Origin
	if r.plan.Repeats == 0 {
		origin = nil
	}
	r.share = r.schedule.Share(r.o.Shard, r.plan.Shards, origin)
	return nil
}

// show opens what shows the run to others, and its folder.
func (r *run) show() (err error) {
	if r.metrics, err = metrics.Open(r.o.Metrics, r.o.OTLP); err != nil {
		return err
	}
	r.closing = append(r.closing, func() { _ = r.metrics.Close() }) // closed already where the run came that far
	verb := cmp.Or(r.o.verb, "load")
	if r.plan.Shards > 1 {
		verb += fmt.Sprintf("-%dof%d", r.o.Shard, r.plan.Shards)
	}
	if err = r.keepRaw(); err == nil {
		r.folder, err = runfolder.Create(r.o.Out, verb, time.Now())
	}
	return err
}

func (r *run) close() {
	for _, end := range r.closing {
		end()
	}
	r.hangUp()
}

// reachable is the export operation with what every request carries.
func (r *run) reachable() (t engine.Target, err error) {
	d := r.o.Deployment
	t = engine.Target{Header: client.Header(d, userAgent)}
	t.Header["Content-Type"] = []string{"application/json"}
	t.URL, err = url.Parse(r.base.Scheme + "://" + r.base.Host + strings.TrimSuffix(r.base.EscapedPath(), "/") + d.Export.Path)
	for _, c := range credentials(d) {
		t.Identities = append(t.Identities, engine.Identity{Name: c.Key(), Header: r.header(c)})
	}
	return t, err
}

// credentials are those that load is sent with, in turn: load.credentials, else the main one.
func credentials(d *deployment.File) []*deployment.Credential {
	if main := d.Credentials.Main(); len(d.Load.Credentials) == 0 && main != nil {
		return []*deployment.Credential{main}
	}
	return d.Load.Credentials
}

// header gives what a credential is sent as. One that is issued is asked for again every second, beside the load: sending
// does not wait for a token. Where none can be had, the last one is sent, and the deployment's answer says that it no longer
// holds.
func (r *run) header(c *deployment.Credential) func() (name, value string) {
	var last atomic.Pointer[[2]string]
	last.Store(&[2]string{})
	ask := func() {
		if name, value, err := client.Authorization(r.ctx, r.o.Deployment, c); err == nil {
			last.Store(&[2]string{name, value})
		}
	}
	ask()
	var asked atomic.Int64
	return func() (string, string) {
		if c.Issuer != nil {
			now, before := time.Now().UnixNano(), asked.Load()
			if now-before > int64(time.Second) && asked.CompareAndSwap(before, now) {
				r.asking.Go(ask)
			}
		}
		h := last.Load()
		return h[0], h[1]
	}
}

// reach finds the way to the deployment: the client of the preflight, and the transport of the plan's engine.
func (r *run) reach() (err error) {
	d := r.o.Deployment
	if r.base, err = url.Parse(d.BaseURL); err != nil {
		return fmt.Errorf("base_url: %w", err)
	}
	if r.target, err = r.reachable(); err != nil {
		return fmt.Errorf("export.path: %w", err)
	}
	via, err := client.Transport(d, r.plan.Timeout)
	if err != nil {
		return err
	}
	o := transport.Options{
		Base: r.base, Via: via, Timeout: r.plan.Timeout, Most: r.plan.Connections, NoReuse: !r.plan.KeepAlive,
	}
	if r.plan.HTTP != "auto" {
		o.Version = r.plan.HTTP
	}
	if r.plan.Engine == plan.Direct {
		if r.fast, err = transport.NewFastHTTP(o); err != nil {
			return err
		}
	} else {
		if r.http, err = transport.NewHTTP(o); err != nil {
			return err
		}
	}
	r.client, err = client.New(d, client.Options{
		RequestsPerSecond: 1000, Timeout: r.plan.Timeout, TimeoutKey: "the plan's timeout", UserAgent: userAgent,
	})
	return err
}

const userAgent = "gateassay-load"

// track follows files where the deployment file says how.
func (r *run) track() (err error) {
	main := r.o.Deployment.Credentials.Main()
	switch {
	case r.plan.TrackFiles == 0:
	case r.o.Deployment.Export.File == nil:
		r.notes = append(r.notes, "the time to file was not measured: the deployment file lacks export.file, which "+
			"says how a finished file is fetched")
	case main == nil:
		return errors.New("the deployment file holds no credential that a run may use")
	default:
		r.tracked, err = files.New(r.o.Deployment, main, files.Options{Share: r.plan.TrackFiles, Seed: r.plan.Seed})
		r.closing = append(r.closing, func() { r.tracked.Finish(context.Background()) }) // nothing is followed any more
	}
	return err
}

// info is what a record says of the run.
func (r *run) info() results.Info {
	clean := r.client.Redactor().Text
	return results.Info{
		ID: r.plan.RunID, Deployment: r.o.Deployment.Name, BaseURL: clean(r.o.Deployment.BaseURL), Seed: r.plan.Seed,
		Version: r.o.Version, Command: clean(r.o.Command), File: r.o.File, PlanHash: r.plan.Hash(),
		Embedded: r.o.File == "", Fingerprint: r.o.Deployment.Fingerprint(), Engine: r.plan.Engine, Shard: r.o.Shard, Shards: r.plan.Shards,
	}
}

// recording says what the recorder is to do. stop ends the sending.
func (r *run) recording(stop context.CancelFunc) results.Options {
	o := results.Options{
		Dir: r.folder, Plan: r.plan, Schedule: r.schedule, Share: r.share,
		Thresholds: r.plan.Thresholds(), AbortOn: r.plan.AbortOn, FailOnMisblock: r.plan.FailOnMisblock,
		URL: r.target.URL.String(), Redactor: r.client.Redactor(), Files: r.tracked,
		Info: r.info(), OnAbort: func(reason string) {
			stop()
			r.view.Note("ending early: " + reason)
		},
		OnInterval: r.view.Update,
	}
	for _, i := range r.target.Identities {
		o.Users = append(o.Users, i.Name)
	}
	return o
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

type noView struct{}

func (noView) Start(_, _ string)     {}
func (noView) Update(results.Status) {}
func (noView) Note(string)           {}
func (noView) Stop()                 {}
