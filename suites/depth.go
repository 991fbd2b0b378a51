package suites

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/spec"
)

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
