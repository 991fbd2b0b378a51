package transport

import (
	"bufio"
	"errors"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	readBuffer  = 2 << 10 // most answers fit; thousands of connections that wait cost little
	writeBuffer = 1 << 10
)

// A kept connection is looked at before it is used again, which takes a system call: each time until it has proved
// itself by so many answers, since some peers close after each without saying so, and then only after it lay idle for
// long.
const (
	proved     = 5
	staleAfter = 50 * time.Millisecond
)

// Session carries one request at a time over one connection, and shares nothing with other sessions.
type Session struct {
	t        *FastHTTP
	request  fasthttp.Request
	response fasthttp.Response
	in       *bufio.Reader
	out      *bufio.Writer

	conn     net.Conn        // nil: not connected
	sock     syscall.RawConn // to look at an idle connection; nil: it cannot be looked at
	answers  int             // that conn has carried
	idle     time.Time       // since when
	deadline time.Time       // set on conn
}

// Open returns a session. It connects with its first request, never before.
func (t *FastHTTP) Open() *Session {
	s := &Session{t: t, in: bufio.NewReaderSize(nil, readBuffer), out: bufio.NewWriterSize(nil, writeBuffer)}
	s.response.Header.SetNoDefaultContentType(true)
	return s
}

// Do sends the request of x and fills in its answer. It returns when the answer is whole or has failed.
func (s *Session) Do(x *Exchange) {
	x.reset()
	x.Began = time.Since(x.Base)
	s.encode(x)
	err := s.exchange(x)
	x.Done = time.Since(x.Base)
	if err == nil {
		x.Status, x.Answer, x.direct = s.response.StatusCode(), s.response.Body(), &s.response.Header
	}
	if err != nil || s.t.opts.NoReuse || s.response.ConnectionClose() || s.in.Buffered() > 0 {
		s.Close()
	}
	switch {
	case err != nil && s.t.ctx.Err() != nil:
		err = errCut
	case err == nil && x.Done-x.Began > s.t.opts.Timeout: // within the slack of the deadline
		err = errTimeout
	}
	if err != nil {
		x.fail(err)
		return
	}
	s.answers++
	s.idle = x.Base.Add(x.Done)
}

// encode fills in the request. fasthttp takes line breaks out of what it is given, so no value becomes a line.
func (s *Session) encode(x *Exchange) {
	h := &s.request.Header
	h.Reset()
	h.DisableNormalizing()
	h.SetMethod(fasthttp.MethodPost)
	h.SetRequestURI(x.Path)
	h.SetHost(s.t.opts.Base.Host)
	h.SetUserAgent(s.t.opts.UserAgent)
	for i := range x.Fields {
		h.AddBytesV(x.Fields[i].Name, x.Fields[i].Value)
	}
	if s.t.opts.NoReuse {
		h.SetConnectionClose()
	}
	s.request.SetBodyRaw(x.Body)
}

// exchange gets a connection, sends the request and reads the answer. A kept connection that turns out to be closed
// before a byte was written is replaced; one that breaks later is an error, since the target may have the request.
func (s *Session) exchange(x *Exchange) error {
	limit := x.Base.Add(x.Began + s.t.opts.Timeout)
	if s.conn != nil && s.stale() {
		s.Close()
	}
	if s.conn == nil {
		conn, tcp, err := s.t.connect(limit)
		if err != nil {
			return err
		}
		s.conn, s.sock, s.answers, s.deadline = conn, nil, 0, time.Time{}
		if sc, ok := tcp.(syscall.Conn); ok {
			s.sock, _ = sc.SyscallConn()
		}
		s.in.Reset(conn)
		s.out.Reset(conn)
	}
	if err := s.extend(limit); err != nil {
		return err
	}
	x.Sent = time.Since(x.Base)
	if err := s.request.Write(s.out); err != nil {
		return broken(err)
	}
	if err := s.out.Flush(); err != nil {
		return broken(err)
	}
	return s.receive()
}

// stale reports that the kept connection was closed, or holds bytes that no request asked for.
func (s *Session) stale() bool {
	return s.sock != nil && (s.answers < proved || time.Since(s.idle) > staleAfter) && disturbed(s.sock)
}

// extend moves the deadline when what is left is too short.
func (s *Session) extend(limit time.Time) error {
	if s.deadline.Before(limit) {
		s.deadline = limit.Add(s.t.slack)
		if err := s.conn.SetDeadline(s.deadline); err != nil {
			return err
		}
	}
	if s.t.ctx.Err() != nil { // Cut may have come in between, and its deadline been undone
		return errCut
	}
	return nil
}

// receive reads the answer.
func (s *Session) receive() error {
	if _, err := s.in.Peek(1); errors.Is(err, io.EOF) { // fasthttp would make one error of all that happens here
		return errNoAnswer
	} else if err != nil {
		return broken(err)
	}
	err := s.response.ReadLimitBody(s.in, MaxBody)
	if longHead(err) && s.in.Size() < MaxHead { // a long head, of which nothing is consumed yet
		s.in = bufio.NewReaderSize(s.in, MaxHead)
		err = s.response.ReadLimitBody(s.in, MaxBody)
	}
	switch code := s.response.StatusCode(); {
	case longHead(err):
		return malformed("its head is larger than %d bytes", MaxHead)
	case errors.Is(err, fasthttp.ErrBodyTooLarge):
		return malformed("its body is larger than %d bytes", MaxBody)
	case err != nil:
		return broken(err)
	case code < 200 || code > 999:
		return malformed("its status is %d", code)
	}
	return nil
}

func longHead(err error) bool {
	if err == nil {
		return false // before small is made, which is on the heap
	}
	var small *fasthttp.ErrSmallBuffer
	return errors.As(err, &small)
}

// broken names what ended a connection. Of fasthttp's errors only the cause is kept: their text quotes the answer,
// and an answer may repeat a credential.
func broken(err error) error {
	var network *net.OpError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return errTimeout
	case errors.As(err, &network):
		return network
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errCutShort
	}
	return malformed("neither its head nor its body may be written like that")
}

// Close frees the connection. No request may be in flight.
func (s *Session) Close() {
	if s.conn != nil {
		s.t.drop(s.conn)
		s.conn = nil
	}
}
