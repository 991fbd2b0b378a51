// Package proof holds the suites against every fault of the reference gateway: a harness is worth
// what it catches. Its result is the kill matrix: fault × rules that failed.
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
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/internal/ruleset"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// GatewayCase is one gateway to hold the suites against.
type GatewayCase struct {
	Fault   reference.Fault // zero: none
	Variant string          // empty: the default choices
	Choices reference.Choices
	Seed    int64  // of the gateway's data and of the choices that the suites make
	Depth   string // of the run; empty: standard, and thorough for a fault that takes that
	// only the rules that the fault may break are verified: those of its topic, or of its operation
	OwnTopic bool
}

// Name sets the subject apart in tables.
func (s GatewayCase) Name() string {
	switch {
	case s.Fault.Name != "":
		return s.Fault.Name
	case s.Variant != "":
		return s.Variant
	}
	return fmt.Sprintf("healthy, seed %d", s.Seed)
}

// GatewayCaseResult is what the suites said of a subject.
type GatewayCaseResult struct {
	Subject        GatewayCase
	Failed         []string // rules that failed, in the order of the catalogue
	Headlines      []string // of the defects that they were grouped into
	Violated       []string // those of Failed that are violations: must and security rules
	Inconclusive   []string
	NotVerified    []string // of must and should rules
	Reasons        map[string]string
	Faults         []string                     // defects of the harness
	Catalogue      []rules.Rule                 // that was verified
	OutcomesByRule map[string][]outcome.Outcome // how each of Failed does
	// what the script of the first headline says, ScriptConfirmed, or how it ended instead
	ScriptResult string
}

// Killed reports whether the fault's own rule failed.
func (f GatewayCaseResult) Killed() bool { return slices.Contains(f.Failed, f.Subject.Fault.Rule) }

// Unrelated lists the failed rules that the fault need not break.
func (f GatewayCaseResult) Unrelated() []string {
	return slices.DeleteFunc(slices.Clone(f.Failed), f.Subject.mayBreak)
}

// mayBreak reports whether a rule is of the operation and topic of the fault's own, or for a
// sweeping fault of the operation. Those of the operation replay all speak of one memory.
func (s GatewayCase) mayBreak(rule string) bool {
	own, other := rules.Rule{ID: s.Fault.Rule}, rules.Rule{ID: rule}
	return own.Operation() == other.Operation() &&
		(own.Topic() == other.Topic() || own.Operation() == "replay" || s.Fault.Sweeping)
}

// RunSuites holds the suites against each subject, so many side by side, 0 for as many as the
// machine can, and returns the findings in the same order. When ctx ends, the findings are those
// that came in before.
func RunSuites(
	ctx context.Context, subjects []GatewayCase, sideBySide int,
) ([]GatewayCaseResult, error) {
	findings := make([]*GatewayCaseResult, len(subjects))
	var running errgroup.Group
	running.SetLimit(cmp.Or(max(0, sideBySide), 4*runtime.GOMAXPROCS(0))) // most of the time they wait
	for i, s := range subjects {
		running.Go(func() (err error) {
			if findings[i], err = runCase(ctx, s); err != nil {
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

// sufficientCreations is what all checks need when no rejection is clear: each may then have made a
// record.
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
	if s.Fault.Sweeping {
		dep.Limits.MaxCreates = sufficientCreations
	}
	c, err := client.New(dep, client.Options{})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	t := target.New(dep, c, s.Seed)
	if t.Depth = cmp.Or(s.Depth, t.Depth); s.Depth == "" && s.Fault.Thorough {
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

// judgeGatewayCase judges a run that has ended, and returns the check that decided the first rule
// of its first defect.
func judgeGatewayCase(s GatewayCase, p *spec.Plan) (_ *GatewayCaseResult, lead *spec.CaseResult) {
	f := &GatewayCaseResult{
		Subject: s, Faults: p.HarnessErrors(), Catalogue: p.SelectedRules(), Reasons: map[string]string{},
		OutcomesByRule: map[string][]outcome.Outcome{},
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
	for i, d := range judged.Defects {
		f.Headlines = append(f.Headlines, d.Headline)
		if i > 0 {
			continue
		}
		r := judged.Rules[slices.IndexFunc(judged.Rules,
			func(r record.RuleResult) bool { return r.ID == d.Rules[0] })]
		decisive, _ := record.DecisiveCheck(r)
		for _, k := range p.Cases() {
			if c := p.CaseResult(k); c != nil && c.CheckResult.Rule == r.ID && c.Name == decisive.Name {
				lead = c
			}
		}
	}
	for _, r := range judged.Rules {
		switch {
		case r.Verdict == record.VerdictFail:
			f.Failed = append(f.Failed, r.ID)
			f.OutcomesByRule[r.ID] = record.FailedOutcomes(r)
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
