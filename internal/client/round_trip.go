package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/redact"
	"github.com/gateassay/gateassay/internal/token"
)

// pendingRequest is a request that is ready to be sent.
type pendingRequest struct {
	request *Request
	attempt int
	method  string
	url     *url.URL
	header  http.Header // as sent
	secret  string      // the value of its credential
	pool    *connectionPool
	conn    *pooledConnection // nil: none was acquired
	reused  bool              // an earlier request used the connection

	seq           int
	admitted      time.Time
	queued        time.Duration
	ready         func()          // called when all but the last byte was sent in a race; nil: no race
	begun         <-chan struct{} // closed when the race starts
	timer         *time.Timer     // ends the request
	released      bool            // the slot at the gate
	sharesExports bool            // it counts in Client.exports

	start   time.Time
	reading bool // a long file is being read
	// Hooks set these from other goroutines, even after the request has ended.
	headers atomic.Bool
	first   atomic.Int64 // nanoseconds from start to the first byte of the answer; 0: none arrived
}

// prepare builds a request's URL and headers. The credential is added later, because it may
// expire while the request waits.
func (c *Client) prepare(r *Request) (*pendingRequest, error) {
	op := rules.FindOperation(string(r.Operation))
	k := &pendingRequest{
		request: r, method: cmp.Or(r.Method, op.Method, http.MethodPost), url: r.at,
		header: http.Header{},
	}
	if k.url == nil {
		var err error
		if k.url, err = c.resolvePath(cmp.Or(r.Path, op.Path), r.Query); err != nil {
			return nil, err
		}
	}
	for name, values := range r.Header {
		k.setHeader(name, slices.Clone(values)...)
	}
	own := c.deployment
	if originOf(k.url) != originOf(c.base) {
		own = &deployment.File{}
	}
	for name, values := range CommonHeaders(own, c.opts.UserAgent) {
		if !hasHeader(k.header, name) {
			k.setHeader(name, values...)
		}
	}
	return k, nil
}

// CommonHeaders returns the default headers of every request to a deployment, in conformance runs
// and under load. Accept is among them, because firewalls reject requests without it, and allows
// anything, because a file need not be JSON.
func CommonHeaders(dep *deployment.File, userAgent string) http.Header {
	h := http.Header{}
	for name, value := range dep.Headers {
		h[wireHeaderName(name)] = []string{value}
	}
	for name, value := range map[string]string{
		"Accept":     "application/json, */*;q=0.5",
		"User-Agent": userAgent,
	} {
		if !hasHeader(h, name) {
			h[name] = []string{value}
		}
	}
	return h
}

// hasHeader reports whether a header is present, ignoring case.
func hasHeader(h http.Header, name string) bool {
	for other := range h {
		if strings.EqualFold(other, name) {
			return true
		}
	}
	return false
}

func (k *pendingRequest) setHeader(name string, values ...string) {
	k.header[wireHeaderName(name)] = values
}

// wireHeaderName returns the name of a header as it is sent: as written, except for the one
// that net/http would otherwise send twice.
func wireHeaderName(name string) string {
	if strings.EqualFold(name, "User-Agent") {
		return "User-Agent"
	}
	return name
}

// resolvePath joins a path, which may contain a query, to the base URL.
func (c *Client) resolvePath(path string, query url.Values) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(c.base.String(), "/") + "/" + strings.TrimPrefix(path, "/"))
	if err != nil {
		return nil, fmt.Errorf("the path %q does not form a valid address: %w", path, errors.Unwrap(err))
	}
	if len(query) > 0 {
		u.RawQuery = strings.TrimPrefix(u.RawQuery+"&"+query.Encode(), "&")
	}
	return u, nil
}

// authenticate adds the credential to an admitted request just before it is sent, and numbers
// the request. It registers all secrets in the headers for redaction.
func (c *Client) authenticate(ctx context.Context, k *pendingRequest) error {
	if cred := k.request.Credential; cred != nil {
		name, value, err := AuthorizationHeader(ctx, c.deployment, cred)
		if err != nil {
			return err
		}
		k.setHeader(name, value)
		k.secret = strings.TrimPrefix(value, "Bearer ")
		if cred.Source != nil {
			c.redactor.AddSecret(k.secret)
		}
		if cred.Issuer != nil {
			c.secrets.Store(k.secret, cred)
			c.redactor.AddSecret(k.secret)
		}
	}
	for name, values := range k.header {
		if redact.IsSecretHeader(name) {
			c.learnSecrets(values)
		}
	}
	k.seq = int(c.seq.Add(1))
	return nil
}

