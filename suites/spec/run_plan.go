package spec

import (
	"context"
	"slices"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/rules"
)

// SelectRules leaves the rules that are not wanted out of the run, and what Ginkgo's Pending marks.
func (p *Plan) SelectRules(wanted func(rules.Rule) bool) {
	p.KeepCases(func(k *Case) bool {
		return wanted(k.Rule.Rule) && !k.decorators.contains(ginkgo.Pending) &&
			!k.Rule.decorators.contains(ginkgo.Pending)
	})
}

// KeepCases leaves the cases that are not wanted out of the run, beside those that are out of it.
func (p *Plan) KeepCases(wanted func(*Case) bool) {
	for _, r := range p.rules {
		for _, k := range r.Cases {
			k.excluded = k.excluded || !wanted(k)
		}
	}
}

// FindCase is the case of a text that a rule has in the run; nil: there is none.
func (p *Plan) FindCase(id, text string) *Case {
	if r := p.byID[id]; r != nil {
		if i := slices.IndexFunc(r.Cases,
			func(k *Case) bool { return k.Text == text && !k.excluded }); i >= 0 {
			return r.Cases[i]
		}
	}
	return nil
}

// Cases lists the selected cases, in the order in which they were declared.
func (p *Plan) Cases() (list []*Case) {
	for _, r := range p.rules {
		for _, k := range r.Cases {
			if !k.excluded {
				list = append(list, k)
			}
		}
	}
	return list
}

// SelectedRules lists the rules of the selected cases.
func (p *Plan) SelectedRules() []rules.Rule { return ruleDescriptions(p.selectedRules()) }

func (p *Plan) selectedRules() []*Rule {
	return slices.DeleteFunc(slices.Clone(p.rules), func(r *Rule) bool { return !r.isSelected() })
}

func (r *Rule) isSelected() bool {
	return slices.ContainsFunc(r.Cases, func(k *Case) bool { return !k.excluded })
}

// EnableObservations has observations act when they are asked for. ctx ends them all.
func (p *Plan) EnableObservations(ctx context.Context) { p.baseContext = ctx }

// StartObservations starts every observation that the selected rules need, those of the first rules
// ahead, and returns at once. What waits for others is launched behind them.
func (p *Plan) StartObservations() {
	selected := p.selectedRules()
	for phase := range PhaseLast + 1 {
		for i, r := range selected {
			if p.unmetPrecondition(r) != nil {
				continue
			}
			for _, n := range r.neededObservations(p.depth) {
				if n.phase == phase {
					n.launch(1 + i + int(phase)*len(selected))
				}
			}
		}
	}
}

// JudgeCases judges the cases of a launched plan that were not judged yet, each as soon as what it
// awaits has been observed, and returns when all were. When the run is interrupted, what was seen
// by then is judged. An assertion of gomega.Expect ends the case that makes it, as one of its
// context does.
func (p *Plan) JudgeCases() {
	defer endCasesOnGlobalExpect()()
	ctx := context.WithoutCancel(p.baseContext) // what was launched ends with the run
	var judging sync.WaitGroup
	for _, k := range p.Cases() {
		if p.CaseResult(k) == nil {
			judging.Go(func() { p.judgeCase(nonGinkgoContext{ctx, k.Rule.title(), k.Text}, k, false) })
		}
	}
	judging.Wait()
}

// globalExpectRuns counts the runs of the process that have gomega.Expect end their cases, as
// gomega has one for all.
var globalExpectRuns struct {
	sync.Mutex
	runs   int
	before gomega.Gomega
}

// endCasesOnGlobalExpect has gomega.Expect end the case that uses it, until the function that it
// returns is called.
func endCasesOnGlobalExpect() (done func()) {
	globalExpectRuns.Lock()
	defer globalExpectRuns.Unlock()
	if globalExpectRuns.runs++; globalExpectRuns.runs == 1 {
		globalExpectRuns.before = gomega.Default
		gomega.Default = gomega.NewGomega(
			func(message string, _ ...int) { panic(globalExpectFailure(message)) })
	}
	return func() {
		globalExpectRuns.Lock()
		defer globalExpectRuns.Unlock()
		if globalExpectRuns.runs--; globalExpectRuns.runs == 0 {
			gomega.Default = globalExpectRuns.before
		}
	}
}

// Run launches and judges the selected cases, and returns when nothing goes on any more.
func (p *Plan) Run(ctx context.Context) {
	p.EnableObservations(ctx)
	p.StartObservations()
	p.JudgeCases()
	p.Wait()
}

// CaseResult is what a case found, nil when it was not judged.
func (p *Plan) CaseResult(k *Case) *CaseResult {
	p.mu.Lock()
	defer p.mu.Unlock()
	return k.result
}

// Wait blocks until every launched observation has ended.
func (p *Plan) Wait() { p.activeObservations.Wait() }

func (p *Plan) unmetPrecondition(r *Rule) error {
	if p.options.Unmet == nil {
		return nil
	}
	return p.options.Unmet(r.Rule)
}
