package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/metrics"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/load/transport"
)

// prepare does everything that may refuse before something is sent.
func prepare(o Options) (*run, error) {
	if o.View == nil {
		o.View = noView{}
	}
	r := &run{o: o}
	if err := r.ready(); err != nil {
		r.close()
		return nil, &UsageError{err}
	}
	return r, nil
}

func (r *run) ready() (err error) {
	o := &r.o
	if err = cmp.Or(o.Plan.Permitted(o.Deployment), o.together()); err != nil {
		return err
	}
	r.plan = o.Plan.WithRun(cmp.Or(o.RunID, plan.NewRunID()))
	if r.schedule, err = r.plan.Schedule(); err != nil {
		return err
	}
	if err = r.conditions(); err != nil {
		return err
	}
	if r.base, err = url.Parse(o.Deployment.BaseURL); err != nil {
		return fmt.Errorf("base_url: %w", err)
	}
	if r.target, err = r.reachable(); err != nil {
		return fmt.Errorf("export.path: %w", err)
	}
	if err = r.reach(); err != nil {
		return err
	}
	r.client, err = client.New(o.Deployment, client.Options{
		RequestsPerSecond: 1000, Timeout: r.plan.Timeout, TimeoutKey: "the plan's timeout", UserAgent: r.userAgent(),
	})
	if err == nil {
		err = r.layOut()
	}
	if err == nil {
		r.tracked, err = r.tracker()
	}
	if err != nil {
		return err
	}
	if o.Metrics != "" {
		r.scrapes, err = metrics.Listen(o.Metrics)
	}
	if err == nil && o.OTLP != "" {
		err = metrics.CheckEndpoint(o.OTLP)
	}
	if err != nil {
		return err
	}
	verb := cmp.Or(o.verb, "load")
	if r.plan.Shards > 1 {
		verb += fmt.Sprintf("-%dof%d", o.Shard, r.plan.Shards)
	}
	r.folder, err = runfolder.Create(o.Out, verb, time.Now())
	return err
}

func (r *run) close() {
	if r.scrapes != nil {
		_ = r.scrapes.Close() // closed already where it was served
	}
	if r.http != nil {
		r.http.Close()
	}
	if r.fast != nil {
		r.fast.Close()
	}
	given, up := context.WithCancel(context.Background())
	up()
	r.tracked.Finish(given)
	if r.client != nil {
		r.client.Close()
	}
}

// conditions reads thresholds and abort rules again; the plan was checked when it was read.
func (r *run) conditions() error {
	for _, expr := range r.plan.Thresholds() {
		t, err := threshold.Parse(expr)
		if err == nil {
			err = t.Bind(r.plan.StageNames())
		}
		if err != nil {
			return err
		}
		r.thresholds = append(r.thresholds, t)
	}
	for _, expr := range r.plan.AbortOn {
		rule, err := threshold.ParseRule(expr)
		if err != nil {
			return err
		}
		r.rules = append(r.rules, rule)
	}
	return nil
}

// reachable is the export operation with what every request carries.
func (r *run) reachable() (t engine.Target, err error) {
	d := r.o.Deployment
	t = engine.Target{Header: http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {r.userAgent()},
	}}
	t.URL, err = url.Parse(r.base.Scheme + "://" + r.base.Host + strings.TrimSuffix(r.base.EscapedPath(), "/") + d.Export.Path)
	for name, value := range d.HeadersTo(r.base.Scheme) {
		t.Header[name] = []string{value}
	}
	for _, c := range credentials(d) {
		t.Identities = append(t.Identities, engine.Identity{Name: c.Key(), Header: header(d, c)})
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

// header gives what a credential is sent as now. One that is issued is renewed in the background; where none can be
// had, the last one is sent, and the deployment's answer says that it no longer holds.
func header(d *deployment.File, c *deployment.Credential) func() (name, value string) {
	now, giveUp := context.WithCancel(context.Background())
	giveUp() // sending does not wait for a token
	if c.Issuer == nil {
		name, value, _ := client.Authorization(now, d, c) // nothing to obtain
		return func() (string, string) { return name, value }
	}
	var last atomic.Pointer[[2]string]
	return func() (string, string) {
		name, value, err := client.Authorization(now, d, c)
		before := last.Load()
		switch {
		case err != nil && before != nil:
			return before[0], before[1]
		case err == nil && (before == nil || before[1] != value):
			last.Store(&[2]string{name, value})
		}
		return name, value
	}
}

// reach makes the transport of the plan's engine.
func (r *run) reach() error {
	via, err := client.Transport(r.o.Deployment, r.plan.Timeout)
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
		r.fast, err = transport.NewFastHTTP(o)
	} else {
		r.http, err = transport.NewHTTP(o)
	}
	return err
}

func (r *run) userAgent() string {
	if v := r.o.Version; v != "" && !strings.ContainsAny(v, " \t\r\n") {
		return "gateassay-load/" + v
	}
	return "gateassay-load"
}

// tracker follows files where the deployment file says how.
func (r *run) tracker() (*files.Tracker, error) {
	if r.plan.TrackFiles == 0 {
		return nil, nil
	}
	if r.o.Deployment.Export.File == nil {
		r.notes = append(r.notes, "the time to file was not measured: the deployment file lacks export.file, which "+
			"says how a finished file is fetched")
		return nil, nil
	}
	main := r.o.Deployment.Credentials.Main()
	if main == nil {
		return nil, errors.New("the deployment file holds no credential that a run may use")
	}
	return files.New(r.o.Deployment, main, files.Options{Share: r.plan.TrackFiles, Seed: r.plan.Seed})
}

// recording says what the recorder is to do. stop ends the sending.
func (r *run) recording(stop context.CancelFunc) results.Options {
	o := results.Options{
		Dir: r.folder, Plan: r.plan, Schedule: r.schedule, Share: r.share, StageNames: r.plan.StageNames(),
		Thresholds: r.thresholds, AbortOn: r.rules, FailOnMisblock: r.plan.FailOnMisblock,
		URL: r.target.URL.String(), Redactor: r.client.Redactor(), Files: r.tracked,
		Info: results.Info{
			ID: r.plan.RunID, Deployment: r.o.Deployment.Name,
			BaseURL: r.client.Redactor().Text(r.o.Deployment.BaseURL), Seed: r.plan.Seed,
			Version: r.o.Version, Command: r.client.Redactor().Text(r.o.Command),
			File: r.o.File, PlanHash: r.plan.Hash(),
			Engine: r.plan.Engine, Shard: r.o.Shard, Shards: r.plan.Shards,
		},
		OnAbort: func(reason string) {
			stop()
			r.o.View.Note("ending early: " + reason)
		},
		OnInterval: r.o.View.Update,
	}
	for _, i := range r.target.Identities {
		o.Users = append(o.Users, i.Name)
	}
	return o
}

// title names a run in a line.
func (r *run) title() string {
	text := fmt.Sprintf("%s: %s", r.o.Deployment.Name, r.schedule.Words())
	if r.plan.Shards > 1 {
		text += fmt.Sprintf(", shard %d of %d", r.o.Shard, r.plan.Shards)
	}
	return text
}
