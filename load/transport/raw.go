package transport

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// raw speaks HTTP/1.1 over connections of its own.
type raw struct {
	opts   Options
	dialer *dialer
	host   string // as the Host header gives it
	slack  time.Duration
	ctx    context.Context // ends with Cut
	stop   context.CancelFunc
	cut    atomic.Bool

	mu   sync.Mutex // guards open, and the order of cutting and connecting
	open map[*wire]struct{}
}

func newRaw(o Options, d *dialer) *raw {
	ctx, stop := context.WithCancel(context.Background())
	return &raw{
		opts: o, dialer: d, host: o.Base.Host, ctx: ctx, stop: stop, open: map[*wire]struct{}{},
		// A deadline is moved only when it would come too early for the request at hand, and then as far as this
		// beyond it: at high rates that spares a timer for nearly every request. An answer within the slack is late
		// all the same, and counted so.
		slack: min(o.Timeout/8, 250*time.Millisecond),
	}
}

func (t *raw) Name() Name { return Raw }

func (t *raw) Open() Session {
	return &rawSession{t: t, ctx: t.ctx, out: make([]byte, 0, 768)}
}

func (t *raw) Cut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cut.Store(true)
	t.stop()
	for w := range t.open {
		w.conn.SetDeadline(past)
	}
}

func (t *raw) Close() {
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
func (t *raw) connect(ctx context.Context, deadline time.Time) (*wire, error) {
	ctx, cancel := context.WithDeadline(ctx, deadline)
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
func (t *raw) why(ctx context.Context, err error) error {
	switch {
	case t.cut.Load(), errors.Is(ctx.Err(), context.Canceled):
		return errCut
	case ctx.Err() != nil:
		return errTimeout
	}
	return err
}

func (t *raw) drop(w *wire) {
	t.mu.Lock()
	delete(t.open, w)
	t.mu.Unlock()
	w.close()
}

// rawSession is one connection at a time, its buffers, and nothing shared on the way of a request.
type rawSession struct {
	t    *raw
	ctx  context.Context
	wire *wire
	out  []byte // the request as it goes out
	in   buffer // what came in
	ans  answer // how the answer at hand is framed

	mu   sync.Mutex // guards the two below, which only Cut of a session needs
	end  context.CancelFunc
	done bool
}

// Do implements Session.
func (s *rawSession) Do(x *Exchange) {
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
		if s.t.cut.Load() || s.isCut() {
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
func (s *rawSession) exchange(x *Exchange, out []byte) error {
	limit := x.Base.Add(x.Began + s.t.opts.Timeout)
	for {
		if s.wire == nil {
			w, err := s.connect(limit)
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
func (s *rawSession) extend(w *wire, limit time.Time) error {
	if s.t.cut.Load() {
		return errCut
	}
	if w.deadline.Before(limit) {
		w.deadline = limit.Add(s.t.slack)
		if err := w.conn.SetDeadline(w.deadline); err != nil {
			return err
		}
		if s.t.cut.Load() || s.isCut() { // which may have come in between and been undone
			w.conn.SetDeadline(past)
			return errCut
		}
	}
	return nil
}

func (s *rawSession) connect(limit time.Time) (*wire, error) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	s.mu.Lock()
	if s.done {
		s.mu.Unlock()
		return nil, errCut
	}
	s.end = cancel
	s.mu.Unlock()
	w, err := s.t.connect(ctx, limit)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end = nil
	if w != nil {
		if s.done {
			s.t.drop(w)
			return nil, errCut
		}
		conn := w.conn
		s.end = func() { conn.SetDeadline(past) }
	}
	return w, err
}

func (s *rawSession) isCut() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}

// leave gives the connection up.
func (s *rawSession) leave() {
	if s.wire == nil {
		return
	}
	s.mu.Lock()
	s.end = nil
	s.mu.Unlock()
	s.t.drop(s.wire)
	s.wire = nil
}

// Cut implements Session.
func (s *rawSession) Cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	if s.end != nil {
		s.end()
	}
}

// Close implements Session.
func (s *rawSession) Close() { s.leave() }

// wire is one connection.
type wire struct {
	conn     net.Conn // what requests are written to: TLS where the origin wants it
	used     int      // answers it has carried
	idle     time.Time
	deadline time.Time    // set on conn
	unsent   chan written // a request that is still being written
	direct                // how plain connections spare system calls
}
