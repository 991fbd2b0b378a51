package transport

import (
	"net/http"
	"time"

	"github.com/valyala/fasthttp"
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
	Err    error  // why there is none, of a kind that judge.FailureOf returns; nil when Status is set
	Began  time.Duration
	Sent   time.Duration // when the first byte was about to leave: after connecting. 0 when nothing was sent
	Done   time.Duration // when the answer was whole, or given up

	direct *fasthttp.ResponseHeader // of FastHTTP
	all    http.Header              // of HTTP
}

// reset clears the answer of the last use.
func (x *Exchange) reset() {
	x.Status, x.Answer, x.Err = 0, nil, nil
	x.Began, x.Sent, x.Done, x.direct, x.all = 0, 0, 0, nil, nil
}

// fail ends the exchange without an answer.
func (x *Exchange) fail(err error) {
	x.Status, x.Answer, x.Err, x.direct, x.all = 0, nil, err, nil, nil
}

// EachHeader calls f with every header of the answer until f returns false.
func (x *Exchange) EachHeader(f func(name, value []byte) bool) {
	for name, values := range x.all {
		for _, v := range values {
			if !f([]byte(name), []byte(v)) {
				return
			}
		}
	}
	if x.direct == nil {
		return
	}
	for name, value := range x.direct.All() {
		if !f(name, value) {
			return
		}
	}
}
