package client

import (
	"context"
	"sync"
	"time"
)

// SendConcurrently sends requests as a race. It waits for all slots and the pace, reserves a
// connection for each request, sends all but the last byte of every body, and then sends the
// last bytes at once. A race has at most InFlight requests, and no more than limits.max_creates
// allows (at least two): the result holds the exchanges of the first requests, as many as were
// sent. If nothing could be sent, every exchange has an Err.
func (c *Client) SendConcurrently(ctx context.Context, rs []*Request) []*Exchange {
	rs = rs[:min(len(rs), c.opts.InFlight)]
	if len(rs) == 0 {
		return nil
	}
	exchanges := make([]*Exchange, len(rs))
	calls, why := c.prepareAndAdmit(ctx, 1, rs...)
	if why != nil {
		for i, r := range rs {
			exchanges[i] = c.unsentExchange(r, 1, why)
		}
		return exchanges
	}
	var missing, all sync.WaitGroup
	missing.Add(len(calls))
	begun, begin := context.WithCancel(context.Background())
	defer time.AfterFunc(c.opts.Timeout/2, begin).Stop() // start without those that are late
	for i, k := range calls {
		k.ready, k.begun = sync.OnceFunc(missing.Done), begun.Done()
		all.Go(func() { exchanges[i], _ = c.sendAdmitted(ctx, k) })
	}
	missing.Wait()
	begin()
	all.Wait()
	return exchanges[:len(calls)]
}
