package replay

import (
	"net/url"
	"slices"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// repetition is one way to repeat a request: a row of a table.
type repetition struct {
	cell             string   // cell of the document's table; with the mode it decides about a block
	rule             string   // rule ID; empty: the rule of mode and cell
	description      string   // completes "a request that ..."
	standardModes    []string // modes in which standard runs try it; nil: all
	modes            []string // modes in which it makes sense; nil: all
	requires         string   // what the deployment has to accept; empty: nothing
	follows          string   // description of another repetition, which must end correctly before
	inConfigurations bool     // tried in configurations, too

	group string // those of a group share a first request
	// prepare changes that request, and edit makes the repeat of it; nil: no change
	prepare, edit requestEdit
	// editAfter also gets the request that the repeat follows.
	editAfter func(call *target.Request, followed target.Request)
}

type requestEdit = func(*target.Request)

const (
	cellFirst = "first" // of requests that repeat none

	exactRepeat      = "repeats everything"
	otherNonce       = "changes only the nonce"
	otherTransaction = "changes only the transaction ID"
	otherBoth        = "changes both identifiers"
	otherQuery       = "changes only the query"
	fromOtherUser    = "comes from another user"
	addedAccent      = "adds only an accent to the filter text"

	// Rules on more than one mode.
	ruleSameUser      = "replay.method.same_user"
	ruleBothSpellings = "replay.mode.both_spellings"
	ruleOtherHeaders  = "replay.none.other_headers"

	// What a repetition may require a deployment to accept.
	requiresUnknownQuery = "an unknown query parameter"
	requiresOtherUser    = "another user's credential"
	requiresAPIKey       = "the API key"
)

// Names of modes, grouped by what they compare.
var (
	modesNone                = []string{"none"}
	modesNoneNonce           = []string{"none", "nonce"}
	modesOneIdentifierAtMost = []string{"none", "nonce", "transaction"}
	modesBoth                = []string{"transaction_nonce", "nonce_transaction"}
	modesWithNonce           = []string{"transaction_nonce", "nonce_transaction", "nonce"}
	modesWithTransaction     = []string{"transaction_nonce", "nonce_transaction", "transaction"}
	modesAllButNone          = append([]string{"nonce", "transaction"}, modesBoth...)
)

// noRepetition stands for a first request.
var noRepetition = repetition{
	cell: cellFirst, description: "repeats no earlier one", inConfigurations: true,
}

// buildRepeat returns the repeat of a first request. followed is the request of the repetition
// that this one follows, or else the first request.
func (r repetition) buildRepeat(first, followed target.Request) target.Request {
	if r.edit != nil {
		r.edit(&first)
	}
	if r.editAfter != nil {
		r.editAfter(&first, followed)
	}
	return first
}

// setFields sets fields of the body; nil values remove fields.
func setFields(fields target.ExportFields) requestEdit {
	return func(call *target.Request) {
		for name, value := range fields {
			call.SetField(name, value)
			if value == nil {
				call.RemoveFields(name)
			}
		}
	}
}

// setQuery replaces the query.
func setQuery(query url.Values) requestEdit {
	return func(call *target.Request) { call.Query = query }
}

// isBlockedIn reports whether a mode blocks the repeat, by the table of the document.
func (r repetition) isBlockedIn(m rules.ReplayMode) bool {
	return slices.ContainsFunc(rules.RepeatKinds(),
		func(kind rules.RepeatKind) bool { return kind.Name == r.cell && m.Blocks(kind) })
}

func (r repetition) appliesTo(m rules.ReplayMode) bool {
	return r.modes == nil || slices.Contains(r.modes, m.Name)
}

// samplingIn returns which runs try it in a mode.
func (r repetition) samplingIn(m rules.ReplayMode) spec.Sampling {
	if r.standardModes != nil && !slices.Contains(r.standardModes, m.Name) {
		return spec.ThoroughOnly()
	}
	return spec.Sampling{}
}

// isTried reports whether the run tries a repetition in a mode. A quick run tries the exact
// repeat, the first of each rule, and those that one of these follows.
func (s *Suite) isTried(r repetition, m rules.ReplayMode) bool {
	if !r.appliesTo(m) || s.target.Depth != deployment.DepthQuick {
		return r.appliesTo(m) && r.samplingIn(m).Includes(s.target.Depth, s.target.Seed)
	}
	seen := map[string]bool{}
	for _, other := range s.table {
		id := other.cell + other.rule
		if seen[id] || !other.appliesTo(m) ||
			!other.samplingIn(m).Includes(deployment.DepthStandard, s.target.Seed) {
			continue
		}
		seen[id] = true
		if other.description == r.description || other.follows == r.description {
			return true
		}
	}
	return r.description == exactRepeat
}
