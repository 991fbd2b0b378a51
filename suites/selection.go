package suites

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
)

// Selection narrows a run down. Empty parts select everything; parts combine with and, values of one part with or.
type Selection struct {
	Rules  []string // IDs or patterns such as create.required.*
	Suites []string // replay, create, export, auth
	Levels []string // must, should, observe
}

// Check finds what cannot be meant: unknown rules, suites and levels.
func (s Selection) Check() error {
	for _, pattern := range s.Rules {
		if !slices.ContainsFunc(rules.All(), func(r rules.Rule) bool { return rules.Match(pattern, r.ID) }) {
			hint := ""
			if near := rules.Near(pattern); len(near) > 0 {
				hint = "; did you mean " + strings.Join(near, " or ") + "?"
			}
			return usage("--rule %q: no rule of the catalogue matches%s (gateassay rules lists them)", pattern, hint)
		}
	}
	for _, name := range s.Suites {
		if !slices.Contains(Names(), name) {
			return usage("--suite %s: there is no such suite; choose from %s", name, strings.Join(Names(), ", "))
		}
	}
	levels := []string{string(rules.Must), string(rules.Should), string(rules.Observe)}
	for _, level := range s.Levels {
		if !slices.Contains(levels, level) {
			return usage("--level %s: there is no such level; choose from %s", level, strings.Join(levels, ", "))
		}
	}
	return nil
}

// Wants tells whether a rule is selected.
func (s Selection) Wants(r rules.Rule) bool {
	return (len(s.Rules) == 0 || slices.ContainsFunc(s.Rules, func(p string) bool { return rules.Match(p, r.ID) })) &&
		(len(s.Suites) == 0 || slices.Contains(s.Suites, r.Operation())) &&
		(len(s.Levels) == 0 || slices.Contains(s.Levels, string(r.Level)))
}

// Catalogue returns the selected rules; none is a usage error, so that a filter that selects nothing never looks right.
func (s Selection) Catalogue() ([]rules.Rule, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	var selected []rules.Rule
	for _, r := range rules.All() {
		if s.Wants(r) {
			selected = append(selected, r)
		}
	}
	if len(selected) == 0 {
		return nil, usage("no rule matches all of --rule %s --suite %s --level %s together",
			orAny(s.Rules), orAny(s.Suites), orAny(s.Levels))
	}
	return selected, nil
}

func orAny(values []string) string {
	if len(values) == 0 {
		return "(any)"
	}
	return strings.Join(values, ",")
}

func (s Selection) keep(p *spec.Plan) {
	p.Keep(func(c *plan.Check) bool { return s.Wants(c.Rule) })
}
