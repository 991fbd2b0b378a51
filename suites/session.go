package suites

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/har"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// session is one run against one deployment, shared by the command, go test and Ginkgo.
type session struct {
	options    Options
	deployment *deployment.File
	ctx        context.Context // context of the run; abort ends it
	abort      context.CancelCauseFunc
	embedded   *EmbeddedGateway // nil if a deployment was given
	client     *client.Client
	target     *target.Target
	plan       *spec.Plan
	lab        *lab.Lab

	inGinkgo  bool         // Ginkgo specs judge the cases
	repeated  []*spec.Plan // of repeated attempts of specs
	succeeded bool         // Ginkgo's suite has succeeded: it skipped the specs of unjudged cases

	liveness livenessMonitor
	selected []rules.Rule
	rules    int // rules that a run of this depth verifies without a selection; quick: all rules
	tried    record.ValueCoverage
	info     record.RunInfo
	folder   string // empty: nothing is recorded
	journal  *record.Journal
	har      *har.File

	mu      sync.Mutex
	checks  []record.CheckResult
	scripts map[[2]string]reproscript.Script // by rule and check
	errors  []error
}

// openSession prepares a run. The caller must call close.
func openSession(ctx context.Context, o Options) (_ *session, err error) {
	s := &session{options: o, scripts: map[[2]string]reproscript.Script{}}
	if err := CheckDepth("--depth", o.Depth); err != nil {
		return nil, err
	}
	s.ctx, s.abort = context.WithCancelCause(ctx)
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if err = s.obtainDeployment(ctx); err != nil {
		return nil, err
	}
	s.options.Seed = cmp.Or(o.Seed, time.Now().UnixMicro())
	s.liveness = livenessMonitor{
		deployment: s.deployment, last: map[client.Operation]*client.Exchange{},
	}
	if s.client, err = client.New(s.deployment, client.Options{
		InFlight: o.InFlight, RequestsPerSecond: o.Rate, Timeout: o.Timeout, OnExchange: s.onExchange,
		UserAgent:   "gateassay/" + o.Version,
		MaxRequests: s.deployment.Limits.RequestsAtDepth(s.runDepth()),
	}); err != nil {
		return nil, err
	}
	s.target = target.New(s.deployment, s.client, s.options.Seed)
	s.target.Depth = s.runDepth()
	s.plan, s.lab = s.declareRules()
	if err = CheckWaivedRulesExist(s.deployment, o.DeploymentPath, s.plan.Catalogue()); err != nil {
		return nil, err
	}
	if err = s.selectRules(); err != nil {
		return nil, err
	}
	s.info = s.newRunInfo()
	return s, nil
}

// obtainDeployment sets the deployment: the given one, or a new embedded gateway.
func (s *session) obtainDeployment(ctx context.Context) (err error) {
	s.deployment = s.options.Deployment
	if provide := s.options.ProvideDeployment; provide != nil {
		s.deployment, err = provide(ctx)
		if err == nil && s.deployment == nil {
			err = errors.New("ProvideDeployment returned none")
		}
		if err != nil {
			return fmt.Errorf("the deployment: %w", err)
		}
	}
	if s.deployment == nil {
		s.embedded, err = StartEmbedded(ctx)
		if err != nil {
			return err
		}
		s.deployment = s.embedded.Deployment
	}
	return nil
}

// newRunInfo returns what is known of the run before it starts.
func (s *session) newRunInfo() record.RunInfo {
	id, o := make([]byte, 8), s.options
	_, _ = rand.Read(id)
	return record.RunInfo{
		ID: hex.EncodeToString(id), Deployment: s.deployment.Name, BaseURL: s.deployment.BaseURL,
		Embedded:    s.embedded != nil,
		Fingerprint: s.deployment.Fingerprint(), Depth: s.target.Depth, Tried: s.tried,
		StartedAt: time.Now().UTC(), Seed: o.Seed,
		Selected: record.RuleSelection{Selected: len(s.selected), Total: s.rules},
		Strict:   o.Strict, Version: o.Version, Command: o.Command, File: o.DeploymentPath,
	}
}

// declareRules declares the rules for the deployment.
func (s *session) declareRules() (*spec.Plan, *lab.Lab) {
	return declareRules(s.target, spec.Options{
		OnCheck: s.onCheck, ExcuseFailure: s.excuseFailure,
		DeclareAgain: func(o spec.Options) { declareRules(s.target, o, s.options.DeclareRules) },
	}, s.options.DeclareRules)
}

