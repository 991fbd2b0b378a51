// Package gate decides from recorded runs whether a release may go out. A policy says what must
// hold. Anything not shown to hold blocks the release: a run that is missing, interrupted, too
// old, damaged or of an unknown schema does not pass.
package gate

import (
	"cmp"
	_ "embed" // the first policy
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/yamlschema"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/threshold"
)

// StarterPolicy is a policy to begin with, as commented YAML.
//
//go:embed first.yaml
var StarterPolicy []byte

// Words for rules in ConformancePolicy.Verified.
const (
	allMustRules   = "must"   // every must rule of the catalogue
	allShouldRules = "should" // every should rule of the catalogue
)

// Policy is what must hold for a release. It requires runs of each kind whose field is not nil; at
// least one is not.
type Policy struct {
	File   string        `yaml:"-"`    // path as given
	Name   string        `yaml:"name"` // may be empty
	MaxAge time.Duration `yaml:"max_age" jsonschema:"required,format=positive"`
	// each must have its runs, and no other deployment may have any; empty: any deployment
	Deployments []string `yaml:"deployments"`
	// base URLs that runs may have; empty: any
	BaseURLs []string `yaml:"base_urls"`
	// fingerprints that the deployments of runs may have (run.fingerprint); empty: any
	Fingerprints []string           `yaml:"fingerprints"`
	Conformance  *ConformancePolicy `yaml:"conformance" jsonschema_extras:"optional=true"`
	Load         *LoadPolicy        `yaml:"load" jsonschema_extras:"optional=true"`
	Capacity     *CapacityPolicy    `yaml:"capacity" jsonschema_extras:"optional=true"`
	Catalogue    []rules.Rule       `yaml:"-"` // the catalogue that it was read with
}

// JSONSchemaExtend adds to the schema of a policy what does not fit into field tags.
func (Policy) JSONSchemaExtend(root *jsonschema.Schema) {
	yamlschema.AddSamples(root, map[string]string{
		"max_age": "24h", "conformance.waivers.allowed": "[create.required.*]",
	})
}

// ConformancePolicy is what must hold for the conformance runs of a deployment.
type ConformancePolicy struct {
	// patterns of rule IDs, and the words must and should
	Verified []string `yaml:"verified" jsonschema:"format=verified"`
	// minimum depth of a run
	Depth   string        `yaml:"depth" jsonschema:"format=depth,default=standard"`
	Waivers *WaiverPolicy `yaml:"waivers" jsonschema_extras:"optional=true"` // nil: none is allowed
	// failed should rules block too
	Strict bool `yaml:"strict"`
	// path of an earlier run; empty: none
	Baseline string `yaml:"baseline"`
}

// WaiverPolicy are the waivers that a policy allows.
type WaiverPolicy struct {
	// patterns of rules
	Allowed []string `yaml:"allowed" jsonschema:"required,format=rules"`
	// the last day that one may name; zero: any
	Latest time.Time `yaml:"latest" jsonschema:"format=date"`
}

// LoadPolicy is what must hold for each load run of a deployment, besides the thresholds of its
// plan.
type LoadPolicy struct {
	Thresholds []string `yaml:"thresholds"`
	Baseline   string   `yaml:"baseline"`
	// Tolerance is the share by which a figure may be worse than in the baseline.
	Tolerance float64 `yaml:"tolerance" jsonschema:"type=string,format=share_below_1,default=5%"`
}

// CapacityPolicy is what must hold for each search for the capacity of a deployment. The search
// must use these thresholds.
type CapacityPolicy struct {
	// requests per second; 0: any
	AtLeast    float64 `yaml:"at_least" jsonschema:"type=string,format=rate_above_0"`
	LoadPolicy `yaml:",inline"`
}

func policyFormat(known []rules.Rule) *strictyaml.Format {
	return &strictyaml.Format{
		Name: "policy", Example: Policy{}, Begin: "gateassay report gate init writes one to begin with",
		Explicit: true, Texts: scalarFormats(known),
	}
}

// Open reads a policy from a file. known are the rules that it may name. Baseline paths are
// relative to its folder. The error is a *strictyaml.Problems that lists every problem.
func Open(path string, known []rules.Rule) (*Policy, error) {
	data, err := policyFormat(known).Read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data, known)
}

// Parse is Open for a policy in memory; name is the path of its file.
func Parse(name string, data []byte, known []rules.Rule) (*Policy, error) {
	p := &Policy{}
	r := strictyaml.NewReader(policyFormat(known), name, filepath.Dir(name), os.LookupEnv)
	if err := r.Parse(data, p, func() { p.check(r) }); err != nil {
		return nil, err
	}
	p.File, p.Catalogue = name, known
	c, l, k := p.parts()
	if c.Verified == nil {
		c.Verified = []string{allMustRules}
	}
	for _, path := range []*string{&c.Baseline, &l.Baseline, &k.Baseline} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(filepath.Dir(name), *path)
		}
	}
	return p, nil
}

// parts returns the parts of a policy; one that it does not have is empty.
func (p *Policy) parts() (*ConformancePolicy, *LoadPolicy, *CapacityPolicy) {
	return cmp.Or(p.Conformance, &ConformancePolicy{}), cmp.Or(p.Load, &LoadPolicy{}),
		cmp.Or(p.Capacity, &CapacityPolicy{})
}

// check validates the relations between keys.
func (p *Policy) check(r *strictyaml.Reader) {
	if p.Conformance == nil && p.Load == nil && p.Capacity == nil {
		r.AddProblem("", "expected at least one of conformance, load and capacity, found none",
			"add conformance: {verified: [must]}")
	}
	_, load, capacity := p.parts()
	for _, part := range []struct {
		name       string
		thresholds []string
	}{{"load", load.Thresholds}, {"capacity", capacity.Thresholds}} {
		for i, text := range part.thresholds {
			if _, err := threshold.Parse(text); err != nil {
				r.AddProblem(fmt.Sprintf("%s.thresholds[%d]", part.name, i),
					"expected a threshold such as p99<300ms, found "+printable.Quote(text),
					printable.Clean(err.Error()))
			}
		}
		if key := part.name + ".tolerance"; r.Has(key) && !r.Has(part.name+".baseline") {
			r.AddProblem(key, "expected a baseline to compare with, found none",
				"add "+part.name+".baseline: FOLDER, or remove tolerance")
		}
	}
}

// scalarFormats returns the formats of a policy's values. known are the rules that it may name.
func scalarFormats(known []rules.Rule) map[string]yamlschema.ScalarFormat {
	all := plan.AmountFormats()
	all["positive"] = yamlschema.TimeoutFormat(math.MaxInt64)
	all["verified"] = ruleNameFormat(known, "a rule of the catalogue that is judged (gateassay rules "+
		"lists them)", []string{allMustRules, allShouldRules}, rules.Must, rules.Should)
	all["depth"] = yamlschema.OneOfWords("quick, standard or thorough", deployment.Depths()...)
	all["rules"] = ruleNameFormat(known, "a rule of the catalogue", nil, rules.Must, rules.Should,
		rules.Observe)
	return all
}

// ruleNameFormat returns a format of the given words and of patterns that match a rule of these
// levels.
func ruleNameFormat(known []rules.Rule, what string, words []string,
	levels ...rules.Level,
) yamlschema.ScalarFormat {
	var ids []string
	for _, rule := range known {
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
