package suites

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// patience is how long an interrupted run may take to write what it found before another signal kills it.
const patience = 3 * time.Second

// Run tests a deployment and writes the folder of the run. The error is a *UsageError, a *strictyaml.Problems, or says
// why the run could not start; whatever happens after the first request is in the result. When ctx ends, nothing more
// is sent, what was seen is judged and written, and the run is marked partial.
//
// Run is for processes without Ginkgo specs of their own (see Test for the others); runs of one process judge in turn. While
// it judges, interrupts end the run: Ginkgo, which would swallow them, does not see them.
func Run(ctx context.Context, o Options) (Result, error) {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	watch := o.Watch
	if watch == nil {
		watch = unwatched{}
	}
	interrupts := make(chan os.Signal, 1)
	listen := func() { signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM) }
	defer signal.Stop(interrupts)
	s, release, err := newSession(ctx, o, spec.Options{
		Begun: func() {
			signal.Reset(os.Interrupt, syscall.SIGTERM) // Ginkgo's handler is among them
			listen()
		},
		OnCheck: func(c *spec.Check) {
			if c.Verdict == record.Fail {
				r := c.About()
				watch.Failure(record.Rule{ID: r.ID, Level: string(r.Level), Security: r.Security, Section: string(r.Section), Statement: r.Statement}, c.Check)
			}
		},
	})
	if err != nil {
		return Result{}, err
	}
	defer release()
	order := spec.Order{Random: o.Random, Seed: s.o.Seed}
	if err := s.plan.Prepare(order, s.declare); err != nil {
		return Result{}, err
	}
	listen()
	if s.selected, err = o.Select.Of(s.plan.Catalogue()); err != nil {
		return Result{}, err
	}
	if err := client.SignIn(ctx, s.dep); err != nil {
		return Result{}, err
	}
	if err := s.record(o.Out, "conform"); err != nil {
		return Result{Folder: s.folder}, err
	}
	s.silence.giveUp = giveUp
	go func() {
		select {
		case <-interrupts:
			giveUp(spec.Interrupted)
			time.Sleep(patience) // whatever is stuck then, a second signal ends
			signal.Reset(os.Interrupt, syscall.SIGTERM)
		case <-ctx.Done():
		}
	}()
	watch.Start(len(s.plan.Specs()))
	stop := s.watched(watch)
	s.plan.Launch(ctx, o.OneByOne)
	s.plan.Judge(order)
	s.plan.Wait()
	stop()

	verdict, why := record.NotVerified, spec.Interrupted.Error()
	dead := s.silence.verdict()
	if dead != nil {
		verdict, why = record.Inconclusive, dead.Error()
	}
	left := s.unjudged(verdict, why)
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
