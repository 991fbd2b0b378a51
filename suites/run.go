package suites

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// Run tests a deployment and writes the folder of the run. The error is a *UsageError, a *strictyaml.Problems, or says
// why the run could not start; whatever happens after the first request is in the result. When ctx ends, nothing more
// is sent, what was seen is judged and written, and the run is marked partial.
func Run(ctx context.Context, o Options) (Result, error) {
	selected, err := o.Select.Catalogue()
	if err != nil {
		return Result{}, err
	}
	dep := o.Deployment
	if dep == nil {
		embedded, err := StartEmbedded(ctx)
		if err != nil {
			return Result{}, err
		}
		defer embedded.Close()
		dep = embedded.Deployment
	}
	if err := client.SignIn(ctx, dep); err != nil {
		return Result{}, err
	}
	started := time.Now().UTC()
	if o.Seed == 0 {
		o.Seed = started.UnixMicro()
	}
	folder, err := record.CreateFolder(o.Out, "conform", started)
	if err != nil {
		return Result{}, &UsageError{err.Error()}
	}
	r := &run{o: o, dep: dep, folder: folder, selected: selected}
	r.info = record.Info{
		ID: runID(), Deployment: dep.Name, BaseURL: dep.BaseURL, StartedAt: started, Seed: o.Seed,
		Version: o.Version, Command: o.Command, File: o.DeploymentPath,
	}
	if err := r.open(); err != nil {
		return Result{Folder: folder}, err
	}
	r.judge(ctx)
	return r.finish(ctx), nil
}

// run is a run in progress.
type run struct {
	o        Options
	dep      *deployment.File
	folder   string
	selected []rules.Rule
	info     record.Info
	client   *client.Client
	target   *target.Target
	silence  silence
	plan     *plan.Plan
	journal  *record.Journal
	har      *client.HAR
	checks   []record.Check
	failed   int
	mu       sync.Mutex // guards checks, failed and errs
	errs     []error
}

func runID() string {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// open prepares everything that may refuse before the first request is sent.
func (r *run) open() error {
	c, err := newClient(r.dep, r.o, r.exchanged)
	if err != nil {
		return err
	}
	r.client = c
	r.target = target.New(r.dep, c, r.o.Seed)
	r.plan = Build(r.target)
	r.o.Select.keep(r.plan)
	r.plan.Waive(func(string) bool { return false }) // reports apply waivers; every failure is recorded as one
	waivers := record.ScopeWaivers(r.dep.Waivers, r.selected, rules.All())
	if r.journal, err = record.OpenJournal(r.folder, r.info, r.selected, waivers); err != nil {
		return err
	}
	r.har, err = client.NewHAR(r.path("exchanges.har"), "gateassay", r.o.Version)
	return err
}

// exchanged is told of every exchange, one at a time.
func (r *run) exchanged(x *client.Exchange) {
	if r.har != nil {
		r.remember(r.har.Append(x))
	}
	note := record.ExchangeNote{
		Seq: x.Seq, Label: x.Label, Operation: string(x.Operation), Attempt: x.Attempt, Status: x.Status,
		ServiceMS: x.Service.Milliseconds(),
	}
	if x.Err != nil {
		note.Error = x.Err.Error()
	}
	r.journal.Exchange(note)
	r.silence.heard(x)
	r.silence.exhausted(r.client.Exhausted())
	if !x.Success() {
		return
	}
	switch x.Operation {
	case client.Create:
		if id, ok := createdID(x); ok {
			r.journal.Created(record.CreatedRepresentatives, id)
		}
	case client.Export:
		if id, ok := target.FileID(x); ok {
			r.journal.Created(record.CreatedExports, r.client.Redactor().Text(id))
		}
	}
}

func (r *run) remember(err error) {
	if err == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errs = append(r.errs, err)
}

// judge launches every observation and judges each check as soon as what it awaits is there.
func (r *run) judge(ctx context.Context) {
	watch := r.o.Watch
	if watch == nil {
		watch = unwatched{}
	}
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	r.silence.giveUp = giveUp
	watch.Start(len(r.plan.Checks()))
	stop := make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				watch.Update(r.state())
			case <-stop:
				return
			}
		}
	})
	r.plan.Launch(ctx, r.o.OneByOne)
	r.plan.Execute(plan.Order{Random: r.o.Random, Seed: r.o.Seed}, func(c *plan.Check) { r.judged(c, watch) })
	r.plan.Wait()
	close(stop)
	ticking.Wait()
	watch.Update(r.state())
	watch.Stop()
}

