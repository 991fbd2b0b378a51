// Package suites tests a deployment against every rule of the API document. One path serves every
// face: the gateassay command, go test and ginkgo on this folder, and other modules that call Run
// or Test from a release gate of their own.
package suites

import (
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/auth"
	"github.com/gateassay/gateassay/suites/internal/create"
	"github.com/gateassay/gateassay/suites/internal/export"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/internal/replay"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Declare declares the rules of all suites for a target, own ones last but for what replay
// protection sends as the last. Of the cases those are in the run that are tried at the target's
// depth, by its seed. The target needs a client once the plan is launched, and none to declare.
func Declare(t *target.Target, o spec.Options, own func(*RuleDeclarer)) (*spec.Plan, *lab.Lab) {
	var creations *create.Suite
	o.Unmet = t.MissingSettings
	if t.Client != nil {
		o.LatePhaseLimit = t.Client.InFlightLimit() - 1
	}
	o.Redact = func(text string) string { return t.Client.Redactor().Text(text) }
	o.Evidence = func(name string) spec.AnyObservation { return creations.EvidenceOfName(name) }
	p := spec.New(o)
	l := lab.New(p, t)
	creations = create.New(p, t, l)
	replay.New(p, t, l).Declare()
	creations.Declare()
	export.New(p, t, l).Declare()
	auth.New(p, t, l).Declare()
	if own != nil {
		p.Describe("rules of one's own", func() { own(&RuleDeclarer{p, t, l}) })
	}
	p.SampleCases(t.Depth, t.Seed)
	return p, l
}

// Catalogue lists the rules of all suites, as they are declared.
func Catalogue() []rules.Rule { return declareForCatalogue().Catalogue() }

// declareForCatalogue are the rules of all suites, for no deployment in particular.
func declareForCatalogue() *spec.Plan {
	p, _ := Declare(target.New(&deployment.File{}, nil, 1), spec.Options{}, nil)
	return p
}

// FindRule returns a rule with its cases.
func FindRule(id string) (*spec.Rule, error) {
	p := declareForCatalogue()
	all := p.Rules()
	if i := slices.IndexFunc(all, func(r *spec.Rule) bool { return r.ID == id }); i >= 0 {
		return all[i], nil
	}
	return nil, usageErrorf("there is no rule %q%s (gateassay rules lists them)", id,
		similarRule(id, p.Catalogue()))
}

// UsageError is a request that cannot be carried out as it was put.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

func usageErrorf(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}
