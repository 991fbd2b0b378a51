// Package export verifies the quote statement export: what starts it, what it answers, the file that comes of it, and
// which rows that file holds. The rules about rows know nothing of the deployment's data: they export one window,
// choose boundaries from its rows, and compare further exports with it.
package export

import (
	"sync"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of exports.
type Suite struct {
	*spec.Plan
	t *target.Target
	c *control.Controls

	accepted []attempt // valid exports
	rejected []attempt // exports that should be refused, called by the rule that says so

	comparisons map[string][]func(l look) (asked, wrong bool) // by rule

	// What acts look at when they find a reason to. Rules that rest on it say so: see holds and Uses.
	emptyObject, formatAlone, filterAlone, walletEmpty, productAlone attempt

	first               download    // the whole window by quote_created_at; without one, any valid export
	window, windowAsc   download    // what exports are compared in, by quote_created_at
	settled, settledAsc download    // by settled_date
	wallet              download    // the window of the default wallet, by its ID
	theirs              download    // the window of another user
	unnamed             download    // the window of a client who is not named: of nobody else's, if it is accepted
	keyed               download    // that one of the window in rising order which the API key asks for
	byKey               indifferent // the window by the API key
	differing           []download  // those of the window beside a partner that makes a difference to its rows
	bare                bare
	client              oneClient
	cuts                cuts
	oneBound            []download // parts of the window with one bound
	selected            []download // parts of the window that rules about bounds look at
	partsOfIDs          []download // filtered by a part of a client's ID
	diagnosis           *spec.Observation[*diagnosis]
	target              forTarget
	again               rewatch
	swaps               *spec.Observation[bool] // see declareSwaps
	fetchedAgain        *spec.Observation[Rows] // a file, at the end of the run
	scope               scope
	pace                pace
	mu                  sync.Mutex
	choices             map[string]func() map[point]statement.Pick // see chosen
	taken               []*sheet                                   // every export whose file the run looked for
	run                 *spec.Observation[[]example]               // every export that the run saw accepted
	clashing            sync.Mutex
	clashes             []clash // that the run came upon
}

// New makes the suite.
func New(p *spec.Plan, t *target.Target, c *control.Controls) *Suite {
	s := &Suite{Plan: p, t: t, c: c, choices: map[string]func() map[point]statement.Pick{}}
	s.declareAnswers()
	s.declareWindows()
	s.declareBare()
	s.declareTarget()
	s.declareClient()
	s.declareCuts()
	s.declareSwaps()
	s.diagnosis = spec.Observe(p, "what explains the rows of the window's parts", act(s.diagnose))
	return s
}

// Declare declares the rules, in the order in which the document speaks of them.
func (s *Suite) Declare() {
	s.partsOfIDs, s.comparisons = []download{s.target.part}, map[string][]func(look) (bool, bool){}
	s.Describe("export", spec.Label("export"), func() {
		s.success()
		s.headers()
		s.bodies()
		s.Group(spec.Needs("export.file"), func() {
			s.files()
			s.Group(spec.Needs("fixtures.window"), func() {
				s.bounds()
				s.precision()
				s.followsSort()
				s.orders()
				s.defaults()
				s.filters()
				s.wallets()
				s.targetUsers()
				s.isolation()
				s.methodRows()
			})
		})
		s.observed()
		s.Group(spec.Needs("export.file"), s.observedFiles)
		s.answers()
	})
}
