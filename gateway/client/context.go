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
	mu   sync.Mutex
	seen []span
}

// span is when an exchange was on the wire.
type span struct {
	seq         int
	from, until time.Time
}

// WithTrace makes t collect the exchanges of the requests sent with the context.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

func (t *Trace) add(x *Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = append(t.seen, span{x.Seq, x.StartedAt, x.StartedAt.Add(x.Service)})
}

func (t *Trace) spans() []span {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.seen)
}

// Seqs returns the numbers of the exchanges, in the order in which they finished.
func (t *Trace) Seqs() (seqs []int) {
	for _, s := range t.spans() {
		seqs = append(seqs, s.seq)
	}
	return seqs
}

// Service returns the sum of the service times.
func (t *Trace) Service() (total time.Duration) {
	for _, s := range t.spans() {
		total += s.until.Sub(s.from)
	}
	return total
}

// OnWire returns how long at least one of the exchanges was on the wire: those sent together count once.
func (t *Trace) OnWire() (total time.Duration) {
	spans := t.spans()
	slices.SortFunc(spans, func(a, b span) int { return a.from.Compare(b.from) })
	var until time.Time
	for _, s := range spans {
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
