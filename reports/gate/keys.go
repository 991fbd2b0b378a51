package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/meant"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/strictyaml"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/threshold"
)

// inspect judges what takes more than one key to see.
func (p *Policy) inspect(r *strictyaml.Reader) {
	if p.Conformance == nil && p.Load == nil && p.Capacity == nil {
		r.Add("", "expected at least one of conformance, load and capacity, found none",
			"add conformance: {verified: [must]}")
	}
	for i, name := range p.Deployments {
		if slices.Contains(p.Deployments[:i], name) {
			r.Add(fmt.Sprintf("deployments[%d]", i),
				"expected each deployment once, found "+strictyaml.Quote(name)+" again", "keep one of the two")
		}
	}
	for _, key := range []string{"conformance.drift", "load.tolerance", "capacity.tolerance"} {
		mapping, name, _ := strings.Cut(key, ".")
		if r.Has(key) && !r.Has(mapping+".baseline") {
			r.Add(key, "expected a baseline to compare with, found none",
				"add "+mapping+".baseline: FOLDER, or remove "+name)
		}
	}
	if c := p.Conformance; c != nil && len(c.Drift) > 1 {
		for i, pattern := range c.Drift {
			if pattern == driftAllowed || pattern == driftRefused {
				r.Add(fmt.Sprintf("conformance.drift[%d]", i), "expected the ID of an observation, found "+pattern,
					"give the word alone")
			}
		}
	}
}

// Words in place of a list of observations.
const (
	driftAllowed = "allowed"
	driftRefused = "refused"
)

// catalogue is the rules that a policy may name.
type catalogue []rules.Rule

func (c catalogue) texts() map[string]strictyaml.Text {
	all := plan.Texts()
	all["positive"] = strictyaml.Timeout(0)
	all["verified"] = strictyaml.Check(func(text string) *strictyaml.Mismatch { return c.isRules(text, true) })
	all["rules"] = strictyaml.Check(func(text string) *strictyaml.Mismatch { return c.isRules(text, false) })
	all["drift"], all["threshold"] = strictyaml.Check(c.isDrift), strictyaml.Check(isThreshold)
	return all
}

// isRules accepts a pattern of rule IDs that matches at least one rule of the catalogue.
func (c catalogue) isRules(pattern string, judged bool) *strictyaml.Mismatch {
	if judged && (pattern == everyMust || pattern == everyShould) {
		return nil
	}
	observed := false
	for _, rule := range c {
		if rules.Match(pattern, rule.ID) {
			if !judged || rule.Level != rules.Observe {
				return nil
			}
			observed = true
		}
	}
	if observed {
		return &strictyaml.Mismatch{
			Expected: "rules that are judged", Hint: "these are only observed; conformance.drift: refused is for them",
		}
	}
	hint := near(meant.Near(pattern, c.ids()), "gateassay rules lists them")
	return &strictyaml.Mismatch{Expected: "a rule of the catalogue", Hint: hint}
}

func (c catalogue) ids() []string {
	list := make([]string, len(c))
	for i, r := range c {
		list[i] = r.ID
	}
	return list
}

func near(names []string, otherwise string) string {
	if len(names) == 0 {
		return otherwise
	}
	return "did you mean " + strings.Join(names, " or ") + "?"
}

// isDrift accepts a pattern of IDs that matches at least one rule of the catalogue that is observed, and the two words.
func (c catalogue) isDrift(pattern string) *strictyaml.Mismatch {
	if pattern == driftAllowed || pattern == driftRefused {
		return nil
	}
	var ids []string
	for _, rule := range c {
		if rule.Level == rules.Observe {
			if ids = append(ids, rule.ID); rules.Match(pattern, rule.ID) {
				return nil
			}
		}
	}
	return &strictyaml.Mismatch{
		Expected: "allowed, refused, or a list of rules of the catalogue that are observed",
		Hint:     near(meant.Near(pattern, ids), "gateassay rules --level observe lists them"),
	}
}

func isThreshold(text string) *strictyaml.Mismatch {
	if _, err := threshold.Parse(text); err != nil {
		hint := err.Error()
		var wrong *threshold.Error
		if errors.As(err, &wrong) {
			hint = fmt.Sprintf("at character %d of it: %s", wrong.Column, printable.Clean(wrong.Message))
		}
		return &strictyaml.Mismatch{Expected: "a threshold such as p99<300ms", Hint: hint}
	}
	return nil
}
