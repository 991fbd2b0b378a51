package transport

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/url"
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
		kept   bool
	}{
		"content length":  {ok, 201, "hello", true},
		"any case":        {"HTTP/1.1 200 OK\r\ncOnTeNt-LeNgTh:5  \r\n\r\nhello", 200, "hello", true},
		"no reason":       {"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200, "", true},
		"bare line feeds": {"HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", 200, "hi", true},
		"longer than the buffer": {
			fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(long), long), 200,
			long, true,
		},
		"chunked": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n2\r\nhe\r\n3;ext=\"x\"\r\nllo\r\n0\r\n\r\n", 200, "hello", true},
		"chunked with trailers": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nTrailer: " +
			"X-Sum\r\n\r\nA\r\n0123456789\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n", 200, "0123456789", true},
		"large chunks": {fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: "+
			"chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", len(long), long,
			len(long), long), 200, long + long, true},
		"many small chunks": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
			strings.Repeat("1\r\nx\r\n", 3000) + "0\r\n\r\n", 200, strings.Repeat("x", 3000), true},
		"chunked and a length": {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n2\r\nhe\r\n0\r\n\r\n", 200, "he", false},
		"two equal lengths": {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", true},
		"connection close": {
			"HTTP/1.1 200 OK\r\nConnection: foo, Close\r\nContent-Length: 2\r\n\r\nhi", 200,
			"hi", false,
		},
		"until the end":  {"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end", 200, "to the end", false},
		"HTTP/1.0":       {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", false},
		"HTTP/1.0 kept":  {"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", true},
		"204":            {"HTTP/1.1 204 No Content\r\n\r\n", 204, "", true},
		"304 and length": {"HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n", 304, "", true},
		"100 and 103 first": {
			"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + ok,
			201, "hello", true,
		},
		"a folded header": {"HTTP/1.1 200 OK\r\nX-Long: a\r\n  b\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", true},
		"rubbish behind":  {ok + "HTTP/1.1 500 Surprise\r\n\r\n", 201, "hello", false},
		"a large head":    {"HTTP/1.1 200 OK\r\nX-Pad: " + long + "\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", true},
	} {
		for how, parts := range map[string][]string{"at once": {c.answer}, "in bytes": inParts(c.answer)} {
			if how == "in bytes" && len(c.answer) > 200 {
				parts = []string{c.answer[:21], c.answer[21:1500], c.answer[1500:]}
			}
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				_, s, x := against(t, once(parts...))
				s.Do(x)
				if x.Err != nil || x.Status != c.status || string(x.Answer) != c.body {
					t.Fatalf("got %d %.60q %v", x.Status, x.Answer, x.Err)
				}
				if how == "at once" && x.Closed == c.kept {
					t.Errorf("the connection was given up: %v", x.Closed)
				}
				if !(x.Began <= x.Sent && x.Sent <= x.Done) {
					t.Errorf("times out of order: %s %s %s", x.Began, x.Sent, x.Done)
				}
			})
		}
	}
}

func TestWhatIsNotHTTPWithinTheLimitsIsAProtocolError(t *testing.T) {
	for name, answer := range map[string]string{
		"no HTTP":            "SSH-2.0-OpenSSH_9.9\r\n\r\n",
		"HTTP/2":             "HTTP/2.0 200 OK\r\n\r\n",
		"two-digit status":   "HTTP/1.1 20 OK\r\n\r\n",
		"four-digit status":  "HTTP/1.1 2000 OK\r\n\r\n",
		"status 099":         "HTTP/1.1 099 No\r\n\r\n",
		"101":                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"no colon":           "HTTP/1.1 200 OK\r\nwhatever\r\n\r\n",
		"a space too many":   "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nhi",
		"a length of text":   "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nhi",
		"a negative length":  "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nhi",
		"an empty length":    "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nhi",
		"a length too large": "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhi",
		"two lengths":        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi",
		"a folded length":    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n 3\r\n\r\nhi",
		"another encoding":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
		"chunked twice":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"chunked in 1.0":     "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"a chunk of letters": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
		"a chunk too long":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n0\r\n\r\n",
		"an endless size":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("0", 20<<10),
		"a huge chunk":       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffff\r\n",
		"a head too large":   "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 70<<10) + "\r\n\r\n",
		"a head without end": "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 20<<10),
		"endless 100s":       strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 10<<10),
		"a body too large":   "HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n",
		"an unbounded body":  "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("z", 2<<20),
		"trailers beyond the size": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" +
			strings.Repeat("X: y\r\n", 20<<10),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, s, x := against(t, once(answer), once(ok))
			s.Do(x)
			if got := judge.FailureOf(x.Err); got != judge.BadProtocol || x.Status != 0 {
				t.Fatalf("got %d, %v, which is %q", x.Status, x.Err, got)
			}
			if s.Do(x); x.Err != nil || x.Status != 201 || x.Reused {
				t.Errorf("the next request: %d %v, reused %v", x.Status, x.Err, x.Reused)
			}
		})
	}
}

func TestAKeptConnectionServesOneRequestAfterTheOther(t *testing.T) {
	p, s, x := against(t, answering(ok))
	for i := range 50 {
		x.Fields[0].Value = fmt.Append(nil, "n-", i)
		if s.Do(x); x.Err != nil || string(x.Answer) != "hello" || x.Reused != (i > 0) {
			t.Fatalf("request %d: %d %q %v, reused %v", i, x.Status, x.Answer, x.Err, x.Reused)
		}
	}
	if p.accepted.Load() != 1 || p.requests.Load() != 50 {
		t.Errorf("%d connections for %d requests", p.accepted.Load(), p.requests.Load())
	}
}

