package traffic

import (
	"math/bits"
	"sync/atomic"
)

// Ledger remembers which requests were accepted, for as long as one may be repeated. It takes 4 bytes for each request
// within the generator's horizon and is safe for concurrent use.
type Ledger struct {
	turns []atomic.Uint32 // by the low bits of k: the rest of k, plus one
	shift int
}

// NewLedger makes an empty ledger that can be asked about every original of a repeat while no more than inFlight
// requests are between the oldest without an answer and the newest.
func (g *Generator) NewLedger(inFlight int) *Ledger {
	if g.horizon == 0 {
		return &Ledger{}
	}
	need := min(g.horizon+int64(max(inFlight, 0))+1, g.schedule.K())
	shift := bits.Len64(uint64(need - 1))
	return &Ledger{turns: make([]atomic.Uint32, 1<<shift), shift: shift}
}

// Accept notes that request k was accepted.
func (l *Ledger) Accept(k int64) {
	if len(l.turns) > 0 {
		l.turns[k&int64(len(l.turns)-1)].Store(uint32(k>>l.shift) + 1)
	}
}

// Accepted reports whether request k is known to have been accepted. False may also mean that it is too long ago.
func (l *Ledger) Accepted(k int64) bool {
	return len(l.turns) > 0 && l.turns[k&int64(len(l.turns)-1)].Load() == uint32(k>>l.shift)+1
}
