package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Sockets speaks HTTP/1.1 over connections of its own. It is safe for concurrent use.
type Sockets struct {
	opts   Options
	dialer *dialer
	slack  time.Duration
	ctx    context.Context // ends with Cut
	stop   context.CancelFunc
	cut    atomic.Bool

	mu   sync.Mutex // guards open, and the order of cutting and connecting
	open map[*wire]struct{}
}

// NewSockets makes the transport of the direct engine. An error says which option is wrong, and what would do.
func NewSockets(o Options) (*Sockets, error) {
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
	d, err := newDialer(&o)
	if err != nil {
		return nil, err
	}
	d.conf.NextProtos = []string{"http/1.1"}
	return newSockets(o, d), nil
}

func newSockets(o Options, d *dialer) *Sockets {
	ctx, stop := context.WithCancel(context.Background())
	return &Sockets{
		opts: o, dialer: d, ctx: ctx, stop: stop, open: map[*wire]struct{}{},
		// A deadline is moved only when it would come too early for the request at hand, and then as far as this
		// beyond it: at high rates that spares a timer for nearly every request. An answer within the slack is late
		// all the same, and counted so.
		slack: min(o.Timeout/8, 250*time.Millisecond),
	}
}

// Open returns a session. It connects with its first request, never before.
func (t *Sockets) Open() *Session {
	return &Session{t: t, out: make([]byte, 0, 768)}
}

// Cut breaks off what is in flight: those requests, and any that follow, end as canceled.
func (t *Sockets) Cut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cut.Store(true)
	t.stop()
	for w := range t.open {
		w.conn.SetDeadline(past)
	}
}

// Close frees the connections of sessions that are closed or forgotten; it cuts what is still in flight.
func (t *Sockets) Close() {
	t.Cut()
	t.mu.Lock()
	defer t.mu.Unlock()
	for w := range t.open {
		w.conn.Close()
	}
	clear(t.open)
}

// past is a deadline that has passed.
var past = time.Unix(1, 0)

// connect opens a connection within the deadline.
func (t *Sockets) connect(deadline time.Time) (*wire, error) {
	ctx, cancel := context.WithDeadline(t.ctx, deadline)
	defer cancel()
	tcp, err := t.dialer.dial(ctx)
	if err != nil {
		return nil, t.why(ctx, err)
	}
	conn := tcp
	if t.dialer.secure {
		if conn, err = t.dialer.secured(ctx, tcp); err != nil {
			return nil, t.why(ctx, err)
		}
	}
	w := newWire(conn, tcp)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cut.Load() {
		conn.Close()
		return nil, errCut
	}
	t.open[w] = struct{}{}
	return w, nil
}

// why prefers the reason for giving up over what it looked like on the way.
func (t *Sockets) why(ctx context.Context, err error) error {
	switch {
	case t.cut.Load(), errors.Is(ctx.Err(), context.Canceled):
		return errCut
	case ctx.Err() != nil:
		return errTimeout
	}
	return err
}

func (t *Sockets) drop(w *wire) {
	t.mu.Lock()
	delete(t.open, w)
	t.mu.Unlock()
	w.close()
}

// Session carries one request at a time. It owns one connection and its buffers, and nothing on the way of a request is
// shared.
type Session struct {
	t    *Sockets
	wire *wire
	out  []byte // the request as it goes out
	in   buffer // what came in
	ans  answer // how the answer at hand is framed
}

// Do sends the request of x and fills in its answer. It returns when the answer is whole or has failed.
func (s *Session) Do(x *Exchange) {
	x.reset()
	x.Began = time.Since(x.Base)
	out, err := s.encode(x)
	if err != nil {
		x.Done = time.Since(x.Base)
		x.fail(err)
		return
	}
	s.in.begin()
	if err := s.exchange(x, out); err != nil {
		x.Done = time.Since(x.Base)
		s.leave()
		if s.t.cut.Load() {
			err = errCut
		} else if errors.Is(err, os.ErrDeadlineExceeded) {
			err = errTimeout
		}
		x.fail(err)
		return
	}
	x.Done = time.Since(x.Base)
	if x.Done-x.Began > s.t.opts.Timeout { // within the slack of the deadline
		x.fail(errTimeout)
	}
	s.wire.settle(x)
	if x.Closed || s.ans.last || s.in.pending() > 0 || s.t.opts.NoReuse {
		x.Closed = true
		s.leave()
		return
	}
	s.wire.used++
	s.wire.idle = x.Base.Add(x.Done)
}

// exchange gets a connection, sends the request and reads the answer. A kept connection that turns out to be closed
// before a byte was written is replaced; one that breaks later is an error, since the target may have the request.
func (s *Session) exchange(x *Exchange, out []byte) error {
	limit := x.Base.Add(x.Began + s.t.opts.Timeout)
	for {
		if s.wire == nil {
			w, err := s.t.connect(limit)
			if err != nil {
				return err
			}
			s.wire = w
		}
		w := s.wire
		if err := s.extend(w, limit); err != nil {
			return err
		}
		x.Reused = w.used > 0
		stale, err := w.send(x, out, &s.in)
		if stale {
			s.leave()
			continue // at most once more: the next one is new
		}
		if err != nil {
			return err
		}
		return s.receive(x, w)
	}
}

// extend moves the deadline when what is left is too short.
func (s *Session) extend(w *wire, limit time.Time) error {
	if s.t.cut.Load() {
		return errCut
	}
	if w.deadline.Before(limit) {
		w.deadline = limit.Add(s.t.slack)
		if err := w.conn.SetDeadline(w.deadline); err != nil {
			return err
		}
		if s.t.cut.Load() { // which may have come in between and been undone
			w.conn.SetDeadline(past)
			return errCut
		}
	}
	return nil
}

// leave gives the connection up.
func (s *Session) leave() {
	if s.wire == nil {
		return
	}
	s.t.drop(s.wire)
	s.wire = nil
}

// Close frees the connection. No request may be in flight.
func (s *Session) Close() { s.leave() }

// wire is one connection.
type wire struct {
	conn     net.Conn // what requests are written to: TLS where the origin wants it
	used     int      // answers it has carried
	idle     time.Time
	deadline time.Time       // set on conn
	unsent   chan error      // of a request that is still being written
	sock     syscall.RawConn // to look at an idle connection; nil: it cannot be looked at
}

func newWire(conn, tcp net.Conn) *wire {
	w := &wire{conn: conn}
	if sc, ok := tcp.(syscall.Conn); ok {
		w.sock, _ = sc.SyscallConn()
	}
	return w
}
