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
	"sync"
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
	host    string
	header  http.Header // as it goes out

	seq      int
	admitted time.Time
	queued   time.Duration
	race     *race // nil: sent by itself
	arrival  sync.Once
	timer    *time.Timer // ends it
	left     bool        // the gate, see leave

	mu   sync.Mutex // hooks run on other goroutines, also after the end
	when moments
}

// prepare makes a request ready: its address, and its headers with the credential.
func (c *Client) prepare(ctx context.Context, r *Request) (*call, error) {
	if r == nil {
		return nil, errors.New("there is no request")
	}
	u, err := c.locate(cmp.Or(r.Path, rules.FindOperation(string(r.Operation)).Path), r.Query)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	maps.Copy(header, r.Header)
	if r.Credential != nil {
		if err := c.authorize(ctx, header, r.Credential); err != nil {
			return nil, err
		}
	}
	return c.prepareAt(r, u, header), nil
}

// locate joins a path, which may have a query of its own, to the base URL.
func (c *Client) locate(path string, query url.Values) (*url.URL, error) {
	raw := *c.base
	raw.RawQuery, raw.Fragment = "", ""
	u, err := url.Parse(strings.TrimRight(raw.String(), "/") + "/" + strings.TrimLeft(path, "/"))
	if err != nil {
		return nil, fmt.Errorf("the path %q does not form a valid address: %w", path, errors.Unwrap(err))
	}
	if len(query) > 0 {
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += query.Encode()
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
	if cred.Genuine() {
		secret := strings.TrimPrefix(value, "Bearer ")
		c.grants.Store(secret, cred)
		c.redactor.Secret(cred.Name, secret)
	}
	return nil
}

// prepareAt takes the headers as they are, apart from what net/http keeps for itself.
func (c *Client) prepareAt(r *Request, u *url.URL, header http.Header) *call {
	method := cmp.Or(r.Method, rules.FindOperation(string(r.Operation)).Method, http.MethodPost)
	k := &call{req: r, attempt: 1, method: method, url: u, header: make(http.Header, len(header)+1)}
	for name, values := range header {
		switch strings.ToLower(name) {
		case "host":
			if len(values) > 0 {
				k.host = values[0]
			}
			continue
		case "content-length", "transfer-encoding":
			continue
		case "user-agent":
			name = "User-Agent"
		}
		k.header[name] = append([]string(nil), values...)
		if redact.SecretHeader(name) {
			c.learnSecrets(values)
		}
	}
	if origin(u) == origin(c.base) {
		for name, value := range c.dep.HeadersTo(u.Scheme) {
			if !given(k.header, name) {
				k.header[name] = []string{value}
			}
		}
	}
	if !given(k.header, "User-Agent") {
		k.header["User-Agent"] = []string{c.opts.UserAgent}
	}
	return k
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

// body makes the reader of a request's body. None can be rewound, so that net/http never sends a request again by
// itself: over HTTP/1 it would repeat a GET without a body when a kept connection breaks, so there the body is empty
// but present. Over HTTP/2 it only repeats what the server has declared unprocessed.
func (c *Client) body(ctx context.Context, k *call) (io.ReadCloser, int64) {
	b := k.req.Body
	if k.race != nil && len(b) > 0 {
		return io.NopCloser(&heldBody{ctx: ctx, k: k, left: b}), int64(len(b))
	}
	if len(b) > 0 {
		return io.NopCloser(bytes.NewReader(b)), int64(len(b))
	}
	proto, _ := c.protocols.Load(k.url.Host)
	over1 := proto == "HTTP/1.1" || proto == "HTTP/1.0"
	if over1 && slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, k.method) {
		return io.NopCloser(bytes.NewReader(nil)), 0
	}
	return http.NoBody, 0
}

// perform puts an admitted request on the wire and reads its answer.
func (c *Client) perform(ctx context.Context, k *call) *Exchange {
	x := &Exchange{Seq: k.seq, Label: k.req.Label, Operation: k.req.Operation, Attempt: k.attempt, Queued: k.queued}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.ctx, func() { cancel(nil) })()
	k.timer = time.AfterFunc(c.opts.Timeout, func() { cancel(errTimeout) })
	defer k.timer.Stop()

	k.when.start = time.Now()
	hooked := httptrace.WithClientTrace(ctx, k.hooks(ctx))
	hr, err := http.NewRequestWithContext(hooked, k.method, k.url.String(), nil)
	if err != nil {
		x.StartedAt = k.when.start
		x.Err = &Trouble{Kind: Unsent, Detail: c.redactor.Text(err.Error())}
		return x
	}
	hr.URL, hr.Header = k.url, k.header
	if k.host != "" {
		hr.Host = k.host
	}
	hr.Body, hr.ContentLength = c.body(ctx, k)
	resp, err := c.carrier().RoundTrip(hr)
	if err == nil {
		c.protocols.Store(k.url.Host, resp.Proto)
		err = c.receive(resp, k, x)
	}
	end := time.Now()
	t := k.moments()
	x.StartedAt, x.Reused, x.Service = t.start, t.reused, end.Sub(t.start)
	if !t.wrote.IsZero() {
		x.Written = max(t.wrote.Sub(t.start), 0)
	}
	if !t.first.IsZero() {
		x.FirstByte = max(t.first.Sub(t.start), 0)
	}
	if err != nil {
		x.Err = c.trouble(ctx, err, t)
		if (x.Err.Kind == Reset || x.Err.Kind == Garbled) && t.reused && t.first.IsZero() {
			c.broken.Add(1)
		}
		switch {
		case x.Err.Kind == Coded:
		case x.Status != 0 && x.Err.Kind == TooLarge:
			x.Err.Detail = fmt.Sprintf("the answer %d %s", x.Status, x.Err.Detail)
		case x.Status != 0:
			x.Err.Detail = fmt.Sprintf("the answer %d broke off after %d bytes of its body: %s",
				x.Status, x.Size, x.Err.Detail)
		}
		x.Status, x.Header = 0, nil
	}
	return x
}

