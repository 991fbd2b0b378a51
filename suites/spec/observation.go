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
	*node
	value T
}

// AnyObservation is an observation of any type.
type AnyObservation interface{ self() *node }

// Phase is the part of a run in which an observation acts. It is fixed when the observation is declared: one may wait for
// others of its own phase and of those before, and for none that comes later.
type Phase int

// The phases, in the order in which a run comes to them.
const (
	Main             Phase = iota // at once
	AfterAcceptances              // at once, and behind Main at the gate: it may use up what a run has little of
	Late                          // sends what has to be sent last: once all but a few of the above have ended
	Last                          // looks at all that was sent: once all of the above have ended
)

// node is an observation without what it saw.
type node struct {
	p     *Plan
	name  string
	phase Phase
	act   func(ctx context.Context) error
	done  chan struct{}
	err   error
	trace client.Trace

	// With the lock of the plan:
	rank int // at the gate; 0: it was not launched
	used []*node
}

// maxTries is how often a chain of requests is acted out anew, with fresh identifiers, when the deployment was out of
// order in the middle of it.
const maxTries = 5

// Observe declares an observation for the rule whose function is running, or, from within an observation that acts, for
// that one. Whoever asks for the same name shares it; the same name with another type is a mistake of the program, and
// panics. act may run several times: when it returns an error that wraps ErrTransient it is started anew after a pause,
// so that identifiers used before the trouble are never judged.
func Observe[T any](p *Plan, name string, act func(ctx context.Context) (T, error), phase ...Phase) *Observation[T] {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, ok := p.byName[name].(*Observation[T])
	if p.byName[name] == nil {
		o = &Observation[T]{node: &node{p: p, name: name, done: make(chan struct{})}}
		if len(phase) > 0 {
			o.phase = phase[0]
		}
		o.act = func(ctx context.Context) (err error) {
			o.value, err = act(ctx)
			return err
		}
		p.byName[name] = o
	} else if !ok {
		panic(fmt.Sprintf("spec: two observations of different types are called %q", name))
	}
	p.building.use(o.node)
	return o
}

// See is Observe for an act that ends early where it cannot go on, as a case does: by Await, GiveUp and the like.
func See[T any](p *Plan, name string, act func(ctx Context) T, phase ...Phase) *Observation[T] {
	return Observe(p, name, func(ctx context.Context) (T, error) {
		return act(Context{SpecContext: plainContext{ctx, "", name}}), nil
	}, phase...)
}

// Get waits for the observation; an error says why there is none. A case that does so rests on it.
func (o *Observation[T]) Get(ctx context.Context) (value T, err error) {
	if err = o.wait(ctx); err == nil {
		value = o.value
	}
	return value, err
}

// Await waits for the observation inside a case, or inside an act of See. Where there is none it ends here: not verified when
// a need is unmet, inconclusive when the deployment could not be seen.
func (o *Observation[T]) Await(ctx Context) T {
	if ctx.c != nil && !slices.Contains(ctx.c.of.Rule.uses, o.node) { // it would have run only when awaited, after all others
		o.p.fault("a case of %s awaits %q without having asked for it", ctx.c.Rule, o.name)
	}
	v, err := o.Get(ctx)
	ctx.GiveUp(err)
	return v
}

// Settled waits for the observation and reports whether there is one.
func (o *Observation[T]) Settled(ctx context.Context) (T, bool) {
	v, err := o.Get(ctx)
	return v, err == nil
}

type nodeKey struct{}

func acting(ctx context.Context) *node {
	n, _ := ctx.Value(nodeKey{}).(*node)
	return n
}

func (n *node) self() *node { return n }

// wait has the node act, and waits for its end on behalf of the case or the observation that asks for it.
func (n *node) wait(ctx context.Context) error {
	if c, is := ctx.Value(checkKey{}).(*Check); is && !slices.Contains(c.awaited, n) {
		c.awaited = append(c.awaited, n)
	}
	rank := 0
	if user := acting(ctx); user != nil {
		if n.phase > user.phase { // each would wait for the other
			n.p.fault("observation %q waits for %q, which comes later in a run", user.name, n.name)
			return Unclear("the harness failed here: %s comes later", n.name)
		}
		rank = user.uses(n)
	}
	n.launch(rank)
	if !n.ended(ctx) {
		return Interrupted
	}
	return n.err
}

// Start has the observation act while the caller goes on: it will be asked for.
func (n *node) Start(ctx context.Context) {
	rank := 1
	if user := acting(ctx); user != nil {
		rank = user.rank
	}
	n.launch(rank)
}

// Ended waits until the observation has ended, whatever came of it, and counts as no use of it.
func (n *node) Ended(ctx context.Context) {
	n.launch(1)
	n.ended(ctx)
}

// launch starts the node once, ahead of everything ranked later.
func (n *node) launch(rank int) {
	n.p.mu.Lock()
	defer n.p.mu.Unlock()
	if n.rank == 0 {
		n.rank = max(rank, 1)
		n.p.busy[n.phase]++
		n.p.acting.Go(func() { n.run(n.p.base) })
	}
}

// Launched reports whether the observation was started in this run.
func (n *node) Launched() bool {
	n.p.mu.Lock()
	defer n.p.mu.Unlock()
	return n.rank > 0
}

// uses notes that the node waits for another, and gives the rank for that one.
func (n *node) uses(other *node) (rank int) {
	n.p.mu.Lock()
	defer n.p.mu.Unlock()
	if !slices.Contains(n.used, other) {
		n.used = append(n.used, other)
	}
	return n.rank
}

// turn waits until what a run comes to earlier has ended, but for so little that the gate would run empty.
func (n *node) turn() {
	n.p.mu.Lock()
	defer n.p.mu.Unlock()
	for n.phase == Late && n.p.earlier(Late) > n.p.o.Room || n.phase == Last && n.p.earlier(Last) > 0 {
		n.p.idle.Wait()
	}
}

// earlier counts the observations under way of those that a run comes to before. The lock is held.
func (p *Plan) earlier(than Phase) (n int) {
	for _, busy := range p.busy[:than] {
		n += busy
	}
	return n
}

func (n *node) end() {
	close(n.done)
	n.p.mu.Lock()
	defer n.p.mu.Unlock()
	n.p.busy[n.phase]--
	n.p.idle.Broadcast()
}

func (n *node) run(ctx context.Context) {
	defer n.end()
	n.turn()
	ctx = client.WithTrace(client.WithRank(context.WithValue(ctx, nodeKey{}, n), n.rank), &n.trace)
	pauses := &backoff.ExponentialBackOff{
		InitialInterval: n.p.o.Pause, RandomizationFactor: 0.5, Multiplier: 2, MaxInterval: time.Minute,
	}
	_, _ = backoff.Retry(ctx, func() (none struct{}, err error) {
		if n.err = n.attempt(ctx); n.err != nil && !errors.Is(n.err, ErrTransient) {
			return none, backoff.Permanent(n.err)
		}
		return none, n.err
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(0))
	if ctx.Err() != nil && n.err != nil {
		n.err = Interrupted
	}
}

// attempt acts once. A panic that has no reason is our own mistake, and no finding.
func (n *node) attempt(ctx context.Context) (err error) {
	r, stack := ended(func() { err = n.act(ctx) })
	if early, is := r.(over); is {
		return early.reason
	} else if r != nil {
		n.p.fault("observation %q panicked: %v\n%s", n.name, r, stack)
		return Unclear("the harness failed here: %v", r)
	}
	return err
}

// ended waits for the node's end, and reports whether it came before that of ctx.
func (n *node) ended(ctx context.Context) bool {
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
