package spec

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/rules"
)

// SelectRules keeps the wanted rules in the run, without cases that Ginkgo's Pending marks.
func (p *Plan) SelectRules(wanted func(rules.Rule) bool) {
	p.KeepCases(func(k *Case) bool { return wanted(k.Rule.Rule) && !k.pending })
}

// KeepCases keeps only the wanted cases among those still in the run.
func (p *Plan) KeepCases(wanted func(*Case) bool) {
	for _, r := range p.rules {
		for _, k := range r.Cases {
			k.excluded = k.excluded || !wanted(k)
		}
	}
}

// FindCase returns the case with a text that a rule has in the run; nil: there is none.
func (p *Plan) FindCase(id, text string) *Case {
	if r := p.byID[id]; r != nil {
		if i := slices.IndexFunc(r.Cases,
			func(k *Case) bool { return k.Text == text && !k.excluded }); i >= 0 {
			return r.Cases[i]
		}
	}
	return nil
}

// Cases returns the selected cases in the order of their declaration.
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

// SelectedRules returns the rules that have selected cases.
func (p *Plan) SelectedRules() []rules.Rule { return ruleDescriptions(p.selectedRules()) }

func (p *Plan) selectedRules() []*Rule {
	return slices.DeleteFunc(slices.Clone(p.rules), func(r *Rule) bool { return !r.isSelected() })
}

func (r *Rule) isSelected() bool {
	return slices.ContainsFunc(r.Cases, func(k *Case) bool { return !k.excluded })
}

// EnableObservations lets observations act when a case awaits them. They end with ctx.
func (p *Plan) EnableObservations(ctx context.Context) { p.baseContext = ctx }

// StartObservations starts every observation that the selected rules need and returns at once.
// Earlier phases and earlier rules go first. No act can tell in which order they were started.
func (p *Plan) StartObservations() {
	selected := p.selectedRules()
	p.mu.Lock()
	defer p.mu.Unlock()
	for phase := range PhaseLast + 1 {
		for i, r := range selected {
			if p.options.Unmet(r.Rule) != nil {
				continue
			}
			for _, n := range r.neededObservations(p.depth) {
				if n.phase == phase {
					n.launchLocked(1 + i + int(phase)*len(selected))
				}
			}
		}
	}
}

// JudgeCases judges the cases that have no result yet, each as soon as its observations have
// ended, and returns after the last. After an interrupt, it judges what was seen by then, and
// begins no case of OfImporter. A failed gomega.Expect ends its case, as a failed Expect of its
// Context does.
func (p *Plan) JudgeCases() {
	defer endCasesOnGlobalExpect()()
	interrupted := p.baseContext.Err() != nil
	var judging sync.WaitGroup
	for _, k := range p.Cases() {
		if p.CaseResult(k) != nil || k.Rule.ofImporter && interrupted {
			continue
		}
		ctx := p.baseContext
		if !k.Rule.ofImporter {
			ctx = context.WithoutCancel(ctx) // it waits for observations alone, which end with the run
		}
		judging.Go(func() { p.judgeCase(nonGinkgoContext{ctx, k.Rule.title(), k.Text}, k, false) })
	}
	judging.Wait()
}

// globalExpectRuns counts the runs that share the process's gomega.Default.
var globalExpectRuns struct {
	sync.Mutex
	runs   int
	before gomega.Gomega
}

// endCasesOnGlobalExpect makes a failed gomega.Expect end its case until done is called.
func endCasesOnGlobalExpect() (done func()) {
	globalExpectRuns.Lock()
	defer globalExpectRuns.Unlock()
	globalExpectRuns.runs++
	if globalExpectRuns.runs == 1 {
		globalExpectRuns.before = gomega.Default
		gomega.Default = gomega.NewGomega(
			func(message string, _ ...int) { panic(globalExpectFailure(message)) })
	}
	return func() {
		globalExpectRuns.Lock()
		defer globalExpectRuns.Unlock()
		globalExpectRuns.runs--
		if globalExpectRuns.runs == 0 {
			gomega.Default = globalExpectRuns.before
		}
	}
}

// Run starts the observations, judges the selected cases and returns when all have ended.
func (p *Plan) Run(ctx context.Context) {
	p.EnableObservations(ctx)
	p.StartObservations()
	p.JudgeCases()
	p.Wait()
}

// AdoptResult stores the result of a case that another plan of the same rules judged.
func (p *Plan) AdoptResult(c *CaseResult) {
	if k := p.FindCase(c.Rule, c.Name); k != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		k.result = c
	}
}

// CaseResult returns the result of a case; nil: it was not judged.
func (p *Plan) CaseResult(k *Case) *CaseResult {
	p.mu.Lock()
	defer p.mu.Unlock()
	return k.result
}

// Wait blocks until every started observation has ended.
func (p *Plan) Wait() { p.activeObservations.Wait() }

func (p *Plan) addHarnessError(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.harnessErrors = append(p.harnessErrors, fmt.Sprintf(format, args...))
}

// HarnessErrors returns the defects of the harness that the run met: panics and undeclared
// observations.
func (p *Plan) HarnessErrors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.harnessErrors)
}
