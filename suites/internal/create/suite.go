// Package create verifies the creation of legal representatives: the answer to a valid creation,
// what has to be rejected, repeats, the upload of documents, and what the document leaves open.
package create

import (
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of creations.
type Suite struct {
	*spec.Plan
	target *target.Target
	lab    *lab.Lab

	bundles []probeBundle // valid creations that each try several things
}

// New returns the suite.
func New(p *spec.Plan, t *target.Target, l *lab.Lab) *Suite {
	s := &Suite{Plan: p, target: t, lab: l}
	s.bundles = s.probeBundles()
	return s
}

// Declare declares the rules. Those that judge all records of a run come last.
func (s *Suite) Declare() {
	s.Describe("creation", func() {
		s.GroupRules(spec.NeedsKeys("fixtures.shareholder_id"),
			spec.UsesObservations(s.lab.ControlCreation), func() {
				s.declareDefaultRules()
				s.declareValidValues()
				s.declareInvalidValues()
				s.declareShareholderRules()
				s.declareServiceFields()
				s.declareHeaderRules()
				s.declareProductRules()
				s.declareOptionCombinations()
				s.declarePermission()
				s.declareRepeatRules()
				s.declareDocumentRules()
				s.declareBodyRules()
				s.declareNegativeMoney()
				s.declareUnspecifiedValues()
				s.declareRefusalObservations()
				s.declareRepeatObservations()
				s.declareSuccessRules()
				s.declareResponseRules()
				s.declareOwnParts()
				s.declareLeftOut()
				s.declareEchoRules()
			})
	})
}
