package traffic

import (
	"math/bits"
	"sync/atomic"
	"time"
)

const (
	minRepeatDistance = time.Second // from a request to its late repeat: time for an answer
	// in requests; an AcceptedLedger remembers as many
	maxRepeatDistance = 1 << 20
	maxRepeatTries    = 8 // tries to find an original before a request stays fresh
	// share of repeats sent right after their original, to provoke races
	pairShare = 0.2
)

// RepeatOf reports whether request k is a deliberate repeat, and of which request. The original
// is fresh and has a mode in which the document blocks an exact repeat. It is request k-1, or
// due at least minRepeatDistance earlier. Those distances are evenly distributed by magnitude,
// from a second up to the horizon, to find a gateway whose replay memory is too short or too
// small.
func (g *Generator) RepeatOf(k int64) (of int64, ok bool) {
	if g.IsPaired(k) {
		return k - 1, true
	}
	if !g.isLateRepeat(k) {
		return 0, false
	}
	latest := g.schedule.DueBy(g.schedule.DueAt(k)-minRepeatDistance) - 1
	nearest, far := k-latest, min(k, g.horizon)
	if latest < 0 || nearest > far {
		return 0, false
	}
	octaves := uint64(bits.Len64(uint64(far / nearest)))
	for try := range drawPurpose(maxRepeatTries) {
		drawn := drawUint64(g.keys.mix, k, purposeDistance+try)
		low := nearest << (drawn % octaves)
		high := min(2*low, far+1)
		of = k - low - int64((drawn>>8)%uint64(high-low))
		if !g.isLateRepeat(of) && !g.IsPaired(of) && g.repeatable[g.Mode(of)] {
			return of, true
		}
	}
	return 0, false
}

// Origin returns the request that k repeats, or k if it is no repeat.
func (g *Generator) Origin(k int64) int64 {
	if of, repeat := g.RepeatOf(k); repeat {
		return of
	}
	return k
}

// isLateRepeat reports whether request k is chosen as a late repeat. RepeatOf may find no
// original for it.
func (g *Generator) isLateRepeat(k int64) bool {
	return g.repeats > 0 && k > 0 && unitFraction(drawUint64(g.keys.mix, k, purposeRepeat)) < g.repeats
}

// IsPaired reports whether request k repeats request k-1. Only odd k can.
func (g *Generator) IsPaired(k int64) bool {
	return g.pairs > 0 && k%2 == 1 && unitFraction(drawUint64(g.keys.mix, k, purposePair)) < g.pairs &&
		!g.isLateRepeat(k) && !g.isLateRepeat(k-1) && g.repeatable[g.Mode(k-1)]
}

// Pair returns the first request of the pair that request k belongs to. ok is false if there is
// none.
func (g *Generator) Pair(k int64) (first int64, ok bool) {
	if g.IsPaired(k) {
		return k - 1, true
	}
	return k, g.IsPaired(k+1) && k+1 < g.schedule.RequestCount()
}

// An AcceptedLedger remembers which requests were accepted while they may be repeated, in 4
// bytes each. It is safe for concurrent use.
type AcceptedLedger struct {
	turns []atomic.Uint32 // by the low bits of k: the rest of k, plus one
	shift int
}

// NewLedger makes a ledger for runs with at most inFlight requests from the oldest unanswered
// one to the newest.
func (g *Generator) NewLedger(inFlight int) *AcceptedLedger {
	if g.horizon == 0 {
		return &AcceptedLedger{}
	}
	need := min(g.horizon+int64(max(inFlight, 0))+1, g.schedule.RequestCount())
	shift := bits.Len64(uint64(need - 1))
	return &AcceptedLedger{turns: make([]atomic.Uint32, 1<<shift), shift: shift}
}

// Accept notes that request k was accepted.
func (l *AcceptedLedger) Accept(k int64) {
	if len(l.turns) > 0 {
		l.turns[k&int64(len(l.turns)-1)].Store(uint32(k>>l.shift) + 1)
	}
}

// Accepted reports whether request k was accepted. It may return false if that is too long ago.
func (l *AcceptedLedger) Accepted(k int64) bool {
	return len(l.turns) > 0 && l.turns[k&int64(len(l.turns)-1)].Load() == uint32(k>>l.shift)+1
}
