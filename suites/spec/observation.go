package spec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/gateassay/gateassay/internal/client"
)

// Observation is something to observe on the deployment. Its result is a T.
type Observation[T any] struct {
	*observationNode
	value T
}

// AnyObservation is an observation of any type.
type AnyObservation interface{ self() *observationNode }

// Phase is the part of a run in which an observation acts. It is fixed when the observation is
// declared. An observation may wait for others of the same or an earlier phase only.
type Phase int

// The phases, in the order of a run.
const (
	// PhaseMain starts at once.
	PhaseMain Phase = iota
	// PhaseAfterMain is for exports that hold the others back. It starts when at most four times
	// Options.LatePhaseLimit observations of PhaseMain are active, and goes on beside the refusals of
	// the next phase.
	PhaseAfterMain
	// PhaseAfterAcceptances is for requests that should be refused and, where they are not, use up a
	// scarce limit of the run. It starts at once, but PhaseMain goes first at the gate.
	PhaseAfterAcceptances
	// PhaseLate starts when at most Options.LatePhaseLimit observations of earlier phases are active.
	PhaseLate
	// PhaseLast examines all requests of the run. It starts when all earlier phases have ended.
	PhaseLast
)

// observationNode is an observation without its value.
type observationNode struct {
	plan  *Plan
	name  string
	phase Phase
	act   func(ctx context.Context) error
	done  chan struct{}
	err   error
	trace client.Trace

	// Guarded by plan.mu:
	priority     int // at the gate; the lowest first; 0: not launched
	dependencies []*observationNode
}

// maxObservationAttempts is how often an act runs, each time with fresh identifiers, if the
// deployment fails in the middle of it.
const maxObservationAttempts = 5

// Observe declares an observation for the rule being declared. An act may also declare
// observations, which belong to no rule. The same name returns the same observation; the same name
// with another type is a programming error and panics. act may run several times: after an error
// that wraps ErrTransient it starts again after a pause, so that identifiers used before the error
// are never judged.
func Observe[T any](
	p *Plan, name string, act func(ctx context.Context) (T, error), phase ...Phase,
) *Observation[T] {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, ok := p.observationsByName[name].(*Observation[T])
	if p.observationsByName[name] == nil {
		o = &Observation[T]{
			observationNode: &observationNode{plan: p, name: name, done: make(chan struct{})},
		}
		if len(phase) > 0 {
			o.phase = phase[0]
		}
		o.act = func(ctx context.Context) (err error) {
			o.value, err = act(ctx)
			return err
		}
		p.observationsByName[name] = o
	} else if !ok {
		panic(fmt.Sprintf("spec: two observations of different types are called %q", name))
	}
	p.currentRule.addObservation(o.observationNode)
	return o
}

// ObserveAsCase is Observe for an act that can end early by Await, StopOnError and the like, as a
// case does.
func ObserveAsCase[T any](
	p *Plan, name string, act func(ctx Context) T, phase ...Phase,
) *Observation[T] {
	return Observe(p, name, func(ctx context.Context) (T, error) {
		return act(Context{SpecContext: nonGinkgoContext{ctx, "", name}}), nil
	}, phase...)
}

// Get waits for the observation and returns its value, or the error of its act. The observation
// then counts as evidence of the case that calls Get.
func (o *Observation[T]) Get(ctx context.Context) (value T, err error) {
	if err = o.actAndWait(ctx); err == nil {
		value = o.value
	}
	return value, err
}

// Await waits for the observation inside a case or an act of ObserveAsCase. If the observation
// failed, the case ends: as not verified if a precondition is unmet, otherwise as inconclusive.
func (o *Observation[T]) Await(ctx Context) T {
	// otherwise it starts only when awaited, after all others
	if ctx.check != nil && !slices.Contains(ctx.check.testCase.Rule.observations, o.observationNode) {
		o.plan.addHarnessError("a case of %s awaits %q without having asked for it", ctx.check.Rule,
			o.name)
	}
	v, err := o.Get(ctx)
	ctx.StopOnError(err)
	return v
}

// TryGet waits for the observation and reports whether it succeeded.
func (o *Observation[T]) TryGet(ctx context.Context) (T, bool) {
	v, err := o.Get(ctx)
	return v, err == nil
}

type nodeKey struct{}

func currentObservation(ctx context.Context) *observationNode {
	n, _ := ctx.Value(nodeKey{}).(*observationNode)
	return n
}

func (n *observationNode) self() *observationNode { return n }

// actAndWait starts the node and waits for its end. The case or observation of ctx then depends on
// it.
func (n *observationNode) actAndWait(ctx context.Context) error {
	if c, is := ctx.Value(checkKey{}).(*CaseResult); is && !slices.Contains(c.awaited, n) {
		c.awaited = append(c.awaited, n)
	}
	rank := 0
	if user := currentObservation(ctx); user != nil {
		if n.phase > user.phase { // each would wait for the other
			n.plan.addHarnessError("observation %q waits for %q, which comes later in a run", user.name,
				n.name)
			return Inconclusivef("the harness failed here: %s comes later", n.name)
		}
		rank = user.dependOn(n)
	}
	n.launch(rank)
	if !n.waitDoneBefore(ctx) {
		return ErrInterrupted
	}
	return n.err
}

