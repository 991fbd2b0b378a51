package suites

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/har"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/doctor"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// session is one run against one deployment: what every face shares.
type session struct {
	o       Options
	dep     *deployment.File
	client  *client.Client
	target  *target.Target
	plan    *spec.Plan
	silence silence

	controls  *control.Controls
	preflight preflight
	obstacle  *doctor.Obstacle // nil: none was found
	unserved  string           // why nothing can be said about exports: none are served, and creations are; empty: they are

	selected []rules.Rule
	info     record.Info
	folder   string // empty: nothing is recorded
	journal  *record.Journal
	har      *har.File

	numbering sync.Once
	numbers   map[string]int // of the cases, from 1

	mu     sync.Mutex
	checks []record.Check
	failed int
	errs   []error
}

// newSession prepares a run; release ends what it started.
func newSession(ctx context.Context, o Options, how spec.Options) (s *session, release func(), err error) {
	s = &session{o: o, dep: o.Deployment}
	release = func() {}
	if s.dep == nil {
		embedded, err := StartEmbedded(ctx)
		if err != nil {
			return nil, nil, err
		}
		s.dep, release = embedded.Deployment, embedded.Close
	}
	if s.o.Seed == 0 {
		s.o.Seed = time.Now().UnixMicro()
	}
	if s.client, err = newClient(s.dep, o, s.exchanged); err != nil {
		release()
		return nil, nil, err
	}
	stop := release
	release = func() {
		s.client.Close()
		stop()
	}
	s.target = target.New(s.dep, s.client, s.o.Seed)
	judged := how.OnCheck
	how.OnCheck = func(c *spec.Check) {
		s.judged(c)
		if judged != nil {
			judged(c)
		}
	}
	s.plan, s.controls = declare(s.target, how, o.Own)
	if s.selected, err = o.chosen(s.plan); err != nil {
		release()
		return nil, nil, err
	}
	started := time.Now().UTC()
	s.info = record.Info{
		ID: runID(), Deployment: s.dep.Name, BaseURL: s.dep.BaseURL, StartedAt: started, Seed: s.o.Seed,
		Strict: o.Strict, Version: o.Version, Command: o.Command, File: o.DeploymentPath,
	}
	return s, release, nil
}

