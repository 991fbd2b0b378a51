package reference

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// replayHeader is the schema header, which chooses what replay protection compares.
const replayHeader = "x-include-replay-protection-schema"

// replayMode is a value of the schema header, as an index into replayModes.
type replayMode int

// replayModes are the values of the schema header, their names in the IDs of rules and faults, and
// what each compares in addition to partGroup.
var replayModes = []struct {
	header, name string
	identifiers  comparedParts
}{
	{"", "none", 0},
	{"nonce", "nonce", partNonce},
	{"x-transaction-uuid", "transaction", partTransaction},
	{"x-transaction-uuid&nonce", "transaction_nonce", partIdentifiers},
	{"nonce&x-transaction-uuid", "nonce_transaction", partIdentifiers},
}

// comparedParts are the parts of requests that are compared. The method and the path are always
// compared.
type comparedParts uint16

const (
	partBody comparedParts = 1 << iota
	partQuery
	partUser
	partNonce
	partTransaction
)

const (
	partGroup       = partBody | partQuery | partUser
	partIdentifiers = partNonce | partTransaction
)

// comparedPartsOf returns the parts that a mode compares.
func (g *Gateway) comparedPartsOf(s replayMode) comparedParts {
	c := replayComparison{s, partGroup | replayModes[s].identifiers}
	g.applyEffects(nil, &c)
	return c.comparedParts
}

// replayCandidate is an export request as replay protection sees it.
type replayCandidate struct {
	method, path, query, body, user, nonce, transaction string
}

// readReplayCandidate sets the part of a request that replay protection sees.
func (q *request) readReplayCandidate() {
	body, _ := json.Marshal(q.body) // sorted keys, no white space
	q.sighting = replayCandidate{
		method: q.r.Method, path: q.r.URL.Path, user: q.runsAs.id, nonce: q.nonce,
		transaction: q.transaction,
		query:       q.r.URL.Query().Encode(), body: string(body), // sorted
	}
	q.gateway.applyEffects(q, &q.sighting)
}

// fingerprint identifies a request by some of its parts.
func (c replayCandidate) fingerprint(p comparedParts) string {
	compared := []string{fmt.Sprint(p), c.method, c.path}
	for i, value := range []string{c.body, c.query, c.user, c.nonce, c.transaction} {
		if p&(1<<i) != 0 {
			compared = append(compared, value)
		}
	}
	// quoted, so that no two lists of parts look the same
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q", compared)))
}

// readReplayMode reads the mode of replay protection.
func (q *request) readReplayMode() {
	sent := q.r.Header.Get(replayHeader)
	for mode, known := range replayModes {
		if known.header == sent {
			q.mode = replayMode(mode)
			return
		}
	}
	q.addDefect(0, "header.schema.set", replayHeader, sent,
		"expected nonce, x-transaction-uuid or both joined by &")
}

// storeUnlessReplay stores the file and the fingerprints of an export unless it repeats an
// earlier one. It reports whether it stored them.
func (q *request) storeUnlessReplay() (stored bool) {
	q.readReplayCandidate()
	own := q.replayIdentity()
	store := q.gateway.store
	q.checkThenNote(func() bool {
		var seen bool
		stored = !q.countsAsRepeat(store.get("sighting", own, &seen))
		return stored
	}, func() { // an equal request is blocked in any mode
		for s := range replayModes {
			store.put("sighting", q.sighting.fingerprint(q.gateway.comparedPartsOf(replayMode(s))), true)
		}
		store.put("file", q.file.ID, q.file)
	})
	return stored
}
