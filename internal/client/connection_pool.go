package client

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// connectionPool holds the connections to one origin, HTTP/1.1 and HTTP/2. It dials only if all
// connections are busy, and it never resends a request. The pool of net/http does: it dials
// thousands of times if a server allows few HTTP/2 streams, and retries requests.
type connectionPool struct {
	dial func(context.Context) (*http.ClientConn, error)
	most int
	// tells of a connection that may have room
	available *broadcast

	mu      sync.Mutex
	open    []*pooledConnection
	dialing int
	room    int // concurrent requests that a connection was seen to carry; 0: unknown
	broken  int // reused connections that broke before an answer
}

type pooledConnection struct {
	*http.ClientConn
	users int
	idle  time.Time // since when it has had no users
	kept  bool      // from an earlier request
	ended bool      // it must not be used again
}

const (
	// maxIdleTime is below the idle timeouts of servers: a request fails on a connection that the
	// server just closed.
	maxIdleTime = 4 * time.Second
	// maxBrokenConnections is how many reused connections may break before reuse is turned off.
	// It is unknown whether the deployment received a request sent on one, and a server that
	// closes connections silently would lose every second request.
	maxBrokenConnections = 2
)

func newConnectionPool(
	most int, dial func(context.Context) (*http.ClientConn, error),
) *connectionPool {
	return &connectionPool{dial: dial, most: most, available: newBroadcast()}
}

// acquire returns a connection with room for a request, and whether it is reused.
func (p *connectionPool) acquire(ctx context.Context) (c *pooledConnection, kept bool, err error) {
	for {
		available := p.available.changed()
		c, kept, dial := p.reserveOpen()
		switch {
		case c != nil:
			return c, kept, nil
		case dial:
			c, err = p.connect(ctx)
			return c, false, err
		}
		select {
		case <-available:
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
	}
}

// reserveOpen reserves room on an open connection, or reports that the caller should dial. If
// connections carry several requests, one caller dials and the others wait. An HTTP/2 server's
// stream limit is known only after a connection's first answer.
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
	defer p.available.announce()
	made, err := p.dial(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialing--
	if err != nil {
		return nil, err
	}
	_ = made.Reserve() // if it is already closed, sending the request fails
	made.SetStateHook(func(*http.ClientConn) { p.available.announce() })
	c := &pooledConnection{ClientConn: made, users: 1}
	p.open = append(p.open, c)
	return c, nil
}

// remove withdraws a connection from the pool; its last user closes it.
func (p *connectionPool) remove(c *pooledConnection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.ended = true
	p.open = slices.DeleteFunc(p.open, func(other *pooledConnection) bool { return other == c })
	p.available.announce()
}

// release ends one use of a connection. A connection that broke counts once in broken, however
// many requests it carried.
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
		_ = c.Close() // reserveOpen drops it
	}
	p.available.announce()
}

// reusesConnections reports whether connections are reused.
func (p *connectionPool) reusesConnections() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broken < maxBrokenConnections
}

// close closes every connection, which aborts the requests on it.
func (p *connectionPool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		_ = c.Close()
	}
}
