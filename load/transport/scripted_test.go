package transport

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestMain(m *testing.M) {
	// fasthttp's connsCleaner ends up to 90 seconds after the last connection
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*HostClient).connsCleaner"))
}

// A peer is a server that runs a function for each connection, in order.
type peer struct {
	listener net.Listener
	accepted atomic.Int32
	requests atomic.Int32
	done     chan struct{}
}

func script(t *testing.T, conns ...func(p *peer, c net.Conn, in *bufio.Reader)) *peer {
	t.Helper()
	l := testmust.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	p := &peer{listener: l, done: make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for _, serve := range conns {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.accepted.Add(1)
			c.SetDeadline(time.Now().Add(20 * time.Second))
			serve(p, c, bufio.NewReader(c))
			c.Close()
		}
	}()
	t.Cleanup(func() {
		close(p.done)
		l.Close()
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			t.Error("the scripted peer did not end")
		}
	})
	return p
}

// read reads a request from a connection and returns it and its body.
func (p *peer) read(in *bufio.Reader) (*http.Request, []byte, error) {
	r, err := http.ReadRequest(in)
	if err != nil {
		return nil, nil, err
	}
	p.requests.Add(1)
	body, err := io.ReadAll(r.Body)
	return r, body, err
}

// answering answers each request of a connection with the same bytes until the client closes it.
func answering(parts ...string) func(*peer, net.Conn, *bufio.Reader) {
	return serving(false, parts)
}

// once answers one request, then closes the connection.
func once(parts ...string) func(*peer, net.Conn, *bufio.Reader) { return serving(true, parts) }

func serving(once bool, parts []string) func(*peer, net.Conn, *bufio.Reader) {
	return func(p *peer, c net.Conn, in *bufio.Reader) {
		for {
			if _, _, err := p.read(in); err != nil {
				return
			}
			for i, part := range parts {
				if i > 0 {
					time.Sleep(3 * time.Millisecond)
				}
				if _, err := io.WriteString(c, part); err != nil {
					return
				}
			}
			if once {
				return
			}
		}
	}
}

func (p *peer) base(t *testing.T) *url.URL {
	t.Helper()
	return testmust.Get(url.Parse("http://" + p.listener.Addr().String()))(t)
}

func open(t *testing.T, o Config) *FastHTTP {
	t.Helper()
	tr := testmust.Get(NewFastHTTP(o))(t)
	t.Cleanup(tr.Close)
	return tr
}

func openHTTP(t *testing.T, o Config) *NetHTTP {
	t.Helper()
	tr := testmust.Get(NewNetHTTP(o))(t)
	t.Cleanup(tr.Close)
	return tr
}

// against starts a peer and returns it with a transport to it.
func against(t *testing.T, conns ...func(*peer, net.Conn, *bufio.Reader)) (*peer, *FastHTTP) {
	t.Helper()
	p := script(t, conns...)
	return p, open(t, Config{Base: p.base(t), Timeout: 20 * time.Second})
}

// got is the result of a request.
type got struct {
	status      int
	nonce, body string
	err         error
}

const path = "/v1/x?a=b%20c"

// send sends a request over fasthttp as the direct engine does.
func (t *FastHTTP) send() got {
	var req fasthttp.Request
	var resp fasthttp.Response
	req.Header.DisableNormalizing()
	req.Header.SetMethod(http.MethodPost)
	req.Header.SetRequestURI(path)
	req.Header.SetHost(t.opts.Base.Host)
	req.Header.Add("nonce", "n-1\r\nStolen: c")
	req.SetBodyRaw([]byte(`{"a":1}`))
	err := t.Do(&req, &resp)
	return got{resp.StatusCode(), string(resp.Header.Peek("X-Nonce")), string(resp.Body()), err}
}

// send sends a request over net/http as the vegeta engine does.
func (t *NetHTTP) send() (g got) {
	req, err := http.NewRequest(http.MethodPost, t.opts.Base.Scheme+"://"+t.opts.Base.Host+path,
		strings.NewReader(`{"a":1}`))
	if err != nil {
		return got{err: err}
	}
	req.Header["nonce"] = []string{"n-1"}
	began, body := time.Now(), []byte(nil)
	resp, err := t.RoundTrip(req)
	if err == nil {
		defer resp.Body.Close()
		g.status, g.nonce = resp.StatusCode, resp.Header.Get("X-Nonce")
		body, err = io.ReadAll(io.LimitReader(resp.Body, MaxBodyBytes+1))
	}
	g.body, g.err = string(body), t.AnswerError(g.status, body, time.Since(began), err)
	return g
}
