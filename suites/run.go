package suites

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Run tests a deployment and writes the folder of the run. The error is a *UsageError, a *strictyaml.Problems, or says
// why the run could not start; whatever happens after the first request is in the result. When ctx ends, nothing more
// is sent, what was seen is judged and written, and the run is marked partial.
func Run(ctx context.Context, o Options) (Result, error) {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	watch := o.Watch
	if watch == nil {
		watch = noWatcher{}
	}
	s, release, err := newSession(ctx, o, spec.Options{
		OnCheck: func(c *spec.Check) {
			if c.Verdict == record.Fail {
				r := c.About()
				watch.Failure(record.Rule{
					ID: r.ID, Level: string(r.Level), Security: r.Security,
					Section: string(r.Section), Statement: r.Statement,
				}, c.Check)
			}
		},
	})
	if err != nil {
		return Result{}, err
	}
	defer release()
	unsigned := client.SignIn(ctx, s.dep)
	if unsigned != nil && ctx.Err() != nil {
		return Result{}, unsigned
	}
	if err := s.record(o.Out, "conform"); err != nil {
		return Result{Folder: s.folder}, err
	}
	s.silence.giveUp = giveUp
	watch.Start(len(s.plan.Cases()))
	stop := s.watched(watch)
	s.plan.Begin(ctx, spec.Order{})
	if s.signedIn(unsigned) && s.mayBeTested(ctx) {
		s.plan.Launch()
		s.plan.Judge()
	}
	s.plan.Wait()
	stop()

	verdict, why := record.NotVerified, spec.Interrupted.Error()
	dead := s.silence.verdict()
	if dead != nil {
		verdict, why = record.Inconclusive, dead.Error()
	}
	left := s.leave(verdict, why)
	s.info.Partial = dead == nil && ctx.Err() != nil && left > 0
	return s.finish(), nil
}

// watched keeps a watcher up to date until the function that it returns is called.
func (s *session) watched(watch Watcher) func() {
	stop := make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				watch.Update(s.state())
			case <-stop:
				return
			}
		}
	})
	return func() {
		close(stop)
		ticking.Wait()
		watch.Update(s.state())
		watch.Stop()
	}
}

// RulePlan is what a run would do about one rule.
type RulePlan struct {
	Rule  rules.Rule
	Cases int
	Need  string // deployment file key to add; empty: the rule would be verified
}

// Preview returns what a run would verify and what it would leave unverified, without sending anything.
func Preview(o Options) ([]RulePlan, error) {
	dep := o.Deployment
	if dep == nil {
		var err error
		if dep, err = embeddedFile(); err != nil {
			return nil, err
		}
	}
	t := target.New(dep, nil, 1)
	p := Declare(t, spec.Options{}, o.Own)
	if _, err := o.chosen(p); err != nil {
		return nil, err
	}
	var list []RulePlan
	for _, r := range p.Rules() {
		if !o.Select.Wants(r.Rule) {
			continue
		}
		plan := RulePlan{Rule: r.Rule, Cases: len(r.Cases)}
		var need *spec.NeedError
		asked := r.Rule
		for _, operation := range r.Operations() {
			asked.Needs = slices.Concat(asked.Needs, rules.FindOperation(operation).Needs)
		}
		if errors.As(t.Unmet(asked), &need) {
			plan.Need = need.Key
		}
		list = append(list, plan)
	}
	return list, nil
}

// A deployment is given up when this many requests in a row, over at least this time, got no answer at all: every
// further one would only wait for its timeout.
const (
	silentRequests = 40
	silentFor      = 10 * time.Second
	// So it is when it leaves one request in many without an answer: a run that waits for each of them finds no end.
	lostRequests = 40
	lostShare    = 20 // one in so many
	lostFor      = 80 * time.Second
)

// silence watches for a deployment that stopped answering in the middle of a run, or refuses whatever comes.
type silence struct {
	giveUp context.CancelCauseFunc

	mu    sync.Mutex
	count int
	since time.Time
	sent  int       // requests
	lost  int       // of those, without an answer in time
	begun time.Time // the first of them
	dead  error
}

// heard takes note of an exchange.
func (s *silence) heard(x *client.Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent++; s.sent == 1 {
		s.begun = x.StartedAt
	}
	if x.Err != nil && x.Err.Kind == client.TimedOut {
		s.lost++
	}
	if s.dead == nil && s.lost >= lostRequests && s.lost*lostShare >= s.sent && time.Since(s.begun) >= lostFor {
		s.dead = fmt.Errorf(
			"the deployment left %d of %d requests without an answer, and the run would take too long: "+
				"what was found until then counts", s.lost, s.sent)
		s.giveUp(s.dead)
	}
	if x.Err == nil || x.Err.Kind == client.Canceled {
		if x.Err == nil {
			s.count = 0
		}
		return
	}
	if s.count == 0 {
		s.since = x.StartedAt
	}
	s.count++
	if s.dead == nil && s.count >= silentRequests && time.Since(s.since) >= silentFor {
		s.dead = fmt.Errorf("the deployment stopped answering: %d requests in a row got none, the last: %w", s.count,
			x.Err)
		s.giveUp(s.dead)
	}
}

// exhausted gives the run up where the client did; nil: it did not.
func (s *silence) exhausted(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if why != nil && s.dead == nil {
		s.dead = why
		s.giveUp(s.dead)
	}
}

// verdict is the reason why the run was given up, nil when it was not.
func (s *silence) verdict() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dead
}
