// Package sink is a plain, fast HTTP/1.1 server on the loopback that load generators are measured against. It answers
// every request with 201 and an export of 150 bytes, after a delay or a stall if told so, and notes when it answered
// each, from which the true response times follow.
package sink

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// Options of a server.
type Options struct {
	Delay    time.Duration // before each answer
	StallAt  time.Duration // after the first request; answers due from then on wait until the stall is over
	StallFor time.Duration // 0: no stall
	Log      bool          // keep an Entry of each request
	TLS      *tls.Config   // nil: plain TCP
}

// Entry says when a request was answered.
type Entry struct {
	Nonce    string // of its header; empty when it had none
	Arrived  int64  // Unix time in nanoseconds, when the request had been read
	Answered int64  // the same, just before the answer was written
}

// Server is a running server.
type Server struct {
	opts     Options
	server   *fasthttp.Server
	listener net.Listener
	first    atomic.Int64 // arrival of the first request
	requests atomic.Int64
	serving  sync.WaitGroup
	done     chan struct{}

	mu  sync.Mutex
	log []Entry
}

// Start listens on an address such as 127.0.0.1:0.
func Start(addr string, o Options) (*Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("the sink cannot listen: %w", err)
	}
	t := &Server{opts: o, listener: l, done: make(chan struct{})}
	if o.TLS != nil {
		t.listener = tls.NewListener(l, o.TLS)
	}
	t.server = &fasthttp.Server{
		Handler: t.answer, NoDefaultServerHeader: true, NoDefaultDate: true, ReadBufferSize: 8 << 10,
		Logger: log.New(io.Discard, "", 0),
	}
	t.serving.Go(func() { _ = t.server.Serve(t.listener) }) // until Close
	return t, nil
}

// URL is the origin, such as http://127.0.0.1:8080.
func (t *Server) URL() string {
	scheme := "http://"
	if t.opts.TLS != nil {
		scheme = "https://"
	}
	return scheme + t.listener.Addr().String()
}

// Requests is the number of requests read so far.
func (t *Server) Requests() int64 { return t.requests.Load() }

// Log returns what was noted, in the order of the answers. Call it when no request is in flight.
func (t *Server) Log() []Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log
}

// Close ends the server and every connection.
func (t *Server) Close() {
	close(t.done)
	_ = t.server.Shutdown()
	t.serving.Wait()
}

// answer answers a request: every export has a file ID of its own.
func (t *Server) answer(x *fasthttp.RequestCtx) {
	n := t.requests.Add(1)
	e := Entry{Arrived: time.Now().UnixNano()}
	t.hold(e.Arrived)
	x.SetStatusCode(fasthttp.StatusCreated)
	x.SetContentType("application/json")
	var digits [12]byte
	id := strconv.AppendInt(digits[:0], n, 16)
	x.Response.AppendBodyString(`{"file_id":"6f1d2c3b-4a59-4e68-8f77-`)
	x.Response.AppendBodyString("000000000000"[len(id):])
	x.Response.AppendBody(id)
	x.Response.AppendBodyString(`","file_state":{"state":"PROCESSING","progress":0},` +
		`"created_at":"2026-01-15T12:00:00.000Z","note":"-"}`)
	if t.opts.Log {
		e.Nonce, e.Answered = string(x.Request.Header.Peek("nonce")), time.Now().UnixNano()
		t.mu.Lock()
		t.log = append(t.log, e)
		t.mu.Unlock()
	}
}

// hold waits for the delay and for the end of a stall, or of the server.
func (t *Server) hold(arrived int64) {
	t.first.CompareAndSwap(0, arrived)
	now := time.Unix(0, arrived)
	until := now.Add(t.opts.Delay)
	from := time.Unix(0, t.first.Load()).Add(t.opts.StallAt)
	if end := from.Add(t.opts.StallFor); !until.Before(from) && until.Before(end) {
		until = end
	}
	if until.After(now) {
		select {
		case <-time.After(time.Until(until)):
		case <-t.done:
		}
	}
}

// SelfSigned is a certificate for the loopback, which clients trust only without looking.
func SelfSigned() *tls.Config {
	server := httptest.NewTLSServer(nil)
	server.Close()
	return &tls.Config{Certificates: server.TLS.Certificates, NextProtos: []string{"http/1.1"}}
}
