package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/yamlschema"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/suites/record"
)

// check judges what takes more than one key to see.
func (p *Policy) check(r *strictyaml.Reader) {
	if p.Conformance == nil && p.Load == nil && p.Capacity == nil {
		r.AddProblem("", "expected at least one of conformance, load and capacity, found none",
			"add conformance: {verified: [must]}")
	}
	thresholds := func(key string, list []string) {
		for i, text := range list {
			if _, err := threshold.Parse(text); err != nil {
				r.AddProblem(fmt.Sprintf("%s[%d]", key, i),
					"expected a threshold such as p99<300ms, found "+printable.Quote(text),
					printable.Clean(err.Error()))
			}
		}
	}
	if p.Load != nil {
		thresholds("load.thresholds", p.Load.Thresholds)
	}
	if p.Capacity != nil {
		thresholds("capacity.thresholds", p.Capacity.Thresholds)
	}
	for _, key := range []string{"load.tolerance", "capacity.tolerance"} {
		mapping, name, _ := strings.Cut(key, ".")
		if r.Has(key) && !r.Has(mapping+".baseline") {
			r.AddProblem(key, "expected a baseline to compare with, found none",
				"add "+mapping+".baseline: FOLDER, or remove "+name)
		}
	}
}

// catalogue is the rules that a policy may name.
type catalogue []rules.Rule

func (c catalogue) scalarFormats() map[string]yamlschema.ScalarFormat {
	all := plan.AmountFormats()
	all["positive"] = yamlschema.TimeoutFormat(math.MaxInt64)
	all["verified"] = c.ruleNameFormat("a rule of the catalogue that is judged (gateassay rules "+
		"lists them)", []string{allMustRules, allShouldRules}, rules.Must, rules.Should)
	depth := yamlschema.NewScalarFormat("quick, standard or thorough",
		func(name string) bool { return slices.Contains(record.Depths(), name) })
	depth.Words = record.Depths()
	all["depth"] = depth
	all["rules"] = c.ruleNameFormat("a rule of the catalogue", nil, rules.Must, rules.Should,
		rules.Observe)
	return all
}

// ruleNameFormat accepts words, and patterns of rule IDs that match at least one rule of these
// levels.
func (c catalogue) ruleNameFormat(what string, words []string,
	levels ...rules.Level) yamlschema.ScalarFormat {
	var ids []string
	for _, rule := range c {
		if slices.Contains(levels, rule.Level) {
			ids = append(ids, rule.ID)
		}
	}
	t := yamlschema.NewScalarFormat(what, func(pattern string) bool {
		return slices.Contains(words, pattern) ||
			slices.ContainsFunc(ids, func(id string) bool { return rules.MatchesPattern(pattern, id) })
	})
	t.Words = ids
	return t
}
