package client

import (
	"context"
	"slices"
	"sync"
)

type (
	priorityKey struct{}
	traceKey    struct{}
)

// pollPriority precedes all other ranks: polls are short, and other work waits for the file.
const pollPriority = -1 << 30

// WithPriority sets the rank of requests sent with the context. Lower ranks are admitted first;
// the default is 0.
func WithPriority(ctx context.Context, rank int) context.Context {
	return context.WithValue(ctx, priorityKey{}, rank)
}

func priorityOf(ctx context.Context) int {
	r, _ := ctx.Value(priorityKey{}).(int)
	return r
}

// Trace collects the numbers of exchanges. The zero value is ready to use. It is safe for
// concurrent use.
type Trace struct {
	mu   sync.Mutex
	seen []int
}

// WithTrace makes t collect the exchanges of requests sent with the context.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

func (t *Trace) add(x *Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = append(t.seen, x.Seq)
}

// ExchangeNumbers returns the numbers of the exchanges in the order in which they finished.
func (t *Trace) ExchangeNumbers() []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.seen)
}
