// Package traffic makes the requests of a load run. What request k carries is a pure function of
// the run key and k, so that any process can make any request again. No two requests of a run, or
// of two runs, look like replays of each other unless they should.
//
// The seed alone decides the mix, which mode, body, language and wallet request k has, and whether
// it is a repeat: two runs of one seed load a deployment alike. Identifiers and the bounds of
// unique bodies are made from the run key, the seed and the run's ID together: two runs share none.
//
// Identifiers are AES of (k, purpose) under the run key, with the six bits that UUID v4 fixes: a
// permutation. Without a replay protection value the body alone is compared. There each request has
// its own bounds, to the millisecond: pair number salt + k of all pairs inside the window, where
// the salt comes from the run key. Where identifiers are compared, bodies come from a small set
// that repeats on purpose. Its bounds are longer than half the window, those of unique bodies
// shorter.
package traffic

import (
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
)

// Generator makes requests. It is immutable and safe for concurrent use.
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
	pairs    float64 // share of those that follow at once, among odd requests
	horizon  int64
}

// Fill makes request k: a fresh one, or the deliberate repeat that k is.
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

// FillFresh makes request k as if it were no repeat.
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

// Request is what varies from one export request to the next. Fill writes into it again and again;
// a Request is for one goroutine, and its Body is valid until the next Fill.
type Request struct {
	K           int64
	Mode        int    // index of rules.ReplayModes()
	Replay      string // x-include-replay-protection-schema; empty: leave the header out
	Nonce       string // a UUID v4
	Transaction string // x-transaction-uuid: a UUID v4; sent in every mode
	Language    string // x-lang; empty: leave the header out
	Wallet      string // x-wallet-uuid; empty: leave the header out
	Body        []byte // JSON, in a buffer that Fill reuses

	Repeat bool              // all of the above is that of request Of, sent once more
	Of     int64             // with Repeat: the earlier request; otherwise K
	Expect judge.Expectation // the engine sets Either when Of was not accepted before

	Identity int // index of the user who sends it; set by the engine
}

// EachHeader calls f with the header fields that vary, credentials aside.
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
