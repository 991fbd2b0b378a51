package transport

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/judge"
)

const ok = "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello"

func TestAnswersAreReadAsTheirFramingSays(t *testing.T) {
	long := strings.Repeat("0123456789", 3000)
	for name, c := range map[string]struct {
		answer string
		status int
		body   string
	}{
		"content length": {ok, 201, "hello"},
		"a long body": {
			fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(long), long), 200, long,
		},
		"chunked": {
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", 200, "hello",
		},
		"until the end":     {"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end", 200, "to the end"},
		"HTTP/1.0":          {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, "hi"},
		"204":               {"HTTP/1.1 204 No Content\r\n\r\n", 204, ""},
		"100 and 103 first": {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + ok, 201, "hello"},
		"rubbish behind":    {ok + "HTTP/1.1 500 Surprise\r\n\r\n", 201, "hello"},
		"a long head":       {"HTTP/1.1 200 OK\r\nX-Pad: " + long + "\r\nContent-Length: 2\r\n\r\nhi", 200, "hi"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := len(c.answer) / 2
			_, s, x := against(t, once(c.answer[:at], c.answer[at:]), once(ok))
			if s.Do(x); x.Err != nil || x.Status != c.status || string(x.Answer) != c.body {
				t.Fatalf("got %d %.60q %v", x.Status, x.Answer, x.Err)
			}
			if !(x.Began <= x.Sent && x.Sent <= x.Done) {
				t.Errorf("times out of order: %s %s %s", x.Began, x.Sent, x.Done)
			}
			time.Sleep(20 * time.Millisecond) // the peer closes
			if s.Do(x); x.Err != nil || x.Status != 201 {
				t.Errorf("the next request: %d %v", x.Status, x.Err)
			}
		})
	}
}

func TestWhatIsNotHTTPWithinTheLimitsIsAProtocolError(t *testing.T) {
	const secret = "hunter2-hunter2"
	for name, answer := range map[string]string{
		"no HTTP":          "SSH-2.0-OpenSSH_9.9 " + secret + "\r\n\r\n",
		"101":              "HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"no colon":         "HTTP/1.1 200 OK\r\n" + secret + "\r\n\r\n",
		"a length of text": "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nhi",
		"a chunk of text":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
		"a huge chunk":     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n",
		"a head too large": "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 70<<10) + "\r\n\r\n",
		"a body too large": "HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n",
		"an endless body":  "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("z", 8<<20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, s, x := against(t, once(answer), once(ok))
			s.Do(x)
			if got := judge.FailureOf(x.Err); got != judge.BadProtocol || x.Status != 0 ||
				strings.Contains(x.Err.Error(), secret) {
				t.Fatalf("got %d, %v, which is %q", x.Status, x.Err, got)
			}
			if s.Do(x); x.Err != nil || x.Status != 201 {
				t.Errorf("the next request: %d %v", x.Status, x.Err)
			}
		})
	}
}

func TestAConnectionThatWasClosedWhileIdleIsReplacedBeforeAnythingIsSent(t *testing.T) {
	p, s, x := against(t, once(ok), once(ok))
	for i := range 2 {
		if s.Do(x); x.Err != nil {
			t.Fatalf("request %d: %v", i, x.Err)
		}
		time.Sleep(20 * time.Millisecond) // the peer closes
	}
	if p.requests.Load() != 2 || p.accepted.Load() != 2 {
		t.Errorf("%d requests over %d connections", p.requests.Load(), p.accepted.Load())
	}
}

func TestRequestsGoOutAsTheyWereGiven(t *testing.T) {
	type seen struct{ line, body, nonce, agent, host, connection string }
	got := make(chan seen, 2)
	serve := func(p *peer, c net.Conn, in *bufio.Reader) {
		r, body, err := p.read(in)
		if err == nil {
			got <- seen{
				r.Method + " " + r.RequestURI, string(body), r.Header.Get("nonce"),
				r.UserAgent(), r.Host, r.Header.Get("Connection"),
			}
			io.WriteString(c, ok)
		}
	}
	o := Options{NoReuse: true, UserAgent: "probe/1"}
	p := script(t, serve, serve, serve)
	o.Base = p.base(t)
	_, s := open(t, o)
	over := openHTTP(t, o)
	for i, send := range []func(*Exchange){s.Do, s.Do, func(x *Exchange) { do(over, x) }} {
		x := exchange()
		x.Path = "/v1/x?a=b%20c"
		if send(x); x.Err != nil {
			t.Fatal(i, x.Err)
		}
		if g, want := <-got, (seen{
			"POST /v1/x?a=b%20c", `{"a":1}`, "n-1", "probe/1",
			p.base(t).Host, "close",
		}); g != want {
			t.Errorf("%d: %+v", i, g)
		}
	}
}

func TestAValueCannotBreakOutOfItsHeader(t *testing.T) {
	seen := make(chan http.Header, 1)
	_, s, x := against(t, func(p *peer, c net.Conn, in *bufio.Reader) {
		if r, _, err := p.read(in); err == nil {
			seen <- r.Header
			io.WriteString(c, "HTTP/1.1 429 Slow\r\nRetry-After:  7 \r\nContent-Length: 0\r\n\r\n")
		}
	})
	x.Fields = append(x.Fields, Field{"x", []byte("a\r\nStolen: c")})
	if s.Do(x); x.Err != nil || header(x, "retry-after") != "7" || (<-seen).Get("Stolen") != "" {
		t.Errorf("%v, %q", x.Err, header(x, "retry-after"))
	}
}