// Start starts the observation and returns at once.
func (n *observationNode) Start(ctx context.Context) {
	rank := 1
	if user := currentObservation(ctx); user != nil {
		rank = user.priority
	}
	n.launch(rank)
}

// WaitDone waits until the observation has ended, with or without an error. It does not add it to
// the evidence of a case.
func (n *observationNode) WaitDone(ctx context.Context) {
	n.launch(1)
	n.waitDoneBefore(ctx)
}

func (n *observationNode) launch(rank int) {
	n.plan.mu.Lock()
	defer n.plan.mu.Unlock()
	n.launchLocked(rank)
}

// launchLocked starts the node unless it was started, with a priority of rank at the gate; lower
// ranks go first. The caller holds p.mu.
func (n *observationNode) launchLocked(rank int) {
	if n.priority == 0 {
		n.priority = max(rank, 1)
		n.plan.activeByPhase[n.phase]++
		n.plan.activeObservations.Go(func() { n.run(n.plan.baseContext) })
	}
}

// Launched reports whether the observation was started in this run.
func (n *observationNode) Launched() bool {
	n.plan.mu.Lock()
	defer n.plan.mu.Unlock()
	return n.priority > 0
}

// dependOn records that the node waits for another and returns the rank to launch that with.
func (n *observationNode) dependOn(other *observationNode) (rank int) {
	n.plan.mu.Lock()
	defer n.plan.mu.Unlock()
	if !slices.Contains(n.dependencies, other) {
		n.dependencies = append(n.dependencies, other)
	}
	return n.priority
}

// waitForEarlierPhases waits until most or, for PhaseLast, all observations of earlier phases have
// ended. Some may be left, so that the gate stays busy; those of PhaseMain often share a request.
func (n *observationNode) waitForEarlierPhases() {
	left := 0
	switch n.phase {
	case PhaseMain, PhaseAfterAcceptances:
		return
	case PhaseAfterMain:
		left = 4 * n.plan.options.LatePhaseLimit
	case PhaseLate:
		left = n.plan.options.LatePhaseLimit
	}
	n.plan.mu.Lock()
	defer n.plan.mu.Unlock()
	for n.plan.countActiveBefore(n.phase) > left {
		n.plan.observationEnded.Wait()
	}
}

// countActiveBefore counts the active observations of earlier phases. The caller holds p.mu.
func (p *Plan) countActiveBefore(than Phase) (n int) {
	for _, busy := range p.activeByPhase[:than] {
		n += busy
	}
	return n
}

func (n *observationNode) finish() {
	close(n.done)
	n.plan.mu.Lock()
	defer n.plan.mu.Unlock()
	n.plan.activeByPhase[n.phase]--
	n.plan.observationEnded.Broadcast()
}

func (n *observationNode) run(ctx context.Context) {
	defer n.finish()
	n.waitForEarlierPhases()
	ctx = client.WithTrace(client.WithPriority(context.WithValue(ctx, nodeKey{}, n), n.priority),
		&n.trace)
	pauses := &backoff.ExponentialBackOff{
		InitialInterval: n.plan.options.RetryPause, RandomizationFactor: 0.5, Multiplier: 2,
		MaxInterval: time.Minute,
	}
	_, _ = backoff.Retry(ctx, func() (none struct{}, err error) {
		n.err = n.attempt(ctx)
		if n.err != nil && !errors.Is(n.err, ErrTransient) {
			return none, backoff.Permanent(n.err)
		}
		return none, n.err
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(maxObservationAttempts),
		backoff.WithMaxElapsedTime(0))
	switch {
	case ctx.Err() != nil && n.err != nil:
		n.err = ErrInterrupted
	case errors.Is(n.err, ErrTransient): // nobody who waits for it need try again
		n.err = Inconclusivef("%v", n.err)
	}
}

// attempt acts once. It reports an unexpected panic as an error of the harness, never as a finding.
func (n *observationNode) attempt(ctx context.Context) (err error) {
	r, stack := callRecovering(func() { err = n.act(ctx) })
	if early, is := r.(caseEnd); is {
		return early.reason
	} else if r != nil {
		n.plan.addHarnessError("observation %q panicked: %v\n%s", n.name, r, stack)
		return Inconclusivef("the harness failed here: %v", r)
	}
	return err
}

// waitDoneBefore waits for the end of the node or of ctx and reports whether the node has ended.
func (n *observationNode) waitDoneBefore(ctx context.Context) bool {
	select {
	case <-n.done:
	case <-ctx.Done():
	}
	select {
	case <-n.done:
		return true
	default:
		return false
	}
}
