// Package traffic makes the requests of a load run. The content of request k is a pure function
// of the run key and k, so any process can make any request. Only deliberate repeats look like
// replays of another request, in the same run or in another. The seed alone decides the mix: the
// mode, body, language and wallet of request k, and whether it is a repeat. Two runs with the
// same seed load a deployment alike. Identifiers and the bounds of unique bodies come from the
// run key, which is made from the seed and the run's ID: two runs share none.
//
// Identifiers are AES of (k, purpose) under the run key, with the six bits that UUID v4 fixes: a
// permutation. In mode none the deployment compares only bodies, so each request has unique
// bounds, to the millisecond: pair number salt + k of all pairs inside the window, with the salt
// from the run key. In the other modes it compares identifiers, and bodies come from a small set
// that repeats on purpose. The bounds of that set are longer than half the window, unique bounds
// are shorter.
package traffic

import (
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
)

// A Generator makes requests. It is immutable and safe for concurrent use.
type Generator struct {
	keys      identifierKeys
	modes     weightedPicker
	shapes    []bodyShape
	languages []string
	wallets   []string

	modeTable  []rules.ReplayMode
	repeatable []bool // by mode: the document blocks an exact repeat

	bounds dateBoundsGenerator
	tails  bodyTails

	schedule *schedule.Schedule
	repeats  float64 // share of late repeats
	pairs    float64 // share of immediate repeats among odd requests
	horizon  int64
}

// Fill makes request k, which is fresh or a deliberate repeat.
func (g *Generator) Fill(k int64, r *Request) {
	of, repeat := g.RepeatOf(k)
	if !repeat {
		of = k
	}
	g.FillFresh(of, r)
	r.K, r.Repeat = k, repeat
	switch {
	case repeat:
		r.Expect = judge.ExpectBlock
	case g.IsPaired(k+1) && k+1 < g.schedule.RequestCount():
		r.Expect = judge.ExpectEither // its repeat may overtake it
	}
}

// FillFresh makes request k as a fresh request, even if k is a repeat.
func (g *Generator) FillFresh(k int64, r *Request) {
	mix := g.keys.mix
	r.K, r.Of, r.Repeat, r.Expect = k, k, false, judge.ExpectPass
	r.Mode = g.modes.pick(drawUint64(mix, k, purposeMode))
	mode := &g.modeTable[r.Mode]
	r.Replay = mode.Header
	r.Language = pickOne(g.languages, drawUint64(mix, k, purposeLanguage))
	r.Wallet = pickOne(g.wallets, drawUint64(mix, k, purposeWallet))
	r.Nonce = g.keys.identifier(k, nonceIdentifier)
	r.Transaction = g.keys.identifier(k, transactionIdentifier)
	r.Body = g.appendBody(r.Body[:0], k, !mode.Nonce && !mode.Transaction)
}

// Mode returns the replay protection mode of a fresh request k, as an index of rules.ReplayModes().
func (g *Generator) Mode(k int64) int {
	return g.modes.pick(drawUint64(g.keys.mix, k, purposeMode))
}

// A Request holds the parts of an export request that vary. Fill overwrites it. It is not safe
// for concurrent use, and Body is valid until the next Fill.
type Request struct {
	K           int64
	Mode        int    // index of rules.ReplayModes()
	Replay      string // x-include-replay-protection-schema; empty: leave the header out
	Nonce       string // a UUID v4
	Transaction string // x-transaction-uuid: a UUID v4; sent in every mode
	Language    string // x-lang; empty: leave the header out
	Wallet      string // x-wallet-uuid; empty: leave the header out
	Body        []byte // JSON, in a buffer that Fill reuses

	Repeat bool              // the fields above are those of request Of
	Of     int64             // with Repeat: the earlier request; otherwise K
	Expect judge.Expectation // the engine sets ExpectEither if Of was not accepted before

	Identity int // index of the user that sends it; set by the engine
}

// EachHeader calls f with the header fields that vary, except credentials.
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
