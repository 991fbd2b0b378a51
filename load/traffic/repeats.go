package traffic

import (
	"math/bits"
	"sync/atomic"
	"time"
)

const (
	// apart is how long before its repeat a request is sent at least, so that it can have been answered.
	apart = time.Second
	// farthest is how many requests a repeat may reach back; it bounds what a Ledger has to remember.
	farthest = 1 << 20
	// tries is how many originals are tried before a request stays fresh after all.
	tries = 8
)

// strides are what distances are multiples of: the largest that is no longer than the shortest distance allowed. Each
// divides the next, so that a plan for 2, 3, 4, 6, 8, 12 or 16 shards, which all divide 48, has an original and its
// repeat on one shard as soon as 48 requests a second are sent.
var strides = [...]int64{1, 2, 4, 12, 24, 48, 240, 720, 5040, 55_440, 720_720}

// Repeats reports whether request k is a deliberate repeat, and of which earlier one. The earlier request is fresh
// itself, is sent at least a second before on the schedule, and has a mode in which the document blocks an exact
// repeat. Distances are spread evenly over their magnitudes: some repeats follow after a second, some as late as
// Horizon allows, so that a memory that is too short or too small shows. Into how many shards a plan is split makes no
// difference.
func (g *Generator) Repeats(k int64) (of int64, ok bool) {
	if !g.chosen(k) {
		return 0, false
	}
	latest := g.schedule.DueBy(g.schedule.At(k)-apart) - 1
	stride := strideFor(k - latest)
	nearest := (k - latest + stride - 1) / stride
	far := min(k, g.horizon) / stride
	if latest < 0 || nearest > far {
		return 0, false
	}
	octaves := uint64(bits.Len64(uint64(far / nearest)))
	for try := range purpose(tries) {
		drawn := draw(g.keys.mix, k, forDistance+try)
		low := nearest << (drawn % octaves)
		high := min(2*low, far+1)
		of = k - stride*(low+int64((drawn>>8)%uint64(high-low)))
		if !g.chosen(of) && g.repeatable[g.Mode(of)] {
			return of, true
		}
	}
	return 0, false
}

// strideFor is the stride for repeats that may follow after so many requests.
func strideFor(nearest int64) int64 {
	stride := strides[0]
	for _, s := range strides {
		if s <= nearest {
			stride = s
		}
	}
	return stride
}

// chosen reports whether request k is to be a repeat where it can be.
func (g *Generator) chosen(k int64) bool {
	return g.repeats > 0 && k > 0 && draw(g.keys.mix, k, forRepeat) < g.repeats
}

// Horizon is how far back a repeat may reach: k - of <= Horizon for each. It is 0 without repeats.
func (g *Generator) Horizon() int64 { return g.horizon }

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