// hasTokenEnded reports whether a 401 answers a token that has expired since the run began, or
// was replaced. Such a 401 says nothing about the deployment. Credentials that are meant to
// fail do not count.
func (c *Client) hasTokenEnded(k *pendingRequest, x *Exchange) bool {
	cred, all := k.request.Credential, c.deployment.Credentials
	if x.Status != http.StatusUnauthorized || cred == nil ||
		!slices.Contains(c.deployment.AllCredentials(), cred) ||
		slices.Contains(
			[]*deployment.Credential{all.ExpiredToken, all.NotYetValidToken, all.RevokedAPIKey}, cred) {
		return false
	}
	if cred.Issuer != nil {
		return cred.Issuer.IsOutdated(k.secret)
	}
	at, says := token.Expiry(cred.Value)
	return says && at.Before(time.Now()) && at.After(c.begun) // older ones were expired from the start
}

// learnSecrets registers credentials from a request's own headers for redaction, including
// altered ones, since the answer may quote them. It skips short values, which may be ordinary
// words.
func (c *Client) learnSecrets(values []string) {
	for _, v := range values {
		_, secret := redact.SplitScheme(v)
		if secret = strings.TrimSpace(secret); len(secret) >= 16 {
			c.redactor.AddSecret(secret)
		}
	}
}

// bodyReader returns a reader of a request's body. In a race, the last byte waits until the others
// have sent all but theirs, too.
func (c *Client) bodyReader(ctx context.Context, k *pendingRequest) io.ReadCloser {
	b := k.request.Body
	last := len(b) - 1
	switch {
	case last < 0:
		return http.NoBody
	case k.ready == nil:
		return io.NopCloser(bytes.NewReader(b))
	}
	start := readerFunc(func([]byte) (int, error) {
		k.ready()
		select {
		case <-k.begun:
		case <-ctx.Done():
		}
		return 0, cmp.Or(ctx.Err(), io.EOF)
	})
	return io.NopCloser(io.MultiReader(bytes.NewReader(b[:last]), start, bytes.NewReader(b[last:])))
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// roundTrip sends an admitted request and reads its answer.
func (c *Client) roundTrip(ctx context.Context, k *pendingRequest) *Exchange {
	x := &Exchange{
		Seq: k.seq, Label: k.request.Label, Operation: k.request.Operation,
		Attempt: k.attempt, Queued: k.queued,
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.ctx, func() { cancel(nil) })()
	k.timer = time.AfterFunc(c.opts.Timeout, func() { cancel(errTimeout) })
	defer k.timer.Stop()

	k.start = time.Now()
	k.pool = c.connectionsTo(k.url)
	resp, err := c.sendUntilProcessed(ctx, k)
	if err == nil {
		err = c.readAnswer(resp, k, x)
	}
	x.StartedAt, x.Service, x.FirstByte = k.start, time.Since(k.start), time.Duration(k.first.Load())
	broke := false
	if err != nil {
		x.Err = c.troubleOf(ctx, err, k, x)
		broke = (x.Err.Kind == TroubleReset || x.Err.Kind == TroubleNotHTTP) && k.reused &&
			x.FirstByte == 0
		x.Status, x.Header = 0, nil
	}
	if k.conn != nil {
		k.pool.release(k.conn, broke)
	}
	return x
}

// maxUnprocessedRetries is how often a request is sent at most while no server processes it.
const maxUnprocessedRetries = 8

// sendUntilProcessed sends a request, and again as long as it certainly was not processed: an
// HTTP/2 connection had no room or was about to close, or a reused connection had closed before
// anything was written.
func (c *Client) sendUntilProcessed(
	ctx context.Context, k *pendingRequest,
) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		hr, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, k.clientTrace()), k.method,
			k.url.String(), nil)
		if err != nil {
			return nil, err
		}
		hr.URL, hr.Header, hr.Close = k.url, k.header, !k.pool.reusesConnections()
		hr.Body, hr.ContentLength = c.bodyReader(ctx, k), int64(len(k.request.Body))
		if k.conn, k.reused, err = k.pool.acquire(ctx); err != nil {
			return nil, err
		}
		k.headers.Store(false)
		resp, err := k.conn.RoundTrip(hr)
		if err == nil || attempt == maxUnprocessedRetries || ctx.Err() != nil ||
			!wasNotProcessed(err, k) {
			return resp, err
		}
		k.pool.release(k.conn, false)
		time.Sleep(time.Duration(attempt-1) * time.Millisecond)
	}
}

// wasNotProcessed reports whether an error means that the server did not process the request.
func wasNotProcessed(err error, k *pendingRequest) bool {
	var stream http2.StreamError
	text := err.Error()
	return errors.As(err, &stream) && stream.Code == http2.ErrCodeRefusedStream ||
		strings.Contains(text, "graceful shutdown GOAWAY") || k.reused && !k.headers.Load() ||
		strings.Contains(text, "client conn not usable") // it was closed between dialing and sending
}

func (k *pendingRequest) clientTrace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		WroteHeaders:         func() { k.headers.Store(true) },
		GotFirstResponseByte: func() { k.first.Store(max(int64(time.Since(k.start)), 1)) },
	}
}
