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

// Observation is something to be seen of the deployment, of type T.
type Observation[T any] struct {
	*observationNode
	value T
}

// AnyObservation is an observation of any type.
type AnyObservation interface{ self() *observationNode }

// Phase is the part of a run in which an observation acts. It is fixed when the observation is
// declared: one may wait for others of its own phase and of those before, and for none that comes
// later.
type Phase int

// The phases, in the order in which a run comes to them.
const (
	PhaseMain Phase = iota // at once
	// at once, and behind PhaseMain at the gate: it may use up what a run has little of
	PhaseAfterAcceptances
	// sends what has to be sent last: once all but a few of the above have ended
	PhaseLate
	PhaseLast // looks at all that was sent: once all of the above have ended
)

// observationNode is an observation without what it saw.
type observationNode struct {
	plan  *Plan
	name  string
	phase Phase
	act   func(ctx context.Context) error
	done  chan struct{}
	err   error
	trace client.Trace

	// With the lock of the plan:
	priority     int // at the gate; 0: it was not launched
	dependencies []*observationNode
}

// maxObservationAttempts is how often a chain of requests is acted out anew, with fresh
// identifiers, when the deployment was out of order in the middle of it.
const maxObservationAttempts = 5

// Observe declares an observation for the rule whose function is running, or, from within an
// observation that acts, for that one. Whoever asks for the same name shares it; the same name with
// another type is a mistake of the program, and panics. act may run several times: when it returns
// an error that wraps ErrTransient it is started anew after a pause, so that identifiers used
// before the trouble are never judged.
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

// ObserveAsCase is Observe for an act that ends early where it cannot go on, as a case does: by
// Await, StopOnError and the like.
func ObserveAsCase[T any](
	p *Plan, name string, act func(ctx Context) T, phase ...Phase,
) *Observation[T] {
	return Observe(p, name, func(ctx context.Context) (T, error) {
		return act(Context{SpecContext: nonGinkgoContext{ctx, "", name}}), nil
	}, phase...)
}

// Get waits for the observation; an error says why there is none. A case that does so rests on it.
func (o *Observation[T]) Get(ctx context.Context) (value T, err error) {
	if err = o.actAndWait(ctx); err == nil {
		value = o.value
	}
	return value, err
}

// Await waits for the observation inside a case, or inside an act of ObserveAsCase. Where there is
// none it ends here: not verified when a need is unmet, inconclusive when the deployment could not
// be seen.
func (o *Observation[T]) Await(ctx Context) T {
	// it would have run only when awaited, after all others
	if ctx.check != nil && !slices.Contains(ctx.check.testCase.Rule.observations, o.observationNode) {
		o.plan.addHarnessError("a case of %s awaits %q without having asked for it", ctx.check.Rule,
			o.name)
	}
	v, err := o.Get(ctx)
	ctx.StopOnError(err)
	return v
}

// TryGet waits for the observation and reports whether there is one.
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

// actAndWait has the node act, and waits for its end on behalf of the case or the observation that
// asks for it.
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

// Start has the observation act while the caller goes on: it will be asked for.
func (n *observationNode) Start(ctx context.Context) {
	rank := 1
	if user := currentObservation(ctx); user != nil {
		rank = user.priority
	}
	n.launch(rank)
}

// WaitDone waits until the observation has ended, whatever came of it, and counts as no use of it.
func (n *observationNode) WaitDone(ctx context.Context) {
	n.launch(1)
	n.waitDoneBefore(ctx)
}

// launch starts the node once, ahead of everything ranked later.
func (n *observationNode) launch(rank int) {
	n.plan.mu.Lock()
	defer n.plan.mu.Unlock()
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

// dependOn notes that the node waits for another, and gives the rank for that one.
func (n *observationNode) dependOn(other *observationNode) (rank int) {
	n.plan.mu.Lock()
	defer n.plan.mu.Unlock()
	if !slices.Contains(n.dependencies, other) {
		n.dependencies = append(n.dependencies, other)
	}
	return n.priority
}

// waitForEarlierPhases waits until what a run comes to earlier has ended, but for so little that
// the gate would run empty.
func (n *observationNode) waitForEarlierPhases() {
	n.plan.mu.Lock()
	defer n.plan.mu.Unlock()
	for n.phase == PhaseLate && n.plan.countActiveBefore(PhaseLate) > n.plan.options.LatePhaseLimit ||
		n.phase == PhaseLast && n.plan.countActiveBefore(PhaseLast) > 0 {
		n.plan.observationEnded.Wait()
	}
}

// countActiveBefore counts the observations under way of those that a run comes to before. The lock
// is held.
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
		if n.err = n.attempt(ctx); n.err != nil && !errors.Is(n.err, ErrTransient) {
			return none, backoff.Permanent(n.err)
		}
		return none, n.err
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(maxObservationAttempts),
		backoff.WithMaxElapsedTime(0))
	if ctx.Err() != nil && n.err != nil {
		n.err = ErrInterrupted
	}
}

// attempt acts once. A panic that has no reason is our own mistake, and no finding.
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

// waitDoneBefore waits for the node's end, and reports whether it came before that of ctx.
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
