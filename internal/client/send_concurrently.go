package client

import (
	"context"
	"sync"
	"time"
)

// SendConcurrently sends requests as a race: it waits for all their slots and for their share of
// the pace at once, takes room on a connection for each, sends all but the last part of every body,
// and releases the last parts in one instant. A race is no wider than what may be in flight, nor
// than what limits.max_creates leaves (at least two): the result has as many exchanges as were
// sent, those of the first requests. When nothing could be sent, all of them have an Err.
func (c *Client) SendConcurrently(ctx context.Context, rs []*Request) []*Exchange {
	rs = rs[:min(len(rs), c.opts.InFlight)]
	if len(rs) == 0 {
		return nil
	}
	exchanges := make([]*Exchange, len(rs))
	none := func(kind TroubleKind, detail string) []*Exchange {
		for i, r := range rs {
			exchanges[i] = c.unsentExchange(r, 1, kind, detail)
		}
		return exchanges
	}
	calls := make([]*pendingRequest, len(rs))
	for i, r := range rs {
		var err error
		if calls[i], err = c.prepare(r); err != nil {
			return none(TroubleUnsendable, err.Error())
		}
	}
	calls, why := c.admit(ctx, calls...)
	if why != nil {
		return none(why.Kind, why.Detail)
	}
	for _, k := range calls {
		if err := c.authenticate(ctx, k); err != nil {
			c.cancelAdmission(calls...)
			return none(TroubleUnsendable, err.Error())
		}
	}
	var missing, all sync.WaitGroup
	missing.Add(len(calls))
	begun, begin := context.WithCancel(context.Background())
	defer time.AfterFunc(c.opts.Timeout/2, begin).Stop() // without those that are missing
	for i, k := range calls {
		k.ready, k.begun = sync.OnceFunc(missing.Done), begun.Done()
		all.Go(func() { exchanges[i], _ = c.sendAdmitted(ctx, k) })
	}
	missing.Wait()
	begin()
	all.Wait()
	return exchanges[:len(calls)]
}

// waitAtStartLine holds a participant of a race, from when it has sent all but its last byte until
// the others have.
func (k *pendingRequest) waitAtStartLine(ctx context.Context) {
	k.ready()
	select {
	case <-k.begun:
	case <-ctx.Done():
	}
}