func TestAConnectionThatWasClosedWhileIdleIsReplacedBeforeAnythingIsSent(t *testing.T) {
	p, s, x := against(t, once(ok), once(ok))
	for i := range 2 {
		if s.Do(x); x.Err != nil || x.Reused {
			t.Fatalf("request %d: %v, reused %v", i, x.Err, x.Reused)
		}
		time.Sleep(20 * time.Millisecond) // the peer closes
	}
	if p.requests.Load() != 2 || p.accepted.Load() != 2 {
		t.Errorf("%d requests over %d connections", p.requests.Load(), p.accepted.Load())
	}
}

func TestRubbishThatComesWhileIdleIsNeverTakenForAnAnswer(t *testing.T) {
	_, s, x := against(t, func(p *peer, c net.Conn, in *bufio.Reader) {
		p.read(in)
		io.WriteString(c, ok)
		time.Sleep(5 * time.Millisecond)
		io.WriteString(c, "HTTP/1.1 500 Surprise\r\nContent-Length: 0\r\n\r\n")
		io.Copy(io.Discard, in)
	}, answering(ok))
	s.Do(x)
	time.Sleep(40 * time.Millisecond)
	if s.Do(x); x.Err != nil || x.Status != 201 || x.Reused {
		t.Errorf("got %d %v, reused %v", x.Status, x.Err, x.Reused)
	}
}

func TestAnEarlyAnswerToALargeRequestCounts(t *testing.T) {
	for name, linger := range map[string]bool{"and the peer waits": false, "and the peer closes": true} {
		t.Run(name, func(t *testing.T) {
			_, s, x := against(t, func(p *peer, c net.Conn, in *bufio.Reader) {
				in.ReadString('\n') // not more than the request line
				io.WriteString(c, "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
				if !linger {
					time.Sleep(300 * time.Millisecond)
				}
			}, answering(ok))
			x.Body = make([]byte, 16<<20) // more than sockets buffer
			s.Do(x)
			if !linger && (x.Err != nil || x.Status != 413 || string(x.Answer) != "no") {
				t.Fatalf("got %d %q %v", x.Status, x.Answer, x.Err)
			}
			if linger && x.Err != nil && judge.FailureOf(x.Err) != judge.Reset { // a reset may overtake the answer
				t.Fatalf("got %d %v", x.Status, x.Err)
			}
			if !x.Closed {
				t.Error("the connection was kept, with half a request on it")
			}
			x.Body = []byte("{}")
			if s.Do(x); x.Err != nil || x.Status != 201 {
				t.Errorf("the next request: %d %v", x.Status, x.Err)
			}
		})
	}
}

func TestALargeRequestArrivesWhole(t *testing.T) {
	var got int
	_, s, x := against(t, func(p *peer, c net.Conn, in *bufio.Reader) {
		for {
			_, body, err := p.read(in)
			if err != nil {
				return
			}
			got += len(body)
			io.WriteString(c, ok)
		}
	})
	x.Body = make([]byte, 5<<20)
	if s.Do(x); x.Err != nil || x.Status != 201 || got != len(x.Body) {
		t.Errorf("got %d %v, %d bytes arrived", x.Status, x.Err, got)
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
		if x.Reused {
			t.Error(i, "a connection was used again")
		}
	}
}

func TestAValueCannotBreakOutOfItsHeader(t *testing.T) {
	u, _ := url.Parse("http://127.0.0.1:1")
	_, s := open(t, Options{Base: u})
	over := openHTTP(t, Options{Base: u})
	for _, f := range []Field{
		{"x", []byte("a\r\nB: c")},
		{"x", []byte("a\n")},
		{"x: y\r\nz", nil},
		{"", []byte("v")},
		{"a b", nil},
	} {
		for _, send := range []func(*Exchange){s.Do, func(x *Exchange) { do(over, x) }} {
			x := exchange()
			x.Fields = []Field{f}
			if send(x); x.Err == nil || judge.FailureOf(x.Err) == judge.Refused {
				t.Errorf("header %q: %q gave %v", f.Name, f.Value, x.Err)
			}
		}
	}
	x := exchange()
	x.Path = "/a HTTP/1.1\r\nX: y"
	if s.Do(x); x.Err == nil || judge.FailureOf(x.Err) == judge.Refused {
		t.Errorf("the path gave %v", x.Err)
	}
}

func TestHeadersOfTheAnswerAreFound(t *testing.T) {
	_, s, x := against(t, once("HTTP/1.1 429 Slow\r\nRetry-After:  7 \r\nX-A: 1\r\nx-a: 2\r\nContent-Length:0\r\n\r\n"))
	s.Do(x)
	if string(x.Header("retry-after")) != "7" || string(x.Header("X-A")) != "1" || x.Header("absent") != nil {
		t.Errorf("%q %q", x.Header("Retry-After"), x.Header("x-a"))
	}
}

func TestARequestAllocatesNothing(t *testing.T) {
	_, s, x := against(t, func(_ *peer, c net.Conn, _ *bufio.Reader) {
		in, out := make([]byte, 4<<10), []byte(ok)
		for {
			if _, err := c.Read(in); err != nil {
				return
			}
			c.Write(out)
		}
	})
	s.Do(x)
	if n := testing.AllocsPerRun(300, func() { s.Do(x) }); n > 0 || x.Err != nil {
		t.Errorf("%.0f allocations a request, %v", n, x.Err)
	}
}
