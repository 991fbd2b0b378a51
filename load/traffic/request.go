// Package traffic makes the requests of a load run. What request k carries is a pure function of
// the run key and k, so that any process can make any request again, and so that no two of a run,
// nor of two runs, look like replays of each other unless they are meant to.
//
// # What passes replay protection, and why
//
// The seed alone decides the mix, which mode, body, language and wallet request k has, and whether
// it is a repeat: two runs of one seed load a deployment alike. What must be new, identifiers and
// the bounds of unique bodies, is made from the run key, the seed and the run's ID together: two
// runs share none.
//
// Identifiers are AES of (k, purpose) under the run key, with the six bits that UUID v4 fixes: a
// permutation. Without a replay protection value the body alone is compared, with the requests of
// every mode. There each request has bounds, to the millisecond, of its own: pair number salt + k
// of all pairs inside the window, where the salt comes from the run key. Where identifiers are
// compared, bodies come from a small set that repeats on purpose. The bounds of that set are longer
// than half the window, those of unique bodies shorter, so neither looks like the other.
package traffic

import "github.com/gateassay/gateassay/load/judge"

// Request is what varies from one export request to the next. Fill writes into it again and again;
// a Request is for one goroutine, and its Body is valid until the next Fill.
type Request struct {
	K           int64
	Mode        int    // index of rules.Modes()
	Replay      string // x-include-replay-protection-schema; empty: leave the header out
	Nonce       string // a UUID v4
	Transaction string // x-transaction-uuid: a UUID v4; sent in every mode
	Language    string // x-lang; empty: leave the header out
	Wallet      string // x-wallet-uuid; empty: leave the header out
	Body        []byte // JSON, in a buffer that Fill reuses

	Repeat bool  // all of the above is that of request Of, whose header and bytes go out once more
	Of     int64 // with Repeat: the earlier request; otherwise K
	// Pass; Block for a repeat, and the sender sets Either when Of was not accepted before it is
	// sent; Either for what is repeated at once
	Expect judge.Expect

	Identity int // index of the user who sends it; set by the engine
}

// EachHeader calls f with what varies in the header, credentials aside.
func (r *Request) EachHeader(f func(name, value string)) {
	for _, h := range [...][2]string{
		{"nonce", r.Nonce},
		{"x-transaction-uuid", r.Transaction},
		{"x-include-replay-protection-schema", r.Replay},
		{"x-lang", r.Language},
		{"x-wallet-uuid", r.Wallet},
	} {
		if h[1] != "" {
			f(h[0], h[1])
		}
	}
}
