// Package spec declares rules of the API document as data, and judges them by what was observed of a deployment.
//
// A Rule has an ID, a level, a section, a statement and its cases. It is declared by plain calls: Describe names a topic,
// Rule a rule, and inside of it Observe says what the cases need to see and It how one of them judges that. An observation
// acts (sends, polls, fetches) and returns what it saw; it never asserts. A case awaits observations and asserts; it never
// sends. So every request that the selected rules need can be in flight together, a run takes as long as its slowest chain
// of requests, and each check is judged as soon as what it awaits has been seen.
//
// Whoever lists rules reads the plan. Judge judges its cases side by side, and Contain makes containers and specs of
// Ginkgo's of them.
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
	Unmet    func(rules.Rule) error           // what the deployment lacks for a rule: nothing is sent for it
	Evidence func(name string) AnyObservation // see Names
	Excuse   func(rules.Rule) string          // why its failure does not fail Ginkgo's spec, such as "waived"; "": it does
	Redact   func(string) string              // what may be shown of a text
	OnCheck  func(*Check)                     // called after each check, one at a time
	Room     int                              // so many observations may still be under way when the Late ones begin
	Pause    time.Duration                    // before a chain of requests starts anew for the first time; 0: 250 ms
}

// Plan is the rules and observations of one run.
type Plan struct {
	o Options

	all      group // the rules, as they were declared
	rules    []*Rule
	byID     map[string]*Rule
	cases    int      // that were declared
	depth    string   // see Try
	in       *group   // whose function is running, the innermost
	within   []Option // of the groups whose functions are running
	building *Rule    // whose function is running

	acting  sync.WaitGroup // the observations under way
	mu      sync.Mutex
	byName  map[string]any // observations by name
	faults  []string       // defects of the harness itself
	base    context.Context
	busy    [Last + 1]int // observations under way
	idle    *sync.Cond    // one of them has ended
	telling sync.Mutex    // held while OnCheck is told of a check
}

// Rule is a rule and the cases that verify it.
type Rule struct {
	rules.Rule
	Broken []string // see Broken
	Place  Place    // where it was declared
	Cases  []*Case

	names      []string // see Names
	evidence   []*node  // what shows them
	byHelp     bool     // a helper declared it: its cases stand where that was called
	uses       []*node
	since      claims // since the last case was declared
	decorators decorators
}

// Case is one thing that a rule is judged by.
type Case struct {
	Rule  *Rule
	Text  string
	Place Place
	No    int // its place among all cases, from 1

	judge      func(Context)
	turn       Turn
	claims     claims
	names      []*node // what shows names that it alone rests on
	decorators decorators
	spec       specNode
	left       bool   // out of the run, see Select and Follow
	found      *Check // once it was judged; with the lock of the plan
}

// String names the case in a run.
func (k *Case) String() string { return k.Rule.ID + ", " + k.Text }

// Place is a line of a file.
type Place = types.CodeLocation

// location is where the case stands, by what is the same on every machine: the path within this module. A rule of another
// module keeps the whole one.
func (k *Case) location() string {
	location := k.Place.String()
	return location[max(0, strings.LastIndex(location, "/suites/")+1):]
}

// group is a topic and what was declared in it.
type group struct {
	text       string
	place      Place
	items      []any // *group or *Rule
	decorators decorators
}

// New makes an empty plan.
func New(o Options) *Plan {
	o.Pause = cmp.Or(o.Pause, 250*time.Millisecond)
	p := &Plan{o: o, base: context.Background(), byName: map[string]any{}, byID: map[string]*Rule{}}
	p.idle, p.in = sync.NewCond(&p.mu), &p.all
	return p
}

// Describe declares a topic. The arguments are options that its rules share, Ginkgo's decorators, and a function that
// declares the rules.
func (p *Plan) Describe(text string, args ...any) {
	outer, g := p.in, &group{text: text, place: types.NewCodeLocation(1)}
	outer.items, p.in = append(outer.items, g), g
	defer func() { p.in = outer }()
	_, g.decorators, _ = split(args)
	p.Group(args...)
}

// Group declares rules that share options.
func (p *Plan) Group(args ...any) {
	options, _, body := split(args)
	outer := p.within
	defer func() { p.within = outer }()
	p.within = append(slices.Clip(outer), options...)
	body()
}

