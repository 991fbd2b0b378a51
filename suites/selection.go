package suites

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/suggest"
	"github.com/gateassay/gateassay/suites/spec"
)

// Selection selects rules. An empty part selects all rules; a rule must match every other part, by
// any of its values.
type Selection struct {
	Rules  []string // IDs or patterns such as create.required.*
	Suites []string // see rules.SuiteNames
	Levels []string // must, should, observe
}

// includes reports whether a rule is selected.
func (s Selection) includes(r rules.Rule) bool {
	return (len(s.Rules) == 0 || slices.ContainsFunc(s.Rules,
		func(p string) bool { return rules.MatchesPattern(p, r.ID) })) &&
		(len(s.Suites) == 0 || slices.Contains(s.Suites, r.Operation())) &&
		(len(s.Levels) == 0 || slices.Contains(s.Levels, string(r.Level)))
}

// SelectFrom returns the selected rules of a catalogue. Unknown rules, suites and levels, and a
// selection without rules, are usage errors.
func (s Selection) SelectFrom(catalogue []rules.Rule) ([]rules.Rule, error) {
	for _, pattern := range s.Rules {
		if !slices.ContainsFunc(catalogue,
			func(r rules.Rule) bool { return rules.MatchesPattern(pattern, r.ID) }) {
			return nil, usageErrorf(
				"--rule %q: no rule of the catalogue matches%s (gateassay rules lists them)", pattern,
				similarRule(pattern, catalogue))
		}
	}
	suites, levels := rules.SuiteNames(), []string{
		string(rules.Must),
		string(rules.Should),
		string(rules.Observe),
	}
	for _, r := range catalogue { // importers may declare other suites
		if !slices.Contains(suites, r.Operation()) {
			suites = append(suites, r.Operation())
		}
	}
	for _, of := range []struct {
		what         string
		given, known []string
	}{{"suite", s.Suites, suites}, {"level", s.Levels, levels}} {
		for _, name := range of.given {
			if !slices.Contains(of.known, name) {
				return nil, usageErrorf("--%s %s: there is no such %[1]s; choose from %[3]s", of.what, name,
					strings.Join(of.known, ", "))
			}
		}
	}
	selected := slices.DeleteFunc(slices.Clone(catalogue),
		func(r rules.Rule) bool { return !s.includes(r) })
	if len(selected) == 0 {
		given := strings.Join(slices.Concat(s.Rules, s.Suites, s.Levels), ", ")
		return nil, usageErrorf("no rule matches %s", given)
	}
	return selected, nil
}

// CheckWaivedRulesExist returns a usage error for a waiver of a rule that does not exist.
// deploymentPath is the name of the deployment file in the error; it may be empty.
func CheckWaivedRulesExist(
	dep *deployment.File, deploymentPath string, catalogue []rules.Rule,
) error {
	if deploymentPath == "" {
		deploymentPath = "the deployment file"
	}
	for i, w := range dep.Waivers {
		if !slices.ContainsFunc(catalogue,
			func(r rules.Rule) bool { return rules.MatchesPattern(w.Rule, r.ID) }) {
			return usageErrorf(
				"%s: waivers[%d].rule: expected a rule ID or a pattern such as create.required.*, found %q%s "+
					"(gateassay rules lists them)",
				deploymentPath, i, w.Rule, similarRule(w.Rule, catalogue))
		}
	}
	return nil
}

func similarRule(pattern string, catalogue []rules.Rule) string {
	ids := make([]string, len(catalogue))
	for i, r := range catalogue {
		ids[i] = r.ID
	}
	if near := suggest.NearestWords(pattern, ids); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return ""
}

// waiversInScope returns the waivers that concern a run of the selected rules: those that name a
// selected rule, and those that name no rule of the catalogue, which are reported in every run.
func waiversInScope(waivers []deployment.Waiver, selected, whole []rules.Rule) []deployment.Waiver {
	var kept []deployment.Waiver
	for _, w := range waivers {
		named := func(r rules.Rule) bool { return rules.MatchesPattern(w.Rule, r.ID) }
		if slices.ContainsFunc(selected, named) || !slices.ContainsFunc(whole, named) {
			kept = append(kept, w)
		}
	}
	return kept
}

// runDepth returns the depth of the run: the option, else limits.depth, else standard.
func (s *session) runDepth() string {
	return cmp.Or(s.options.Depth, s.deployment.Limits.Depth, deployment.DepthStandard)
}

// CheckDepth returns a usage error for an unknown depth. name is the flag or variable it comes
// from. An empty depth means that of the deployment file.
func CheckDepth(name, depth string) error {
	if depth == "" || slices.Contains(deployment.Depths(), depth) {
		return nil
	}
	return usageErrorf("%s %s: there is no such depth; choose from %s", name, depth,
		strings.Join(deployment.Depths(), ", "))
}

// selectRules removes unselected rules from the run and counts the rules and values that are left.
func (s *session) selectRules() error {
	catalogue := s.plan.Catalogue()
	if _, err := s.options.Select.SelectFrom(catalogue); err != nil {
		return err
	}
	s.rules = len(s.plan.SelectedRules())
	if s.runDepth() == deployment.DepthQuick {
		s.rules = len(catalogue)
	}
	s.plan.SelectRules(s.options.Select.includes)
	s.selected = s.plan.SelectedRules()
	if len(s.selected) == 0 {
		return usageErrorf("depth %s runs none of the selected rules; take another depth",
			s.runDepth())
	}
	for _, r := range s.plan.Rules() {
		if !s.options.Select.includes(r.Rule) || s.target.MissingSettings(r.Rule) != nil {
			continue
		}
		s.tried.Total += len(r.Cases)
		s.tried.Tried += len(slices.DeleteFunc(slices.Clone(r.Cases), (*spec.Case).Excluded))
	}
	return nil
}