// unreliable is how many kept connections have to break before no more are kept.
const unreliable = 2

// carrier puts requests on kept connections, until some of these broke: whether the deployment got what was sent on
// one is not known, and where it closes connections without a word, every second request would be lost.
func (c *Client) carrier() *http.Transport {
	if c.broken.Load() < unreliable {
		return c.transport
	}
	c.transport.CloseIdleConnections()
	return c.unkept
}

// receive reads an answer up to the limit. A file that is longer goes where the request wants it.
func (c *Client) receive(resp *http.Response, k *call, x *Exchange) error {
	defer resp.Body.Close()
	x.Status, x.Header = resp.StatusCode, resp.Header
	x.Recorded.Status, x.Recorded.ResponseProto, x.Recorded.ResponseHeader = resp.StatusCode, resp.Proto, resp.Header
	body, err := readBody(resp)
	x.Size = int64(len(body))
	if len(body) <= maxAnswer {
		x.Body = body
		if err == nil && k.req.Operation != File {
			err = x.unpack()
		}
		if err != nil {
			return err
		}
		return c.readable(k, x)
	}
	x.Body, x.Cut = body[:maxAnswer:maxAnswer], true
	if k.req.intake == nil || !x.Success() {
		return c.readable(k, x)
	}
	// The answer is here, and what is left is to read it: requests that wait for theirs need not wait for that.
	c.leave(k)
	k.note(func(m *moments) { m.reading = true })
	k.timer.Reset(c.fetchTimeout())
	err = k.req.intake.take(io.MultiReader(bytes.NewReader(body), resp.Body), x)
	x.Body, x.Cut = slices.Clone(body[:headOfFile]), x.Cut && k.req.intake.got.Cut
	return err
}

// readBody reads an answer to its limit and a byte more, in place where its length is known: many are read at once.
func readBody(resp *http.Response) ([]byte, error) {
	var body bytes.Buffer
	if n := resp.ContentLength; n > 0 {
		body.Grow(int(min(n, maxAnswer+1)) + bytes.MinRead)
	}
	_, err := body.ReadFrom(io.LimitReader(resp.Body, maxAnswer+1))
	return body.Bytes(), err
}
