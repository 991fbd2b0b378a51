// Package spec lets Ginkgo specs verify rules of the API document by what was observed of a deployment.
//
// A Rule is a container: its ID, level, section and statement, and right below them the observations that it needs and
// the specs that judge them. An Observation acts (sends, polls, fetches) and returns what it saw; it never asserts. A
// spec awaits observations and asserts; it never sends. So every request that the selected specs need can be in flight
// together, a run takes as long as its slowest chain of requests, and what was seen can be judged without a network.
package spec

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Options say how a plan treats the rules that are declared in it. Each function may be nil.
type Options struct {
	Wanted   func(rules.Rule) bool            // rules to declare; the others are only listed in the catalogue
	Unmet    func(rules.Rule) error           // what the deployment lacks for a rule: nothing is sent for it
	Evidence func(name string) AnyObservation // see Names
	Excuse   func(rules.Rule) string          // why its failure does not fail the spec, such as "waived"; "": it does
	Redact   func(string) string              // what may be shown of a text
	// sets handlers of interrupts again, which Ginkgo drops; nil: its own stay
	Listen  func()
	OnCheck func(*Check) // called after each spec of a rule that was judged
}

// Plan is the rules, specs and observations of one run.
type Plan struct {
	o       Options
	backoff time.Duration
	begun   sync.Once
	declare func()

	declaring sync.Mutex // held while a tree of specs is built

	mu     sync.Mutex
	nodes  []*node
	byName map[string]any // observations by name
	faults []string       // defects of the harness itself
	base   context.Context
	lazy   bool
	active [turns]underWay // observations under way, by turn

	rules    []rules.Rule
	declared map[string]*ruleNode // by rule ID
	building *ruleNode            // the rule whose container is being built
	within   []Option             // of the groups around it

	specs    []Spec // that Ginkgo will run, in its order
	running  int    // specs that Ginkgo will run, those of others included
	selected []*ruleNode
	part     map[string]bool   // rules that the run of Ginkgo's is about, see Judge; nil: all
	early    bool              // some specs still wait
	later    map[string]bool   // rules of which a check waits for all others, see postpones
	results  map[string]*Check // by the full text of the spec
}

// ruleNode is a rule whose container is in the tree.
type ruleNode struct {
	rule  rules.Rule
	uses  []*node
	names []string
	place *types.CodeLocation // where its specs are, see It; nil: where each of them is declared
}

// Spec is one spec of a rule.
type Spec struct {
	Rule rules.Rule
	Name string // the texts below the rule's container
	Text string // the full text

	of *ruleNode
}

// New makes an empty plan.
func New(o Options) *Plan {
	return &Plan{
		o: o, base: context.Background(), backoff: 250 * time.Millisecond,
		byName: map[string]any{}, declared: map[string]*ruleNode{}, results: map[string]*Check{},
		later: map[string]bool{},
	}
}

// Option says more about a rule: Needs, Names, Security.
type Option = func(*ruleNode)

// Needs names keys of the deployment file without which a rule cannot be verified; "a|b" is met by either.
func Needs(keys ...string) Option {
	return func(d *ruleNode) {
		for _, key := range keys {
			if !slices.Contains(d.rule.Needs, key) {
				d.rule.Needs = append(d.rule.Needs, key)
			}
		}
	}
}

// Asks notes within the container of a rule that it needs answers of an operation: create or export.
func (p *Plan) Asks(operation string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d := p.building; d != nil && d.rule.Level != rules.Observe && !slices.Contains(d.rule.Asks, operation) {
		d.rule.Asks = append(d.rule.Asks, operation)
	}
}

// Asking says of a rule that it needs accepted requests of an operation: create or export.
func Asking(operation string) Option {
	return func(d *ruleNode) { d.rule.Asks = append(d.rule.Asks, operation) }
}

// Names lists names of fields or headers that the document does not show and on which the rule rests. A check that
// fails is not verified as long as nothing shows that the deployment knows these names (Options.Evidence).
func Names(names ...string) Option { return func(d *ruleNode) { d.names = append(d.names, names...) } }

