package client

import (
	"context"
	"slices"
	"sync"
	"time"
)

type (
	rankKey  struct{}
	traceKey struct{}
)

// pollRank goes before everything else: a poll is short, and what waits for it holds up others.
const pollRank = -1 << 30

// WithRank sets the rank of the requests sent with the context: lower goes first at the gate. Without it, it is 0.
func WithRank(ctx context.Context, rank int) context.Context {
	return context.WithValue(ctx, rankKey{}, rank)
}

func rank(ctx context.Context) int {
	r, _ := ctx.Value(rankKey{}).(int)
	return r
}

// Trace collects the exchanges of the requests sent with a context. The zero value is ready; it is safe for concurrent
// use.
type Trace struct {
	mu    sync.Mutex
	seqs  []int
	spans []span
}

// span is when an exchange was on the wire.
type span struct{ from, until time.Time }

// WithTrace makes t collect the exchanges of the requests sent with the context.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

func (t *Trace) add(x *Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seqs, t.spans = append(t.seqs, x.Seq), append(t.spans, span{x.StartedAt, x.StartedAt.Add(x.Service)})
}

// Seqs returns the numbers of the exchanges, in the order in which they finished.
func (t *Trace) Seqs() []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.seqs)
}

// OnWire returns how long at least one of the exchanges was on the wire: those sent together count once.
func (t *Trace) OnWire() (total time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	slices.SortFunc(t.spans, func(a, b span) int { return a.from.Compare(b.from) })
	var until time.Time
	for _, s := range t.spans {
		if s.from.Before(until) {
			s.from = until
		}
		if s.until.After(s.from) {
			total += s.until.Sub(s.from)
			until = s.until
		}
	}
	return total
}
