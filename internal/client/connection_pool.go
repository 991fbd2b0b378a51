package client

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// connectionPool keeps the connections to one origin, of HTTP/1.1 as of HTTP/2. One is made only
// where all others are taken, and nothing is sent twice unless the client does it: the pool of
// net/http dials thousands of times where a server allows few streams of HTTP/2, and repeats
// requests by itself.
type connectionPool struct {
	dial func(context.Context) (*http.ClientConn, error)
	most int
	news atomic.Pointer[chan struct{}] // closed and replaced when a connection may have come free

	mu      sync.Mutex
	open    []*pooledConnection
	dialing int
	room    int // how many requests one was seen to carry at once; 0: not known
	broken  int // kept ones that broke before an answer
}

type pooledConnection struct {
	*http.ClientConn
	users int
	idle  time.Time // since when, without users
	kept  bool      // from an earlier request
	ended bool      // not to be used again
}

const (
	// maxIdleTime is below what servers use: a connection that they just closed breaks a request.
	maxIdleTime = 4 * time.Second
	// maxBrokenConnections is how many kept connections have to break before no more are kept: whether
	// the deployment got what was sent on one is not known, and where it closes connections without a
	// word, every second request would be lost.
	maxBrokenConnections = 2
)

func newConnectionPool(
	most int, dial func(context.Context) (*http.ClientConn, error),
) *connectionPool {
	p := &connectionPool{dial: dial, most: most}
	p.news.Store(new(make(chan struct{})))
	return p
}

// acquire gives a connection with room for a request, and whether it was kept from an earlier one.
func (p *connectionPool) acquire(ctx context.Context) (c *pooledConnection, kept bool, err error) {
	for {
		news := *p.news.Load()
		c, kept, dial := p.reserveOpen()
		switch {
		case c != nil:
			return c, kept, nil
		case dial:
			c, err = p.connect(ctx)
			return c, false, err
		}
		select {
		case <-news:
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
	}
}

// reserveOpen reserves room on an open connection, or says whether to make one. Where one carries
// several requests, that is left to the first who needs it, and the others wait for that one. What
// a server of HTTP/2 allows is known of a connection once something was answered on it.
func (p *connectionPool) reserveOpen() (found *pooledConnection, kept, dial bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = slices.DeleteFunc(p.open, func(c *pooledConnection) bool {
		over := c.users == 0 && (p.broken >= maxBrokenConnections || time.Since(c.idle) > maxIdleTime)
		if over {
			_ = c.Close()
		}
		return over || c.Err() != nil
	})
	for _, c := range p.open {
		if (c.kept || c.users < p.room) && c.Reserve() == nil {
			c.users++
			return c, c.kept, false
		}
	}
	if len(p.open)+p.dialing >= p.most || p.dialing > 0 && p.room > 1 {
		return nil, false, false
	}
	p.dialing++
	return nil, false, true
}

func (p *connectionPool) connect(ctx context.Context) (*pooledConnection, error) {
	defer p.wakeWaiters()
	made, err := p.dial(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialing--
	if err != nil {
		return nil, err
	}
	_ = made.Reserve() // where it is closed already, the request will say so
	made.SetStateHook(func(*http.ClientConn) { p.wakeWaiters() })
	c := &pooledConnection{ClientConn: made, users: 1}
	p.open = append(p.open, c)
	return c, nil
}

// wakeWaiters has those look again who wait for a connection. It is called with and without the
// lock.
func (p *connectionPool) wakeWaiters() { close(*p.news.Swap(new(make(chan struct{})))) }

// remove takes a connection away from others; the last of its users closes it.
func (p *connectionPool) remove(c *pooledConnection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.ended = true
	p.open = slices.DeleteFunc(p.open, func(other *pooledConnection) bool { return other == c })
	p.wakeWaiters()
}

// release ends the use of a connection. Where it broke before an answer, which is told once, others
// on it did as well.
func (p *connectionPool) release(c *pooledConnection, broke bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if broke && !c.ended {
		p.broken++
	}
	c.ended = c.ended || broke || p.broken >= maxBrokenConnections
	c.kept, c.idle = true, time.Now()
	if free := c.Available(); free > 0 {
		p.room = free + c.InFlight()
	}
	if c.users--; c.users == 0 && c.ended {
		_ = c.Close() // which reserveOpen removes
	}
	p.wakeWaiters()
}

// reusesConnections reports whether connections are kept for further requests.
func (p *connectionPool) reusesConnections() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broken < maxBrokenConnections
}

// close ends every connection, and what is under way on it.
func (p *connectionPool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		_ = c.Close()
	}
}
