package reference

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
)

// schemaHeader chooses what replay protection compares.
const schemaHeader = "x-include-replay-protection-schema"

// spelling is a value of the schema header: its place in spellings.
type spelling int

// spellings are the values of the schema header.
var spellings = []string{"", "nonce", "x-transaction-uuid", "x-transaction-uuid&nonce", "nonce&x-transaction-uuid"}

// parts are what is compared between two requests. Method, path and parameters of the path always are.
type parts uint16

const (
	withBody parts = 1 << iota
	withQuery
	withUser
	withNonce
	withTransaction
)

const (
	group       = withBody | withQuery | withUser
	identifiers = withNonce | withTransaction
)

// identifying are the parts that a spelling adds to the group.
var identifying = []parts{0, withNonce, withTransaction, identifiers, identifiers}

// partsOf is what is compared under a spelling of the header.
func (g *Gateway) partsOf(s spelling) parts {
	p := group | identifying[s]
	c := comparison{s, p}
	g.pass(nil, &c)
	return c.parts
}

// sighting is an export request as replay protection sees it.
type sighting struct {
	method, path, query, body, user, nonce, transaction string
}

// see takes what replay protection sees of a request.
func (q *call) see() {
	body, _ := json.Marshal(q.body) // keys sorted, no white space
	q.sighting = sighting{
		method: q.r.Method, path: q.r.URL.Path, user: q.runsAs.id, nonce: q.nonce, transaction: q.transaction,
		query: q.r.URL.Query().Encode(), body: string(body), // sorted
	}
	q.g.pass(q, &q.sighting)
}

// fingerprint identifies a request under one combination of parts.
func (c sighting) fingerprint(p parts) string {
	compared := []string{fmt.Sprint(p), c.method, c.path}
	for i, value := range []string{c.body, c.query, c.user, c.nonce, c.transaction} {
		if p&(1<<i) != 0 {
			compared = append(compared, value)
		}
	}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q", compared))) // quoted: no two sequences of texts look the same
}

// schema takes the mode of replay protection.
func (q *call) schema() {
	mode := slices.Index(spellings, q.r.Header.Get(schemaHeader))
	if mode < 0 {
		q.wrong(0, "header.schema.set", schemaHeader, q.r.Header.Get(schemaHeader), "expected nonce, x-transaction-uuid or both joined by &")
	}
	q.mode = spelling(max(0, mode))
}

// fresh reports whether an export repeats no earlier one, and keeps its file then.
func (q *call) fresh() (fresh bool) {
	q.see()
	own := q.own()
	store := q.g.store
	q.once(func() bool {
		var seen bool
		fresh = !q.repeats(store.get("sighting", own, &seen))
		return fresh
	}, func() { // a request that equals an earlier one is blocked in whatever mode that was sent
		for s := range spellings {
			store.put("sighting", q.sighting.fingerprint(q.g.partsOf(spelling(s))), true)
		}
		store.put("file", q.file.ID, q.file)
	})
	return fresh
}
