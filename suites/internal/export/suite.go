// Package export verifies the quote statement export: what starts it, what it answers, the file
// that comes of it, and which rows that file holds. The rules about rows know nothing of the
// deployment's data: they are judged by what a model of the statement makes of many exports, see
// suites/internal/export/model.
package export

import (
	"sync"
	"time"

	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of exports.
type Suite struct {
	*spec.Plan
	t   *target.Target
	lab *lab.Lab

	rejected []rejectedExport

	emptyObject *spec.Observation[target.Answer]
	run         *spec.Observation[[]exportExample] // every export that the run saw accepted

	plain plainExports
	// the exports that the rules about rows are judged by
	experiment *spec.Observation[*designedExperiment]
	designed   []exportObservation // those exports
	judgement  *spec.Observation[*judgement]

	ownRows      []*spec.Observation[ExportRows] // of exports beside others, see itHoldsOwnRows
	simultaneous *spec.Observation[ExportRows]   // one of these

	hypotheses []*model.Hypothesis // of the rules about rows, in the order in which they are declared

	mu      sync.Mutex
	taken   []*completedExport // every export whose file the run looked for
	longest time.Duration      // see notFoundTimeout
}

// New makes the suite.
func New(p *spec.Plan, t *target.Target, l *lab.Lab) *Suite {
	s := &Suite{Plan: p, t: t, lab: l}
	s.emptyObject = l.ObserveProbe(emptyObjectProbe())
	s.run = spec.Observe(s.Plan, "every export that the run saw accepted", s.acceptedExports,
		spec.PhaseLast)
	s.declarePlainExports()
	s.declareDesignedExports()
	return s
}

// Declare declares the rules, in the order in which the document speaks of them.
func (s *Suite) Declare() {
	s.Describe("export", func() {
		s.declareSuccessRules()
		s.declareNonceRules()
		s.declareLanguageRules()
		s.declareProductRules()
		s.declareWalletRules()
		s.declareBodyRules()
		s.declareInvalidValues()
		s.GroupRules(spec.NeedsKeys("export.file"), s.declareFileRules)
		s.declareNotationRules()
		s.declareRangeRules()
		s.declareBoundRules()
		s.declareOrderRules()
		s.declareFilterRules()
		s.declareOwnershipRules()
		s.declareObservations()
		s.GroupRules(spec.NeedsKeys("export.file"), s.declareFileObservations)
		s.declareAnswerRules()
	})
}

// Hypotheses lists those of the rules about rows, once they are declared.
func (s *Suite) Hypotheses() []*model.Hypothesis { return s.hypotheses }

func emptyObjectProbe() lab.Probe {
	return validProbe("an empty object", setFields(target.ExportFields{})).IgnoringControl()
}
