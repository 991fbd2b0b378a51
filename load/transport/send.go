package transport

import (
	"errors"
	"os"
	"time"
)

// inlineWrite is what a socket takes without waiting for its peer, with a margin. A larger request is written beside
// the reading, as the peer may answer, and expect to be read, before it has taken all.
const inlineWrite = 8 << 10

// A kept connection is looked at before it is used again, which takes a system call: each time until it has proved
// itself by so many answers, since some peers close after each without saying so, and then only after it lay idle for
// long.
const (
	proved     = 5
	staleAfter = 50 * time.Millisecond
)

// send writes the request. stale reports that nothing was written because the connection had been closed or held bytes
// that no request asked for.
func (w *wire) send(x *Exchange, out []byte, in *buffer) (stale bool, err error) {
	if w.used > 0 && w.sock != nil && (w.used < proved || time.Since(w.idle) > staleAfter) && disturbed(w.sock) {
		return true, nil
	}
	x.Sent = time.Since(x.Base)
	return false, w.write(x, out, in)
}

// write sends the request. When that fails, the peer may have answered before it read all: its
// answer counts, and the connection does not live on.
func (w *wire) write(x *Exchange, out []byte, in *buffer) error {
	if len(out) <= inlineWrite {
		_, err := w.conn.Write(out)
		if err == nil {
			return nil
		}
		x.Closed = true
		n, rerr := w.conn.Read(in.room())
		in.to += n
		if n > 0 && rerr == nil {
			return nil
		}
		return err
	}
	sent := make(chan error, 1)
	w.unsent = sent
	go func() {
		_, err := w.conn.Write(out)
		sent <- err
	}()
	n, rerr := w.conn.Read(in.room())
	in.to += n
	if n > 0 {
		return nil
	}
	w.conn.SetWriteDeadline(past) // no answer can follow: the writer need not go on
	err := <-sent
	w.unsent = nil
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return ended(rerr, errNoAnswer)
}

// settle looks, once the answer is there, whether all of the request is on its way. If not, the connection is of no
// further use.
func (w *wire) settle(x *Exchange) {
	if w.unsent == nil {
		return
	}
	select {
	case err := <-w.unsent:
		w.unsent = nil
		x.Closed = x.Closed || err != nil
	default:
		x.Closed = true
	}
}

// close ends the connection, and waits for a writer whose buffer will be used again.
func (w *wire) close() {
	w.conn.Close()
	if w.unsent != nil {
		<-w.unsent //nolint:errcheck // the connection is closed, whatever became of it
		w.unsent = nil
	}
}
