// Package spec declares rules of the API document as data, and judges them by what was observed of
// a deployment.
//
// A Rule has an ID, a level, a section, a statement and its cases. It is declared by plain calls:
// Describe names a topic, Rule a rule, and inside of it Observe says what the cases need to see and
// It how one of them judges that. An observation acts (sends, polls, fetches) and returns what it
// saw; it never asserts. A case awaits observations and asserts; it never sends. So every request
// that the selected rules need can be in flight together, a run takes as long as its slowest chain
// of requests, and each check is judged as soon as what it awaits has been seen.
//
// Whoever lists rules reads the plan. JudgeCases judges its cases side by side, and
// DeclareGinkgoSpecs makes containers and specs of Ginkgo's of them.
package spec

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Options say how a plan treats the rules that are declared in it. Each function may be nil.
type Options struct {
	// what the deployment lacks for a rule: nothing is sent for it
	Unmet    func(rules.Rule) error
	Evidence func(name string) AnyObservation // see RestsOnNames
	// why its failure does not fail Ginkgo's spec, such as "waived"; "": it does
	ExcuseFailure func(rules.Rule) string
	Redact        func(string) string // what may be shown of a text
	OnCheck       func(*CaseResult)   // called after each check, one at a time
	// so many observations may still be under way when those of PhaseLate begin
	LatePhaseLimit int
	// before a chain of requests starts anew for the first time; 0: 250 ms
	RetryPause time.Duration
}

// Plan is the rules and observations of one run.
type Plan struct {
	options Options

	root           describedTopic // the rules, as they were declared
	rules          []*Rule
	byID           map[string]*Rule
	caseCount      int             // that were declared
	depth          string          // see SampleCases
	currentTopic   *describedTopic // whose function is running, the innermost
	currentOptions []Option        // of the groups whose functions are running
	currentRule    *Rule           // whose function is running

	activeObservations sync.WaitGroup // the observations under way
	mu                 sync.Mutex
	observationsByName map[string]any // observations by name
	harnessErrors      []string       // defects of the harness itself
	baseContext        context.Context
	activeByPhase      [PhaseLast + 1]int // observations under way
	observationEnded   *sync.Cond         // one of them has ended
	onCheckMu          sync.Mutex         // held while OnCheck is told of a check
}

// Rule is a rule and the cases that verify it.
type Rule struct {
	rules.Rule
	// what a deployment does instead where it is broken, in words that follow "the deployment"
	ViolatedWhen []string
	Location     CodeLocation // where it was declared
	Cases        []*Case

	undocumentedNames []string           // see RestsOnNames
	evidence          []*observationNode // what shows them
	declaredByHelper  bool               // a helper declared it: its cases stand where that was called
	observations      []*observationNode
	sinceLastCase     caseObservations // sinceLastCase the last case was declared
	decorators        decorators
}

// Case is one thing that a rule is judged by.
type Case struct {
	Rule     *Rule
	Text     string
	Location CodeLocation
	Number   int // its place among all cases, from 1

	judge        func(Context)
	sampling     Sampling
	observations caseObservations
	nameEvidence []*observationNode // what shows names that it alone rests on
	decorators   decorators
	ginkgoNode   ginkgoNode
	excluded     bool        // out of the run, see SelectRules and KeepCases
	result       *CaseResult // once it was judged; with the lock of the plan
}

// String names the case in a run.
func (k *Case) String() string { return k.Rule.ID + ", " + k.Text }

// CodeLocation is a line of a file.
type CodeLocation = types.CodeLocation

// portableLocation is where the case stands, by what is the same on every machine: the path within
// this module. A rule of another module keeps the whole one.
func (k *Case) portableLocation() string {
	location := k.Location.String()
	return location[max(0, strings.LastIndex(location, "/suites/")+1):]
}

// describedTopic is a topic and what was declared in it.
type describedTopic struct {
	text       string
	location   CodeLocation
	items      []any // *group or *Rule
	decorators decorators
}

// New makes an empty plan.
func New(o Options) *Plan {
	o.RetryPause = cmp.Or(o.RetryPause, 250*time.Millisecond)
	p := &Plan{
		options:            o,
		baseContext:        context.Background(),
		observationsByName: map[string]any{},
		byID:               map[string]*Rule{},
	}
	p.observationEnded, p.currentTopic = sync.NewCond(&p.mu), &p.root
	return p
}

// Describe declares a topic. The arguments are options that its rules share, Ginkgo's decorators,
// and a function that declares the rules.
func (p *Plan) Describe(text string, args ...any) {
	outer, g := p.currentTopic, &describedTopic{text: text, location: types.NewCodeLocation(1)}
	outer.items, p.currentTopic = append(outer.items, g), g
	defer func() { p.currentTopic = outer }()
	_, g.decorators, _ = splitArguments(args)
	p.GroupRules(args...)
}

// GroupRules declares rules that share options.
func (p *Plan) GroupRules(args ...any) {
	options, _, body := splitArguments(args)
	outer := p.currentOptions
	defer func() { p.currentOptions = outer }()
	p.currentOptions = append(slices.Clip(outer), options...)
	body()
}

