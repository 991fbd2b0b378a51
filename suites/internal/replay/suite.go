// Package replay verifies the replay protection of the export operation: what it compares of a
// request in each of the five modes, for how long, and under concurrency.
//
// Each observation sends unique requests: a fresh body, nonce and transaction ID. So no other
// run, mode or control can be the reason why a repeat is blocked.
package replay

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Suite declares the rules of replay protection.
type Suite struct {
	*spec.Plan
	target *target.Target
	lab    *lab.Lab

	table     []repetition
	blocks429 atomic.Bool // the deployment blocks with 429
	throttles atomic.Bool // the deployment throttles, so 429 is no block
}

// New returns the suite.
func New(p *spec.Plan, t *target.Target, l *lab.Lab) *Suite {
	s := &Suite{Plan: p, target: t, lab: l}
	s.table = s.allRepetitions()
	return s
}

// Declare declares the rules.
func (s *Suite) Declare() {
	s.Describe("replay protection", func() {
		s.declareFirstRequestRules()
		s.declareTableRules()
		s.declareOtherRules()
		s.declareRaceRules()
		s.declareBlockRules()
		s.declareExpiryRule()
		s.declareObservations()
	})
}

// modeLabel names a mode in labels and messages.
func modeLabel(m rules.ReplayMode) string {
	if m.Header == "" {
		return "no replay value"
	}
	return m.Header
}

// statementBeginning returns the beginning of a statement about a mode.
func statementBeginning(m rules.ReplayMode) string {
	if m.Header == "" {
		return "Without a replay protection value, "
	}
	return "With " + m.Header + ", "
}

// modeByName returns the mode with this name in rule IDs.
func modeByName(name string) rules.ReplayMode {
	all := rules.ReplayModes()
	return all[slices.IndexFunc(all, func(m rules.ReplayMode) bool { return m.Name == name })]
}

// configurationsOf returns the configurations of a repetition, in addition to none. The compared
// group is the same in all modes, so repetitions that pass are tried in configurations only
// without a header value.
func (s *Suite) configurationsOf(m rules.ReplayMode, r repetition) []design.Configuration {
	if !r.inConfigurations || !r.isBlockedIn(m) && m.Header != "" {
		return nil
	}
	configs := s.lab.AssignConfigurations(client.OperationExport, "replay."+m.Name, 1)[0]
	return slices.DeleteFunc(configs,
		func(config design.Configuration) bool { return len(config) == 0 })
}

// newFirstRequest returns a request in a configuration with nothing sent before: fresh bounds and
// identifiers.
func (s *Suite) newFirstRequest(
	m rules.ReplayMode, label string, config design.Configuration,
) target.Request {
	call := s.target.NewExport(label, s.target.UniqueBounds(label))
	call.Mode, call.Transaction = m.Header, target.NewUUID()
	s.lab.ApplyConfiguration(&call, config.Without(target.HeaderReplay))
	return call
}

// unmetRequirement returns why what a repetition requires is unavailable, or nil. It checks
// whether a valid export with it is accepted.
func (s *Suite) unmetRequirement(ctx context.Context, requires string) error {
	given, main := s.target.Deployment.Credentials, s.target.Deployment.Credentials.Main()
	key, credential := "", given.OtherUser
	switch requires {
	case "":
		return nil
	case requiresOtherUser:
		key = "credentials.other_user"
		if credential != nil && main != nil &&
			main.Method == credential.Method && main.Value == credential.Value {
			return spec.NotVerifiedf(key, "it is the main credential again, not that of another user")
		}
	case requiresAPIKey:
		key, credential = "credentials.api_key", given.APIKey
	}
	if requires != requiresUnknownQuery && credential == nil {
		return spec.NotVerifiedf(key, "")
	}
	p := lab.Probe{
		Operation: client.OperationExport, Label: "a valid export with " + requires, Valid: true,
		Expectation: lab.Expectation{Conclusive: answers.ConclusiveForCaller},
		Edit: func(call *target.Request) {
			if requires == requiresUnknownQuery {
				call.Query = uniqueQuery()
			} else {
				call.Credential = credential
			}
		},
	}
	switch a, err := s.lab.ObserveProbe(p).Get(ctx); {
	case err != nil:
		return err
	case a.IsClientError():
		return spec.NotVerifiedf(key, "%s was not accepted (%s)", p.Label, a)
	case !a.IsSuccess():
		return spec.Inconclusivef("%s got %s", p.Label, a)
	}
	return nil
}