// Using names observations, declared elsewhere, that all specs of the rules await or may use.
func Using(all ...AnyObservation) Option {
	return func(d *ruleNode) {
		for _, o := range all {
			d.use(o.node())
		}
	}
}

// use notes that the rule needs an observation.
func (d *ruleNode) use(n *node) {
	if d != nil && !slices.Contains(d.uses, n) {
		d.uses = append(d.uses, n)
	}
}

// Security marks a rule that protects data or money: its violation counts whatever its level.
func Security(d *ruleNode) { d.rule.Security = true }

// Group declares rules that share options.
func (p *Plan) Group(options ...any) {
	outer := p.within
	defer func() { p.within = outer }()
	for _, o := range options {
		switch o := o.(type) {
		case Option:
			p.within = append(slices.Clip(p.within), o)
		case func():
			o()
		default:
			panic(fmt.Sprintf("spec: Group takes options and a function, not %T", o))
		}
	}
}

// Rule declares a rule and the specs that verify it: a container, whose text is the ID and the statement, with the ID,
// the level and, where it applies, "security" as labels. The arguments are Options, decorators of Ginkgo's and a
// function that declares observations and specs. Every observation that the function asks for is made when one of its
// specs is selected. An ID that was declared before is a mistake of the program, and panics.
func (p *Plan) Rule(id string, level rules.Level, section rules.Section, statement string, args ...any) {
	d := &ruleNode{rule: rules.Rule{ID: id, Level: level, Section: section, Statement: statement}}
	place := types.NewCodeLocation(1)
	if _, file, line, _ := runtime.Caller(1); file != place.FileName || line != place.LineNumber { // by a helper
		d.place = &place
	}
	for _, o := range p.within {
		o(d)
	}
	var body func()
	decorators := []any{place, ginkgo.Label(id), ginkgo.Label(string(level))}
	for _, a := range args {
		switch a := a.(type) {
		case Option:
			a(d)
		case func():
			body = a
		default:
			decorators = append(decorators, a)
		}
	}
	if d.rule.Security {
		decorators = append(decorators, ginkgo.Label("security"))
	}
	if p.part != nil && !p.part[id] {
		decorators = append(decorators, ginkgo.Pending)
	}
	if p.declared[id] != nil {
		panic("spec: the rule " + id + " is declared twice")
	}
	p.declared[id] = d
	at := len(p.rules)
	p.rules = append(p.rules, d.rule)
	if p.o.Wanted != nil && !p.o.Wanted(d.rule) {
		return
	}
	ginkgo.Describe(id+": "+statement, append(decorators, func() {
		outer := p.build(d)
		defer p.build(outer)
		ginkgo.BeforeEach(func() { p.enter(d) })
		body()
	})...)
	p.rules[at] = d.rule // with what its container asks for
}

// It declares a spec of the rule whose container is being built. Where a helper (GinkgoHelper) declared the rule, the
// spec is where the helper was called.
func (p *Plan) It(text string, args ...any) {
	ginkgo.GinkgoHelper()
	if d := p.building; d != nil && d.place != nil {
		args = append(args, *d.place)
	}
	ginkgo.It(text, args...)
}

// Building returns the ID of the rule whose container is being built.
func (p *Plan) Building() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.building == nil {
		return ""
	}
	return p.building.rule.ID
}

// Observing reports whether the rule whose container is being built judges nothing.
func (p *Plan) Observing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.building != nil && p.building.rule.Level == rules.Observe
}

// build sets the rule whose container is being built, and returns the one before.
func (p *Plan) build(d *ruleNode) (outer *ruleNode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	outer, p.building = p.building, d
	return outer
}

