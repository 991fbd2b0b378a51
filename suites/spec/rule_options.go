package spec

import (
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
)

// Option adds a property to a rule, such as NeedsKeys, RestsOnNames or Security.
type Option = func(*Rule)

// NeedsKeys names the keys of the deployment file that the rule needs to be verified.
func NeedsKeys(keys ...string) Option {
	return func(r *Rule) {
		for _, key := range keys {
			if !slices.Contains(r.Needs, key) {
				r.Needs = append(r.Needs, key)
			}
		}
	}
}

// RestsOnNames names the fields or headers that the rule rests on and the document does not show.
// A failed check is not verified until something shows that the deployment knows these names, see
// Options.Evidence.
func RestsOnNames(names ...string) Option {
	return func(r *Rule) { r.undocumentedNames = append(r.undocumentedNames, names...) }
}

// NeedsOperation declares that the rule needs accepted requests of an operation: create or export.
func NeedsOperation(operation string) Option {
	return func(r *Rule) { r.Asks = append(r.Asks, operation) }
}

// Security marks a rule that protects data or money. Breaking it is a violation at every level.
func Security(r *Rule) { r.Security = true }

// OfImporter marks a rule of another module, whose cases may wait for anything: their context ends
// with the run.
func OfImporter(r *Rule) { r.ofImporter = true }

// UsesObservations names observations of other rules that all cases of the rule await or may use.
func UsesObservations(all ...AnyObservation) Option {
	return func(r *Rule) {
		for _, o := range all {
			r.observations = append(r.observations, o.self())
		}
	}
}

// addObservation adds an observation that the next case of the rule needs. r may be nil.
func (r *Rule) addObservation(n *observationNode) {
	if r == nil {
		return
	}
	if !slices.Contains(r.observations, n) {
		r.observations = append(r.observations, n)
	}
	r.sinceLastCase = append(r.sinceLastCase, n)
}

// NeedOperation declares that the rule being declared needs answers of an operation, create or
// export. It does nothing for observe rules, for operations already named, and where the ID alone
// names the rule's operations.
func (p *Plan) NeedOperation(operation string) {
	r := p.currentRule
	if r != nil && r.Level != rules.Observe && (len(r.Asks) > 0 || r.Operations() == nil) &&
		!slices.Contains(r.Asks, operation) {
		NeedsOperation(operation)(r)
	}
}

// UseObservations declares that the next case of the rule being declared needs observations of
// other rules.
func (p *Plan) UseObservations(all ...AnyObservation) {
	for _, o := range all {
		p.currentRule.addObservation(o.self())
	}
}
