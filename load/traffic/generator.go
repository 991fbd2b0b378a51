package traffic

import (
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
)

// Generator makes requests. It is immutable and safe for concurrent use.
type Generator struct {
	keys      keys
	modes     picker
	shapes    []shape
	languages []string
	wallets   []string

	modeTable  []rules.Mode
	repeatable []bool // by mode: the document blocks an exact repeat

	bounds bounds
	tails  bodies

	schedule *schedule.Schedule
	repeats  uint64 // threshold of late repeats
	pairs    uint64 // threshold of those that follow at once
	horizon  int64
}

// Fill makes request k: a fresh one, or the deliberate repeat that k is.
func (g *Generator) Fill(k int64, r *Request) {
	of, repeat := g.Repeats(k)
	if !repeat {
		of = k
	}
	g.FillFresh(of, r)
	r.K, r.Repeat = k, repeat
	switch {
	case repeat:
		r.Expect = judge.Block
	case g.Paired(k+1) && k+1 < g.schedule.K():
		r.Expect = judge.Either // its repeat may overtake it
	}
}

// FillFresh makes request k as if it were no repeat.
func (g *Generator) FillFresh(k int64, r *Request) {
	mix := g.keys.mix
	r.K, r.Of, r.Repeat, r.Expect = k, k, false, judge.Pass
	r.Mode = g.modes.pick(draw(mix, k, forMode))
	mode := &g.modeTable[r.Mode]
	r.Replay = mode.Header
	r.Language = one(g.languages, draw(mix, k, forLanguage))
	r.Wallet = one(g.wallets, draw(mix, k, forWallet))
	r.Nonce, r.Transaction = g.keys.identifier(k, nonce), g.keys.identifier(k, transaction)
	r.Body = g.body(r.Body[:0], k, !mode.Nonce && !mode.Transaction)
}

// Mode is the replay protection mode that request k has when it is fresh, as an index of
// rules.Modes().
func (g *Generator) Mode(k int64) int { return g.modes.pick(draw(g.keys.mix, k, forMode)) }
