package transport

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// NetHTTP is net/http's transport for load: as many connections as requests are under way, a
// timeout that costs a request no timer, and CancelAll to end everything at once. It is safe for
// concurrent use.
type NetHTTP struct {
	opts Config
	rt   *http.Transport
	ctx  context.Context // ends with CancelAll
	stop context.CancelCauseFunc

	mu     sync.Mutex
	shared context.Context // of the requests that begin before until
	until  time.Time
	free   context.CancelFunc // of shared; those before it have run out, or will
}

// NewNetHTTP makes the transport of the vegeta engine. The error says what to change.
func NewNetHTTP(o Config) (*NetHTTP, error) {
	if err := o.checkAndComplete(); err != nil {
		return nil, err
	}
	secure := o.Base.Scheme == "https"
	rt := o.Via.Clone()
	rt.TLSClientConfig = newTLSConfig(&o)
	rt.TLSClientConfig.NextProtos = nil // net/http sets them from the protocols
	rt.DisableCompression, rt.DisableKeepAlives = true, o.NoReuse
	rt.MaxIdleConns, rt.MaxIdleConnsPerHost, rt.MaxConnsPerHost = 0, 1<<20, o.MaxConnections
	rt.IdleConnTimeout = 90 * time.Second
	rt.MaxResponseHeaderBytes, rt.WriteBufferSize, rt.ReadBufferSize = MaxHeadBytes, 2<<10, 2<<10
	rt.TLSHandshakeTimeout, rt.ExpectContinueTimeout = 0, 0 // the request's own timeout holds
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

// RoundTrip sends a request as it is, within the timeout. Whoever reads the answer's body has the
// rest of that time.
func (t *NetHTTP) RoundTrip(req *http.Request) (*http.Response, error) {
	return t.rt.RoundTrip(req.WithContext(t.sharedDeadline()))
}

// AnswerError says why what came is no answer, as an error of a kind that judge.FailureOf returns;
// nil: it is one. status is 0 where nothing came; then err says why, as far as it is known.
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
	case took > t.opts.Timeout: // within the slack of the deadline
		return errTimeout
	case err != nil:
		return classifyError(err)
	}
	return nil
}

// sharedDeadline returns a context that ends after the timeout or little later, which requests that
// begin within an eighth of it share: a timer for each would cost more than sending it.
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
