package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

// FastHTTP is fasthttp's HostClient for load. It replaces a connection that was closed while
// idle before it sends a request. CancelAll ends all requests. It is safe for concurrent use.
type FastHTTP struct {
	opts   Config
	client *fasthttp.HostClient
	tls    *tls.Config
	ctx    context.Context // canceled by CancelAll
	stop   context.CancelFunc
}

const headBufferBytes = 8 << 10 // bytes; each request in flight has such a buffer

// NewFastHTTP makes the transport of the direct engine. The error tells the user what to change.
func NewFastHTTP(o Config) (*FastHTTP, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	switch {
	case o.Version == "2":
		return nil, errors.New("--engine direct speaks HTTP/1.1 only: leave out --http 2, or use " +
			"--engine vegeta")
	case o.proxy != nil:
		return nil, fmt.Errorf("--engine direct cannot go through a proxy (%s is set): use "+
			"--engine vegeta", o.proxy.Redacted())
	}
	t := &FastHTTP{opts: o}
	t.ctx, t.stop = context.WithCancel(context.Background())
	t.client = &fasthttp.HostClient{
		Addr: fasthttp.AddMissingPort(o.Base.Host, o.Base.Scheme == "https"), DialTimeout: t.dial,
		MaxConns: 1 << 20, MaxIdleConnDuration: 90 * time.Second, MaxResponseBodySize: MaxBodyBytes,
		ReadBufferSize: headBufferBytes, WriteBufferSize: 1 << 10,
		DisablePathNormalizing: true, NoDefaultUserAgentHeader: true,
		RetryIfErr: func(_ *fasthttp.Request, _ int, err error) (resetTimeout, retry bool) {
			return false, errors.Is(err, errStale)
		},
		MaxIdemponentCallAttempts: 1 << 20, // every kept connection may have been closed
	}
	if o.Base.Scheme == "https" {
		t.tls = newTLSConfig(&o)
		t.tls.NextProtos = []string{"http/1.1"}
	}
	return t, nil
}

// Do sends a request, whose URI is a path, and reads the answer. judge.FailureOf knows the
// error. It does not contain the text of fasthttp's errors, which quotes the answer: that may
// repeat a credential.
func (t *FastHTTP) Do(req *fasthttp.Request, resp *fasthttp.Response) error {
	if t.ctx.Err() != nil {
		return errRunEnding
	}
	if t.opts.NoReuse {
		req.SetConnectionClose()
	}
	if err := t.client.DoTimeout(req, resp, t.opts.Timeout); err != nil {
		return t.classifyFailure(err)
	}
	return unreadableError(resp.StatusCode(), len(resp.Body()))
}

// classifyFailure says why there is no answer, without fasthttp's quotes from it.
func (t *FastHTTP) classifyFailure(err error) error {
	var network *net.OpError
	var timeout interface{ Timeout() bool }
	var small *fasthttp.ErrSmallBuffer
	var handshake *handshakeError
	switch {
	case t.ctx.Err() != nil:
		return errRunEnding
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded):
		return errTimeout
	case errors.As(err, &handshake):
		return handshake
	case errors.As(err, &network):
		return network
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, fasthttp.ErrConnectionClosed):
		return errClosed
	case errors.As(err, &small):
		return malformedError("its head is larger than %d bytes; --engine vegeta reads longer ones",
			headBufferBytes)
	case errors.Is(err, fasthttp.ErrBodyTooLarge):
		return unreadableError(200, MaxBodyBytes+1)
	}
	return malformedError("its head or its body is not valid HTTP")
}

// CancelAll cancels the requests in flight and all later ones.
func (t *FastHTTP) CancelAll() { t.stop() }

// Close closes all connections and cancels the requests in flight.
func (t *FastHTTP) Close() {
	t.CancelAll()
	t.client.CloseIdleConnections()
}

func (t *FastHTTP) dial(address string, within time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(t.ctx, within)
	defer cancel()
	c := &checkedConn{}
	tcp, err := t.opts.Via.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	if sc, ok := tcp.(syscall.Conn); ok {
		c.sock, _ = sc.SyscallConn()
	}
	c.Conn = tcp
	if t.tls != nil {
		secured := tls.Client(tcp, t.tls)
		if err := secured.HandshakeContext(ctx); err != nil {
			tcp.Close()
			return nil, &handshakeError{err}
		}
		c.Conn = secured
	}
	c.forget = context.AfterFunc(t.ctx, func() { c.Conn.Close() })
	return c, nil
}

// A checkedConn checks before a request whether a kept connection was closed.
type checkedConn struct {
	net.Conn
	sock     syscall.RawConn // for checks while idle; nil: it cannot be checked
	forget   func() bool
	answered bool // bytes were read since the last request was written
}

// errStale says that a connection was closed, or got unrequested bytes, before a request was
// written.
var errStale = errors.New("the kept connection was closed")

func (c *checkedConn) Write(p []byte) (int, error) {
	if c.answered && c.sock != nil && hasPendingInput(c.sock) {
		return 0, errStale
	}
	c.answered = false
	return c.Conn.Write(p)
}

func (c *checkedConn) Read(p []byte) (int, error) {
	if !c.answered {
		runtime.Gosched() // the answer may arrive while other goroutines run
	}
	n, err := c.Conn.Read(p)
	c.answered = true
	return n, err
}

func (c *checkedConn) Close() error {
	c.forget()
	return c.Conn.Close()
}
