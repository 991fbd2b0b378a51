package run

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/files"
	"github.com/gateassay/gateassay/load/metrics"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/load/transport"
	folders "github.com/gateassay/gateassay/reports/record"
)

// prepare does everything that may refuse before something is sent.
func prepare(o Options) (*run, error) {
	if err := o.Plan.Permitted(o.Deployment); err != nil {
		return nil, &UsageError{err}
	}
	if o.View == nil {
		o.View = unseen{}
	}
	if err := o.together(); err != nil {
		return nil, &UsageError{err}
	}
	id := o.RunID
	if id == "" {
		id = plan.NewRunID()
	}
	r := &run{o: o, plan: o.Plan.WithRun(id)}
	var err error
	if r.schedule, err = r.plan.Schedule(); err != nil {
		return nil, &UsageError{err}
	}
	for _, s := range r.schedule.Stages() {
		r.names = append(r.names, s.Name)
	}
	if err := r.conditions(); err != nil {
		return nil, &UsageError{err}
	}
	if r.base, err = url.Parse(o.Deployment.BaseURL); err != nil {
		return nil, &UsageError{fmt.Errorf("base_url: %w", err)}
	}
	r.target = target(o.Deployment, r.base)
	if r.transport, err = transport.New(transportOptions(r.plan, o.Deployment, r.base, o.Version)); err != nil {
		return nil, &UsageError{err}
	}
	if r.client, err = client.New(o.Deployment, client.Options{}); err != nil {
		r.close()
		return nil, &UsageError{err}
	}
	if _, err := r.plan.Generator(o.Deployment, r.schedule); err != nil {
		r.close()
		return nil, &UsageError{err}
	}
	if r.tracked, err = r.tracker(); err != nil {
		r.close()
		return nil, &UsageError{err}
	}
	if o.Metrics != "" {
		if r.scrapes, err = metrics.Listen(o.Metrics); err != nil {
			r.close()
			return nil, &UsageError{err}
		}
	}
	verb := o.verb
	if verb == "" {
		verb = "load"
	}
	if r.plan.Shards > 1 {
		verb += fmt.Sprintf("-%dof%d", o.Shard, r.plan.Shards)
	}
	if r.folder, err = CreateFolder(o.Out, verb); err != nil {
		r.close()
		return nil, &UsageError{err}
	}
	if r.barrier, err = r.join(); err != nil {
		_ = os.Remove(r.folder) // only when it is empty
		r.close()
		return nil, &UsageError{err}
	}
	return r, nil
}

func (r *run) close() {
	if r.scrapes != nil {
		_ = r.scrapes.Close() // closed already where it was served
	}
	if r.transport != nil {
		r.transport.Close()
	}
	given, up := context.WithCancel(context.Background())
	up()
	r.tracked.Finish(given)
	if r.client != nil {
		r.client.Close()
	}
	r.barrier.close()
}

// conditions reads thresholds and abort rules again; the plan was checked when it was read.
func (r *run) conditions() error {
	for _, expr := range r.plan.SLO {
		t, err := threshold.Parse(expr)
		if err == nil {
			err = t.Bind(r.names)
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

// CreateFolder makes the folder of a run; one that holds any record of a run is left as it is. verb ends its name where
// none is given.
func CreateFolder(out, verb string) (string, error) {
	if out != "" {
		if _, err := os.Lstat(filepath.Join(out, record.IntervalsName)); err == nil {
			return "", fmt.Errorf("%s holds a recorded run (%s) and is left as it is; choose another folder with --out", out, record.IntervalsName)
		}
	}
	return folders.CreateFolder(out, verb, time.Now())
}

// target is the export operation with what every request carries.
func target(d *deployment.File, base *url.URL) engine.Target {
	path := strings.TrimSuffix(base.EscapedPath(), "/") + d.Export.Path
	t := engine.Target{URL: base.Scheme + "://" + base.Host + path, Path: path, Fields: []transport.Field{
		{Name: "Content-Type", Value: []byte("application/json")}, {Name: "Accept", Value: []byte("application/json")},
	}}
	if c := d.Credentials.Main(); c != nil {
		t.Fields = append(t.Fields, credential(c))
	}
	return t
}

func credential(c *deployment.Credential) transport.Field {
	if c.Method == deployment.APIKey {
		return transport.Field{Name: "x-api-key", Value: []byte(c.Value)}
	}
	return transport.Field{Name: "Authorization", Value: []byte("Bearer " + c.Value)}
}

func transportOptions(p *plan.Plan, d *deployment.File, base *url.URL, version string) transport.Options {
	o := transport.Options{
		Base: base, Name: transport.Name(p.Transport), HTTP2: p.HTTP == "2", TLS: d.TLS, Timeout: p.Timeout,
		NoReuse: !p.KeepAlive, SourceIPs: p.SourceAddrs, DNSRefresh: p.DNSRefresh,
	}
	if version != "" && !strings.ContainsAny(version, " \t\r\n") {
		o.UserAgent = "gateassay-load/" + version
	}
	return o
}

// tracker follows files where the deployment file says how.
func (r *run) tracker() (*files.Tracker, error) {
	if r.plan.TrackFiles == 0 {
		return nil, nil
	}
	if r.o.Deployment.Export.File == nil {
		r.notes = append(r.notes, "the time to file was not measured: the deployment file lacks export.file, which says how a finished file is fetched")
		return nil, nil
	}
	main := r.o.Deployment.Credentials.Main()
	if main == nil {
		return nil, errNoCredential
	}
	return files.New(r.o.Deployment, main, files.Options{Share: r.plan.TrackFiles, Seed: r.plan.Seed})
}

// recording says what the recorder is to do. stop ends the sending.
func (r *run) recording(stop context.CancelFunc) record.Options {
	name := string(r.transport.Name())
	return record.Options{
		Dir: r.folder, Plan: r.plan, Schedule: r.schedule, StageNames: r.names, Thresholds: r.thresholds, AbortOn: r.rules,
		FailOnMisblock: r.plan.FailOnMisblock, Raw: r.o.Raw, URL: r.target.URL, Redactor: r.client.Redactor(), Files: r.tracked,
		Info: record.Info{
			ID: r.plan.RunID, Deployment: r.o.Deployment.Name, BaseURL: r.client.Redactor().Text(r.o.Deployment.BaseURL), Seed: r.plan.Seed,
			Version: r.o.Version, Command: r.client.Redactor().Text(r.o.Command), File: r.o.File, PlanHash: r.plan.Hash(),
			Engine: r.plan.Engine, Transport: name, Shard: r.o.Shard, Shards: r.plan.Shards, ClockMS: r.clock,
		},
		OnAbort: func(reason string) {
			stop()
			r.o.View.Note("ending early: " + reason)
		},
		OnInterval: func(s record.Status) { r.o.View.Update(s) },
	}
}

// title names a run in a line.
func (r *run) title() string {
	text := fmt.Sprintf("%s: %s", r.o.Deployment.Name, Words(r.schedule))
	if r.plan.Shards > 1 {
		text += fmt.Sprintf(", shard %d of %d", r.o.Shard, r.plan.Shards)
	}
	return text
}

// Words tells a schedule in a few words: "500/s for 5m0s", or its peak and its stages.
func Words(s *schedule.Schedule) string {
	stages := s.Stages()
	if len(stages) == 1 && stages[0].Kind == schedule.Constant {
		return fmt.Sprintf("%.6g/s for %s", stages[0].Rate, s.Duration())
	}
	return fmt.Sprintf("up to %.6g/s in %d stages, %s", s.PeakRate(), len(stages), s.Duration())
}
