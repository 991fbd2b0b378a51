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

	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/gateway/must"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// peer is a server that follows a script: for each connection, in order, a function.
type peer struct {
	listener net.Listener
	accepted atomic.Int32
	requests atomic.Int32
	done     chan struct{}
}

func script(t *testing.T, conns ...func(p *peer, c net.Conn, in *bufio.Reader)) *peer {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
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

// read takes one request off a connection and returns its body.
func (p *peer) read(in *bufio.Reader) (*http.Request, []byte, error) {
	r, err := http.ReadRequest(in)
	if err != nil {
		return nil, nil, err
	}
	p.requests.Add(1)
	body, err := io.ReadAll(r.Body)
	return r, body, err
}

// answering serves a connection with the same bytes for each of its requests until the client closes it.
func answering(parts ...string) func(*peer, net.Conn, *bufio.Reader) { return serving(false, parts) }

// once does so for one request, then closes.
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
	u := must.Get(url.Parse("http://" + p.listener.Addr().String()))(t)
	return u
}

func open(t *testing.T, o Options) (*FastHTTP, *Session) {
	t.Helper()
	tr := must.Get(NewFastHTTP(o))(t)
	s := tr.Open()
	t.Cleanup(func() {
		s.Close()
		tr.Close()
	})
	return tr, s
}

// against starts a peer, and gives a session with it and a request.
func against(t *testing.T, conns ...func(*peer, net.Conn, *bufio.Reader)) (*peer, *Session, *Exchange) {
	t.Helper()
	p := script(t, conns...)
	_, s := open(t, Options{Base: p.base(t), Timeout: 20 * time.Second})
	return p, s, exchange()
}

func openHTTP(t *testing.T, o Options) *HTTP {
	t.Helper()
	tr := must.Get(NewHTTP(o))(t)
	t.Cleanup(tr.Close)
	return tr
}

// do sends x over net/http as the vegeta engine does.
func do(t *HTTP, x *Exchange) {
	req, err := http.NewRequest(http.MethodPost, t.opts.Base.String()+x.Path, strings.NewReader(string(x.Body)))
	if err != nil {
		panic(err)
	}
	req.Header = t.Header(x.Fields)
	x.Began = time.Since(x.Base)
	resp, err := t.RoundTrip(req)
	if err != nil {
		x.Done = time.Since(x.Base)
		t.Settle(x, 0, nil, nil, err)
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxBody+1))
	x.Done = time.Since(x.Base)
	if err != nil {
		t.Settle(x, 0, nil, nil, err)
		return
	}
	t.Settle(x, resp.StatusCode, resp.Header, body, nil)
}

func exchange() *Exchange {
	return &Exchange{
		Path: "/v1/exports", Base: time.Now(), Body: []byte(`{"a":1}`),
		Fields: []Field{{"nonce", []byte("n-1")}, {"Content-Type", []byte("application/json")}},
	}
}

// header is a header of the answer.
func header(x *Exchange, wanted string) (found string) {
	x.EachHeader(func(name, value []byte) bool {
		if strings.EqualFold(string(name), wanted) {
			found = string(value)
		}
		return found == ""
	})
	return found
}
