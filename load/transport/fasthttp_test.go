package transport

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
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
			fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(long), long),
			200, long,
		},
		"chunked": {
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
			200, "hello",
		},
		"until the end": {"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end", 200, "to the end"},
		"HTTP/1.0":      {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, "hi"},
		"204":           {"HTTP/1.1 204 No Content\r\n\r\n", 204, ""},
		"100 and 103 first": {
			"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + ok, 201, "hello",
		},
		"rubbish behind": {ok + "HTTP/1.1 500 Surprise\r\n\r\n", 201, "hello"},
		"a long head": {"HTTP/1.1 200 OK\r\nX-Pad: " + long[:7<<10] +
			"\r\nContent-Length: 2\r\n\r\nhi", 200, "hi"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := len(c.answer) / 2
			_, s := against(t, once(c.answer[:at], c.answer[at:]), once(ok))
			if g := s.send(); g.err != nil || g.status != c.status || g.body != c.body {
				t.Fatalf("got %d %.60q %v", g.status, g.body, g.err)
			}
			time.Sleep(20 * time.Millisecond) // the peer closes
			if g := s.send(); g.err != nil || g.status != 201 {
				t.Errorf("the next request: %+v", g)
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
			_, s := against(t, once(answer), once(ok))
			g := s.send()
			if judge.FailureOf(g.err) != judge.FailureProtocol || strings.Contains(g.err.Error(), secret) {
				t.Fatalf("%+v", g)
			}
			time.Sleep(20 * time.Millisecond)
			if g = s.send(); g.err != nil || g.status != 201 {
				t.Errorf("the next request: %+v", g)
			}
		})
	}
}

func TestAConnectionThatWasClosedWhileIdleIsReplacedBeforeAnythingIsSent(t *testing.T) {
	p, s := against(t, once(ok), once(ok))
	for range 2 {
		if g := s.send(); g.err != nil {
			t.Fatal(g.err)
		}
		time.Sleep(20 * time.Millisecond) // the peer closes
	}
	testmust.Equal(t, p.requests.Load(), 2)
	testmust.Equal(t, p.accepted.Load(), 2)
}

func TestRequestsGoOutAsTheyWereGiven(t *testing.T) {
	seen := make(chan *http.Request, 2)
	serve := func(p *peer, c net.Conn, in *bufio.Reader) {
		if r, body, err := p.read(in); err == nil && string(body) == `{"a":1}` {
			seen <- r
			io.WriteString(c, ok)
		}
	}
	o := Config{NoReuse: true}
	p := script(t, serve, serve, serve)
	o.Base = p.base(t)
	direct, over := open(t, o), openHTTP(t, o)
	for i, send := range []func() got{direct.send, direct.send, over.send} {
		if g := send(); g.err != nil {
			t.Fatal(i, g.err)
		}
		r := <-seen
		if r.RequestURI != path || r.Method != http.MethodPost || r.Host != o.Base.Host || !r.Close ||
			!strings.HasPrefix(r.Header.Get("nonce"), "n-1") || r.Header.Get("Stolen") != "" {
			t.Errorf("%d: %+v", i, r)
		}
	}
}

func TestARequestThatMayHaveArrivedIsNeverSentAgain(t *testing.T) {
	for name, end := range map[string]func(net.Conn){
		"closed": func(net.Conn) {},
		"reset":  func(c net.Conn) { c.(*net.TCPConn).SetLinger(0) },
	} {
		t.Run(name, func(t *testing.T) {
			p, s := against(t, func(p *peer, c net.Conn, in *bufio.Reader) {
				p.read(in)
				io.WriteString(c, ok)
				p.read(in) // the second request gets no answer
				end(c)
			}, answering(ok))
			s.send()
			if g := s.send(); judge.FailureOf(g.err) != judge.FailureClosed {
				t.Fatalf("%+v", g)
			}
			time.Sleep(30 * time.Millisecond)
			testmust.Equal(t, p.requests.Load(), 2, "requests arrived")
			if g := s.send(); g.err != nil {
				t.Errorf("the next request: %v", g.err)
			}
		})
	}
}

func TestAnAnswerCutShortIsNone(t *testing.T) {
	for name, answer := range map[string]string{
		"in the status line": "HTTP/1.1 2",
		"in the head":        "HTTP/1.1 200 OK\r\nContent-Le",
		"in the body":        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
		"in a chunk":         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"before the last":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
		"after a 100":        "HTTP/1.1 100 Continue\r\n\r\n",
		"at once":            "",
	} {
		t.Run(name, func(t *testing.T) {
			_, s := against(t, once(answer))
			testmust.Equal(t, judge.FailureOf(s.send().err), judge.FailureClosed)
		})
	}
}

func TestTheTimeoutEndsARequestWhereverItHangs(t *testing.T) {
	hang := func(begin string) func(*peer, net.Conn, *bufio.Reader) {
		return func(p *peer, c net.Conn, in *bufio.Reader) {
			p.read(in)
			io.WriteString(c, begin)
			io.Copy(io.Discard, in) // until the client gives up
		}
	}
	for name, begin := range map[string]string{
		"no answer": "", "half a head": "HTTP/1.1 200 OK\r\n",
		"half a body": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
	} {
		t.Run(name, func(t *testing.T) {
			p := script(t, hang(begin), answering(ok))
			o := Config{Base: p.base(t), Timeout: 80 * time.Millisecond}
			began := time.Now()
			if g := open(t, o).send(); judge.FailureOf(g.err) != judge.FailureTimeout {
				t.Fatalf("%+v", g)
			}
			if took := time.Since(began); took < 75*time.Millisecond || took > 5*time.Second {
				t.Errorf("after %s", took)
			}
		})
	}
}

func TestCutEndsWhatIsInFlightAndAllThatFollows(t *testing.T) {
	p := script(t, func(p *peer, c net.Conn, in *bufio.Reader) {
		p.read(in)
		io.Copy(io.Discard, in)
	})
	tr, began := open(t, Config{Base: p.base(t)}), time.Now()
	time.AfterFunc(50*time.Millisecond, tr.CancelAll)
	for range 2 {
		testmust.Equal(t, judge.FailureOf(tr.send().err), judge.FailureCanceled)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("after %s", took)
	}
}

func TestFailuresToConnectAreToldApart(t *testing.T) {
	l := testmust.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	gone := "http://" + l.Addr().String()
	l.Close()
	plain := script(t, func(_ *peer, c net.Conn, in *bufio.Reader) {
		io.WriteString(c, "HTTP/1.1 400 Bad\r\n\r\n")
	})
	for name, c := range map[string]struct {
		base string
		want judge.Failure
	}{
		"refused":      {base: gone, want: judge.FailureRefused},
		"no such name": {base: "http://does-not-exist.invalid", want: judge.FailureDNS},
		"no TLS there": {
			base: strings.Replace(plain.base(t).String(), "http:", "https:", 1), want: judge.FailureTLS,
		},
	} {
		t.Run(name, func(t *testing.T) {
			u, _ := url.Parse(c.base)
			if g := open(t, Config{
				Base: u, Timeout: 20 * time.Second,
			}).send(); judge.FailureOf(g.err) != c.want {
				t.Errorf("%v is %q", g.err, judge.FailureOf(g.err))
			}
		})
	}
}
