package driver

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/traffic"
)

// late is how long after the start a shard may still begin; what it sends until then is merely late.
const late = 100 * time.Millisecond

// together checks what shards must have in common.
func (o *Options) together() error {
	switch n := o.Plan.Shards; {
	case o.Shard < 0 || o.Shard >= n:
		return fmt.Errorf("--shard: expected a shard from 0 to %d of %d, found %d", n-1, n, o.Shard)
	case n > 1 && o.RunID == "":
		return errors.New("--run-id: the shards of one run need an ID that all are given, and that no other run had")
	case !o.StartAt.IsZero() && o.Rendezvous.Dir != "":
		return errors.New("--start-at and --rendezvous both say when to begin; give only one")
	case n > 1 && o.StartAt.IsZero() && o.Rendezvous.Dir == "":
		return errors.New("--start-at: shards must begin together; give all the same time, or a folder that all see " +
			"with --rendezvous")
	}
	return nil
}

// begin is when the schedule starts. It fails when that moment has passed, or the shards did not come together.
func (r *run) begin(ctx context.Context) (time.Time, error) {
	at := r.o.StartAt
	if r.barrier != nil {
		r.o.View.Start(r.title())
		r.o.View.Note(fmt.Sprintf("ready; waiting for all %d shards in %s", r.plan.Shards, r.barrier.dir))
		var err error
		if at, err = r.barrier.meet(ctx); err != nil {
			r.o.View.Stop()
			return at, err
		}
	}
	now := time.Now()
	if at.IsZero() {
		return now.Add(lead), nil
	}
	return now.Add(at.Sub(now)), inTime(at) // with a monotonic reading
}

func inTime(at time.Time) error {
	if now := time.Now(); !at.IsZero() && now.Sub(at) > late {
		return tooLate(at, now)
	}
	return nil
}

func tooLate(at, now time.Time) error {
	return fmt.Errorf("the start was set for %s, and it is now %s: too late to begin with the others. Start shards "+
		"earlier, or give a later start",
		at.UTC().Format(time.RFC3339Nano), now.UTC().Format(time.RFC3339Nano))
}

// preflightID keeps the requests before the run apart from those of other shards.
func (r *run) preflightID() string {
	id := r.plan.RunID + "/preflight"
	if r.plan.Shards > 1 {
		id += fmt.Sprintf("/%d", r.o.Shard)
	}
	return id
}

// borders says which requests of a shard have a repeat, or an original, in another shard.
type borders struct {
	traffic       *pairs
	shard, shards int64

	mu     sync.Mutex
	marks  []uint64 // one bit for each request, by its low bits: another shard repeats it
	looked int64    // requests before this one were looked at
}

func newBorders(p *pairs, shard, shards int) *borders {
	b := &borders{traffic: p, shard: int64(shard), shards: int64(shards)}
	if p.Horizon() > 0 {
		b.marks = make([]uint64, max(1, 1<<bits.Len64(uint64(4*p.Horizon()-1))/64))
		b.look(p.Horizon())
	}
	return b
}

// crosses reports whether another shard sends what r carries too.
func (b *borders) crosses(r *traffic.Request) bool {
	if b == nil || b.marks == nil {
		return false
	}
	if r.Repeat {
		return r.Of%b.shards != b.shard
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.look(r.K + b.traffic.Horizon())
	if b.looked-r.K > int64(len(b.marks))*64 {
		return true // sent so late that the mark is overwritten: to be on the safe side
	}
	word, bit := b.place(r.K)
	return *word&bit != 0
}

// look marks the originals of all repeats up to request last. The lock is held, or nobody else is there yet.
func (b *borders) look(last int64) {
	for last = min(last, b.traffic.k-1); b.looked <= last; b.looked++ {
		word, bit := b.place(b.looked)
		*word &^= bit
		of, ok := b.traffic.Repeats(b.looked)
		if ok && of%b.shards == b.shard && b.looked%b.shards != b.shard && !b.traffic.second(of) {
			word, bit = b.place(of)
			*word |= bit
		}
	}
}

func (b *borders) place(k int64) (word *uint64, bit uint64) {
	at := k & int64(len(b.marks)*64-1)
	return &b.marks[at/64], 1 << (at % 64)
}

// crossing is what the merge needs to know of a request.
func (p *pairs) crossing(r *engine.Result) results.Crossing {
	return results.Crossing{
		K: r.K, Of: r.Request.Of, Class: r.Verdict.Class.String(), Mode: p.modes[r.Request.Mode].Name,
		Odd:     r.Verdict.Class == judge.Blocked && p.judge != 0 && r.Exchange.Status != p.judge,
		BegunNS: int64(r.Intended + r.Lag), ServiceNS: int64(r.Service), ResponseNS: int64(r.Response),
	}
}
