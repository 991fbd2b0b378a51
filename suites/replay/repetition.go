package replay

import (
	"net/url"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// repetition is one way to repeat a request. A further way is a line of a table.
type repetition struct {
	cell     string   // of the document's table, which says with the mode whether it is blocked
	rule     string   // that it is about; empty: that of mode and cell
	words    string   // "a request that ..."
	standard []string // modes in which standard runs try it; nil: all
	only     []string // modes in which it makes sense; nil: all
	requires string   // what the deployment has to accept; empty: nothing
	follows  string   // words of another repetition, which has to end as it should before
	contexts bool     // it is tried in contexts as well, not only in plain requests

	// Repetitions of a group share a first request, which has what they say here.
	group      string
	firstBody  target.ExportFields // fields; one whose value is nil is left out
	firstQuery url.Values
	firstEdit  func(*target.Request)

	// What differs from that request in the repeat. edit is given what the followed one sent, too.
	body  target.ExportFields
	query url.Values
	edit  func(call *target.Request, followed target.Request)
}

const (
	firstCell = "first" // of requests that repeat none

	exactRepeat      = "repeats everything"
	otherNonce       = "changes only the nonce"
	otherTransaction = "changes only the transaction ID"
	otherBoth        = "changes both identifiers"
	otherQuery       = "keeps identifiers and body with another query"
	fromOtherUser    = "comes from another user"
	addedAccent      = "adds only an accent to the filter text"

	// Rules that are about more than one mode.
	sameUser      = "replay.method.same_user"
	bothSpellings = "replay.mode.both_spellings"
	otherHeaders  = "replay.none.other_headers"

	// What a repetition requires a deployment to accept.
	unknownQuery = "an unknown query parameter"
	otherUser    = "another user's credential"
	apiKey       = "the API key"
)

// Modes by what they compare.
var (
	none            = []string{"none"}
	noneNonce       = []string{"none", "nonce"}
	oneAtMost       = []string{"none", "nonce", "transaction"}
	both            = []string{"transaction_nonce", "nonce_transaction"}
	withNonce       = []string{"transaction_nonce", "nonce_transaction", "nonce"}
	withTransaction = []string{"transaction_nonce", "nonce_transaction", "transaction"}
	allButNone      = []string{"transaction_nonce", "nonce_transaction", "nonce", "transaction"}
)

// repeatsNone is what is judged of a first request.
var repeatsNone = repetition{cell: firstCell, words: "repeats no earlier one", contexts: true}

// prepare gives a first request what a repetition of its group wants of it.
func (r repetition) prepare(call *target.Request) {
	giveBody(call, r.firstBody)
	if r.firstQuery != nil {
		call.Query = r.firstQuery
	}
	if r.firstEdit != nil {
		r.firstEdit(call)
	}
}

// build makes the repeat of a first request; followed is what the repetition that this one follows
// sent, or the first request.
func (r repetition) build(first, followed target.Request) target.Request {
	giveBody(&first, r.body)
	if r.query != nil {
		first.Query = r.query
	}
	if r.edit != nil {
		r.edit(&first, followed)
	}
	return first
}

func giveBody(call *target.Request, fields target.ExportFields) {
	for name, value := range fields {
		if call.SetField(name, value); value == nil {
			call.RemoveFields(name)
		}
	}
}

// blocked predicts how a repeat ends in a mode: the truth table of the document.
func (r repetition) blocked(m rules.ReplayMode) bool {
	for _, kind := range rules.RepeatKinds() {
		if kind.Name == r.cell {
			return m.Blocks(kind)
		}
	}
	return false
}

func (r repetition) fits(m rules.ReplayMode) bool {
	return r.only == nil || slices.Contains(r.only, m.Name)
}

// depth says which runs try it in a mode.
func (r repetition) depth(m rules.ReplayMode) spec.Sampling {
	if r.standard != nil && !slices.Contains(r.standard, m.Name) {
		return spec.ThoroughOnly()
	}
	return spec.Sampling{}
}

// tried reports whether the run tries a repetition in a mode. A quick run tries the exact repeat,
// the first of each rule, and those that one of these follows.
func (s *Suite) tried(r repetition, m rules.ReplayMode) bool {
	if !r.fits(m) || s.t.Depth != record.Quick {
		return r.fits(m) && r.depth(m).Includes(s.t.Depth, s.t.Seed)
	}
	seen := map[string]bool{}
	for _, other := range s.table {
		id := other.cell + other.rule
		if seen[id] || !other.fits(m) || !other.depth(m).Includes(record.Standard, s.t.Seed) {
			continue
		}
		if seen[id] = true; other.words == r.words || other.follows == r.words {
			return true
		}
	}
	return r.words == exactRepeat
}
