package transport

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
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

// encode writes the request into the session's buffer. It refuses what would let a value break out of its line.
func (s *Session) encode(x *Exchange) ([]byte, error) {
	if !plain(x.Path) {
		return nil, errors.New("the request cannot be built: its path holds a control character or a space")
	}
	b := s.out[:0]
	b = append(b, "POST "...)
	b = append(b, x.Path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, s.t.opts.Base.Host...)
	b = append(b, "\r\nUser-Agent: "...)
	b = append(b, s.t.opts.UserAgent...)
	b = append(b, "\r\n"...)
	for i := range x.Fields {
		f := &x.Fields[i]
		if bytes.IndexByte(f.Value, '\n') >= 0 || bytes.IndexByte(f.Value, '\r') >= 0 ||
			bytes.IndexByte(f.Value, 0) >= 0 || !plain(f.Name) || f.Name == "" || strings.IndexByte(f.Name, ':') >= 0 {
			return nil, fmt.Errorf("the request cannot be built: header %q holds what would end its line", f.Name)
		}
		b = append(b, f.Name...)
		b = append(b, ": "...)
		b = append(b, f.Value...)
		b = append(b, "\r\n"...)
	}
	if s.t.opts.NoReuse {
		b = append(b, "Connection: close\r\n"...)
	}
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, int64(len(x.Body)), 10)
	b = append(b, "\r\n\r\n"...)
	b = append(b, x.Body...)
	s.out = b
	return b, nil
}

// plain reports that s holds neither space nor control character.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] == 0x7f {
			return false
		}
	}
	return true
}
