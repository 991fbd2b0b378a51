package spec

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/gateassay/gateassay/gateway/client"
)

// Observation is something to be seen of the deployment, of type T.
type Observation[T any] struct {
	n     *node
	p     *Plan
	value T
}

// Timing says when in a run an observation acts. Most need none, and act at once.
type Timing int

// The timings of what does not act at once.
const (
	AtOnce   Timing = iota
	Yielding        // gives way to all others at the gate: it may use up what a run has little of
	AtEnd           // sends what has to be sent last: once all of the above have ended, whatever the order of the cases
	OfAll           // looks at all that was sent: once those AtEnd have ended as well
)

// turn is a part of a run: what is of one acts once all of the turns before have ended.
type turn int

const (
	ordinary turn = iota
	last
	end
	turns // how many there are
)

type node struct {
	p     *Plan
	name  string
	when  Timing
	act   func(ctx context.Context) error
	start sync.Once
	done  chan struct{}
	err   error
	trace client.Trace
	rank  int
	tries int

	mu   sync.Mutex
	used []*node
}

func (o *Observation[T]) node() *node { return o.n }

func (n *node) turn() turn {
	switch n.when {
	case AtEnd:
		return last
	case OfAll:
		return end
	default:
		return ordinary
	}
}

// tries is how often a chain of requests is acted out anew, with fresh identifiers, when the deployment was out of
// order in the middle of it.
const maxTries = 5

// Observe declares an observation for the rule whose function is running, or, from within an observation that acts, for
// that one. Whoever asks for the same name shares it; the same name with another type is a mistake of the program, and
// panics. act may run several times: when it
// returns an error that wraps ErrTransient it is started anew after a pause, so that identifiers used before the
// trouble are never judged.
func Observe[T any](p *Plan, name string, act func(ctx context.Context) (T, error), when ...Timing) *Observation[T] {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.byName[name]; ok {
		o, ok := known.(*Observation[T])
		if !ok {
			panic(fmt.Sprintf("spec: two observations of different types are called %q", name))
		}
		p.building.use(o.n)
		return o
	}
	o := &Observation[T]{p: p}
	o.n = &node{p: p, name: name, done: make(chan struct{})}
	for _, t := range when {
		o.n.when = t
	}
	p.byName[name] = o
	p.building.use(o.n)
	o.n.act = func(ctx context.Context) error {
		v, err := act(ctx)
		o.value = v
		return err
	}
	p.nodes = append(p.nodes, o.n)
	return o
}

// Get waits for the observation; an error says why there is none. It is for use by other observations.
func (o *Observation[T]) Get(ctx context.Context) (T, error) {
	var none T
	if user, ok := ctx.Value(nodeKey{}).(*node); ok {
		user.mu.Lock()
		if !slices.Contains(user.used, o.n) {
			user.used = append(user.used, o.n)
		}
		user.mu.Unlock()
		o.n.launch(user.rank)
		if t := o.n.turn(); t > user.turn() { // which waits for the end of the user's turn
			o.p.active[user.turn()].end()
			defer o.p.active[user.turn()].begin()
		}
	} else {
		o.n.launch(0)
	}
	switch {
	case !o.n.ended(ctx):
		return none, Interrupted
	case o.n.err != nil:
		return none, o.n.err
	}
	return o.value, nil
}

// Ended waits until the observation has ended, whatever came of it, and counts as no use of it.
func (o *Observation[T]) Ended(ctx context.Context) {
	o.n.launch(1)
	o.n.ended(ctx)
}

