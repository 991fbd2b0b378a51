package spec

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Select leaves the rules that are not wanted out of the run.
func (p *Plan) Select(wanted func(rules.Rule) bool) {
	for _, r := range p.rules {
		r.unwanted = !wanted(r.Rule)
	}
}

func (k *Case) chosen() bool { return !k.left && !k.Rule.unwanted }

// Cases lists the selected cases, in the order in which they were declared.
func (p *Plan) Cases() []*Case {
	var list []*Case
	for _, r := range p.rules {
		for _, k := range r.Cases {
			if k.chosen() {
				list = append(list, k)
			}
		}
	}
	return list
}

// Selected lists the rules of the selected cases.
func (p *Plan) Selected() []rules.Rule { return stated(p.chosen()) }

func (p *Plan) chosen() []*Rule {
	return slices.DeleteFunc(slices.Clone(p.rules), func(r *Rule) bool {
		return !slices.ContainsFunc(r.Cases, (*Case).chosen)
	})
}

// Acting lists the selected rules whose needs are met and which rest on requests of their own, not only on what the
// others sent.
func (p *Plan) Acting() []rules.Rule {
	return stated(slices.DeleteFunc(p.chosen(), func(r *Rule) bool {
		return p.unmet(r) != nil || !slices.ContainsFunc(r.uses, func(n *node) bool { return n.turn() == ordinary })
	}))
}

// Order is that in which the rules of a run are given their requests, and judged where one is after the other.
type Order struct {
	Random bool
	Seed   int64
}

// Launch starts every observation that the selected rules need, those of the first rules ahead, and returns at once. ctx
// ends them all. A lazy plan starts each observation only when a case awaits it.
func (p *Plan) Launch(ctx context.Context, order Order, lazy bool) {
	selected := p.chosen()
	if order.Random {
		rng := rand.New(rand.NewPCG(uint64(order.Seed), 1))
		rng.Shuffle(len(selected), func(i, j int) { selected[i], selected[j] = selected[j], selected[i] })
	}
	p.mu.Lock()
	p.base, p.lazy, p.selected = ctx, lazy, selected
	p.mu.Unlock()
	if lazy {
		return
	}
	// What comes last waits for all that was launched before it, so it is launched after all others.
	for t := range turns {
		p.needed(t, (*node).launch)
	}
}

// Judge judges the selected cases of a launched plan, each as soon as what it awaits has been observed, and returns when
// all were. Those of a lazy plan are judged one after the other. When the run is interrupted, what was seen by then is
// judged.
func (p *Plan) Judge() {
	ctx := context.WithoutCancel(p.context()) // what was launched ends with it
	var judging sync.WaitGroup
	for _, r := range p.selected {
		for _, k := range r.Cases {
			switch {
			case !k.chosen():
			case p.lazy:
				p.judge(ctx, k, aside)
			default:
				judging.Go(func() { p.judge(ctx, k, aside) })
			}
		}
	}
	judging.Wait()
}

// Run launches and judges the selected cases, and returns when nothing goes on any more.
func (p *Plan) Run(ctx context.Context, order Order) {
	p.Launch(ctx, order, false)
	p.Judge()
	p.Wait()
}

// Result is what a case found, nil when it was not judged.
func (p *Plan) Result(k *Case) *Check {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.results[k]
}

// Judged counts the cases that were judged.
func (p *Plan) Judged() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.results)
}

// Wait blocks until every launched observation has ended.
func (p *Plan) Wait() {
	for _, n := range p.observations() {
		if n.launched() {
			<-n.done
		}
	}
}

// Restarts counts how often chains of requests were started anew.
func (p *Plan) Restarts() int {
	restarts := 0
	for _, n := range p.observations() {
		if n.finished() && n.tries > 1 {
			restarts += n.tries - 1
		}
	}
	return restarts
}

// LongestChain is the time that the slowest observation spent on requests, those it waited for included: no run can be
// shorter. It is to be asked once the run has ended.
func (p *Plan) LongestChain() time.Duration {
	length := map[*node]time.Duration{}
	var of func(n *node) time.Duration
	of = func(n *node) time.Duration {
		if d, known := length[n]; known {
			return d
		}
		length[n] = 0
		var before time.Duration
		for _, used := range n.uses() {
			before = max(before, of(used))
		}
		length[n] = before + n.trace.OnWire()
		return length[n]
	}
	var longest time.Duration
	for _, n := range p.observations() {
		longest = max(longest, of(n))
	}
	return longest
}

func (p *Plan) observations() []*node {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.nodes)
}

func (p *Plan) context() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.base
}

func (p *Plan) unmet(r *Rule) error {
	if p.o.Unmet == nil {
		return nil
	}
	return p.o.Unmet(r.Rule)
}