func splitArguments(args []any) (options []Option, given decorators, body func()) {
	for _, a := range args {
		switch a := a.(type) {
		case Option:
			options = append(options, a)
		case func():
			body = a
		default:
			given = append(given, requireGinkgoDecorator(a))
		}
	}
	if body == nil {
		panic("spec: the function that declares is missing")
	}
	return options, given, body
}

// Rule declares a rule. The arguments are options, Ginkgo's decorators, and a function that
// declares the observations that the rule needs and its cases. An ID that was declared before is a
// mistake of the program, and panics.
func (p *Plan) Rule(
	id string, level rules.Level, section rules.Section, statement string, args ...any,
) {
	if p.byID[id] != nil {
		panic("spec: the rule " + id + " is declared twice")
	}
	options, given, body := splitArguments(args)
	r := &Rule{
		Rule:     rules.Rule{ID: id, Level: level, Section: section, Statement: statement},
		Location: types.NewCodeLocation(1), decorators: given,
	}
	_, file, line, _ := runtime.Caller(1)
	r.declaredByHelper = file != r.Location.FileName || line != r.Location.LineNumber
	for _, o := range append(slices.Clone(p.currentOptions), options...) {
		o(r)
	}
	p.currentTopic.items = append(p.currentTopic.items, r)
	p.rules, p.byID[id], p.currentRule = append(p.rules, r), r, r
	defer func() { p.currentRule = nil }()
	body()
	r.evidence = p.observeNameEvidence(r.undocumentedNames)
}

// It declares a case of the rule whose function is running. The arguments are Ginkgo's decorators,
// and its Sampling. A CodeLocation among them is where the case stands, else that is the line that
// calls It; where a helper declared the rule, the one that called the helper. Two cases of a rule
// with the same text are a mistake of the program, and panic.
func (p *Plan) It(text string, judge func(ctx Context), args ...any) *Case {
	r := p.currentRule
	if r == nil {
		panic("spec: the case " + text + " belongs to no rule")
	}
	if slices.ContainsFunc(r.Cases, func(k *Case) bool { return k.Text == text }) {
		panic("spec: two cases of " + r.ID + " are called " + text)
	}
	p.caseCount++
	k := &Case{Rule: r, Text: text, Location: r.Location, Number: p.caseCount, judge: judge}
	if !r.declaredByHelper {
		k.Location = types.NewCodeLocation(1)
	}
	for _, a := range args {
		switch a := a.(type) {
		case CodeLocation:
			k.Location = a
		case Sampling:
			k.sampling = a
		default:
			k.decorators = append(k.decorators, requireGinkgoDecorator(a))
		}
	}
	k.observations, r.sinceLastCase = r.sinceLastCase, caseObservations{}
	r.Cases = append(r.Cases, k)
	return k
}

// CaseRestsOnNames says that the case of the rule whose function is running rests on names as its
// rule may, see RestsOnNames.
func (p *Plan) CaseRestsOnNames(k *Case, names ...string) {
	k.nameEvidence = p.observeNameEvidence(names)
}

// observeNameEvidence has what shows some names looked for in the run.
func (p *Plan) observeNameEvidence(names []string) (all []*observationNode) {
	for _, name := range names {
		if p.options.Evidence != nil {
			shown := p.options.Evidence(name)
			p.UseObservations(shown)
			all = append(all, shown.self())
		}
	}
	return all
}

// Helper marks the function that calls it as one that declares rules or cases for others: they
// stand where it was called.
func Helper() { types.MarkAsHelper(1) }

// NeedOperation notes that the rule whose function is running needs answers of an operation, create
// or export, unless its ID says so, or it judges none.
func (p *Plan) NeedOperation(operation string) {
	r := p.currentRule
	if r != nil && r.Level != rules.Observe && (len(r.Asks) > 0 || r.Operations() == nil) &&
		!slices.Contains(r.Asks, operation) {
		NeedsOperation(operation)(r)
	}
}

// UseObservations notes that the rule whose function is running needs observations that were
// declared elsewhere.
func (p *Plan) UseObservations(all ...AnyObservation) { UsesObservations(all...)(p.currentRule) }

// CurrentRule is the rule whose function is running; an empty one where none is.
func (p *Plan) CurrentRule() *Rule { return cmp.Or(p.currentRule, &Rule{}) }

// Rules lists the rules in the order in which they were declared.
func (p *Plan) Rules() []*Rule { return p.rules }

// Catalogue lists what the document says of them.
func (p *Plan) Catalogue() []rules.Rule { return ruleDescriptions(p.rules) }

func ruleDescriptions(all []*Rule) []rules.Rule {
	list := make([]rules.Rule, len(all))
	for i, r := range all {
		list[i] = r.Rule
	}
	return list
}

func (p *Plan) addHarnessError(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.harnessErrors = append(p.harnessErrors, fmt.Sprintf(format, args...))
}

// HarnessErrors returns the defects of the harness itself that were met: panics and undeclared
// observations.
func (p *Plan) HarnessErrors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.harnessErrors)
}