func split(args []any) (options []Option, given decorators, body func()) {
	for _, a := range args {
		switch a := a.(type) {
		case Option:
			options = append(options, a)
		case func():
			body = a
		default:
			given = append(given, decorator(a))
		}
	}
	if body == nil {
		panic("spec: the function that declares is missing")
	}
	return options, given, body
}

// Rule declares a rule. The arguments are options, Ginkgo's decorators, and a function that declares the observations
// that the rule needs and its cases. An ID that was declared before is a mistake of the program, and panics.
func (p *Plan) Rule(id string, level rules.Level, section rules.Section, statement string, args ...any) {
	if p.byID[id] != nil {
		panic("spec: the rule " + id + " is declared twice")
	}
	options, given, body := split(args)
	r := &Rule{
		Rule:  rules.Rule{ID: id, Level: level, Section: section, Statement: statement},
		Place: types.NewCodeLocation(1), decorators: given,
	}
	_, file, line, _ := runtime.Caller(1)
	r.byHelp = file != r.Place.FileName || line != r.Place.LineNumber
	for _, o := range append(slices.Clone(p.within), options...) {
		o(r)
	}
	p.in.items = append(p.in.items, r)
	p.rules, p.byID[id], p.building = append(p.rules, r), r, r
	defer func() { p.building = nil }()
	body()
	r.evidence = p.evidence(r.names)
}

// It declares a case of the rule whose function is running. The arguments are Ginkgo's decorators, and its Turn. A Place among
// them is where the case stands, else that is the line that calls It; where a helper declared the rule, the one that called the
// helper. Two cases of a rule with the same text are a mistake of the program, and panic.
func (p *Plan) It(text string, judge func(ctx Context), args ...any) *Case {
	r := p.building
	if r == nil {
		panic("spec: the case " + text + " belongs to no rule")
	}
	if slices.ContainsFunc(r.Cases, func(k *Case) bool { return k.Text == text }) {
		panic("spec: two cases of " + r.ID + " are called " + text)
	}
	p.cases++
	k := &Case{Rule: r, Text: text, Place: r.Place, No: p.cases, judge: judge}
	if !r.byHelp {
		k.Place = types.NewCodeLocation(1)
	}
	for _, a := range args {
		switch a := a.(type) {
		case Place:
			k.Place = a
		case Turn:
			k.turn = a
		default:
			k.decorators = append(k.decorators, decorator(a))
		}
	}
	k.claims, r.since = r.since, claims{}
	r.Cases = append(r.Cases, k)
	return k
}

// Rests says that the case of the rule whose function is running rests on names as its rule may, see Names.
func (p *Plan) Rests(k *Case, names ...string) {
	k.names = p.evidence(names)
}

// evidence has what shows some names looked for in the run.
func (p *Plan) evidence(names []string) (all []*node) {
	for _, name := range names {
		if p.o.Evidence != nil {
			shown := p.o.Evidence(name)
			p.Uses(shown)
			all = append(all, shown.self())
		}
	}
	return all
}

// Helper marks the function that calls it as one that declares rules or cases for others: they stand where it was called.
func Helper() { types.MarkAsHelper(1) }

// Asks notes that the rule whose function is running needs answers of an operation, create or export, unless its ID says so,
// or it judges none.
func (p *Plan) Asks(operation string) {
	r := p.building
	if r != nil && r.Level != rules.Observe && (len(r.Asks) > 0 || r.Operations() == nil) && !slices.Contains(r.Asks, operation) {
		Asking(operation)(r)
	}
}

// Uses notes that the rule whose function is running needs observations that were declared elsewhere.
func (p *Plan) Uses(all ...AnyObservation) { Using(all...)(p.building) }

// Building is the rule whose function is running; an empty one where none is.
func (p *Plan) Building() *Rule { return cmp.Or(p.building, &Rule{}) }

// Rules lists the rules in the order in which they were declared.
func (p *Plan) Rules() []*Rule { return p.rules }

// Catalogue lists what the document says of them.
func (p *Plan) Catalogue() []rules.Rule { return stated(p.rules) }

func stated(all []*Rule) []rules.Rule {
	list := make([]rules.Rule, len(all))
	for i, r := range all {
		list[i] = r.Rule
	}
	return list
}

func (p *Plan) fault(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}

// Faults returns the defects of the harness itself that were met: panics and undeclared observations.
func (p *Plan) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.faults)
}
