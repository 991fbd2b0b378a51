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

// turn is when in a run an observation acts: once all of the turns before have ended.
type turn int

const (
	ordinary turn = iota
	last          // sends what has to be sent last
	end           // looks at all that was sent
	turns         // how many there are
)

type node struct {
	p     *Plan
	name  string
	turn  turn
	act   func(ctx context.Context) error
	start sync.Once
	done  chan struct{}
	err   error
	trace client.Trace
	rank  int
	tries int
	later bool // see Postpone

	mu   sync.Mutex
	used []*node
}

func (o *Observation[T]) node() *node { return o.n }

// Postpone ranks the observation behind all that are not postponed: it may use up what a run has little of.
func (o *Observation[T]) Postpone() *Observation[T] {
	o.p.mu.Lock()
	defer o.p.mu.Unlock()
	o.n.later = true
	return o
}

// tries is how often a chain of requests is acted out anew, with fresh identifiers, when the deployment was out of
// order in the middle of it.
const maxTries = 5

// Observe declares an observation for the rule whose container is being built. Whoever asks for the same name shares
// it; the same name with another type is a mistake of the program, and panics. act may run several times: when it
// returns an error that wraps ErrTransient it is started anew after a pause, so that identifiers used before the
// trouble are never judged.
func Observe[T any](p *Plan, name string, act func(ctx context.Context) (T, error)) *Observation[T] {
	return observe(p, name, ordinary, act)
}

func observe[T any](p *Plan, name string, when turn, act func(ctx context.Context) (T, error)) *Observation[T] {
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
	o.n = &node{p: p, name: name, turn: when, done: make(chan struct{})}
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

// Meanwhile has an observation that acts declare another. It waits until no tree of specs is built: what is declared
// then belongs to a rule, and is what that rule makes of it.
func Meanwhile[T any](p *Plan, declare func() *Observation[T]) *Observation[T] {
	p.declaring.Lock()
	defer p.declaring.Unlock()
	return declare()
}

// Uses notes that the rule whose container is being built needs observations that were declared elsewhere.
func (p *Plan) Uses(all ...AnyObservation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range all {
		p.building.use(o.node())
	}
}

// ObserveLast declares an observation that acts once all that the run's specs await has been observed, in whatever
// order the specs are judged.
func ObserveLast[T any](p *Plan, name string, act func(ctx context.Context) (T, error)) *Observation[T] {
	return observe(p, name, last, act)
}

// ObserveEnd declares an observation of all that was sent: it acts after those of ObserveLast.
func ObserveEnd[T any](p *Plan, name string, act func(ctx context.Context) (T, error)) *Observation[T] {
	return observe(p, name, end, act)
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
	select {
	case <-n.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// Await waits for the observation inside a spec. Where there is none the spec ends here: not verified when a need is
// unmet, inconclusive when the deployment could not be seen.
func (o *Observation[T]) Await(ctx context.Context) T {
	c := running("Await")
	if !slices.Contains(c.of.uses, o.n) { // it would have run only when awaited, after all others
		o.p.fault("a spec of %s awaits %q without having asked for it in its container", c.Rule, o.n.name)
	}
	c.awaits(o.n)
	v, err := o.Get(ctx)
	if err != nil {
		c.giveUp(err)
	}
	return v
}

// Settled waits for the observation and reports whether there is one, without ending the spec.
func (o *Observation[T]) Settled(ctx context.Context) (T, bool) {
	if c := current(); c != nil {
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
		n.p.active[n.turn].begin()
		go func() {
			defer n.p.active[n.turn].end()
			n.p.until(ctx, n.turn)
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

// needed visits the observations of a turn that the selected rules need, by their rank: those that were postponed last.
func (p *Plan) needed(t turn, visit func(n *node, rank int)) {
	for _, later := range []bool{false, true} {
		for i, d := range p.selected {
			if p.unmet(d.rule) != nil {
				continue
			}
			for _, n := range d.uses {
				if n.turn != t || n.later != later {
					continue
				}
				rank := i + 1
				if later {
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

// Launch starts every observation that the rules of the previewed specs need, ranked by the order of the specs, and
// returns at once. ctx ends them all. A lazy plan starts each observation only when a spec awaits it.
func (p *Plan) Launch(ctx context.Context, lazy bool) {
	p.mu.Lock()
	p.base = ctx
	p.lazy = lazy
	p.mu.Unlock()
	if lazy {
		return
	}
	// What comes last waits for all that was launched before it, so it is launched after all others.
	for t := range turns {
		p.needed(t, (*node).launch)
	}
}

// Wait blocks until every launched observation has ended.
func (p *Plan) Wait() {
	for _, n := range p.all() {
		if n.launched() {
			<-n.done
		}
	}
}

func (p *Plan) all() []*node {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.nodes)
}
