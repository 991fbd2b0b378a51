package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// RoundTripper serves an http.Client, such as vegeta's, from a transport. Requests go to the transport's origin,
// whatever host their URL names.
type RoundTripper struct {
	t     Transport
	limit chan struct{} // nil: as many at once as are asked for

	mu     sync.Mutex
	idle   []*carrier
	closed bool
}

// carrier is a session with what it needs to carry a request of net/http.
type carrier struct {
	session  Session
	exchange Exchange
	body     bytes.Buffer
}

// NewRoundTripper wraps a transport; at most connections requests are carried at once, any number when it is 0.
func NewRoundTripper(t Transport, connections int) *RoundTripper {
	r := &RoundTripper{t: t}
	if connections > 0 {
		r.limit = make(chan struct{}, connections)
	}
	return r
}

// RoundTrip implements http.RoundTripper. Errors are of type *Error.
func (r *RoundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	ctx := req.Context()
	if err := r.acquire(ctx); err != nil {
		return nil, err
	}
	c := r.take()
	defer r.give(c)
	if err := c.load(req); err != nil {
		return nil, &Error{Err: err}
	}
	stop := context.AfterFunc(ctx, c.session.Cut)
	c.session.Do(&c.exchange)
	if !stop() { // the session was cut, or is being cut
		c.session.Close()
		c.session = nil
		if c.exchange.Err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return c.response(req)
}

// Close frees what idle sessions hold. The transport stays open.
func (r *RoundTripper) Close() {
	r.mu.Lock()
	idle := r.idle
	r.idle, r.closed = nil, true
	r.mu.Unlock()
	for _, c := range idle {
		c.session.Close()
	}
}

func (r *RoundTripper) acquire(ctx context.Context) error {
	if r.limit == nil {
		return nil
	}
	select {
	case r.limit <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// take prefers the session that was used last, so that few connections serve low rates.
func (r *RoundTripper) take() *carrier {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.idle); n > 0 {
		c := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return c
	}
	return &carrier{session: r.t.Open()}
}

func (r *RoundTripper) give(c *carrier) {
	if r.limit != nil {
		defer func() { <-r.limit }()
	}
	if c.session == nil {
		return
	}
	r.mu.Lock()
	closed := r.closed
	if !closed {
		r.idle = append(r.idle, c)
	}
	r.mu.Unlock()
	if closed {
		c.session.Close()
	}
}

// load copies a request into the exchange.
func (c *carrier) load(req *http.Request) error {
	x := &c.exchange
	x.Method, x.Path, x.Host, x.Base = req.Method, req.URL.RequestURI(), req.Host, time.Now()
	if x.Method == "" {
		x.Method = http.MethodGet
	}
	x.Fields = x.Fields[:0]
	for name, values := range req.Header {
		if ownField(name) {
			continue
		}
		for _, v := range values {
			x.Fields = append(x.Fields, Field{Name: name, Value: []byte(v)})
		}
	}
	c.body.Reset()
	if req.Body != nil {
		if _, err := c.body.ReadFrom(req.Body); err != nil {
			return err
		}
	}
	x.Body = c.body.Bytes()
	return nil
}

// response copies the answer out of the exchange, whose buffers serve the next request.
func (c *carrier) response(req *http.Request) (*http.Response, error) {
	x := &c.exchange
	if x.Err != nil {
		return nil, &Error{Err: x.Err}
	}
	resp := &http.Response{
		Status: strconv.Itoa(x.Status) + " " + http.StatusText(x.Status), StatusCode: x.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: make(http.Header, 8), Request: req,
		ContentLength: int64(len(x.Answer)), Close: x.Closed, Body: io.NopCloser(bytes.NewReader(bytes.Clone(x.Answer))),
	}
	if x.Proto2 {
		resp.Proto, resp.ProtoMajor, resp.ProtoMinor = "HTTP/2.0", 2, 0
	}
	x.EachHeader(func(name, value []byte) bool {
		resp.Header.Add(string(name), string(value))
		return true
	})
	return resp, nil
}

// Error is a failed exchange, as net/http's face of a transport reports it.
type Error struct{ Err error }

// Error implements error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Timeout tells net/http that the time was up.
func (e *Error) Timeout() bool { return errors.Is(e.Err, os.ErrDeadlineExceeded) }
