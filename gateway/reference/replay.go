package reference

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
)

// replayHeader is the schema header, which chooses what replay protection compares.
const replayHeader = "x-include-replay-protection-schema"

// replayMode is a value of the schema header, as an index into replayModeHeaders.
type replayMode int

// replayModeHeaders are the values of the schema header.
var replayModeHeaders = []string{
	"", "nonce", "x-transaction-uuid", "x-transaction-uuid&nonce", "nonce&x-transaction-uuid",
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

// identifyingParts are the parts that each mode compares in addition to partGroup.
var identifyingParts = []comparedParts{
	0, partNonce, partTransaction, partIdentifiers, partIdentifiers,
}

// comparedPartsOf returns the parts that a mode compares.
func (g *Gateway) comparedPartsOf(s replayMode) comparedParts {
	p := partGroup | identifyingParts[s]
	c := replayComparison{s, p}
	g.applyEffects(nil, &c)
	return c.comparedParts
}

// replayCandidate is an export request as replay protection sees it.
type replayCandidate struct {
	method, path, query, body, user, nonce, transaction string
}

// readReplayCandidate sets the part of a request that replay protection sees.
func (q *requestState) readReplayCandidate() {
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
func (q *requestState) readReplayMode() {
	mode := slices.Index(replayModeHeaders, q.r.Header.Get(replayHeader))
	if mode < 0 {
		q.addDefect(0, "header.schema.set", replayHeader, q.r.Header.Get(replayHeader),
			"expected nonce, x-transaction-uuid or both joined by &")
	}
	q.mode = replayMode(max(0, mode))
}

// storeUnlessReplay stores the file and the fingerprints of an export unless it repeats an
// earlier one. It reports whether it stored them.
func (q *requestState) storeUnlessReplay() (stored bool) {
	q.readReplayCandidate()
	own := q.replayIdentity()
	store := q.gateway.store
	q.checkThenNote(func() bool {
		var seen bool
		stored = !q.countsAsRepeat(store.get("sighting", own, &seen))
		return stored
	}, func() { // an equal request is blocked in any mode
		for s := range replayModeHeaders {
			store.put("sighting", q.sighting.fingerprint(q.gateway.comparedPartsOf(replayMode(s))), true)
		}
		store.put("file", q.file.ID, q.file)
	})
	return stored
}
