// Package export verifies the quote statement export: what starts it, what it answers, the file
// that comes of it, and which rows that file holds. The rules about rows know nothing of the
// deployment's data: they are judged by what a model of the statement makes of many exports, see
// suites/export/model.
package export

import (
	"sync"
	"time"

	"github.com/gateassay/gateassay/suites/export/model"
	"github.com/gateassay/gateassay/suites/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of exports.
type Suite struct {
	*spec.Plan
	t   *target.Target
	lab *lab.Lab

	rejected []rejected
	// exports of which the document does not say what they get
	open []*spec.Observation[target.Answer]

	emptyObject *spec.Observation[target.Answer]
	run         *spec.Observation[[]example] // every export that the run saw accepted

	plain      plain
	experiment *spec.Observation[*experiment] // the exports that the rules about rows are judged by
	designed   []download                     // those exports
	judgement  *spec.Observation[*judgement]

	beside, carried *spec.Observation[ExportRows] // whether files hold what others ask for

	rules []model.Rule

	mu      sync.Mutex
	taken   []*sheet      // every export whose file the run looked for
	longest time.Duration // see patience
}

// New makes the suite.
func New(p *spec.Plan, t *target.Target, l *lab.Lab) *Suite {
	s := &Suite{Plan: p, t: t, lab: l, rules: model.Rules()}
	s.emptyObject = l.ObserveProbe(emptyObject())
	s.run = spec.Observe(s.Plan, "every export that the run saw accepted", s.everyExample,
		spec.PhaseLast)
	s.declarePlain()
	s.declareDesign()
	return s
}

// Declare declares the rules, in the order in which the document speaks of them.
func (s *Suite) Declare() {
	s.Describe("export", func() {
		s.success()
		s.nonces()
		s.languages()
		s.products()
		s.walletHeaders()
		s.bodies()
		s.wrongValues()
		s.GroupRules(spec.NeedsKeys("export.file"), s.files)
		s.rowRules()
		s.observed()
		s.GroupRules(spec.NeedsKeys("export.file"), s.observedFiles)
		s.answers()
	})
}

func emptyObject() lab.Probe { return valid("an empty object", fields(target.ExportFields{})) }
