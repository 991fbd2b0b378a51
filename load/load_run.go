package load

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

type loadRun struct {
	o        Options
	plan     *plan.Plan
	schedule *schedule.Schedule
	traffic  *traffic.Generator
	share    *schedule.Share // requests that this process sends
	target   engine.Target
	http     *transport.NetHTTP  // of the vegeta engine
	fast     *transport.FastHTTP // of the direct engine
	client   *client.Client      // for the preflight; its redactor cleans all output
	folder   string
	files    *files.Tracker // nil: files are not followed
	metrics  *metrics.Server
	raw      vegetaResults
	notes    []string
	ctx      context.Context // canceled at the end of the run
	cancel   context.CancelFunc
	asking   sync.WaitGroup // renewals of credentials
}

const userAgent = "gateassay-load"

// newRun prepares the requests of a run and the connection to the deployment. It sends and
// writes nothing. The error is a *UsageError.
func newRun(ctx context.Context, o Options) (*loadRun, error) {
	if o.View == nil {
		o.View = noView{}
	}
	r := &loadRun{o: o}
	r.ctx, r.cancel = context.WithCancel(ctx)
	err := r.prepareTraffic()
	if err == nil {
		err = r.connectTarget()
	}
	if err != nil {
		r.close()
		return nil, &UsageError{err}
	}
	return r, nil
}

// openOutputs starts the file tracker and opens metrics, raw results and the folder of the run.
// The error is a *UsageError.
func (r *loadRun) openOutputs() (err error) {
	verb := cmp.Or(r.o.verb, "load")
	if r.plan.Shards > 1 {
		verb += fmt.Sprintf("-%dof%d", r.o.Shard, r.plan.Shards)
	}
	if r.o.Raw != "" && r.plan.Engine != plan.EngineVegeta {
		return &UsageError{errors.New("--raw: only --engine vegeta has vegeta's results")}
	}
	if err = r.startFileTracker(); err == nil {
		r.metrics, err = metrics.Open(r.o.Metrics, r.o.OTLP, r.o.Exporter)
	}
	if err == nil {
		r.folder, err = runfolder.Create(r.o.Out, verb, time.Now())
	}
	if err == nil { // last, because it empties the file of an earlier run
		err = r.raw.open(r)
	}
	if err != nil {
		return &UsageError{err}
	}
	return nil
}

func (r *loadRun) close() {
	r.cancel()
	r.asking.Wait()
	r.files.Finish(r.ctx) // r.ctx has ended: returns at once
	if r.metrics != nil {
		_ = r.metrics.Close() // closed already after a complete run
	}
	r.closeConnections()
}

