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

// call is a request made ready to be sent.
type call struct {
	req     *Request
	attempt int
	method  string
	url     *url.URL
	header  http.Header // as it goes out
	secret  string      // the value of its credential
	pool    *connections
	conn    *connection // nil: it got none
	reused  bool        // the connection was kept from an earlier request

	seq      int
	admitted time.Time
	queued   time.Duration
	ready    func()          // of a race: all but the last byte was sent; nil: sent by itself
	begun    <-chan struct{} // the race
	timer    *time.Timer     // ends it
	left     bool            // the gate, see leave

	start   time.Time
	reading bool // a long file
	// Hooks set these on other goroutines, also after the end.
	headers atomic.Bool
	first   atomic.Int64 // nanoseconds from the start to the first byte of the answer; 0: none came
}

// prepare makes a request ready: its address, and its headers but for the credential, which ends while it waits.
func (c *Client) prepare(r *Request) (*call, error) {
	op := rules.FindOperation(string(r.Operation))
	k := &call{req: r, attempt: 1, method: cmp.Or(r.Method, op.Method, http.MethodPost), url: r.at, header: http.Header{}}
	if k.url == nil {
		var err error
		if k.url, err = c.locate(cmp.Or(r.Path, op.Path), r.Query); err != nil {
			return nil, err
		}
	}
	for name, values := range r.Header {
		k.set(name, slices.Clone(values)...)
	}
	own := c.dep
	if origin(k.url) != origin(c.base) {
		own = &deployment.File{}
	}
	for name, values := range Header(own, c.opts.UserAgent) {
		if !given(k.header, name) {
			k.set(name, values...)
		}
	}
	return k, nil
}

// Header is what every request to a deployment carries that does not say otherwise, in a conformance run as under load.
// Firewalls refuse what does not say what it accepts, and a file need not be JSON.
func Header(dep *deployment.File, userAgent string) http.Header {
	h := http.Header{}
	for name, value := range dep.Headers {
		h[spelled(name)] = []string{value}
	}
	for name, value := range map[string]string{"Accept": "application/json, */*;q=0.5", "User-Agent": userAgent} {
		if !given(h, name) {
			h[name] = []string{value}
		}
	}
	return h
}

// given reports whether a header is there, in any case.
func given(h http.Header, name string) bool {
	for other := range h {
		if strings.EqualFold(other, name) {
			return true
		}
	}
	return false
}

func (k *call) set(name string, values ...string) { k.header[spelled(name)] = values }

// spelled is the name of a header as it is sent: as written, but for the one that net/http would send a second time.
func spelled(name string) string {
	if strings.EqualFold(name, "User-Agent") {
		return "User-Agent"
	}
	return name
}

// locate joins a path, which may have a query of its own, to the base URL.
func (c *Client) locate(path string, query url.Values) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(c.base.String(), "/") + "/" + strings.TrimPrefix(path, "/"))
	if err != nil {
		return nil, fmt.Errorf("the path %q does not form a valid address: %w", path, errors.Unwrap(err))
	}
	if len(query) > 0 {
		u.RawQuery = strings.TrimPrefix(u.RawQuery+"&"+query.Encode(), "&")
	}
	return u, nil
}

// sign puts the credential on an admitted request, just before it goes out, numbers it, and keeps out of what is written
// whatever authenticates it.
func (c *Client) sign(ctx context.Context, k *call) error {
	if cred := k.req.Credential; cred != nil {
		name, value, err := Authorization(ctx, c.dep, cred)
		if err != nil {
			return err
		}
		k.set(name, value)
		k.secret = strings.TrimPrefix(value, "Bearer ")
		if cred.Issuer != nil {
			c.secrets.Store(k.secret, cred)
			c.redactor.Secret(cred.Name, k.secret)
		}
	}
	for name, values := range k.header {
		if redact.SecretHeader(name) {
			c.learnSecrets(values)
		}
	}
	k.seq = int(c.seq.Add(1))
	return nil
}

// outdated reports a 401 to a token that has ended by now, or that another has replaced, although the deployment file
// gives it as one that holds: that says nothing about the deployment.
func (c *Client) outdated(k *call, x *Exchange) bool {
	cred, all := k.req.Credential, c.dep.Credentials
	if x.Status != http.StatusUnauthorized || cred == nil || !slices.Contains(c.dep.Identities(), cred) ||
		slices.Contains([]*deployment.Credential{all.ExpiredToken, all.NotYetValidToken, all.RevokedAPIKey}, cred) {
		return false
	}
	if cred.Issuer != nil {
		return cred.Issuer.IsOutdated(k.secret)
	}
	at, says := token.Expiry(cred.Value)
	return says && at.Before(time.Now()) && at.After(c.begun) // before, it is what the run was given
}

