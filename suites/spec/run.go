package spec

import (
	"context"
	"slices"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Select leaves the rules that are not wanted out of the run, and what Ginkgo's Pending marks.
func (p *Plan) Select(wanted func(rules.Rule) bool) {
	p.Follow(func(k *Case) bool {
		return wanted(k.Rule.Rule) && !k.decorators.has(ginkgo.Pending) && !k.Rule.decorators.has(ginkgo.Pending)
	})
}

// Follow leaves the cases that are not wanted out of the run, beside those that are out of it.
func (p *Plan) Follow(wanted func(*Case) bool) {
	for _, r := range p.rules {
		for _, k := range r.Cases {
			k.left = k.left || !wanted(k)
		}
	}
}

// Find is the case of a text that a rule has in the run; nil: there is none.
func (p *Plan) Find(id, text string) *Case {
	if r := p.byID[id]; r != nil {
		if i := slices.IndexFunc(r.Cases, func(k *Case) bool { return k.Text == text && !k.left }); i >= 0 {
			return r.Cases[i]
		}
	}
	return nil
}

// Cases lists the selected cases, in the order in which they were declared.
func (p *Plan) Cases() (list []*Case) {
	for _, r := range p.rules {
		for _, k := range r.Cases {
			if !k.left {
				list = append(list, k)
			}
		}
	}
	return list
}

// Selected lists the rules of the selected cases.
func (p *Plan) Selected() []rules.Rule { return stated(p.chosen()) }

func (p *Plan) chosen() []*Rule {
	return slices.DeleteFunc(slices.Clone(p.rules), func(r *Rule) bool { return !r.chosen() })
}

func (r *Rule) chosen() bool {
	return slices.ContainsFunc(r.Cases, func(k *Case) bool { return !k.left })
}

// Begin has observations act when they are asked for. ctx ends them all.
func (p *Plan) Begin(ctx context.Context) { p.base = ctx }

// Launch starts every observation that the selected rules need, those of the first rules ahead, and returns at once. What
// waits for others is launched behind them.
func (p *Plan) Launch() {
	selected := p.chosen()
	for phase := range Last + 1 {
		for i, r := range selected {
			if p.unmet(r) != nil {
				continue
			}
			for _, n := range r.needed(p.depth) {
				if n.phase == phase {
					n.launch(1 + i + int(phase)*len(selected))
				}
			}
		}
	}
}

// Judge judges the cases of a launched plan that were not judged yet, each as soon as what it awaits has been observed, and
// returns when all were. When the run is interrupted, what was seen by then is judged. An assertion of gomega.Expect ends the
// case that makes it, as one of its context does.
func (p *Plan) Judge() {
	defer expectGlobally()()
	ctx := context.WithoutCancel(p.base) // what was launched ends with the run
	var judging sync.WaitGroup
	for _, k := range p.Cases() {
		if p.Result(k) == nil {
			judging.Go(func() { p.judge(plainContext{ctx, k.Rule.title(), k.Text}, k, false) })
		}
	}
	judging.Wait()
}

// globally counts the runs of the process that have gomega.Expect end their cases, as gomega has one for all.
var globally struct {
	sync.Mutex
	runs   int
	before gomega.Gomega
}

// expectGlobally has gomega.Expect end the case that uses it, until the function that it returns is called.
func expectGlobally() (done func()) {
	globally.Lock()
	defer globally.Unlock()
	if globally.runs++; globally.runs == 1 {
		globally.before = gomega.Default
		gomega.Default = gomega.NewGomega(func(message string, _ ...int) { panic(globalFailure(message)) })
	}
	return func() {
		globally.Lock()
		defer globally.Unlock()
		if globally.runs--; globally.runs == 0 {
			gomega.Default = globally.before
		}
	}
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
	return k.found
}

// Wait blocks until every launched observation has ended.
func (p *Plan) Wait() { p.acting.Wait() }

func (p *Plan) unmet(r *Rule) error {
	if p.o.Unmet == nil {
		return nil
	}
	return p.o.Unmet(r.Rule)
}
