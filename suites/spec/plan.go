// Package spec declares the rules of the API document as data and judges them by what a run
// observes of a deployment.
//
// A Rule has an ID, a level, a section, a statement and cases. Describe declares a topic and Rule
// a rule. Inside a rule, Observe declares what the cases need to see and It declares a case. An
// observation acts (sends, polls, fetches) and returns what it saw; it never asserts. A case
// awaits observations and asserts; it never sends. So all requests of the selected rules can be in
// flight together, a run takes as long as its slowest chain of requests, and each check is judged
// as soon as its observations are there.
//
// The plan lists the rules. JudgeCases judges the cases concurrently, and DeclareGinkgoSpecs
// declares them as Ginkgo containers and specs.
package spec

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Options configure how a plan judges its rules. Each function may be nil.
type Options struct {
	// returns what the deployment lacks for a rule; then nothing is sent for it
	Unmet    func(rules.Rule) error
	Evidence func(name string) AnyObservation // see RestsOnNames
	// returns why the rule's failure does not fail Ginkgo's spec, such as "waived"; "": it does
	ExcuseFailure func(rules.Rule) string
	Redact        func(string) string // removes secrets from a text
	OnCheck       func(*CaseResult)   // called after each check, one at a time
	// PhaseLate begins once at most this many earlier observations are active, PhaseAfterMain once
	// at most four times as many are
	LatePhaseLimit int
	// pause before the first retry of an observation; 0: 250 ms
	RetryPause time.Duration
	// declares the same rules again, in a plan with these options; see failWhereDeclared
	DeclareAgain func(Options)

	failAt  CodeLocation // declaring a rule or a case here fails Ginkgo's spec
	failure string       // the message then
}

// Plan holds the rules and observations of one run.
type Plan struct {
	options Options

	root           describedTopic // the rules, in the order of their declaration
	rules          []*Rule
	byID           map[string]*Rule
	caseCount      int             // number of declared cases
	depth          string          // see SampleCases
	currentTopic   *describedTopic // the innermost one being declared
	currentOptions []Option        // of the groups being declared
	currentRule    *Rule           // being declared

	activeObservations sync.WaitGroup // running observations
	mu                 sync.Mutex
	observationsByName map[string]any // by name
	harnessErrors      []string       // defects of the harness itself
	baseContext        context.Context
	activeByPhase      [PhaseLast + 1]int // running observations
	observationEnded   *sync.Cond         // signals that an observation has ended
	onCheckMu          sync.Mutex         // held while OnCheck runs
}

// Rule is a rule and the cases that verify it.
type Rule struct {
	rules.Rule
	// what a deployment that breaks the rule does, in words that follow "the deployment"
	ViolatedWhen []string
	Location     CodeLocation // where it was declared
	Cases        []*Case

	undocumentedNames []string // see RestsOnNames
	declaredByHelper  bool     // its cases have the location of the helper's call
	ofImporter        bool     // see OfImporter
	pending           bool     // it or its topic has Ginkgo's Pending
	observations      []*observationNode
	sinceLastCase     []*observationNode // of observations, since the last case was declared
	decorators        decorators
}

// Case is one thing that a rule is judged by, such as one invalid value.
type Case struct {
	Rule     *Rule
	Text     string
	Location CodeLocation
	Number   int // position among all cases, from 1

	judge        func(Context)
	sampling     Sampling
	observations []*observationNode // see neededObservations
	nameEvidence []*observationNode // shows the undocumented names that the case rests on
	decorators   decorators
	ginkgoNode   ginkgoNode
	pending      bool        // it or its rule has Ginkgo's Pending
	excluded     bool        // left out of the run, see SelectRules and KeepCases
	result       *CaseResult // nil until it is judged; guarded by the plan's mu
}

// String returns the ID of the rule and the text of the case.
func (k *Case) String() string { return k.Rule.ID + ", " + k.Text }

// CodeLocation is a line of a source file.
type CodeLocation = types.CodeLocation

// portableLocation returns the location of the case as a path within this module, which is the
// same on every machine. For a rule of another module it is the whole path.
func (k *Case) portableLocation() string {
	location := k.Location.String()
	return location[max(0, strings.LastIndex(location, "/suites/")+1):]
}

// describedTopic is a topic with its rules and inner topics.
type describedTopic struct {
	text       string
	location   CodeLocation
	items      []any // *describedTopic or *Rule
	decorators decorators
}

// New returns an empty plan.
func New(o Options) *Plan {
	o.RetryPause = cmp.Or(o.RetryPause, 250*time.Millisecond)
	if o.Unmet == nil {
		o.Unmet = func(rules.Rule) error { return nil }
	}
	if o.Redact == nil {
		o.Redact = func(text string) string { return text }
	}
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
	if g.decorators.contains(ginkgo.Pending) {
		args = append(args, func(r *Rule) { r.pending = true })
	}
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
// declares the observations and the cases of the rule. Declaring an ID twice is a programming
// error and panics.
func (p *Plan) Rule(
	id string, level rules.Level, section rules.Section, statement string, args ...any,
) {
	if p.byID[id] != nil {
		panic("spec: the rule " + id + " is declared twice")
	}
	options, given, body := splitArguments(args)
	r := &Rule{
		Rule:     rules.Rule{ID: id, Level: level, Section: section, Statement: statement},
		Location: p.callerLocation(), decorators: given,
		pending: given.contains(ginkgo.Pending),
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
	evidence := p.observeNameEvidence(r.undocumentedNames)
	for _, k := range r.Cases {
		k.nameEvidence = append(k.nameEvidence, evidence...)
	}
}

// It declares a case of the rule being declared. The arguments are Ginkgo's decorators, a Sampling
// and a CodeLocation. The default location is the line that calls It or, if a helper declared the
// rule, the call of the helper. Two cases of a rule with the same text are a programming error and
// panic.
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
		k.Location = p.callerLocation()
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
	k.pending = r.pending || k.decorators.contains(ginkgo.Pending)
	k.observations, r.sinceLastCase = r.sinceLastCase, nil
	r.Cases = append(r.Cases, k)
	return k
}

// CaseRestsOnNames declares that a case of the rule being declared rests on names, see
// RestsOnNames.
func (p *Plan) CaseRestsOnNames(k *Case, names ...string) {
	k.nameEvidence = p.observeNameEvidence(names)
}

// observeNameEvidence declares that the current rule needs the observations that show the names,
// and returns these.
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

// Helper marks the calling function as a helper. The rules and cases that it declares have the
// location of its call.
func Helper() { types.MarkAsHelper(1) }

// CurrentRule returns the rule being declared, or an empty rule.
func (p *Plan) CurrentRule() *Rule { return cmp.Or(p.currentRule, &Rule{}) }

// Rules returns the rules in the order of their declaration.
func (p *Plan) Rules() []*Rule { return p.rules }

// Catalogue returns the descriptions of all rules, in the same order.
func (p *Plan) Catalogue() []rules.Rule { return ruleDescriptions(p.rules) }

func ruleDescriptions(all []*Rule) []rules.Rule {
	list := make([]rules.Rule, len(all))
	for i, r := range all {
		list[i] = r.Rule
	}
	return list
}
