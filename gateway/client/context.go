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
	mu      sync.Mutex
	seqs    []int
	service time.Duration
	wire    [][2]time.Time // when each exchange was on the wire
}

// WithTrace makes t collect the exchanges of the requests sent with the context.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

func (t *Trace) add(x *Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seqs = append(t.seqs, x.Seq)
	t.service += x.Service
	t.wire = append(t.wire, [2]time.Time{x.StartedAt, x.StartedAt.Add(x.Service)})
}

// OnWire returns how long at least one of the exchanges was on the wire: those sent together count once.
func (t *Trace) OnWire() time.Duration {
	t.mu.Lock()
	spans := slices.Clone(t.wire)
	t.mu.Unlock()
	slices.SortFunc(spans, func(a, b [2]time.Time) int { return a[0].Compare(b[0]) })
	var total time.Duration
	var until time.Time
	for _, s := range spans {
		from := s[0]
		if from.Before(until) {
			from = until
		}
		if s[1].After(from) {
			total += s[1].Sub(from)
			until = s[1]
		}
	}
	return total
}

// Seqs returns the numbers of the exchanges, in the order in which they finished.
func (t *Trace) Seqs() []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.seqs)
}

// Service returns the sum of the service times.
func (t *Trace) Service() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.service
}