// Register adds the plan to Ginkgo's tree, in one container, inside of which declare declares the rules. Ginkgo builds
// its tree once for a preview and once for the run: declare is called each time, and observations keep their identity
// by their names. The specs are serial: under ginkgo -p one process runs them all, and leaves one run.
func (p *Plan) Register(text string, declare func()) {
	ginkgo.Describe(text, ginkgo.Serial, func() {
		p.declaring.Lock()
		defer p.declaring.Unlock()
		p.rules, p.declared, p.within = nil, map[string]*ruleNode{}, nil
		ginkgo.ReportAfterEach(p.report) // inside the container: the preview loses it at the top
		declare()
	})
}

// Catalogue lists the rules in the order in which they were declared; the tree has to be built (see Preview).
func (p *Plan) Catalogue() []rules.Rule { return p.rules }

// Preview finds out which specs Ginkgo will run under a configuration, and in which order. It returns an error when two
// specs of a rule cannot be told apart.
func (p *Plan) Preview(suite types.SuiteConfig, reporter types.ReporterConfig) error {
	report := ginkgo.PreviewSpecs("gateassay", suite, reporter)
	if slices.Contains(report.SpecialSuiteFailureReasons, "Interrupted by User") {
		return fmt.Errorf("%w before anything was sent", Interrupted) // the list of specs ends where the signal came
	}
	p.specs, p.selected, p.running = nil, nil, 0
	texts := map[string]bool{}
	for _, s := range report.SpecReports {
		if s.LeafNodeType != types.NodeTypeIt || s.State.Is(types.SpecStateSkipped|types.SpecStatePending) {
			continue
		}
		p.running++
		d, name := p.ruleOf(s)
		if d == nil {
			continue
		}
		text := s.FullText()
		if texts[text] {
			return fmt.Errorf("two specs are called %q: give one of them another text", text)
		}
		texts[text] = true
		p.specs = append(p.specs, Spec{Rule: d.rule, Name: name, Text: text, of: d})
		if !slices.Contains(p.selected, d) {
			p.selected = append(p.selected, d)
		}
	}
	return nil
}

// ruleOf finds the rule whose container a spec stands in, and what the spec is called below it.
func (p *Plan) ruleOf(s types.SpecReport) (*ruleNode, string) {
	if s.LeafNodeType != types.NodeTypeIt {
		return nil, ""
	}
	for i, text := range s.ContainerHierarchyTexts {
		id, _, _ := strings.Cut(text, ": ")
		if d := p.declared[id]; d != nil && slices.Contains(s.ContainerHierarchyLabels[i], id) {
			return d, strings.Join(append(slices.Clone(s.ContainerHierarchyTexts[i+1:]), s.LeafNodeText), " ")
		}
	}
	return nil, ""
}

// Running counts the specs that Ginkgo will run, whoever declared them, after Preview.
func (p *Plan) Running() int { return p.running }

// Specs lists the specs that Ginkgo will run, in its order, after Preview.
func (p *Plan) Specs() []Spec { return p.specs }

// Selected lists the rules of these specs.
func (p *Plan) Selected() []rules.Rule {
	list := make([]rules.Rule, len(p.selected))
	for i, d := range p.selected {
		list[i] = d.rule
	}
	return list
}

// Acting lists the rules of the specs whose needs are met and which rest on requests of their own, not only on what the
// others sent, after Preview.
func (p *Plan) Acting() []rules.Rule {
	var list []rules.Rule
	for _, d := range p.selected {
		if p.unmet(d.rule) == nil && slices.ContainsFunc(d.uses, func(n *node) bool { return n.turn == ordinary }) {
			list = append(list, d.rule)
		}
	}
	return list
}

// Result is what a spec found, nil when it was not judged.
func (p *Plan) Result(s Spec) *Check {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.results[s.Text]
}

func (p *Plan) unmet(r rules.Rule) error {
	if p.o.Unmet == nil {
		return nil
	}
	return p.o.Unmet(r)
}

// Faults returns the defects of the harness itself that were met: panics and undeclared observations.
func (p *Plan) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.faults)
}

func (p *Plan) fault(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}
