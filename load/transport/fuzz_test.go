package transport

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"testing"
)

// canned is a connection that has answered already.
type canned struct {
	net.Conn
	r io.Reader
}

func (c canned) Read(p []byte) (int, error) { return c.r.Read(p) }
func (c canned) Close() error               { return nil }

// slow gives its bytes in pieces.
type slow struct {
	b []byte
	n int
}

func (s *slow) Read(p []byte) (int, error) {
	if len(s.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.n)], s.b)
	s.b = s.b[n:]
	return n, nil
}

// answerOf reads what a peer sent as the sockets does.
func answerOf(data []byte, piece int) (*Exchange, error) {
	var o Options
	o.MaxHead, o.MaxBody = 4<<10, 64<<10
	s := &Session{t: &Sockets{opts: o}}
	x := &Exchange{}
	s.in.begin()
	err := s.receive(x, &wire{conn: canned{r: &slow{bytes.Clone(data), piece}}})
	return x, err
}

// FuzzAnswer compares with net/http: what the sockets takes for an answer, net/http takes for the same. And the
// pieces in which it comes make no difference.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		ok, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nT: 1\r\n\r\n",
		"HTTP/1.1 100 Continue\r\n\r\n" + ok,
		"HTTP/1.0 200 OK\n\nto the end", "HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 02\r\n\r\nhi",
	} {
		f.Add([]byte(s), 1)
	}
	f.Fuzz(func(t *testing.T, data []byte, piece int) {
		if len(data) > 16<<10 {
			return
		}
		x, err := answerOf(data, max(piece&0xff, 1))
		whole, wholeErr := answerOf(data, len(data)+1)
		if (err == nil) != (wholeErr == nil) || x.Status != whole.Status || !bytes.Equal(x.Answer, whole.Answer) {
			t.Fatalf("in pieces: %d %q %v; at once: %d %q %v", x.Status, x.Answer, err,
				whole.Status, whole.Answer, wholeErr)
		}
		if err != nil {
			return
		}
		in := bufio.NewReader(bytes.NewReader(data))
		for {
			resp, err := http.ReadResponse(in, &http.Request{Method: http.MethodPost})
			if err != nil {
				return // net/http is stricter about names and values of headers, which nobody reads here
			}
			if resp.StatusCode < 200 {
				continue
			}
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				return
			}
			if resp.StatusCode != x.Status || !bytes.Equal(body, x.Answer) {
				t.Fatalf("%q: net/http reads %d %q, here it is %d %q", data, resp.StatusCode, body, x.Status, x.Answer)
			}
			return
		}
	})
}
