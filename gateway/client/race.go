package client

import (
	"context"
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
	exchanges := make([]*Exchange, len(rs))
	none := func(kind TroubleKind, detail string) []*Exchange {
		for i, r := range rs {
			exchanges[i] = c.unsent(r, 1, kind, detail)
		}
		return exchanges
	}
	calls := make([]*call, len(rs))
	for i, r := range rs {
		var err error
		if calls[i], err = c.prepare(ctx, r); err != nil {
			return none(Unsent, err.Error())
		}
	}
	calls, why := c.admit(ctx, calls...)
	if why != nil {
		return none(why.Kind, why.Detail)
	}
	start := newRace(len(calls))
	defer time.AfterFunc(c.opts.Timeout/2, start.begin).Stop() // without those that are missing
	var all sync.WaitGroup
	for i, k := range calls {
		k.race = start
		all.Go(func() { exchanges[i], _ = c.carry(ctx, k) })
	}
	all.Wait()
	return exchanges[:len(calls)]
}

// race is the starting line of requests that are to arrive together.
type race struct {
	missing atomic.Int64
	begin   func()
	begun   context.Context // done by begin
}

// newRace begins when all n have arrived.
func newRace(n int) *race {
	r := &race{}
	r.missing.Store(int64(n))
	r.begun, r.begin = context.WithCancel(context.Background())
	return r
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
	case <-r.begun.Done():
	case <-ctx.Done():
	}
}
