package suites

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// depth is how much the run tries.
func (s *session) depth() string {
	return cmp.Or(s.o.Depth, s.dep.Limits.Depth, record.Standard)
}

// CheckDepth refuses what is no depth; an empty one is that of the deployment file.
func CheckDepth(name, depth string) error {
	if depth == "" || slices.Contains(record.Depths(), depth) {
		return nil
	}
	return usage("%s %s: there is no such depth; choose from %s", name, depth, strings.Join(record.Depths(), ", "))
}

// choose leaves what is not selected out of the run, and counts what is left of it.
func (s *session) choose() error {
	catalogue := s.plan.Catalogue()
	if _, err := s.o.Select.Of(catalogue); err != nil {
		return err
	}
	if s.rules = len(s.plan.SelectedRules()); s.depth() == record.Quick {
		s.rules = len(catalogue)
	}
	s.plan.SelectRules(s.o.Select.Wants)
	if s.selected = s.plan.SelectedRules(); len(s.selected) == 0 {
		return usage("at depth %s none of the selected rules is tried: take another depth", s.depth())
	}
	for _, r := range s.plan.Rules() {
		if !s.o.Select.Wants(r.Rule) || s.target.MissingSettings(r.Rule) != nil {
			continue
		}
		s.tried.Of += len(r.Cases)
		s.tried.Values += len(slices.DeleteFunc(slices.Clone(r.Cases), (*spec.Case).Excluded))
	}
	return nil
}
