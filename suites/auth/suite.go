// Package auth verifies authentication on both operations: either documented method alone is enough, and nothing else
// is.
package auth

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of authentication.
type Suite struct {
	*spec.Plan
	t   *target.Target
	lab *lab.Lab

	tried []tried
}

// tried is a request of a rule by a sender that must not be accepted.
type tried struct {
	rule string
	op   client.Operation
	sender
	seen answer
}

type answer = *spec.Observation[target.Answer]

// New makes the suite.
func New(p *spec.Plan, t *target.Target, l *lab.Lab) *Suite {
	return &Suite{Plan: p, t: t, lab: l}
}

// Declare declares the rules.
func (s *Suite) Declare() {
	s.Describe("authentication", func() {
		for _, topic := range []func(){
			s.methods, s.missing, s.bearer, s.tampered, s.keys, s.elsewhere, s.exportStatus, s.observed, s.confidential,
		} {
			topic()
		}
	})
}

// operations are those that need a credential.
func operations() []client.Operation { return []client.Operation{lab.Create, lab.Export} }

// alternately has creations show one of some senders, and exports the next: who identifies the caller does so for both.
func alternately(all ...sender) []sender {
	for i := range all {
		all[i].turns = map[client.Operation]spec.Sampling{lab.Create: spec.EveryOtherSeed(i), lab.Export: spec.EveryOtherSeed(i + 1)}
	}
	return all
}

// rejects declares a rule that each of some senders is refused: a creation answers 401; of an export it is only
// documented that such a request fails, so any 4xx is right there. The two that are overlooked most easily, nobody and a
// token that was right, are tried in every context.
func (s *Suite) rejects(id string, level Level, statement string, all []sender, options ...any) {
	spec.Helper()
	s.Rule(id, level, Authentication, statement, append(options, func() {
		for _, op := range operations() {
			for n, who := range all {
				var in []design.Configuration
				if id == missing || id == expired { // plainly first: what stands beside it may be refused of its own accord
					in = append([]design.Configuration{nil}, s.lab.AssignConfigurations(op, id, len(all))[n]...)
				}
				s.refuses(op, who, in)
			}
		}
	})...)
}
