package client

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"
)

// Together sends requests as a race: it waits for all their slots and for their share of the pace at once, opens a
// connection for each, sends all but the last part of every body, and releases the last parts in one instant. A race is
// no wider than what may be in flight, nor than what limits.max_creates leaves (at least two): the result has as many
// exchanges as were sent, those of the first requests. When nothing could be sent, all of them have an Err.
func (c *Client) Together(ctx context.Context, rs []*Request) []*Exchange {
	from := time.Now()
	rs = rs[:min(len(rs), c.opts.InFlight)]
	if len(rs) == 0 {
		return nil
	}
	calls := make([]*call, len(rs))
	for i, r := range rs {
		k, err := c.prepare(ctx, r)
		if err != nil {
			return c.allUnsent(rs, Unsent, err.Error())
		}
		calls[i] = k
	}
	calls, why := c.reserveRace(ctx, calls)
	if why != nil {
		return c.allUnsent(rs, why.Kind, why.Detail)
	}
	admitted, err := c.gate.acquire(ctx, rank(ctx), len(calls))
	if err != nil {
		c.budget.settle(creating(calls), 0)
		t := c.notAdmitted(calls[0], err).Err
		return c.allUnsent(rs, t.Kind, t.Detail)
	}
	start := newRace(len(calls), c.opts.Timeout/2)
	defer start.stop()
	for _, k := range calls {
		k.admitted, k.queued, k.race, k.seq = admitted, admitted.Sub(from), start, int(c.seq.Add(1))
	}
	exchanges := make([]*Exchange, len(calls))
	var all sync.WaitGroup
	for i, k := range calls {
		all.Go(func() {
			x := c.perform(ctx, k)
			start.arrive(k) // whoever failed before the start holds up nobody
			c.pace(k, x)
			c.leave(k)
			c.finish(ctx, k, x)
			exchanges[i] = x
		})
	}
	all.Wait()
	return exchanges
}

func creating(calls []*call) int {
	return len(slices.DeleteFunc(slices.Clone(calls), func(k *call) bool { return !k.req.Creates }))
}

// reserveRace reserves for the requests that may create, and drops those at the end that the budget does not cover.
func (c *Client) reserveRace(ctx context.Context, calls []*call) ([]*call, *Trouble) {
	want := creating(calls)
	if want == 0 {
		return calls, nil
	}
	taken, err := c.budget.reserve(ctx, c.ctx, want, min(want, 2))
	if err != nil {
		return nil, &Trouble{Kind: Canceled, Detail: "while waiting for limits.max_creates"}
	}
	if taken == 0 {
		return nil, &Trouble{Kind: Budget, Detail: c.budgetDetail()}
	}
	for creating(calls) > taken {
		calls = calls[:len(calls)-1]
	}
	return calls, nil
}

func (c *Client) allUnsent(rs []*Request, kind TroubleKind, detail string) []*Exchange {
	exchanges := make([]*Exchange, len(rs))
	for i, r := range rs {
		exchanges[i] = c.unsent(r, 1, kind, detail)
	}
	return exchanges
}

// race is the starting line of requests that are to arrive together.
type race struct {
	open  chan struct{}
	timer *time.Timer

	mu      sync.Mutex
	missing int
	there   map[any]bool
	at      time.Time
}

// newRace starts when all n have arrived, and without the missing ones after the patience.
func newRace(n int, patience time.Duration) *race {
	r := &race{open: make(chan struct{}), missing: n, there: map[any]bool{}}
	r.timer = time.AfterFunc(patience, r.start)
	return r
}

func (r *race) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begin()
}

func (r *race) begin() {
	if r.at.IsZero() {
		r.at = time.Now()
		close(r.open)
	}
}

func (r *race) stop() { r.timer.Stop() }

func (r *race) started() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at
}

// arrive notes that one participant is at the line, once however often it is called.
func (r *race) arrive(who any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.there[who] {
		return
	}
	r.there[who] = true
	if r.missing--; r.missing == 0 {
		r.begin()
	}
}

// wait holds a participant until the start.
func (r *race) wait(ctx context.Context, who any) {
	r.arrive(who)
	select {
	case <-r.open:
	case <-ctx.Done():
	}
}

// heldBody is a body whose last byte waits for the start of the race.
type heldBody struct {
	ctx  context.Context
	race *race
	who  any
	left []byte
}

func (b *heldBody) Read(p []byte) (int, error) {
	if len(b.left) == 0 {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	part := b.left
	if len(part) > 1 {
		part = part[:len(part)-1]
	} else {
		b.race.wait(b.ctx, b.who)
		if err := b.ctx.Err(); err != nil {
			return 0, err
		}
	}
	n := copy(p, part)
	b.left = b.left[n:]
	return n, nil
}

func (b *heldBody) Close() error { return nil }
