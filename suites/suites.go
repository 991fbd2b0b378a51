// Package suites tests a deployment against every rule of the API document. The gateassay command,
// go test and ginkgo on this folder, and other modules that call Run or Test all use the same
// code.
package suites

import (
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/internal/ruleset"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareRules declares the rules of all suites for a target, and the rules that additional
// declares; nil: none.
func declareRules(
	t *target.Target, o spec.Options, additional func(*RuleDeclarer),
) (*spec.Plan, *lab.Lab) {
	return ruleset.Declare(t, o, func(p *spec.Plan, l *lab.Lab) {
		if additional != nil {
			p.Describe("rules of one's own", spec.OfImporter,
				func() { additional(&RuleDeclarer{p, t, l}) })
		}
	})
}

// Catalogue returns the rules of all suites in the order of their declaration.
func Catalogue() []rules.Rule { return declareForCatalogue().Catalogue() }

// declareForCatalogue declares the rules of all suites for an empty deployment file.
func declareForCatalogue() *spec.Plan {
	p, _ := declareRules(target.New(&deployment.File{}, nil, 1), spec.Options{}, nil)
	return p
}

// FindRule returns a rule with its cases, or a usage error if there is none.
func FindRule(id string) (*spec.Rule, error) {
	p := declareForCatalogue()
	all := p.Rules()
	if i := slices.IndexFunc(all, func(r *spec.Rule) bool { return r.ID == id }); i >= 0 {
		return all[i], nil
	}
	return nil, usageErrorf("there is no rule %q%s (gateassay rules lists them)", id,
		similarRule(id, p.Catalogue()))
}

// UsageError is an error in flags or options.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

func usageErrorf(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}
