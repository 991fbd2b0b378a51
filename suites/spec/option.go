package spec

import (
	"slices"

	"github.com/onsi/ginkgo/v2/types"
)

// Option says more about a rule: Needs, Names, Broken, Asking, Using, Security, At.
type Option = func(*Rule)

// Needs names keys of the deployment file without which a rule cannot be verified.
func Needs(keys ...string) Option {
	return func(r *Rule) {
		for _, key := range keys {
			if !slices.Contains(r.Needs, key) {
				r.Needs = append(r.Needs, key)
			}
		}
	}
}

// Names lists names of fields or headers that the document does not show and on which the rule rests. A check that
// fails is not verified as long as nothing shows that the deployment knows these names (Options.Evidence).
func Names(names ...string) Option { return func(r *Rule) { r.names = append(r.names, names...) } }

// Broken lists what a deployment does instead where the rule is broken, in words that follow "the deployment".
func Broken(ways ...string) Option { return func(r *Rule) { r.Broken = ways } }

// Asking says of a rule that it needs accepted requests of an operation: create or export.
func Asking(operation string) Option { return func(r *Rule) { r.Asks = append(r.Asks, operation) } }

// Security marks a rule that protects data or money: its violation counts whatever its level.
func Security(r *Rule) { r.Security = true }

// Here is the line that called the function which calls it, or a caller of that one.
func Here(skip int) Place { return types.NewCodeLocation(1 + skip) }

// At says where a rule stands, with its cases.
func At(place Place) Option { return func(r *Rule) { r.Place, r.byHelp = place, true } }

// Using names observations, declared elsewhere, that all cases of the rules await or may use.
func Using(all ...AnyObservation) Option {
	return func(r *Rule) {
		for _, o := range all {
			r.use(o.self())
			if r != nil {
				r.since.named = append(r.since.named, o.self())
			}
		}
	}
}

// use notes that the rule needs an observation.
func (r *Rule) use(n *node) {
	if r != nil && !slices.Contains(r.uses, n) {
		r.uses, r.since.declared = append(r.uses, n), append(r.since.declared, n)
	}
}
