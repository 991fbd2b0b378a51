// Package hostile runs conform against a gateway behind a proxy that spoils the answers: as a
// broken network, a faulty proxy, or a deployment with absurd answers and files. It contains tests
// only.
package hostile

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"
)

// answer is an answer of the gateway.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// spoil forwards an answer or does something else.
type spoil func(w *wire, a answer)

// wire is the connection to the client, and its request.
type wire struct {
	w  http.ResponseWriter
	r  *http.Request
	up http.Handler
}

// proxy forwards requests to a gateway and spoils the answers that reach selects.
type proxy struct {
	up    http.Handler
	reach reach
	spoil spoil
	count atomic.Int64
}

// reach selects the answers to spoil.
type reach string

const (
	all   reach = "all"
	tenth reach = "every tenth"
	files reach = "files"
	polls reach = "polls" // requests for files that are not ready yet
)

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	recorded := httptest.NewRecorder()
	p.up.ServeHTTP(recorded, r)
	a := answer{recorded.Code, recorded.Header(), recorded.Body.Bytes()}
	a.header.Del("Content-Length")
	hit := p.count.Add(1)%10 == 0
	switch p.reach {
	case all:
		hit = true
	case files:
		hit = strings.HasPrefix(r.URL.Path, "/downloads/")
	case polls:
		hit = strings.HasPrefix(r.URL.Path, "/v1/files/")
	}
	line := &wire{w: w, r: r, up: p.up}
	if !hit {
		line.plain(a)
		return
	}
	p.spoil(line, a)
}

// plain sends an answer unchanged.
func (l *wire) plain(a answer) {
	for name, values := range a.header {
		l.w.Header()[name] = values
	}
	l.w.Header().Set("Content-Length", fmt.Sprint(len(a.body)))
	l.w.WriteHeader(a.status)
	_, _ = l.w.Write(a.body)
}

// say hijacks the connection, writes a text in place of an answer, calls then and closes the
// connection.
func (l *wire) say(text string, then func(conn net.Conn)) {
	conn, _, err := http.NewResponseController(l.w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
	_, _ = io.WriteString(conn, text)
	then(conn)
}

// text writes a text in place of an answer and closes the connection.
func (l *wire) text(text string) { l.say(text, func(net.Conn) {}) }

// await waits until the client gives up.
func await(conn net.Conn) { _, _ = conn.Read(make([]byte, 1)) }

// pausing leaves the connection open for a while.
func pausing(d time.Duration) func(net.Conn) { return func(net.Conn) { time.Sleep(d) } }

// flood writes a text until the client stops reading.
func flood(text string) func(net.Conn) {
	return func(conn net.Conn) {
		for {
			if _, err := io.WriteString(conn, text); err != nil {
				return
			}
		}
	}
}

// resetting resets the connection after a pause, in which the client can read.
func resetting(after time.Duration) func(net.Conn) {
	return func(conn net.Conn) { time.Sleep(after); reset(conn) }
}

// reset resets a connection, as a crashing peer does.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// head returns the status line and the headers of an answer, without the empty line.
func head(a answer, more ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", a.status, http.StatusText(a.status))
	for name, values := range a.header {
		for _, v := range values {
			fmt.Fprintf(&b, "%s: %s\r\n", name, v)
		}
	}
	for _, line := range more {
		b.WriteString(line + "\r\n")
	}
	return b.String()
}

func length(n int) string { return fmt.Sprintf("Content-Length: %d", n) }

// whole returns the complete text of an answer.
func whole(a answer) string { return head(a, length(len(a.body))) + "\r\n" + string(a.body) }
