//go:build unix

package transport

import (
	"net"
	"os"
	"syscall"
	"time"
)

// direct performs the common exchange with as few system calls as there can be: it writes from within a wait for
// reading. The first look at the socket, which any read begins with and which as a rule finds nothing, thereby comes
// before the request: it tells for free that a kept connection was closed, or that bytes lie there that would be
// taken for the answer.
type direct struct {
	sock  syscall.RawConn // nil: unknown kind of connection
	plain bool            // no TLS between
	step  func(fd uintptr) bool

	// One exchange at a time.
	x     *Exchange
	in    *buffer
	out   []byte
	wrote int
	phase phase
	err   error
	eof   bool
}

type phase uint8

const (
	probing phase = iota
	writing
	reading
	stale
	over
)

// staleAfter is how long a TLS connection may lie idle before it is looked at: there the look is one more call.
const staleAfter = 500 * time.Microsecond

func newWire(conn, tcp net.Conn) *wire {
	w := &wire{conn: conn}
	if sc, ok := tcp.(syscall.Conn); ok {
		if sock, err := sc.SyscallConn(); err == nil {
			w.sock = sock
			w.plain = conn == tcp
			w.step = w.advance
		}
	}
	return w
}

// send writes the request. stale tells that nothing was written because the connection had been closed or held bytes
// that no request asked for. On plain connections the first bytes of the answer may have come in already.
func (w *wire) send(x *Exchange, out []byte, in *buffer) (isStale bool, err error) {
	if w.sock == nil {
		return false, w.write(x, out, in)
	}
	if !w.plain {
		if w.used > 0 && time.Since(w.idle) > staleAfter && w.disturbed() {
			return true, nil
		}
		return false, w.write(x, out, in)
	}
	w.x, w.in, w.out, w.wrote, w.err, w.eof = x, in, out, 0, nil, false
	w.phase = writing
	if w.used > 0 {
		w.phase = probing
	}
	err = w.sock.Read(w.step)
	out = out[w.wrote:]
	x.Wrote = int64(w.wrote)
	failed := w.err
	w.x, w.in, w.out, w.err = nil, nil, nil, nil
	switch {
	case w.phase == stale:
		return true, nil
	case err != nil: // the deadline, or the connection is closed on this side
		return false, err
	case failed != nil:
		return false, failed
	case len(out) > 0: // the socket takes no more at once
		return false, w.writeRest(x, out, in)
	case w.eof:
		return false, errNoAnswer
	}
	return false, nil
}

// advance is the step that the wait for reading repeats: false waits until there is something to read.
func (w *wire) advance(fd uintptr) bool {
	switch w.phase {
	case probing:
		if _, err := readOnce(int(fd), w.in.room()); err != syscall.EAGAIN {
			w.phase = stale // its end, or bytes that answer nothing
			return true
		}
		w.phase = writing
		fallthrough
	case writing:
		w.x.Sent = time.Since(w.x.Base)
		n, err := writeOnce(int(fd), w.out)
		w.wrote = max(n, 0)
		if err != nil && err != syscall.EAGAIN {
			// The peer may have answered and closed before it read the request: what it said counts.
			w.err = os.NewSyscallError("write", err)
			if n, rerr := readOnce(int(fd), w.in.room()); rerr == nil && n > 0 {
				w.in.to += n
				w.err, w.x.Closed, w.wrote = nil, true, len(w.out)
			}
			return true
		}
		w.phase = reading
		return w.wrote < len(w.out)
	}
	n, err := readOnce(int(fd), w.in.room())
	switch {
	case err == syscall.EAGAIN:
		return false
	case err != nil:
		w.err = os.NewSyscallError("read", err)
	case n == 0:
		w.eof = true
	default:
		w.in.to += n
	}
	w.phase = over
	return true
}

// disturbed tells that an idle connection has something to read: its end, or bytes that nobody asked for.
func (w *wire) disturbed() bool {
	found := false
	err := w.sock.Control(func(fd uintptr) {
		var one [1]byte
		n, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		found = n > 0 || err != syscall.EAGAIN && err != syscall.EINTR
	})
	return found || err != nil
}

func readOnce(fd int, p []byte) (int, error) {
	for {
		n, err := readSocket(fd, p)
		if err != syscall.EINTR {
			return n, err
		}
	}
}

func writeOnce(fd int, p []byte) (int, error) {
	for {
		n, err := writeSocket(fd, p)
		if err != syscall.EINTR {
			return n, err
		}
	}
}
