// Package create verifies the creation of legal representatives: what a valid creation answers, what has to be
// rejected, repeats, the upload of documents, and what the API document leaves open.
package create

import (
	"github.com/gateassay/gateassay/suites/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of creations.
type Suite struct {
	*spec.Plan
	t   *target.Target
	lab *lab.Lab

	bundles []bundle // valid creations that each try several things
	open    []answer // creations of which the document does not say what they get
}

type answer = *spec.Observation[target.Answer]

// New makes the suite.
func New(p *spec.Plan, t *target.Target, l *lab.Lab) *Suite {
	s := &Suite{Plan: p, t: t, lab: l}
	s.bundles = s.bundled()
	return s
}

// Declare declares the rules. Those that are judged on all records of a run stand at the end.
func (s *Suite) Declare() {
	s.Describe("creation", func() {
		s.GroupRules(spec.NeedsKeys("fixtures.shareholder_id"), spec.UsesObservations(s.lab.ControlCreation), func() {
			for _, topic := range []func(){
				s.defaults, s.rightValues, s.wrongValues, s.shareholder, s.ownFields, s.headers, s.products, s.together,
				s.permission, s.repeats, s.documents, s.bodies, s.negativeMoney, s.leftOpen, s.observedRefusals, s.observedRepeats, s.success,
				s.response, s.ownParts, s.echo,
			} {
				topic()
			}
		})
	})
}