func (r *loadRun) closeConnections() {
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

func (r *loadRun) renderReports() error {
	if r.o.Render == nil {
		return nil
	}
	return r.o.Render(r.folder)
}

func (r *loadRun) addNote(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

func (r *loadRun) prepareTraffic() (err error) {
	err = cmp.Or(r.o.Plan.CheckPermitted(r.o.Deployment), r.o.checkShards(), r.o.checkRunIDUnused())
	if err != nil {
		return err
	}
	r.plan = r.o.Plan.WithRunID(cmp.Or(r.o.RunID, plan.NewRunID()))
	if r.schedule, err = r.plan.Schedule(); err != nil {
		return err
	}
	if r.traffic, err = r.plan.Generator(r.o.Deployment, r.schedule); err != nil {
		return err
	}
	origin := r.traffic.Origin // the shard that sends a request also sends its repeat
	if r.plan.Repeats == 0 {
		origin = nil
	}
	r.share = r.schedule.NewShare(r.o.Shard, r.plan.Shards, origin)
	return nil
}

func (r *loadRun) connectTarget() error {
	d := r.o.Deployment
	target, err := url.Parse(strings.TrimSuffix(d.BaseURL, "/") + d.Export.Path)
	if err != nil {
		return fmt.Errorf("base_url and export.path: %w", err)
	}
	r.target.URL = target
	r.target.Header = client.CommonHeaders(d, userAgent)
	r.target.Header["Content-Type"] = []string{"application/json"}
	for _, c := range loadCredentials(d) {
		issued := &issuedCredential{run: r, credential: c}
		issued.renewIfDue()
		r.target.Identities = append(r.target.Identities,
			engine.Identity{Name: c.SettingKey(), Header: issued.currentHeader})
	}
	via, err := client.NewTransport(d, r.plan.Timeout)
	if err != nil {
		return err
	}
	c := transport.Config{
		Base: target, Via: via, Timeout: r.plan.Timeout, MaxConnections: r.plan.Connections,
		NoReuse: !r.plan.KeepAlive, Version: strings.TrimPrefix(r.plan.HTTP, "auto"),
	}
	if r.plan.Engine == plan.EngineDirect {
		r.fast, err = transport.NewFastHTTP(c)
	} else {
		r.http, err = transport.NewNetHTTP(c)
	}
	if err != nil {
		return err
	}
	r.client, err = client.New(d, client.Options{
		RequestsPerSecond: 1000, Timeout: r.plan.Timeout, TimeoutKey: "the plan's timeout",
		UserAgent: userAgent,
	})
	return err
}

// loadCredentials returns the credentials that requests take turns with: load.credentials, else
// the main one.
func loadCredentials(d *deployment.File) []*deployment.Credential {
	if main := d.Credentials.Main(); len(d.Load.Credentials) == 0 && main != nil {
		return []*deployment.Credential{main}
	}
	return d.Load.Credentials
}

// An issuedCredential holds the current header of a credential. One with an issuer is renewed
// every second in the background, so that no request waits for it. If renewal fails, the last
// header is sent, and the deployment's answers show that it has expired.
type issuedCredential struct {
	run        *loadRun
	credential *deployment.Credential
	sent       atomic.Pointer[[2]string] // name and value of the header
	asked      atomic.Int64              // last renewal, Unix nanoseconds
}

func (i *issuedCredential) renewIfDue() {
	name, value, err := client.AuthorizationHeader(i.run.ctx, i.run.o.Deployment, i.credential)
	if err == nil {
		i.sent.Store(&[2]string{name, value})
	}
}

func (i *issuedCredential) currentHeader() (name, value string) {
	if i.credential.Issuer != nil {
		now, before := time.Now().UnixNano(), i.asked.Load()
		if now-before > int64(time.Second) && i.asked.CompareAndSwap(before, now) {
			i.run.asking.Go(i.renewIfDue)
		}
	}
	if h := i.sent.Load(); h != nil {
		return h[0], h[1]
	}
	return "", ""
}

func (r *loadRun) startFileTracker() (err error) {
	creds := loadCredentials(r.o.Deployment)
	switch {
	case r.plan.TrackFiles == 0:
	case r.o.Deployment.Export.File == nil:
		r.addNote("time to file not measured: add export.file to the deployment file, which says " +
			"how a finished file is fetched")
	case len(creds) == 0:
		return errors.New("the deployment file holds no credential to fetch files with")
	default:
		r.files, err = files.New(r.o.Deployment, creds,
			files.Config{Share: r.plan.TrackFiles, Seed: r.plan.Seed})
	}
	return err
}

func (r *loadRun) runInfo() results.RunInfo {
	d, clean := r.o.Deployment, r.client.Redactor().Text
	return results.RunInfo{
		ID: r.plan.RunID, Deployment: d.Name, BaseURL: clean(d.BaseURL), File: r.o.File,
		Embedded: r.o.File == "", Fingerprint: d.Fingerprint(), Seed: r.plan.Seed,
		Engine: r.plan.Engine, PlanHash: r.plan.Hash(), Shard: r.o.Shard, Shards: r.plan.Shards,
		Version: r.o.Version, Command: clean(r.o.Command),
	}
}

func (r *loadRun) recorderConfig(stop context.CancelFunc) results.Config {
	c := results.Config{
		Dir: r.folder, Info: r.runInfo(), Plan: r.plan, Schedule: r.schedule, Share: r.share,
		Thresholds: r.plan.Thresholds(), AbortOn: r.plan.AbortOn,
		FailOnMisblock: r.plan.FailOnMisblock, URL: r.target.URL.String(),
		Redactor: r.client.Redactor(), Files: r.files, OnInterval: r.o.View.Update,
		OnAbort: func(reason string) {
			stop()
			r.o.View.Note("ending early: " + reason)
		},
	}
	for _, i := range r.target.Identities {
		c.Users = append(c.Users, i.Name)
	}
	return c
}

func (r *loadRun) metricLabels() metrics.RunLabels {
	l := metrics.RunLabels{
		Run: r.plan.RunID, Deployment: r.o.Deployment.Name, Version: r.o.Version, StartedAt: time.Now(),
	}
	if r.plan.Shards > 1 {
		l.Shard = strconv.Itoa(r.o.Shard)
	}
	return l
}

type noView struct{}

func (noView) Start(_, _ string)     {}
func (noView) Update(results.Status) {}
func (noView) Note(string)           {}
func (noView) Stop()                 {}
