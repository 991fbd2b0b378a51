package spec

import (
	"slices"

	"github.com/onsi/ginkgo/v2/types"
)

// Option says more about a rule, such as NeedsKeys, RestsOnNames or Security.
type Option = func(*Rule)

// NeedsKeys names keys of the deployment file without which a rule cannot be verified.
func NeedsKeys(keys ...string) Option {
	return func(r *Rule) {
		for _, key := range keys {
			if !slices.Contains(r.Needs, key) {
				r.Needs = append(r.Needs, key)
			}
		}
	}
}

// RestsOnNames lists names of fields or headers that the document does not show and on which the
// rule rests. A check that fails is not verified as long as nothing shows that the deployment knows
// these names (Options.Evidence).
func RestsOnNames(names ...string) Option {
	return func(r *Rule) { r.undocumentedNames = append(r.undocumentedNames, names...) }
}

// NeedsOperation says of a rule that it needs accepted requests of an operation: create or export.
func NeedsOperation(operation string) Option {
	return func(r *Rule) { r.Asks = append(r.Asks, operation) }
}

// Security marks a rule that protects data or money: its violation counts whatever its level.
func Security(r *Rule) { r.Security = true }

// CallerLocation is the line that called the function which calls it, or a caller of that one.
func CallerLocation(skip int) CodeLocation { return types.NewCodeLocation(1 + skip) }

// DeclaredAt says where a rule stands, with its cases.
func DeclaredAt(place CodeLocation) Option {
	return func(r *Rule) { r.Location, r.declaredByHelper = place, true }
}

// UsesObservations names observations, declared elsewhere, that all cases of the rules await or may
// use.
func UsesObservations(all ...AnyObservation) Option {
	return func(r *Rule) {
		for _, o := range all {
			r.addObservation(o.self())
			if r != nil {
				r.sinceLastCase.named = append(r.sinceLastCase.named, o.self())
			}
		}
	}
}

// addObservation notes that the rule needs an observation.
func (r *Rule) addObservation(n *observationNode) {
	if r != nil && !slices.Contains(r.observations, n) {
		r.observations = append(r.observations, n)
		r.sinceLastCase.declared = append(r.sinceLastCase.declared, n)
	}
}
