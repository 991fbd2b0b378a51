package transport

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// NetHTTP is net/http's transport for load: as many connections as requests in flight, a timeout
// without a timer per request, and CancelAll to end all requests. It is safe for concurrent use.
type NetHTTP struct {
	opts Config
	rt   *http.Transport
	ctx  context.Context // canceled by CancelAll
	stop context.CancelCauseFunc

	mu     sync.Mutex
	shared context.Context // context of the requests that begin before until
	until  time.Time
	free   context.CancelFunc // of shared; earlier contexts expire
}

// NewNetHTTP makes the transport of the vegeta engine. The error tells the user what to change.
func NewNetHTTP(o Config) (*NetHTTP, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	secure := o.Base.Scheme == "https"
	rt := o.Via.Clone()
	rt.TLSClientConfig = newTLSConfig(&o)
	rt.TLSClientConfig.NextProtos = nil // net/http sets them from the protocols
	rt.DisableCompression, rt.DisableKeepAlives = true, o.NoReuse
	rt.MaxIdleConns, rt.MaxIdleConnsPerHost, rt.MaxConnsPerHost = 0, 1<<20, o.MaxConnections
	rt.IdleConnTimeout = 90 * time.Second
	rt.MaxResponseHeaderBytes, rt.WriteBufferSize, rt.ReadBufferSize = maxHeadBytes, 2<<10, 2<<10
	rt.TLSHandshakeTimeout, rt.ExpectContinueTimeout = 0, 0 // the timeout of the request applies
	rt.Protocols = new(http.Protocols)
	switch {
	case o.Version == "1.1", o.Version == "" && !secure:
		rt.Protocols.SetHTTP1(true)
	case o.Version == "":
		rt.Protocols.SetHTTP1(true)
		rt.Protocols.SetHTTP2(true)
	case secure:
		rt.Protocols.SetHTTP2(true)
	default:
		rt.Protocols.SetUnencryptedHTTP2(true)
	}
	if rt.Proxy = nil; o.proxy != nil {
		rt.Proxy = http.ProxyURL(o.proxy)
	}
	t := &NetHTTP{opts: o, rt: rt}
	t.ctx, t.stop = context.WithCancelCause(context.Background())
	return t, nil
}

// RoundTrip sends a request unchanged. The timeout covers reading the body of the answer.
func (t *NetHTTP) RoundTrip(req *http.Request) (*http.Response, error) {
	return t.rt.RoundTrip(req.WithContext(t.sharedDeadline()))
}

// AnswerError says why a result is not a valid answer, as an error that judge.FailureOf knows,
// or returns nil if it is one. status is 0 without an answer; then err, if not nil, says why.
func (t *NetHTTP) AnswerError(status int, body []byte, took time.Duration, err error) error {
	switch {
	case err == nil && status == 0:
		err = errClosed
	case err == nil:
		err = unreadableError(status, len(body))
	}
	switch {
	case err != nil && context.Cause(t.ctx) != nil:
		return errRunEnding
	case took > t.opts.Timeout: // the deadline includes slack
		return errTimeout
	case err != nil:
		return classifyError(err)
	}
	return nil
}

// sharedDeadline returns a context that ends after the timeout or slightly later. Requests that
// begin within an eighth of the timeout share it: a timer for each would cost more than sending
// it.
func (t *NetHTTP) sharedDeadline() context.Context {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shared == nil || now.After(t.until) {
		slack := min(t.opts.Timeout/8, 250*time.Millisecond)
		t.until = now.Add(slack)
		t.shared, t.free = context.WithTimeoutCause(t.ctx, t.opts.Timeout+slack, errTimeout)
	}
	return t.shared
}

// CancelAll breaks off what is in flight: those requests, and any that follow, end as canceled.
func (t *NetHTTP) CancelAll() { t.stop(errRunEnding) }

// Close frees the connections; it cuts what is still in flight.
func (t *NetHTTP) Close() {
	t.CancelAll()
	t.rt.CloseIdleConnections()
}
