package transport

import (
	"bufio"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/judge"
)

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
