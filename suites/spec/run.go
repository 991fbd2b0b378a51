package spec

import (
	"context"
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
		return p.unmet(r) != nil || !slices.ContainsFunc(r.uses, func(n *node) bool { return n.when < AtEnd })
	}))
}

// Begin has observations act when they are asked for. ctx ends them all.
func (p *Plan) Begin(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.base = ctx
}

// Launch starts every observation that the selected rules need, those of the first rules ahead, and returns at once. What
// waits for others is launched behind them.
func (p *Plan) Launch() {
	selected := p.chosen()
	for when := range OfAll + 1 {
		for i, r := range selected {
			if p.unmet(r) != nil {
				continue
			}
			for _, n := range r.uses {
				if n.when == when {
					n.launch(1 + i + int(when)*len(selected))
				}
			}
		}
	}
}

// Judge judges the cases of a launched plan, each as soon as what it awaits has been observed, and returns when all were.
// When the run is interrupted, what was seen by then is judged.
func (p *Plan) Judge() {
	var judging sync.WaitGroup
	for _, k := range p.Cases() {
		judging.Go(func() { p.judge(context.WithoutCancel(p.context()), k, aside) }) // what was launched ends with the run
	}
	judging.Wait()
}

// Run launches and judges the selected cases, and returns when nothing goes on any more.
func (p *Plan) Run(ctx context.Context) {
	p.Begin(ctx)
	p.Launch()
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
		if n.Launched() {
			<-n.done
		}
	}
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
		for _, used := range n.used {
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