// learnSecrets registers credentials that a request carries in a header of its own, tampered ones too: the answer may
// quote them. Short ones are left out, they would be ordinary words.
func (c *Client) learnSecrets(values []string) {
	for _, v := range values {
		if scheme, rest, ok := strings.Cut(v, " "); ok && redact.AuthScheme(scheme) {
			v = rest
		}
		if v = strings.TrimSpace(v); len(v) >= 16 {
			c.redactor.Secret("a header", v)
		}
	}
}

// body makes the reader of a request's body. Of a race, the last byte waits for the start.
func (c *Client) body(ctx context.Context, k *call) io.ReadCloser {
	b := k.req.Body
	last := len(b) - 1
	switch {
	case last < 0:
		return http.NoBody
	case k.ready == nil:
		return io.NopCloser(bytes.NewReader(b))
	}
	start := readerFunc(func([]byte) (int, error) {
		k.line(ctx)
		return 0, cmp.Or(ctx.Err(), io.EOF)
	})
	return io.NopCloser(io.MultiReader(bytes.NewReader(b[:last]), start, bytes.NewReader(b[last:])))
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// perform puts an admitted request on the wire and reads its answer.
func (c *Client) perform(ctx context.Context, k *call) *Exchange {
	x := &Exchange{Seq: k.seq, Label: k.req.Label, Operation: k.req.Operation, Attempt: k.attempt, Queued: k.queued}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.ctx, func() { cancel(nil) })()
	k.timer = time.AfterFunc(c.opts.Timeout, func() { cancel(errTimeout) })
	defer k.timer.Stop()

	k.start = time.Now()
	k.pool = c.connectionsTo(k.url)
	resp, err := c.send(ctx, k)
	if err == nil {
		err = c.receive(resp, k, x)
	}
	x.StartedAt, x.Service, x.FirstByte = k.start, time.Since(k.start), time.Duration(k.first.Load())
	broke := false
	if err != nil {
		x.Err = c.trouble(ctx, err, k, x)
		broke = (x.Err.Kind == Reset || x.Err.Kind == Garbled) && k.reused && x.FirstByte == 0
		x.Status, x.Header = 0, nil
	}
	if k.conn != nil {
		k.pool.give(k.conn, broke)
	}
	return x
}

// mostUnprocessed is how often a request is put on the wire that no attempt got a server to look at.
const mostUnprocessed = 8

// send puts a request on the wire, again as long as it is certain that it was not processed: the connection of HTTP/2 had
// no room for it or was about to end, or a kept one had ended before anything was written.
func (c *Client) send(ctx context.Context, k *call) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		hr, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, k.hooks()), k.method, k.url.String(), nil)
		if err != nil {
			return nil, err
		}
		hr.URL, hr.Header, hr.Close = k.url, k.header, !k.pool.keeps()
		hr.Body, hr.ContentLength = c.body(ctx, k), int64(len(k.req.Body))
		if k.conn, k.reused, err = k.pool.take(ctx); err != nil {
			return nil, err
		}
		k.headers.Store(false)
		resp, err := k.conn.RoundTrip(hr)
		if err == nil || attempt == mostUnprocessed || ctx.Err() != nil || !unprocessed(err, k) {
			return resp, err
		}
		k.pool.give(k.conn, false)
		time.Sleep(time.Duration(attempt-1) * time.Millisecond)
	}
}

// unprocessed reports whether an error promises that nobody looked at the request.
func unprocessed(err error, k *call) bool {
	var stream http2.StreamError
	text := err.Error()
	return errors.As(err, &stream) && stream.Code == http2.ErrCodeRefusedStream ||
		strings.Contains(text, "graceful shutdown GOAWAY") || k.reused && !k.headers.Load() ||
		strings.Contains(text, "client conn not usable") // it ended between dialing and sending
}

func (k *call) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		WroteHeaders:         func() { k.headers.Store(true) },
		GotFirstResponseByte: func() { k.first.Store(max(int64(time.Since(k.start)), 1)) },
	}
}
