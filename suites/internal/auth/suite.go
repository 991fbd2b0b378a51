// Package auth verifies authentication on both operations: either documented method alone is
// enough, and nothing else is.
package auth

import (
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of authentication.
type Suite struct {
	*spec.Plan
	target *target.Target
	lab    *lab.Lab

	token, key   credential // of the main user
	triedCallers []triedCaller
}

// triedCaller is a request of a rule by a caller that must not be accepted.
type triedCaller struct {
	rule      string
	operation client.Operation
	caller
	answer lab.AnswerObservation
}

// New returns the suite.
func New(p *spec.Plan, t *target.Target, l *lab.Lab) *Suite {
	given := t.Deployment.Credentials
	return &Suite{
		Plan: p, target: t, lab: l,
		token: bearer("credentials.platform_token", given.PlatformToken),
		key:   apiKey("credentials.api_key", given.APIKey),
	}
}

// Declare declares the rules.
func (s *Suite) Declare() {
	s.Describe("authentication", func() {
		s.declareMethodRules()
		s.declareMissingCredential()
		s.declareBearerRules()
		s.declareTamperedTokenRules()
		s.declareAPIKeyRules()
		s.declareMisplacedCredentials()
		s.declareExportStatus()
		s.declareObservations()
		s.declareConfidential()
	})
}

// alternateBySeed makes a run try one of the callers with creations and the next with exports.
// Both operations identify callers in the same way.
func alternateBySeed(all ...caller) []caller {
	for i := range all {
		all[i].samplings = map[client.Operation]spec.Sampling{
			client.OperationCreate: spec.EveryOtherSeed(i),
			client.OperationExport: spec.EveryOtherSeed(i + 1),
		}
	}
	return all
}

// ruleRejects declares a rule that each of the callers is refused: with 401 on a creation, with
// any 4xx on an export, for which only failure is documented. A missing and an expired
// credential, which are overlooked most easily, are tried in every context.
func (s *Suite) ruleRejects(
	id string, level Level, statement string, all []caller, options ...any,
) {
	spec.Helper()
	s.Rule(id, level, SectionAuthentication, statement, append(options, func() {
		for _, op := range []client.Operation{client.OperationCreate, client.OperationExport} {
			for n, who := range all {
				p := s.refusalOf(op, who)
				// without options first, as other headers may be refused, too
				if id == ruleMissing || id == ruleExpired {
					p.Configurations = append([]design.Configuration{nil},
						s.lab.AssignConfigurations(op, id, len(all))[n]...)
				}
				if seen := s.lab.ItRejects(p); p.Sampling.Includes(s.target.Depth, s.target.Seed) {
					s.triedCallers = append(s.triedCallers, triedCaller{id, op, who, seen})
				}
			}
		}
	})...)
}
