package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/redact"
	"github.com/gateassay/gateassay/gateway/rules"
)

// call is a request made ready to be sent.
type call struct {
	req     *Request
	attempt int
	method  string
	url     *url.URL
	header  http.Header // as it goes out

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
	reused, headers atomic.Bool
	first           atomic.Int64 // nanoseconds from the start to the first byte of the answer; 0: none came
}

// prepare makes a request ready: its address, and its headers with the credential.
func (c *Client) prepare(ctx context.Context, r *Request) (*call, error) {
	op := rules.FindOperation(string(r.Operation))
	k := &call{req: r, attempt: 1, method: cmp.Or(r.Method, op.Method, http.MethodPost), url: r.at, header: http.Header{}}
	if k.url == nil {
		var err error
		if k.url, err = c.locate(cmp.Or(r.Path, op.Path), r.Query); err != nil {
			return nil, err
		}
	}
	header := http.Header{}
	maps.Copy(header, r.Header)
	if r.Credential != nil {
		if err := c.authorize(ctx, header, r.Credential); err != nil {
			return nil, err
		}
	}
	if origin(k.url) == origin(c.base) {
		for name, value := range c.dep.Headers {
			if !given(header, name) {
				header[name] = []string{value}
			}
		}
	}
	if !given(header, "User-Agent") {
		header["User-Agent"] = []string{c.opts.UserAgent}
	}
	for name, values := range header {
		if strings.EqualFold(name, "User-Agent") {
			name = "User-Agent" // else net/http would send its own as well
		}
		k.header[name] = slices.Clone(values)
		if redact.SecretHeader(name) {
			c.learnSecrets(values)
		}
	}
	return k, nil
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

// authorize adds the header of a credential, and keeps its value out of what is written.
func (c *Client) authorize(ctx context.Context, h http.Header, cred *deployment.Credential) error {
	name, value, err := Authorization(ctx, c.dep, cred)
	if err != nil {
		return err
	}
	h[name] = []string{value}
	if cred.Issuer != nil {
		secret := strings.TrimPrefix(value, "Bearer ")
		c.secrets.Store(secret, cred)
		c.redactor.Secret(cred.Name, secret)
	}
	return nil
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

// body makes the reader of a request's body. None can be rewound, so that net/http sends no request with one again by
// itself when a kept connection breaks. It would repeat a GET: without TLS, where that cannot be HTTP/2, its body is empty
// but present. Of a race, the last byte waits for the start.
func (c *Client) body(ctx context.Context, k *call) (io.ReadCloser, int64) {
	b := k.req.Body
	last := len(b) - 1
	switch {
	case last >= 0 && k.ready != nil:
		start := readerFunc(func([]byte) (int, error) {
			k.line(ctx)
			return 0, cmp.Or(ctx.Err(), io.EOF)
		})
		return io.NopCloser(io.MultiReader(bytes.NewReader(b[:last]), start, bytes.NewReader(b[last:]))), int64(len(b))
	case last >= 0, k.url.Scheme == "http" && k.method == http.MethodGet:
		return io.NopCloser(bytes.NewReader(b)), int64(len(b))
	}
	return http.NoBody, 0
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// unreliable is how many kept connections have to break before no more are kept: whether the deployment got what was sent
// on one is not known, and where it closes connections without a word, every second request would be lost.
const unreliable = 2

// perform puts an admitted request on the wire and reads its answer.
func (c *Client) perform(ctx context.Context, k *call) *Exchange {
	x := &Exchange{Seq: k.seq, Label: k.req.Label, Operation: k.req.Operation, Attempt: k.attempt, Queued: k.queued}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.ctx, func() { cancel(nil) })()
	k.timer = time.AfterFunc(c.opts.Timeout, func() { cancel(errTimeout) })
	defer k.timer.Stop()

	k.start = time.Now()
	hr, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, k.hooks()), k.method, k.url.String(), nil)
	if err == nil {
		hr.URL, hr.Header = k.url, k.header
		hr.Body, hr.ContentLength = c.body(ctx, k)
		if c.broken.Load() >= unreliable {
			c.transport.CloseIdleConnections()
			hr.Close = true
		}
		var resp *http.Response
		if resp, err = c.transport.RoundTrip(hr); err == nil {
			err = c.receive(resp, k, x)
		}
	}
	x.StartedAt, x.Service, x.FirstByte = k.start, time.Since(k.start), time.Duration(k.first.Load())
	if err != nil {
		x.Err = c.trouble(ctx, err, k, x)
		if (x.Err.Kind == Reset || x.Err.Kind == Garbled) && k.reused.Load() && x.FirstByte == 0 {
			c.broken.Add(1)
		}
		x.Status, x.Header = 0, nil
	}
	return x
}

func (k *call) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn:              func(info httptrace.GotConnInfo) { k.reused.Store(info.Reused) },
		WroteHeaders:         func() { k.headers.Store(true) },
		GotFirstResponseByte: func() { k.first.Store(max(int64(time.Since(k.start)), 1)) },
	}
}
