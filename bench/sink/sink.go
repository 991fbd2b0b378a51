// Package sink is a fast HTTP/1.1 server on the loopback interface for measuring load
// generators. It answers every request with 201 and an export of 150 bytes, optionally after a
// delay or a stall, and logs when it answered, which gives the true response times.
package sink

import (
	"fmt"
	"io"
	"log"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// Options configures a server.
type Options struct {
	Delay time.Duration // before each answer
	// time after the first request; answers due later wait for the end of the stall
	StallAt  time.Duration
	StallFor time.Duration // 0: no stall
	Log      bool          // keep the RequestTimes of each request
	TLS      bool          // with a self-signed certificate
}

// RequestTimes says when a request had been read and when its answer was about to be written,
// from the start of the server.
type RequestTimes struct{ Arrived, Answered time.Duration }

// A Server is a running server.
type Server struct {
	URL      string // the origin, such as http://127.0.0.1:8080
	opts     Options
	server   *fasthttp.Server
	started  time.Time
	first    atomic.Int64 // arrival of the first request
	requests atomic.Int64
	serving  sync.WaitGroup

	mu  sync.Mutex
	log []RequestTimes
}

// Start starts a server on the loopback interface.
func Start(o Options) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the sink cannot listen: %w", err)
	}
	t := &Server{URL: "http://" + l.Addr().String(), opts: o, started: time.Now()}
	t.server = &fasthttp.Server{
		Handler: t.handle, NoDefaultServerHeader: true, NoDefaultDate: true, ReadBufferSize: 8 << 10,
		Logger: log.New(io.Discard, "", 0),
	}
	serve := func() { _ = t.server.Serve(l) } // until Close
	if o.TLS {
		t.URL = "https://" + l.Addr().String()
		certificate, key, err := fasthttp.GenerateTestCertificate("127.0.0.1")
		if err != nil {
			return nil, err
		}
		serve = func() { _ = t.server.ServeTLSEmbed(l, certificate, key) }
	}
	t.serving.Go(serve)
	return t, nil
}

// Requests returns the number of requests read so far.
func (t *Server) Requests() int64 { return t.requests.Load() }

// Close ends the server and all connections, and returns the log.
func (t *Server) Close() []RequestTimes {
	_ = t.server.Shutdown()
	t.serving.Wait()
	return t.log
}

// handle answers a request. Each export has a unique file ID.
func (t *Server) handle(x *fasthttp.RequestCtx) {
	arrived := time.Since(t.started)
	n := t.requests.Add(1)
	t.first.CompareAndSwap(0, int64(arrived))
	until := arrived + t.opts.Delay
	from := time.Duration(t.first.Load()) + t.opts.StallAt
	if end := from + t.opts.StallFor; until >= from {
		until = max(until, end)
	}
	if until > arrived {
		time.Sleep(until - time.Since(t.started))
	}
	x.SetStatusCode(fasthttp.StatusCreated)
	x.SetContentType("application/json")
	_, _ = fmt.Fprintf(x,
		`{"file_id":"6f1d2c3b-4a59-4e68-8f77-%012x","file_state":{"state":"PROCESSING","progress":0},`+
			`"created_at":"2026-01-15T12:00:00.000Z","note":"-"}`, n)
	if t.opts.Log {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.log = append(t.log, RequestTimes{arrived, time.Since(t.started)})
	}
}