func runID() string {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// record opens the folder of the run, before anything is sent.
func (s *session) record(out, verb string) error {
	folder, err := runfolder.Create(out, verb, s.info.StartedAt)
	if err != nil {
		return &UsageError{err.Error()}
	}
	s.folder = folder
	waivers := record.ScopeWaivers(s.dep.Waivers, s.selected, s.plan.Catalogue())
	if s.journal, err = record.OpenJournal(folder, s.info, s.selected, waivers); err != nil {
		return err
	}
	s.har, err = har.Create(filepath.Join(folder, "exchanges.har"), "gateassay", s.o.Version)
	return err
}

// exchanged is called with every exchange, one at a time.
func (s *session) exchanged(x *client.Exchange) {
	if s.har != nil {
		s.remember(s.har.Append(x))
	}
	note := record.ExchangeNote{
		Seq: x.Seq, Label: x.Label, Operation: string(x.Operation), Attempt: x.Attempt, Status: x.Status,
		ServiceMS: x.Service.Milliseconds(),
	}
	if x.Err != nil {
		note.Error = x.Err.Error()
	}
	s.journal.Exchange(note)
	s.preflight.heard(x)
	s.silence.heard(x)
	s.silence.exhausted(s.client.Exhausted())
	if !x.Success() {
		return
	}
	switch x.Operation {
	case client.Create:
		if id, ok := createdID(x); ok {
			s.journal.Created(record.CreatedRepresentatives, s.client.Redactor().Text(id))
		}
	case client.Export:
		if id, ok := target.FileID(x); ok {
			s.journal.Created(record.CreatedExports, s.client.Redactor().Text(id))
		}
	}
}

// createdID reads the record's ID of an accepted creation.
func createdID(x *client.Exchange) (string, bool) {
	var answer struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(x.Body, &answer) != nil || answer.ID == "" {
		return "", false
	}
	return answer.ID, true
}

func (s *session) remember(err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errs = append(s.errs, err)
}

// judged records a check the moment it is judged.
func (s *session) judged(c *spec.Check) {
	found := c.Check
	found.Case = s.number(found)
	s.explained(&found)
	if found.Verdict == record.Fail || found.Verdict == record.Inconclusive {
		found.Curl = s.client.Script(s.client.WithFirst(c.Own(), found.Exchanges))
	}
	s.mu.Lock()
	s.checks = append(s.checks, found)
	if found.Verdict == record.Fail {
		s.failed++
	}
	s.mu.Unlock()
	s.journal.Check(found)
}

func (s *session) state() State {
	stats := s.client.Stats()
	s.mu.Lock()
	defer s.mu.Unlock()
	return State{
		Done: s.plan.Judged(), Requests: stats.Sent, InFlight: s.client.InFlight(), Failures: s.failed,
		Throttled: stats.Throttled, Pause: s.client.Pause(),
	}
}

// leave gives a verdict to the cases that have none, and counts them.
func (s *session) leave(verdict record.Verdict, why string) int {
	judged := map[string]bool{}
	for _, c := range s.checks {
		judged[c.Rule+" "+c.Name] = true
	}
	left := 0
	for _, k := range s.plan.Cases() {
		if judged[k.Rule.ID+" "+k.Text] {
			continue
		}
		left++
		c := record.Check{Rule: k.Rule.ID, Name: k.Text, Verdict: verdict, Message: why, Exchanges: []int{}}
		if need := new(spec.NeedError); s.obstacle != nil && errors.As(s.target.Unmet(k.Rule.Rule), &need) {
			c.Verdict, c.Message, c.Need, c.Given = record.NotVerified, need.Error(), need.Key, need.Why != ""
		}
		c.Case = s.number(c)
		s.checks = append(s.checks, c)
		s.journal.Check(c)
	}
	return left
}

// finish takes the figures of the run, and concludes it.
func (s *session) finish() Result {
	stats := s.client.Stats()
	s.info.Requests, s.info.Retries = stats.Sent, stats.Retries
	s.info.InFlight, s.info.PeakFlight = s.client.Limit(), stats.PeakInFlight
	s.info.Created = record.Created{LegalRepresentatives: stats.Created, Exports: stats.Exports}
	return s.conclude(s.notes(stats))
}

// number is the place of a check's case among all that are selected, from 1: checks are judged as soon as they can be.
func (s *session) number(c record.Check) int {
	s.numbering.Do(func() {
		s.numbers = map[string]int{}
		for i, k := range s.plan.Cases() {
			s.numbers[k.Rule.ID+" "+k.Text] = i + 1
		}
	})
	return s.numbers[c.Rule+" "+c.Name]
}

// conclude judges the rules, ends the record and makes what follows from it.
func (s *session) conclude(notes []string) Result {
	s.info.FinishedAt = time.Now().UTC()
	record.InOrder(s.checks)
	found := record.Found{
		Info: s.info, Catalogue: s.selected, Checks: s.checks, Notes: notes,
		Observations: record.Observations(s.checks, s.selected),
		Waivers:      record.ScopeWaivers(s.dep.Waivers, s.selected, s.plan.Catalogue()),
	}
	for _, o := range found.Observations {
		s.journal.Observation(o)
	}
	for _, note := range found.Notes {
		s.journal.Note(note)
	}
	s.journal.End(s.info)
	result := Result{
		Run: record.Assemble(found), Folder: s.folder, Obstacle: s.obstacle,
		Faults: s.plan.Faults(), LongestChain: s.plan.LongestChain(),
	}
	if s.folder != "" {
		s.remember(s.journal.Close())
		s.remember(s.har.Close())
		data, err := result.Run.JSON()
		if err == nil {
			err = runfolder.WriteAtomic(s.folder, runfolder.RunName, data)
		}
		s.remember(err)
		if s.o.Render != nil {
			s.remember(s.o.Render(s.folder))
		}
	}
	result.Errors = s.errs
	return result
}

// notes says what a reader of the run must know.
func (s *session) notes(stats client.Stats) []string {
	count := func(n int, one string) string {
		if n == 1 {
			return "1 " + one
		}
		return fmt.Sprintf("%d %ss", n, one)
	}
	var notes []string
	if s.obstacle != nil {
		notes = append(notes, "the run ended before its tests began: "+s.obstacle.Cause+"; next: "+s.obstacle.Next)
	} else if at, expired := doctor.Expired(s.dep.Credentials.Main()); expired && at.Before(s.info.StartedAt) {
		notes = append(notes, fmt.Sprintf("credentials.%s had expired on %s by its own claim when the run started",
			s.dep.Credentials.Main().Name, at.Format("2006-01-02 15:04 MST")))
	}
	if stats.Throttled > 0 {
		notes = append(notes, fmt.Sprintf("the deployment throttled %s; the run waited %s in all and slowed down",
			count(stats.Throttled, "request"), stats.Waited.Round(time.Millisecond)))
	}
	if stats.Retries > 0 {
		notes = append(notes, count(stats.Retries, "attempt")+" repeated one that was answered with 429")
	}
	if again := s.plan.Restarts(); again > 0 {
		notes = append(notes, count(again,
			"chain")+" of requests started anew, with fresh identifiers, after 503 or a broken connection")
	}
	if s.target.ProductRequired() {
		notes = append(
			notes, "an export without a product was refused and one with fixtures.product_id accepted: every "+
				"request names it")
	}
	if spelling := s.target.Spelling(); spelling != "" {
		notes = append(notes, "the plain creation was refused; the run sent creations that were accepted, with: "+spelling)
	}
	if spelling := s.target.ExportSpelling().String(); spelling != "" {
		notes = append(notes, "the plain export was refused; the run sent exports that were accepted, with: "+spelling)
	}
	notes = append(notes, s.controls.Dropped()...)
	for _, limit := range []string{"limits.max_requests", "limits.max_creates"} {
		if n := s.leftOut(limit); n > 0 {
			rules := map[bool]string{true: "1 rule was", false: fmt.Sprint(n, " rules were")}[n == 1]
			notes = append(notes, fmt.Sprintf("%s was reached, so that %s left out: "+
				"each says so, and none counts as passed", limit, rules))
		}
	}
	for _, fault := range s.plan.Faults() {
		notes = append(notes, "harness defect: "+strings.SplitN(fault, "\n", 2)[0])
	}
	return notes
}

// leftOut counts the rules of which a check was left out for a limit.
func (s *session) leftOut(limit string) int {
	rules := map[string]bool{}
	for _, c := range s.checks {
		if c.Need == limit {
			rules[c.Rule] = true
		}
	}
	return len(rules)
}

// errEnded is the reason of specs that nothing can be said about any more.
var errEnded = errors.New("the run ended before this was judged")
