package client

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// Together sends requests as a race: it waits for all their slots and for their share of the pace at once, opens a
// connection for each, sends all but the last part of every body, and releases the last parts in one instant. A race is
// no wider than what may be in flight, nor than what limits.max_creates leaves (at least two): the result has as many
// exchanges as were sent, those of the first requests. When nothing could be sent, all of them have an Err.
func (c *Client) Together(ctx context.Context, rs []*Request) []*Exchange {
	rs = rs[:min(len(rs), c.opts.InFlight)]
	if len(rs) == 0 {
		return nil
	}
	var calls []*call
	var why *Trouble
	for _, r := range rs {
		k, err := c.prepare(ctx, r)
		if err != nil {
			why = &Trouble{Kind: Unsent, Detail: err.Error()}
			break
		}
		calls = append(calls, k)
	}
	if why == nil {
		calls, why = c.admit(ctx, calls...)
	}
	if why != nil {
		var exchanges []*Exchange
		for _, r := range rs {
			exchanges = append(exchanges, c.unsent(r, 1, why.Kind, why.Detail))
		}
		return exchanges
	}
	start := newRace(len(calls))
	defer time.AfterFunc(c.opts.Timeout/2, start.begin).Stop() // without those that are missing
	exchanges := make([]*Exchange, len(calls))
	var all sync.WaitGroup
	for i, k := range calls {
		k.race = start
		all.Go(func() { exchanges[i], _ = c.carry(ctx, k) })
	}
	all.Wait()
	return exchanges
}

// race is the starting line of requests that are to arrive together.
type race struct {
	missing atomic.Int64
	begin   func()
	open    chan struct{} // closed by begin
	at      time.Time     // of that
}

// newRace begins when all n have arrived.
func newRace(n int) *race {
	r := &race{open: make(chan struct{})}
	r.missing.Store(int64(n))
	r.begin = sync.OnceFunc(func() {
		r.at = time.Now()
		close(r.open)
	})
	return r
}

// started is when the race began; zero: it has not.
func (r *race) started() time.Time {
	select {
	case <-r.open:
		return r.at
	default:
		return time.Time{}
	}
}

// arrive notes that one participant is at the line, once however often it is called.
func (r *race) arrive(k *call) {
	k.arrival.Do(func() {
		if r.missing.Add(-1) == 0 {
			r.begin()
		}
	})
}

// wait holds a participant until the start.
func (r *race) wait(ctx context.Context, k *call) {
	r.arrive(k)
	select {
	case <-r.open:
	case <-ctx.Done():
	}
}

// heldBody is a body whose last byte waits for the start of the race.
type heldBody struct {
	ctx  context.Context
	k    *call
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
		b.k.race.wait(b.ctx, b.k)
		if err := b.ctx.Err(); err != nil {
			return 0, err
		}
	}
	n := copy(p, part)
	b.left = b.left[n:]
	return n, nil
}
