package reference

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// schemaHeader chooses what replay protection compares.
const schemaHeader = "x-include-replay-protection-schema"

// spelling is a value of the schema header: its place in spellings.
type spelling int

// spelling values and the names that faults have for them.
var (
	spellings     = []string{"", "nonce", "x-transaction-uuid", "x-transaction-uuid&nonce", "nonce&x-transaction-uuid"}
	spellingNames = []string{"none", "nonce", "transaction", "transaction_nonce", "nonce_transaction"}
)

// parts are what is compared between two requests. Method, path and parameters of the path always are.
type parts uint16

const (
	withBody parts = 1 << iota
	withQuery
	withUser
	withNonce
	withTransaction
	withPair // nonce and transaction ID as one value
	apart0   // from here on the mode itself, where modes remember apart
)

const group = withBody | withQuery | withUser

// partsOf is what is compared under a spelling of the header.
func (g *Gateway) partsOf(s spelling) parts {
	p := group
	if g.fault("replay.schema_ignored") {
		return p
	}
	switch s {
	case 1:
		p |= withNonce
	case 2:
		p |= withTransaction
	case 3, 4:
		p |= withNonce | withTransaction
	}
	if g.choices.ModesApart {
		p |= apart0 << min(s, 3) // both orders of the last mode are one
	}
	if len(g.broken.names) == 0 {
		return p
	}
	// Each of these faults turns one answer of the truth table around.
	name := "replay." + spellingNames[s]
	for cell, changed := range map[string]parts{
		".other_nonce": withNonce, ".other_transaction": withTransaction,
		".other_body": withBody, ".other_query": withQuery, ".other_user": withUser,
	} {
		if g.fault(name + cell) {
			p ^= changed
		}
	}
	if g.fault(name + ".other_both") {
		if s == 0 {
			p |= withPair
		} else {
			p &^= withNonce | withTransaction
		}
	}
	return p
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

func (g *Gateway) sightingOf(r *http.Request, user *user, nonce string, raw []byte, body object) sighting {
	c := sighting{
		method: r.Method, path: r.URL.Path, user: user.id, nonce: nonce,
		transaction: strings.ToLower(r.Header.Get("x-transaction-uuid")),
		query:       r.URL.Query().Encode(), // sorted
		body:        string(raw),
	}
	if !g.choices.RawReplayBody {
		if canonical, err := json.Marshal(body); err == nil { // keys sorted, no white space
			c.body = string(canonical)
		}
	}
	return g.faultySighting(r, c, body)
}

// fingerprint identifies a request under one combination of parts.
type fingerprint [16]byte

func (c sighting) fingerprint(p parts) fingerprint {
	h := sha256.New()
	write(h, string(rune(p)))
	write(h, c.method)
	write(h, c.path)
	for _, part := range []struct {
		compared parts
		value    string
	}{
		{withBody, c.body}, {withQuery, c.query}, {withUser, c.user}, {withNonce | withPair, c.nonce}, {withTransaction | withPair, c.transaction},
	} {
		if p&part.compared != 0 {
			write(h, part.value)
		}
	}
	return fingerprint(h.Sum(nil)[:16])
}

// write puts a length before the text, so that no two sequences of texts look the same.
func write(h hash.Hash, text string) {
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(text)))
	h.Write(length[:])
	h.Write([]byte(text))
}

// memory remembers accepted export requests for as long as the gateway runs.
type memory struct {
	mu    sync.Mutex
	seen  map[fingerprint]time.Time
	order []fingerprint               // only kept for the fault that forgets
	last  map[fingerprint]fingerprint // only kept for faults that remember one request of a group
}

func newMemory() *memory {
	return &memory{seen: map[fingerprint]time.Time{}, last: map[fingerprint]fingerprint{}}
}

// accept tells whether a request passes, and remembers it when it does. Both are one step, so that of equal requests at
// once exactly one passes.
func (m *memory) accept(g *Gateway, c sighting, s spelling) bool {
	own := c.fingerprint(g.partsOf(s))
	all := make([]fingerprint, 0, 5)
	if g.choices.ModesApart {
		all = append(all, own)
	} else {
		for _, p := range g.masks {
			all = append(all, c.fingerprint(p))
		}
	}
	if g.fault("replay." + spellingNames[s] + ".first_blocked") {
		return false
	}
	now := g.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	at, repeated := m.seen[own]
	if repeated && forgotten(g, at, now) {
		repeated = false
	}
	if spoilt, ok := m.faultyMemory(g, c, s); ok {
		repeated = spoilt
	}
	if !repeated && g.fault("replay."+spellingNames[s]+".not_atomic") {
		m.mu.Unlock()
		time.Sleep(gap)
		m.mu.Lock()
	}
	if repeated && !g.fault("replay."+spellingNames[s]+".same") {
		return false
	}
	for _, f := range all {
		m.seen[f] = now
	}
	if g.fault("replay.keeps_the_last_50") {
		m.order = append(m.order, own)
		for len(m.order) > 50 {
			delete(m.seen, m.order[0])
			m.order = m.order[1:]
		}
	}
	return true
}

func forgotten(g *Gateway, at, now time.Time) bool {
	return g.fault("replay.forgets_after_a_second") && now.Sub(at) > time.Second
}
