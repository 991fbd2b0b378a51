package reference

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"
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
	apart0 // from here on the mode itself, where modes remember apart
)

const (
	group       = withBody | withQuery | withUser
	identifiers = withNonce | withTransaction
)

// partsOf is what is compared under a spelling of the header.
func (g *Gateway) partsOf(s spelling) parts {
	p := group
	switch s {
	case 1:
		p |= withNonce
	case 2:
		p |= withTransaction
	case 3, 4:
		p |= identifiers
	}
	if g.choices.ModesApart {
		p |= apart0 << min(s, 3) // both orders of the last mode are one
	}
	c := comparison{s, p}
	g.pass(nil, &c)
	return c.parts
}

// rememberedParts are the combinations under which an accepted request is remembered: those of every mode, because a
// request that equals an earlier one is blocked in whatever mode that was sent.
func (g *Gateway) rememberedParts() []parts {
	var all []parts
	for s := range spellings {
		if p := g.partsOf(spelling(s)); !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// sighting is an export request as replay protection sees it.
type sighting struct {
	method, path, query, body, user, nonce, transaction string
}

// see takes what replay protection sees of a request.
func (q *call) see() {
	q.sighting = sighting{
		method: q.r.Method, path: q.r.URL.Path, user: q.runsAs.id, nonce: q.nonce, transaction: q.transaction,
		query: q.r.URL.Query().Encode(), // sorted
		body:  string(q.raw),
	}
	if canonical, err := json.Marshal(q.body); err == nil { // keys sorted, no white space
		q.sighting.body = string(canonical)
	}
	q.g.pass(q, &q.sighting)
}

// fingerprint identifies a request under one combination of parts.
func (c sighting) fingerprint(p parts) string {
	h := sha256.New()
	write(h, string(rune(p)))
	write(h, c.method)
	write(h, c.path)
	for _, part := range []struct {
		compared parts
		value    string
	}{
		{withBody, c.body},
		{withQuery, c.query},
		{withUser, c.user},
		{withNonce, c.nonce},
		{withTransaction, c.transaction},
	} {
		if p&part.compared != 0 {
			write(h, part.value)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// write puts a length before the text, so that no two sequences of texts look the same.
func write(h hash.Hash, text string) {
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(text)))
	h.Write(length[:])
	h.Write([]byte(text))
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
	masks, store := q.g.masks, q.g.store
	if q.g.choices.ModesApart {
		masks = []parts{q.g.partsOf(q.mode)}
	}
	q.once(func() bool {
		_, repeat := store.sightings.get(own)
		fresh = !q.repeats(repeat)
		return fresh
	}, func() {
		for _, p := range masks {
			store.sightings.put(q.sighting.fingerprint(p), true)
		}
		store.files.put(q.file.ID, *q.file)
	})
	return fresh
}