func (r *run) state() console.State {
	s := r.client.Stats()
	r.mu.Lock()
	defer r.mu.Unlock()
	return console.State{Done: len(r.checks), Requests: s.Sent, InFlight: r.client.InFlight(), Failures: r.failed, Throttled: s.Throttled, Pause: r.client.Pause()}
}

// judged records a check the moment it is judged.
func (r *run) judged(c *plan.Check, watch Watcher) {
	found := *c.Result()
	redactor := r.client.Redactor()
	found.Message, found.Expected, found.Actual = redactor.Text(found.Message), redactor.Text(found.Expected), redactor.Text(found.Actual)
	if found.Verdict == record.Fail || found.Verdict == record.Inconclusive {
		found.Curl = r.client.Script(r.client.WithFirst(c.Own(), found.Exchanges))
	}
	r.mu.Lock()
	r.checks = append(r.checks, found)
	if found.Verdict == record.Fail {
		r.failed++
	}
	r.mu.Unlock()
	r.journal.Check(found)
	if found.Verdict == record.Fail {
		watch.Failure(record.Rule{ID: c.Rule.ID, Level: string(c.Rule.Level), Section: c.Rule.Section, Statement: c.Rule.Statement}, found)
	}
}

// unjudged notes the checks that were left without a verdict: not verified after an interrupt, inconclusive when the
// deployment fell silent.
func (r *run) unjudged(dead error) int {
	verdict, why := record.NotVerified, plan.Interrupted.Error()
	if dead != nil {
		verdict, why = record.Inconclusive, dead.Error()
	}
	n := 0
	for _, c := range r.plan.Checks() {
		if c.Result() == nil {
			n++
			r.checks = append(r.checks, record.Check{Rule: c.Rule.ID, Name: c.Name, Verdict: verdict, Message: why, Exchanges: []int{}})
		}
	}
	for _, c := range r.checks[len(r.checks)-n:] {
		r.journal.Check(c)
	}
	return n
}

// finish judges the rules and writes what is derived.
func (r *run) finish(ctx context.Context) Result {
	dead := r.silence.verdict()
	left := r.unjudged(dead)
	stats := r.client.Stats()
	r.info.FinishedAt = time.Now().UTC()
	r.info.Partial = dead == nil && ctx.Err() != nil && left > 0
	r.info.Requests, r.info.Retries = stats.Sent, stats.Retries
	r.info.InFlight, r.info.PeakFlight = r.client.Limit(), stats.PeakInFlight
	r.info.Created = record.Created{LegalRepresentatives: stats.Created, Exports: stats.Exports}
	found := record.Found{
		Info: r.info, Catalogue: r.selected, Waivers: record.ScopeWaivers(r.dep.Waivers, r.selected, rules.All()),
		Checks: r.checks, Observations: r.plan.Observations(), Notes: r.notes(stats),
	}
	redactor := r.client.Redactor()
	for i := range found.Observations {
		found.Observations[i].Observed = redactor.Text(found.Observations[i].Observed)
		r.journal.Observation(found.Observations[i])
	}
	for _, note := range found.Notes {
		r.journal.Note(note)
	}
	r.journal.End(r.info)
	r.remember(r.journal.Close())
	r.remember(r.har.Close())
	result := Result{Run: record.Assemble(found), Folder: r.folder, Faults: r.plan.Faults(), LongestChain: r.plan.LongestChain()}
	r.remember(write(r.folder, result.Run, r.client))
	r.client.Close()
	result.Errors = r.errs
	return result
}

func (r *run) notes(s client.Stats) []string {
	var notes []string
	if s.Throttled > 0 {
		notes = append(notes, fmt.Sprintf("the deployment throttled %s; the run waited %s in all and slowed down", digest.Quantity(s.Throttled, "request"), s.Waited.Round(time.Millisecond)))
	}
	if s.Retries > 0 {
		notes = append(notes, digest.Quantity(s.Retries, "attempt")+" repeated one that was answered with 429")
	}
	if again := r.plan.Restarts(); again > 0 {
		notes = append(notes, fmt.Sprintf("%d chains of requests were started anew, with fresh identifiers, after 503 or a broken connection", again))
	}
	if r.target.ProductRequired() {
		notes = append(notes, "an export without a product was refused and one with fixtures.product_id accepted: every request names it")
	}
	if spelling := r.target.Spelling(); spelling != "" {
		notes = append(notes, "the plain creation was refused; creations were accepted, and so sent, with: "+spelling)
	}
	for _, fault := range r.plan.Faults() {
		notes = append(notes, "harness defect: "+fault)
	}
	return notes
}

type unwatched struct{}

func (unwatched) Start(int)                         {}
func (unwatched) Update(console.State)              {}
func (unwatched) Failure(record.Rule, record.Check) {}
func (unwatched) Stop()                             {}