// ended waits for the node's end, and reports whether it came before that of ctx.
func (n *node) ended(ctx context.Context) bool {
	if n.finished() {
		return true
	}
	select {
	case <-n.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// Await waits for the observation inside a case. Where there is none the case ends here: not verified when a need is
// unmet, inconclusive when the deployment could not be seen.
func (o *Observation[T]) Await(ctx Context) T {
	if !slices.Contains(ctx.c.of.uses, o.n) { // it would have run only when awaited, after all others
		o.p.fault("a case of %s awaits %q without having asked for it", ctx.c.Rule, o.n.name)
	}
	ctx.c.awaits(o.n)
	v, err := o.Get(ctx)
	if err != nil {
		ctx.GiveUp(err)
	}
	return v
}

// Settled waits for the observation and reports whether there is one, without ending the case.
func (o *Observation[T]) Settled(ctx context.Context) (T, bool) {
	if c, ok := ctx.Value(checkKey{}).(*Check); ok {
		c.awaits(o.n)
	}
	v, err := o.Get(ctx)
	return v, err == nil
}

func (c *Check) awaits(n *node) {
	if !slices.Contains(c.awaited, n) {
		c.awaited = append(c.awaited, n)
	}
}

// AnyObservation is an observation of any type.
type AnyObservation interface {
	node() *node
	settle(ctx context.Context) error
}

func (o *Observation[T]) settle(ctx context.Context) error {
	_, err := o.Get(ctx)
	return err
}

// Launched reports whether the observation was started in this run.
func (o *Observation[T]) Launched() bool { return o.n.launched() }

type nodeKey struct{}

// Acting is the name of the observation that acts with a context; empty: none does.
func Acting(ctx context.Context) string {
	if n, ok := ctx.Value(nodeKey{}).(*node); ok {
		return n.name
	}
	return ""
}

// launch starts the node once, ahead of everything ranked later.
func (n *node) launch(rank int) {
	n.start.Do(func() {
		n.p.mu.Lock()
		n.rank = max(rank, 1)
		ctx := n.p.base
		n.p.mu.Unlock()
		t := n.turn()
		n.p.active[t].begin()
		go func() {
			defer n.p.active[t].end()
			n.p.until(ctx, t)
			n.run(ctx)
		}()
	})
}

// until waits for all observations of earlier turns. A lazy plan may not have launched them all: what its checks need
// is launched one after the other, as it would have been.
func (p *Plan) until(ctx context.Context, t turn) {
	for before := range t {
		if p.lazy {
			p.needed(before, func(n *node, rank int) {
				n.launch(rank)
				n.ended(ctx)
			})
		}
		p.active[before].wait()
	}
}

// needed visits the observations of a turn that the selected rules need, by their rank: those that yield last.
func (p *Plan) needed(t turn, visit func(n *node, rank int)) {
	for _, yielding := range []bool{false, true} {
		for i, r := range p.selected {
			if p.unmet(r) != nil {
				continue
			}
			for _, n := range r.uses {
				if n.turn() != t || (n.when == Yielding) != yielding {
					continue
				}
				rank := i + 1
				if yielding {
					rank += len(p.selected)
				}
				visit(n, rank)
			}
		}
	}
}

func (n *node) run(ctx context.Context) {
	defer close(n.done)
	ctx = client.WithTrace(client.WithRank(context.WithValue(ctx, nodeKey{}, n), n.rank), &n.trace)
	pauses := &backoff.ExponentialBackOff{
		InitialInterval: n.p.backoff, RandomizationFactor: 0.5, Multiplier: 2, MaxInterval: time.Minute,
	}
	_, _ = backoff.Retry(ctx, func() (none struct{}, err error) {
		n.tries++
		if n.err = n.attempt(ctx); n.err != nil && !errors.Is(n.err, ErrTransient) {
			return none, backoff.Permanent(n.err)
		}
		return none, n.err
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(0))
	if ctx.Err() != nil && n.err != nil {
		n.err = Interrupted
	}
}

// attempt acts once; a panic is a defect of the harness, not a finding.
func (n *node) attempt(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			n.p.fault("observation %q panicked: %v\n%s", n.name, r, debug.Stack())
			err = fmt.Errorf("%w: the harness failed here: %v", ErrInconclusive, r)
		}
	}()
	return n.act(ctx)
}

func (n *node) uses() []*node {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]*node(nil), n.used...)
}

func (n *node) launched() bool {
	n.p.mu.Lock()
	defer n.p.mu.Unlock()
	return n.rank > 0
}

func (n *node) finished() bool {
	select {
	case <-n.done:
		return true
	default:
		return false
	}
}
