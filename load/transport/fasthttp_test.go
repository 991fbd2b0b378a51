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
