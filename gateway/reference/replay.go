package reference

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
)

// replayHeader chooses what replay protection compares.
const replayHeader = "x-include-replay-protection-schema"

// replayMode is a value of the schema header: its place in spellings.
type replayMode int

// replayModeHeaders are the values of the schema header.
var replayModeHeaders = []string{
	"",
	"nonce",
	"x-transaction-uuid",
	"x-transaction-uuid&nonce",
	"nonce&x-transaction-uuid",
}

// comparedParts are what is compared between two requests. Method, path and parameters of the path
// always are.
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

// identifyingParts are the parts that a spelling adds to the group.
var identifyingParts = []comparedParts{
	0,
	partNonce,
	partTransaction,
	partIdentifiers,
	partIdentifiers,
}

// comparedPartsOf is what is compared under a spelling of the header.
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

// readReplayCandidate takes what replay protection sees of a request.
func (q *requestState) readReplayCandidate() {
	body, _ := json.Marshal(q.body) // keys sorted, no white space
	q.sighting = replayCandidate{
		method: q.r.Method, path: q.r.URL.Path, user: q.runsAs.id, nonce: q.nonce,
		transaction: q.transaction,
		query:       q.r.URL.Query().Encode(), body: string(body), // sorted
	}
	q.gateway.applyEffects(q, &q.sighting)
}

// fingerprint identifies a request under one combination of parts.
func (c replayCandidate) fingerprint(p comparedParts) string {
	compared := []string{fmt.Sprint(p), c.method, c.path}
	for i, value := range []string{c.body, c.query, c.user, c.nonce, c.transaction} {
		if p&(1<<i) != 0 {
			compared = append(compared, value)
		}
	}
	// quoted: no two sequences of texts look the same
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q", compared)))
}

// readReplayMode takes the mode of replay protection.
func (q *requestState) readReplayMode() {
	mode := slices.Index(replayModeHeaders, q.r.Header.Get(replayHeader))
	if mode < 0 {
		q.addDefect(0, "header.schema.set", replayHeader, q.r.Header.Get(replayHeader),
			"expected nonce, x-transaction-uuid or both joined by &")
	}
	q.mode = replayMode(max(0, mode))
}

// storeUnlessReplay keeps the file of an export and what identifies it, unless it repeats an
// earlier one, and reports whether it did.
func (q *requestState) storeUnlessReplay() (stored bool) {
	q.readReplayCandidate()
	own := q.replayIdentity()
	store := q.gateway.store
	q.checkThenNote(func() bool {
		var seen bool
		stored = !q.countsAsRepeat(store.get("sighting", own, &seen))
		return stored
	}, func() { // a request that equals an earlier one is blocked in whatever mode that was sent
		for s := range replayModeHeaders {
			store.put("sighting", q.sighting.fingerprint(q.gateway.comparedPartsOf(replayMode(s))), true)
		}
		store.put("file", q.file.ID, q.file)
	})
	return stored
}
