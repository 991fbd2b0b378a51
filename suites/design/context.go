// Package design plans experiments. A rule holds whatever options a request carries, and there are too many combinations
// to send them all: a covering array meets every pair of options in few requests, and delta debugging finds the
// smallest set of options with which a request still fails.
package design

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/suites/record"
)

// Factor is an option of a request, with the values that it can have. The first value is the default, which a request
// has that says nothing of the factor.
type Factor struct {
	Name   string
	Values []string
}

// Constraint limits the values of Factor in all contexts that have the setting When.
type Constraint struct {
	When   record.Setting
	Factor string
	Values []string
}

// Context is what a request carries beside what a case is about: one setting for each factor that has not its default.
type Context []record.Setting

// Value returns the value of a factor, and whether it is another than the default.
func (c Context) Value(factor string) (string, bool) {
	for _, s := range c {
		if s.Factor == factor {
			return s.Value, true
		}
	}
	return "", false
}

// Has reports whether a setting is part of the context.
func (c Context) Has(s record.Setting) bool { return slices.Contains(c, s) }

// Without returns the context with the defaults of some factors: those that a case is about.
func (c Context) Without(factors ...string) Context {
	return slices.DeleteFunc(slices.Clone(c), func(s record.Setting) bool { return slices.Contains(factors, s.Factor) })
}

// String lists the settings: "x-lang en-US, pep true". It is empty for a context of defaults.
func (c Context) String() string {
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

// Allows reports whether a context breaks no constraint. Factors that it does not mention have their defaults.
func (d Design) Allows(c Context) bool {
	s, r := d.search(), make(row, len(d.Factors))
	for f, factor := range d.Factors {
		if v, set := c.Value(factor.Name); set {
			r[f] = slices.Index(factor.Values, v)
		}
	}
	return s.consistent(r)
}

func (d Design) index(factor string) int {
	return slices.IndexFunc(d.Factors, func(f Factor) bool { return f.Name == factor })
}
