// Package sink is a plain, fast HTTP/1.1 server on the loopback that load generators are measured against. It answers
// every request with 201 and an export of 150 bytes, after a delay or a stall if told so, and notes when it answered
// each, from which the true response times follow.
package sink

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
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
	Nonce    [36]byte // of its header; zero when it had none
	Arrived  int64    // Unix time in nanoseconds, when the request had been read
	Answered int64    // the same, just before the answer was written
}

// Server is a running server.
type Server struct {
	opts     Options
	listener net.Listener
	first    atomic.Int64 // arrival of the first request
	requests atomic.Int64
	opened   atomic.Int64
	serving  sync.WaitGroup
	done     chan struct{}

	mu    sync.Mutex
	conns map[net.Conn]struct{}
	log   []Entry
}

// Start listens on an address such as 127.0.0.1:0.
func Start(addr string, o Options) (*Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("the sink cannot listen: %w", err)
	}
	t := &Server{opts: o, listener: l, conns: map[net.Conn]struct{}{}, done: make(chan struct{})}
	if o.TLS != nil {
		t.listener = tls.NewListener(l, o.TLS)
	}
	t.serving.Add(1)
	go t.accept()
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

// Connections is the number of connections ever accepted.
func (t *Server) Connections() int64 { return t.opened.Load() }

// Log returns what was noted, in the order of the answers. Call it when no request is in flight.
func (t *Server) Log() []Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log
}

// Close ends the server and every connection.
func (t *Server) Close() {
	close(t.done)
	_ = t.listener.Close()
	t.mu.Lock()
	for c := range t.conns {
		c.Close()
	}
	t.mu.Unlock()
	t.serving.Wait()
}

func (t *Server) accept() {
	defer t.serving.Done()
	for {
		c, err := t.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(time.Millisecond) // out of file descriptors: others may be given back
			continue
		}
		t.opened.Add(1)
		t.mu.Lock()
		t.conns[c] = struct{}{}
		t.mu.Unlock()
		t.serving.Add(1)
		go t.serve(c)
	}
}

// maxRequest bounds a request's head and body.
const maxRequest = 1 << 20

var (
	nonceHeader  = []byte("\nnonce: ")
	lengthHeader = []byte("\ncontent-length: ")
	headEnd      = []byte("\r\n\r\n")
)

// serve reads requests and answers them one after the other, as HTTP/1.1 wants it where they are pipelined.
func (t *Server) serve(c net.Conn) {
	defer t.serving.Done()
	defer func() {
		t.mu.Lock()
		delete(t.conns, c)
		t.mu.Unlock()
		c.Close()
	}()
	in, filled := make([]byte, 2<<10), 0
	out := make([]byte, 0, 512)
	for {
		size, nonce, ok := request(in[:filled])
		if !ok {
			if filled == len(in) {
				if filled >= maxRequest {
					return
				}
				in = append(in, make([]byte, len(in))...)
			}
			n, err := c.Read(in[filled:])
			if n == 0 && err != nil {
				return
			}
			filled += n
			continue
		}
		entry := Entry{Nonce: nonce}
		n := t.requests.Add(1)
		if t.opts.Log || t.opts.Delay > 0 || t.opts.StallFor > 0 {
			if !t.hold(&entry) {
				return
			}
		}
		filled = copy(in, in[size:filled])
		out = answer(out[:0], n)
		if t.opts.Log {
			entry.Answered = time.Now().UnixNano()
		}
		if _, err := c.Write(out); err != nil {
			return
		}
		if t.opts.Log {
			t.mu.Lock()
			t.log = append(t.log, entry)
			t.mu.Unlock()
		}
	}
}

// hold waits for the delay and for the end of a stall; false: the server is closing.
func (t *Server) hold(e *Entry) bool {
	now := time.Now()
	e.Arrived = now.UnixNano()
	t.first.CompareAndSwap(0, e.Arrived)
	until := now.Add(t.opts.Delay)
	if t.opts.StallFor > 0 {
		from := time.Unix(0, t.first.Load()).Add(t.opts.StallAt)
		if end := from.Add(t.opts.StallFor); !until.Before(from) && until.Before(end) {
			until = end
		}
	}
	wait := time.Until(until)
	if wait <= 0 {
		return true
	}
	select {
	case <-time.After(wait):
		return true
	case <-t.done:
		return false
	}
}

// request finds the end of the first request in b, and its nonce. Requests have a length or no body: what load
// generators send.
func request(b []byte) (size int, nonce [36]byte, ok bool) {
	i := bytes.Index(b, headEnd)
	if i < 0 {
		return 0, nonce, false
	}
	head := b[:i+2]
	size = i + len(headEnd)
	for {
		nl := bytes.IndexByte(head, '\n')
		if nl < 0 || nl+1 >= len(head) {
			return size, nonce, len(b) >= size
		}
		line := head[nl:]
		switch {
		case startsWith(line, nonceHeader):
			copy(nonce[:], line[len(nonceHeader):])
		case startsWith(line, lengthHeader):
			n := 0
			for _, c := range line[len(lengthHeader):] {
				if c < '0' || c > '9' || n > maxRequest {
					break
				}
				n = n*10 + int(c-'0')
			}
			size += n
		}
		head = head[nl+1:]
	}
}

// startsWith compares whatever the case of letters.
func startsWith(b, prefix []byte) bool {
	return len(b) >= len(prefix) && bytes.EqualFold(b[:len(prefix)], prefix)
}

const (
	answerHead = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 150\r\n\r\n"
	idStart    = `{"file_id":"6f1d2c3b-4a59-4e68-8f77-`
	answerTail = `","file_state":{"state":"PROCESSING","progress":0},` +
		`"created_at":"2026-01-15T12:00:00.000Z","note":"-"}`
)

// answer appends the n-th answer: every export has a file ID of its own.
func answer(b []byte, n int64) []byte {
	b = append(b, answerHead...)
	b = append(b, idStart...)
	var id [12]byte
	hex := strconv.AppendInt(id[:0], n, 16)
	for range len(id) - len(hex) {
		b = append(b, '0')
	}
	b = append(b, hex...)
	return append(b, answerTail...)
}
