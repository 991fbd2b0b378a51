package transport

import (
	"bytes"
	"net/http"
	"time"
)

// Field is one header of a request. The value is not kept after Do returns.
type Field struct {
	Name  string
	Value []byte
}

// Exchange is one request and its answer. It is made once and used again: what it points to belongs to the caller
// (the request) or to the session (the answer, valid until the session's next Do or Close).
type Exchange struct {
	// The request, a POST. Host, User-Agent, Content-Length and Connection are the transport's own.
	Path   string // with its query, beginning with a slash
	Fields []Field
	Body   []byte

	// Base is where the three times below count from: the start of the run.
	Base time.Time

	// The answer. Status is 0 when there was none that could be read to its end.
	Status int
	Answer []byte // its body, without chunking
	Reused bool   // over a connection that had answered before
	Closed bool   // the connection does not outlive this answer
	Err    error  // why there is none, of a kind that judge.FailureOf returns; nil when Status is set
	Began  time.Duration
	Sent   time.Duration // when the first byte was about to leave: after connecting. 0 when nothing was sent
	Done   time.Duration // when the answer was whole, or given up
	head   []byte        // Sockets: the lines of the head, status line first
	all    http.Header   // HTTP: the headers
}

// reset clears the answer of the last use.
func (x *Exchange) reset() {
	x.Status, x.Answer, x.Reused, x.Closed, x.Err = 0, nil, false, false, nil
	x.Began, x.Sent, x.Done, x.head, x.all = 0, 0, 0, nil, nil
}

// fail ends the exchange without an answer.
func (x *Exchange) fail(err error) {
	x.Status, x.Answer, x.Err, x.Closed = 0, nil, err, true
}

// Header returns the first value of a header of the answer, whatever the case of its name; nil when it is not there.
func (x *Exchange) Header(name string) []byte {
	var found []byte
	x.EachHeader(func(n, v []byte) bool {
		if equalFold(n, name) {
			found = v
			return false
		}
		return true
	})
	return found
}

// EachHeader calls f with every header of the answer until f returns false. Those that Sockets read come in their
// order.
func (x *Exchange) EachHeader(f func(name, value []byte) bool) {
	for name, values := range x.all {
		for _, v := range values {
			if !f([]byte(name), []byte(v)) {
				return
			}
		}
	}
	_, rest, _ := bytes.Cut(x.head, []byte{'\n'})
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		name, value, ok := bytes.Cut(line, []byte{':'})
		if !ok || len(name) == 0 || name[0] == ' ' || name[0] == '\t' {
			continue
		}
		if !f(name, bytes.Trim(value, " \t\r")) {
			return
		}
	}
}

// equalFold compares ASCII without case, and without the allocation that a conversion would make.
func equalFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i := range b {
		if lower(b[i]) != lower(s[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
