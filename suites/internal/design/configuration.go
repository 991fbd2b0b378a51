// Package design plans experiments. A rule holds whatever options a request carries, and there are
// too many combinations to send them all: a covering array meets pairs of options in few requests,
// and delta debugging finds the smallest set of options with which a request still fails.
package design

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/record"
)

// Factor is an option of a request, with the values that it can have. The first value is the
// default, which a request has that says nothing of the factor.
type Factor struct {
	Name   string
	Values []string
}

// Constraint gives Factor one value in all contexts that have the setting When. Constraints of a
// later factor come last.
type Constraint struct {
	When   record.FactorValue
	Factor string
	Value  string
}

// Configuration is what a request carries beside what a case is about: one setting for each factor
// that has not its default.
type Configuration []record.FactorValue

// Value returns the value of a factor, and whether it is another than the default.
func (c Configuration) Value(factor string) (string, bool) {
	for _, s := range c {
		if s.Factor == factor {
			return s.Value, true
		}
	}
	return "", false
}

// Without returns the context with the defaults of some factors: those that a case is about.
func (c Configuration) Without(factors ...string) Configuration {
	return slices.DeleteFunc(slices.Clone(c),
		func(s record.FactorValue) bool { return slices.Contains(factors, s.Factor) })
}

// String lists the settings: "x-lang en-US, pep true". It is empty for a context of defaults.
func (c Configuration) String() string {
	texts := make([]string, len(c))
	for i, s := range c {
		texts[i] = s.String()
	}
	return strings.Join(texts, ", ")
}

// Design is the factors of an experiment and the constraints among them.
type Design struct {
	Factors     []Factor
	Constraints []Constraint
}

// Allows reports whether a context breaks no constraint. Factors that it does not mention have
// their defaults.
func (d Design) Allows(c Configuration) bool {
	full := d.withDefaults(c)
	return !slices.ContainsFunc(d.Constraints, func(k Constraint) bool { return k.violatedBy(full) })
}

// withDefaults is a context with the defaults of all other factors.
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

// violatedBy reports whether a full context breaks the constraint. One of a factor that there is
// not, nothing breaks.
func (k Constraint) violatedBy(c Configuration) bool {
	value, known := c.Value(k.Factor)
	return known && value != k.Value && slices.Contains(c, k.When)
}

// MinimiseConfiguration returns the smallest context found with which something still fails, by
// delta debugging: no single setting of it can be left out. fails is asked about subsets of a
// context that is known to fail; those that the constraints forbid are never asked about.
func (d Design) MinimiseConfiguration(
	failing Configuration, fails func(Configuration) bool,
) Configuration {
	if len(failing) == 0 || fails(nil) {
		return nil
	}
	for size := (len(failing) + 1) / 2; ; {
		before := len(failing)
		for from := 0; from < len(failing); {
			rest := slices.Delete(slices.Clone(failing), from, min(from+size, len(failing)))
			if len(rest) > 0 && d.Allows(rest) && fails(rest) {
				failing = rest
			} else {
				from += size
			}
		}
		if size == 1 && len(failing) == before {
			return failing
		}
		size = max(1, min(size, len(failing))/2)
	}
}
