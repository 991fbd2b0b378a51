// Package plan runs what a set of checks has to see of a deployment, all at once, and lets plain Ginkgo specs await and
// judge it.
//
// An observation acts (sends, polls, fetches) and returns what it saw; it never asserts. A check awaits observations
// and asserts; it never sends. So every request that the selected checks need can be in flight together, a run takes as
// long as its slowest chain of requests, and what was seen can be judged again without a network.
package plan

import (
	"context"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/record"
)

// Plan is the set of observations and checks of one run.
type Plan struct {
	mu      sync.Mutex
	suite   string // that checks are being added to
	checks  []*Check
	nodes   []*node
	current *Check // being judged; Ginkgo judges one at a time
	base    context.Context
	lazy    bool
	shared  bool                  // other processes judge some of the checks
	active  [turns]sync.WaitGroup // observations under way, by turn
	faults  []string              // defects of the harness itself
	backoff time.Duration
	waived  func(rule string) bool
	unmet   func(rules.Rule) error
	only    func(*Check) bool
	texts   map[string]bool // of all checks
	found   map[string]record.Observation
	rules   map[string]rules.Rule
}

// New makes an empty plan.
func New() *Plan {
	p := &Plan{
		suite: "checks", base: context.Background(), backoff: 250 * time.Millisecond,
		texts: map[string]bool{}, found: map[string]record.Observation{}, rules: map[string]rules.Rule{},
	}
	for _, r := range rules.All() {
		p.rules[r.ID] = r
	}
	return p
}

// Check is one judgement: a spec that contributes to a rule.
type Check struct {
	Rule  rules.Rule
	Suite string
	Name  string
	Deps  []Awaited

	body   func(ctx context.Context)
	place  types.CodeLocation
	result *record.Check
}

// Text is the spec's text: unique within a plan.
func (c *Check) Text() string { return c.Rule.ID + ": " + c.Name }

// Result is what was found, nil while the check has not been judged.
func (c *Check) Result() *record.Check { return c.result }

// Awaited is an observation of any type.
type Awaited interface{ node() *node }

// Suite names the group of the checks that follow: create, export, replay, auth.
func (p *Plan) Suite(name string) { p.suite = name }

// It adds a check of a rule. Its text is the rule's ID and the name, which must be unique. The body runs as a Ginkgo
// spec; deps are the observations that it awaits. An ID that the catalogue does not hold and a name that another check of
// the rule has are programming errors, and panic when the plan is built.
func (p *Plan) It(rule, name string, deps []Awaited, body func(ctx context.Context)) {
	r, ok := p.rules[rule]
	if !ok {
		panic("plan: no rule " + rule + " in the catalogue")
	}
	c := &Check{Rule: r, Suite: p.suite, Name: name, Deps: deps, body: body, place: types.NewCodeLocation(1)}
	if p.texts[c.Text()] {
		panic("plan: two checks are called " + c.Text())
	}
	p.texts[c.Text()] = true
	p.checks = append(p.checks, c)
}

// After lists the observations that a check awaits.
func After(observations ...Awaited) []Awaited { return observations }

// Checks returns all checks in the order in which they were added.
func (p *Plan) Checks() []*Check { return p.checks }

// Keep drops the checks that a selection does not want; their observations never run.
func (p *Plan) Keep(want func(*Check) bool) {
	var kept []*Check
	for _, c := range p.checks {
		if want(c) {
			kept = append(kept, c)
		}
	}
	p.checks = kept
}

// Waive tells which rules are waived: their failure is recorded but does not fail the spec.
func (p *Plan) Waive(waived func(rule string) bool) { p.waived = waived }

// Require tells what a rule lacks on this deployment: checks of such rules are not verified, and nothing is sent for them.
func (p *Plan) Require(unmet func(rules.Rule) error) { p.unmet = unmet }

// Share tells that other processes judge some of the checks: what comes last does not make up for what they observe.
// Ginkgo runs the specs that rest on it when all others have ended.
func (p *Plan) Share() { p.shared = true }

// Only tells which checks will be judged: observations that none of them awaits are not launched.
func (p *Plan) Only(selected func(*Check) bool) { p.only = selected }

func (p *Plan) lacks(c *Check) error {
	if p.unmet == nil {
		return nil
	}
	return p.unmet(c.Rule)
}

// Faults returns the defects of the harness itself that were met: panics and undeclared observations.
func (p *Plan) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.faults...)
}

func (p *Plan) fault(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, text)
}

// Exchanges lists the exchanges that a check rests on: those of its own observations, then those that these awaited.
func (c *Check) exchanges() (seqs []int, service time.Duration) {
	seen := map[int]bool{}
	visited := map[*node]bool{}
	var visit func(n *node, depth int)
	visit = func(n *node, depth int) {
		if visited[n] {
			return
		}
		visited[n] = true
		for _, seq := range n.trace.Seqs() {
			if !seen[seq] {
				seen[seq] = true
				seqs = append(seqs, seq)
			}
		}
		service += n.trace.Service()
		if depth == 0 {
			return
		}
		for _, used := range n.uses() {
			visit(used, depth-1)
		}
	}
	for _, d := range c.Deps {
		visit(d.node(), 1)
	}
	return seqs, service
}

// Own lists the exchanges of the check's first observation that sent any: what it takes to see the finding again.
func (c *Check) Own() []int {
	for _, d := range c.Deps {
		if seqs := d.node().trace.Seqs(); len(seqs) > 0 {
			return seqs
		}
	}
	return nil
}

// Restarts counts how often chains of requests were started anew.
func (p *Plan) Restarts() int {
	n := 0
	for _, node := range p.nodes {
		if node.launched() && node.tries > 1 {
			n += node.tries - 1
		}
	}
	return n
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
	for _, n := range p.nodes {
		longest = max(longest, of(n))
	}
	return longest
}