// redeclareRules declares the rules again, with new observations.
func (s *session) redeclareRules() *spec.Plan {
	p, _ := s.declareRules()
	p.EnableObservations(s.ctx)
	s.repeated = append(s.repeated, p)
	return p
}

// harnessErrors returns the defects of the harness that the run met.
func (s *session) harnessErrors() (all []string) {
	for _, p := range append(s.repeated, s.plan) {
		all = append(all, p.HarnessErrors()...)
	}
	return all
}

func (s *session) close() {
	s.abort(nil)
	if s.client != nil {
		s.client.Close()
	}
	if s.embedded != nil {
		s.embedded.Close()
	}
}

// openRecord creates the folder of the run, before anything is sent.
func (s *session) openRecord(out, verb string) error {
	folder, err := runfolder.Create(out, verb, s.info.StartedAt)
	if err != nil {
		return &UsageError{err.Error()}
	}
	s.folder = folder
	if s.journal, err = record.OpenJournal(folder,
		s.info, s.selected, s.waiversInScope()); err != nil {
		return err
	}
	s.har, err = har.Create(filepath.Join(folder, "exchanges.har"), "gateassay", s.options.Version)
	return err
}

func (s *session) waiversInScope() []deployment.Waiver {
	return waiversInScope(s.deployment.Waivers, s.selected, s.plan.Catalogue())
}

// onExchange records an exchange. Calls do not overlap.
func (s *session) onExchange(x *client.Exchange) {
	if s.har != nil {
		s.keepError(s.har.Append(x))
	}
	note := record.ExchangeNote{
		Seq: x.Seq, Label: x.Label, Operation: x.Operation, Attempt: x.Attempt, Status: x.Status,
		Created: s.client.Redactor().Text(createdID(x)), ServiceMS: x.Service.Milliseconds(),
	}
	if x.Err != nil {
		note.Error = x.Err.Error()
	}
	s.journal.WriteExchange(note)
	if why := cmp.Or(s.liveness.observeExchange(x), s.client.Stats().Exhausted); why != nil {
		s.abort(abortError{why})
	}
}

// createdID returns the ID of the record or file that an exchange created; empty: none, or none is
// shown.
func createdID(x *client.Exchange) (id string) {
	switch {
	case x.IsSuccess() && x.Operation == client.OperationCreate:
		id = representative.RecordID(x.Body)
	case x.IsSuccess() && x.Operation == client.OperationExport:
		id, _ = answers.FileID(x)
	}
	return id
}

func (s *session) keepError(err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errors = append(s.errors, err)
}

// onCheck records a check as soon as it is judged.
func (s *session) onCheck(c *spec.CaseResult) {
	s.plan.AdoptResult(c)
	found, took := c.CheckResult, time.Duration(0)
	for _, seq := range found.Exchanges {
		if x := s.client.Exchange(seq); x != nil {
			took += x.Service
		}
	}
	found.DurationMS = took.Milliseconds()
	shown := found.Repeat
	if found.Verdict == record.VerdictInconclusive {
		shown = found.Exchanges[:min(1, len(found.Exchanges))]
	}
	found.Curl = s.client.ShellScript(shown...)
	script, repeatable := c.Script(s.deployment)
	if s.inGinkgo {
		s.addReportEntries(found, script, repeatable)
	}
	s.mu.Lock()
	if repeatable {
		s.scripts[[2]string{found.Rule, found.Name}] = script
	}
	s.checks = append(s.checks, found)
	enough := s.violationLimitReached()
	s.mu.Unlock()
	s.journal.WriteCheck(found)
	if enough {
		s.abort(abortError{tooManyViolations(s.options.MaxViolations)})
	}
}

// tooManyViolations is the reason of a run that ended at Options.MaxViolations.
type tooManyViolations int

func (n tooManyViolations) Error() string {
	return "the run ended after " + printable.Quantity(int(n), "violation") + " (--max-violations)"
}

// violationLimitReached reports whether as many rules are violated as MaxViolations allows. Waived
// rules do not count. The caller holds s.mu.
func (s *session) violationLimitReached() bool {
	if s.options.MaxViolations <= 0 {
		return false
	}
	sofar := record.Assemble(record.UnjudgedRun{
		Info: s.info, Catalogue: s.selected, Checks: s.checks, Waivers: s.waiversInScope(),
	})
	return sofar.Counts.Fail >= s.options.MaxViolations
}

func (s *session) runState() RunState {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := RunState{Stats: s.client.Stats(), Cases: len(s.plan.Cases()), Done: len(s.checks)}
	for _, c := range s.checks {
		if c.Verdict == record.VerdictFail {
			state.Failures++
			state.LastFailure = c.Rule
		}
	}
	return state
}
