package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

// FastHTTP sends over one connection for each session, with fasthttp's reading and writing of HTTP/1.1. It is safe for
// concurrent use.
type FastHTTP struct {
	opts    Options
	address string // host and port
	tls     *tls.Config
	slack   time.Duration
	ctx     context.Context // ends with Cut
	stop    context.CancelFunc

	mu   sync.Mutex // guards open, and the order of cutting and connecting
	open map[net.Conn]struct{}
}

// NewFastHTTP makes the transport of the direct engine. An error says which option is wrong, and what would do.
func NewFastHTTP(o Options) (*FastHTTP, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	switch {
	case o.Version == "2":
		return nil, errors.New("--engine direct speaks HTTP/1.1 only: leave out --http 2, or use --engine vegeta")
	case o.proxy != nil:
		return nil, fmt.Errorf("--engine direct cannot go through a proxy (%s is set): use --engine vegeta",
			o.proxy.Redacted())
	}
	t := &FastHTTP{
		opts: o, address: net.JoinHostPort(o.Base.Hostname(), portOf(o.Base)), open: map[net.Conn]struct{}{},
		// A deadline is moved only when it would come too early for the request at hand, and then as far as this
		// beyond it: at high rates that spares a timer for nearly every request. An answer within the slack is late
		// all the same, and counted so.
		slack: min(o.Timeout/8, 250*time.Millisecond),
	}
	if o.Base.Scheme == "https" {
		t.tls = tlsConfig(&o)
		t.tls.NextProtos = []string{"http/1.1"}
	}
	t.ctx, t.stop = context.WithCancel(context.Background())
	return t, nil
}

// Cut breaks off what is in flight: those requests, and any that follow, end as canceled.
func (t *FastHTTP) Cut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stop()
	for conn := range t.open {
		conn.SetDeadline(past)
	}
}

// Close frees the connections of sessions that are closed or forgotten; it cuts what is still in flight.
func (t *FastHTTP) Close() {
	t.Cut()
	t.mu.Lock()
	defer t.mu.Unlock()
	for conn := range t.open {
		conn.Close()
	}
	clear(t.open)
}

// past is a deadline that has passed.
var past = time.Unix(1, 0)

// connect opens a connection within the deadline. It returns the TCP connection as well.
func (t *FastHTTP) connect(deadline time.Time) (conn, tcp net.Conn, err error) {
	ctx, cancel := context.WithDeadline(t.ctx, deadline)
	defer cancel()
	if tcp, err = new(net.Dialer).DialContext(ctx, "tcp", t.address); err != nil {
		return nil, nil, t.why(ctx, err)
	}
	conn = tcp
	if t.tls != nil {
		secured := tls.Client(tcp, t.tls)
		if err := secured.HandshakeContext(ctx); err != nil {
			tcp.Close()
			return nil, nil, t.why(ctx, &handshakeError{err})
		}
		conn = secured
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx.Err() != nil {
		conn.Close()
		return nil, nil, errCut
	}
	t.open[conn] = struct{}{}
	return conn, tcp, nil
}

// why prefers the reason for giving up over what it looked like on the way.
func (t *FastHTTP) why(ctx context.Context, err error) error {
	switch {
	case t.ctx.Err() != nil:
		return errCut
	case ctx.Err() != nil, errors.Is(err, os.ErrDeadlineExceeded):
		return errTimeout
	}
	return err
}

func (t *FastHTTP) drop(conn net.Conn) {
	t.mu.Lock()
	delete(t.open, conn)
	t.mu.Unlock()
	conn.Close()
}
