// Package proof runs the suites against every fault of the reference gateway, because a harness is
// worth what it catches. The result is the kill matrix: fault × failed rules.
package proof

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/knownfaults"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/internal/ruleset"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// GatewayCase is a gateway to run the suites against.
type GatewayCase struct {
	Fault   reference.Fault // zero: none
	Variant string          // empty: the default choices
	Choices reference.Choices
	Seed    int64  // seed of the gateway's data and of the suites' choices
	Depth   string // depth of the run; empty: standard, or thorough for a fault that needs it
	// run only the rules that the fault may break: those of its topic or operation
	OwnTopic bool
	// limits.max_creates is one that suffices if nothing is rejected, as for sweeping faults
	ManyCreations bool
}

// Name returns the name of the gateway in tables.
func (s GatewayCase) Name() string {
	switch {
	case s.Fault.Name != "":
		return s.Fault.Name
	case s.Variant != "":
		return s.Variant
	}
	return fmt.Sprintf("healthy, seed %d", s.Seed)
}

// GatewayCaseResult is the result of the suites against a GatewayCase.
type GatewayCaseResult struct {
	Subject      GatewayCase
	Failed       []string // failed rules, in the order of the catalogue
	Headlines    []string // headlines of their defects
	Violated     []string // failed must and security rules
	Inconclusive []string
	NotVerified  []string // must and should rules
	Reasons      map[string]string
	Faults       []string          // defects of the harness
	Catalogue    []rules.Rule      // verified rules
	Signature    knownfaults.Fault // how the failed rules failed; nameless
	// ScriptConfirmed, or how the script of the first headline ended instead
	ScriptResult string
}

// Killed reports whether the fault's own rule failed.
func (f GatewayCaseResult) Killed() bool { return slices.Contains(f.Failed, f.Subject.Fault.Rule) }

// Unrelated returns the failed rules that the fault should not break.
func (f GatewayCaseResult) Unrelated() []string {
	return slices.DeleteFunc(slices.Clone(f.Failed), f.Subject.mayBreak)
}

// mayBreak reports whether the fault may break a rule: one with the operation and topic of the
// fault's own rule, or only the operation for a sweeping fault and for replay, whose rules all
// test one memory.
func (s GatewayCase) mayBreak(rule string) bool {
	own, other := rules.Rule{ID: s.Fault.Rule}, rules.Rule{ID: rule}
	return own.Operation() == other.Operation() &&
		(own.Topic() == other.Topic() || own.Operation() == "replay" || s.Fault.Sweeping)
}

// RunSuites runs the suites against each subject, sideBySide at a time (0: four for each CPU), and
// returns the results in the same order. When ctx ends, it returns the results so far.
func RunSuites(
	ctx context.Context, subjects []GatewayCase, sideBySide int,
) ([]GatewayCaseResult, error) {
	findings := make([]*GatewayCaseResult, len(subjects))
	var running errgroup.Group
	running.SetLimit(cmp.Or(max(0, sideBySide), 4*runtime.GOMAXPROCS(0))) // they mostly wait
	for i, s := range subjects {
		running.Go(func() (err error) {
			findings[i], err = runCase(ctx, s)
			if err != nil {
				return fmt.Errorf("%s: %w", s.Name(), err)
			}
			return nil
		})
	}
	err := cmp.Or(running.Wait(), ctx.Err())
	var whole []GatewayCaseResult
	for _, f := range findings {
		if f != nil {
			whole = append(whole, *f)
		}
	}
	return whole, err
}

// sufficientCreations is a limit that suffices if no rejection is conclusive, so that each counts
// as a creation.
const sufficientCreations = 600

func runCase(ctx context.Context, s GatewayCase) (*GatewayCaseResult, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	o := reference.Options{Seed: s.Seed, Choices: s.Choices}
	if s.Fault.Name != "" {
		o.Faults = []string{s.Fault.Name}
	}
	gateway, err := suites.StartReference(ctx, o)
	if err != nil {
		return nil, err
	}
	defer gateway.Close()
	dep := gateway.Deployment
	if s.Fault.Sweeping || s.ManyCreations {
		dep.Limits.MaxCreates = sufficientCreations
	}
	c, err := client.New(dep, client.Options{})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	t := target.New(dep, c, s.Seed)
	t.Depth = cmp.Or(s.Depth, t.Depth)
	if s.Depth == "" && s.Fault.Thorough {
		t.Depth = deployment.DepthThorough
	}
	p, _ := ruleset.Declare(t, spec.Options{}, nil)
	if s.OwnTopic {
		p.SelectRules(func(r rules.Rule) bool { return s.mayBreak(r.ID) })
	}
	p.Run(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f, lead := judgeGatewayCase(s, p)
	if s.Fault.Name != "" && lead != nil {
		f.ScriptResult, err = confirmScript(ctx, o, gateway, lead)
	}
	return f, err
}

// judgeGatewayCase judges a finished run. lead is the decisive check of the first rule of the
// first defect.
func judgeGatewayCase(s GatewayCase, p *spec.Plan) (_ *GatewayCaseResult, lead *spec.CaseResult) {
	f := &GatewayCaseResult{
		Subject: s, Faults: p.HarnessErrors(), Catalogue: p.SelectedRules(), Reasons: map[string]string{},
		Signature: knownfaults.Fault{
			Outcomes: map[string][]outcome.Outcome{}, Causes: map[string]string{},
		},
	}
	var checks []record.CheckResult
	for _, k := range p.Cases() {
		if r := p.CaseResult(k); r != nil {
			checks = append(checks, r.CheckResult)
		} else {
			f.Faults = append(f.Faults, "never judged: "+k.String())
		}
	}
	judged := record.Assemble(record.UnjudgedRun{Catalogue: p.SelectedRules(), Checks: checks})
	for _, d := range judged.Defects {
		f.Headlines = append(f.Headlines, d.Headline)
	}
	for _, r := range judged.Rules {
		if len(judged.Defects) > 0 && r.ID == judged.Defects[0].Rules[0] {
			decisive, _ := record.DecisiveCheck(r)
			lead = p.CaseResult(p.FindCase(r.ID, decisive.Name))
		}
		switch {
		case r.Verdict == record.VerdictFail:
			f.Failed = append(f.Failed, r.ID)
			f.Signature.Outcomes[r.ID] = record.FailedOutcomes(r)
			if record.FailsPartly(r) {
				f.Signature.Partly = append(f.Signature.Partly, r.ID)
			}
			if c, _ := record.DecisiveCheck(r); c.Cause != "" {
				f.Signature.Causes[r.ID] = c.Cause
			}
			if r.FailureIsViolation() {
				f.Violated = append(f.Violated, r.ID)
			}
		case r.Verdict == record.VerdictInconclusive:
			f.Inconclusive = append(f.Inconclusive, r.ID)
		case r.Verdict == record.VerdictNotVerified && r.Level != string(rules.Observe):
			f.NotVerified = append(f.NotVerified, r.ID)
		default:
			continue
		}
		f.Reasons[r.ID] = r.Reason
	}
	return f, lead
}
