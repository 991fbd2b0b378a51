// Package export verifies the quote statement export: the request, its answer, the file and its
// rows. The rules about rows make no assumptions about the deployment's data. They are judged by
// a model that explains many exports together, see suites/internal/export/model.
package export

import (
	"context"
	"sync"
	"time"

	"github.com/gateassay/gateassay/internal/client"
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

	emptyObject lab.AnswerObservation
	run         *spec.Observation[[]*client.Exchange] // all accepted valid exports of the run

	plain plainExports
	// the exports that judge the rules about rows: their design, themselves, and what explains them
	experiment *spec.Observation[*experiment]
	designed   []exportObservation
	judgement  *spec.Observation[*judgement]

	noteAnswer func() // ends the wait for the first export with a file

	ownRows  []*spec.Observation[ExportRows] // exports run beside others, see itHoldsOwnRows
	sameBody *spec.Observation[ExportRows]   // of these, exportForAnother

	hypotheses []*model.Hypothesis // of the rules about rows, in order of declaration

	mu      sync.Mutex
	taken   []*completedExport // exports whose file the run looked for
	longest time.Duration      // see notFoundTimeout
}

// New returns the suite and declares its shared exports.
func New(p *spec.Plan, t *target.Target, l *lab.Lab) *Suite {
	s := &Suite{Plan: p, t: t, lab: l}
	s.emptyObject = l.ObserveProbe(emptyObjectProbe())
	s.run = spec.ObserveAsCase(s.Plan, "every export that the run saw accepted",
		func(ctx spec.Context) []*client.Exchange {
			s.lab.ControlExport.Await(ctx)
			return s.lab.AcceptedValid(client.OperationExport)
		}, spec.PhaseLast)
	s.declarePlainExports()
	answered := make(chan struct{})
	s.noteAnswer = sync.OnceFunc(func() { close(answered) })
	l.AwaitFirstExport = func(ctx context.Context) {
		if s.plain.window.Launched() {
			select {
			case <-answered:
			case <-ctx.Done():
			}
		}
	}
	s.declareDesignedExports()
	return s
}

// Declare declares the rules, in the order of the document.
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

// Hypotheses returns the hypotheses of the rules about rows. Call it after Declare.
func (s *Suite) Hypotheses() []*model.Hypothesis { return s.hypotheses }

func emptyObjectProbe() lab.Probe {
	return validProbe("an empty object", setFields(target.ExportFields{})).IgnoringControl()
}
