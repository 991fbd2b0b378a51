// Package design plans experiments. A rule holds whatever options a request carries, but there
// are too many combinations to send all. A covering array covers pairs of options in few
// requests. Where a request fails, its options are removed one by one while it still fails.
package design

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/record"
)

// Factor is an option of a request and its possible values. The first is the default, which
// applies where a request does not mention the factor.
type Factor struct {
	Name   string
	Values []string
}

// Constraint fixes the value of Factor in all configurations that have the setting When.
// Constraints of a later factor come last.
type Constraint struct {
	When   record.FactorValue
	Factor string
	Value  string
}

// Configuration is a set of options of a request: one setting for each factor that does not have
// its default.
type Configuration []record.FactorValue

// Value returns the value of a factor, and whether the configuration has a setting for it.
func (c Configuration) Value(factor string) (string, bool) {
	for _, s := range c {
		if s.Factor == factor {
			return s.Value, true
		}
	}
	return "", false
}

// Without returns the configuration without the settings of some factors, such as those that a
// case is about.
func (c Configuration) Without(factors ...string) Configuration {
	return slices.DeleteFunc(slices.Clone(c),
		func(s record.FactorValue) bool { return slices.Contains(factors, s.Factor) })
}

// String lists the settings: "x-lang en-US, pep true". It is empty for the default context.
func (c Configuration) String() string {
	texts := make([]string, len(c))
	for i, s := range c {
		texts[i] = s.String()
	}
	return strings.Join(texts, ", ")
}

// Design holds the factors of an experiment and the constraints between them.
type Design struct {
	Factors     []Factor
	Constraints []Constraint
}

// Allows reports whether a configuration violates no constraint. Factors that it does not mention
// have their defaults.
func (d Design) Allows(c Configuration) bool {
	full := d.withDefaults(c)
	return !slices.ContainsFunc(d.Constraints, func(k Constraint) bool { return k.violatedBy(full) })
}

// withDefaults returns the configuration with the defaults of all other factors added.
func (d Design) withDefaults(c Configuration) Configuration {
	all := make(Configuration, len(d.Factors))
	for i, f := range d.Factors {
		v, set := c.Value(f.Name)
		if !set {
			v = f.Values[0]
		}
		all[i] = record.FactorValue{Factor: f.Name, Value: v}
	}
	return all
}

// violatedBy reports whether a full configuration violates the constraint. A constraint of an
// unknown factor is never violated.
func (k Constraint) violatedBy(c Configuration) bool {
	value, known := c.Value(k.Factor)
	return known && value != k.Value && slices.Contains(c, k.When)
}

// MinimiseConfiguration returns a part of a failing configuration with which something still
// fails, and from which no single setting can be removed. It calls fails only with subsets of the
// failing configuration that the constraints allow.
func (d Design) MinimiseConfiguration(
	failing Configuration, fails func(Configuration) bool,
) Configuration {
	if len(failing) == 0 || fails(nil) {
		return nil
	}
	for shrunk := true; shrunk; {
		shrunk = false
		for i := len(failing) - 1; i >= 0; i-- {
			rest := failing.Without(failing[i].Factor)
			if len(rest) > 0 && d.Allows(rest) && fails(rest) {
				failing, shrunk = rest, true
			}
		}
	}
	return failing
}
