package client

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/redact"
)

// Options of a client. Where a number is zero, the deployment's limit holds.
type Options struct {
	InFlight          int
	RequestsPerSecond float64 // zero and no limit in the deployment: unlimited
	Timeout           time.Duration
	TimeoutKey        string // where Timeout comes from, for messages; empty: limits.timeout
	MaxCreates        int
	MaxRequests       int             // of all operations but the retrieval of files; zero: any number
	MaxBody           int64           // bytes of a file, decompressed; zero: limits.max_file_mib
	OnExchange        func(*Exchange) // called once for each finished exchange, one at a time; it must not send
	UserAgent         string
	Forget            bool // keep no exchange: Exchange finds none, and memory does not grow with their number
}

const (
	maxAnswer    = 1 << 20  // bytes of an answer that is not a file
	maxHeader    = 64 << 10 // bytes of the headers of an answer
	headOfFile   = 8 << 10  // bytes that stay of a file
	mostAttempts = 6
	longestWait  = time.Minute // of one Send, for throttling, in all
)

// Client sends the requests of one run. It is safe for concurrent use.
type Client struct {
	dep       *deployment.File
	base      *url.URL
	opts      Options
	transport *http.Transport
	unkept    *http.Transport // each request on a connection of its own
	broken    atomic.Int64    // kept connections that broke before an answer
	gate      *gate
	budget    *budget
	redactor  *redact.Redactor
	grants    sync.Map // token -> *deployment.Credential, of those that are issued during the run
	protocols sync.Map // host -> "HTTP/1.1", "HTTP/2.0"
	seq       atomic.Int64
	counted   atomic.Int64    // requests that MaxRequests bounds
	leastWait atomic.Int64    // nanoseconds that a file took which was not there at once; 0: not known
	ctx       context.Context // done when the client is closed
	cancel    context.CancelFunc

	mu       sync.Mutex
	stats    Stats
	kept     map[int]*Exchange
	keptSize int
	large    int // bytes of large answers that were read
	accepted map[Operation][]*Exchange

	report sync.Mutex // serializes OnExchange
}

// Stats says what a client has done so far.
type Stats struct {
	Sent         int           // requests that went out, repeated attempts included
	Retries      int           // attempts after the first, each after a 429
	Throttled    int           // answers 429, and 503 that said when to come again
	PeakInFlight int           // most requests on the wire at one moment
	Created      int           // representatives created, by distinct id
	Exports      int           // exports accepted
	Waited       time.Duration // sum of the pauses that they caused
}

// New makes a client for a deployment. It sends nothing. It fails when the base URL, the proxy or a file of tls cannot
// be used.
func New(dep *deployment.File, o Options) (*Client, error) {
	base, err := url.Parse(dep.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, fmt.Errorf("base_url: expected an address such as https://gateway.example, found %q", dep.BaseURL)
	}
	o.InFlight = cmp.Or(max(o.InFlight, 0), max(dep.Limits.InFlight, 0), 16)
	o.RequestsPerSecond = cmp.Or(max(o.RequestsPerSecond, 0), max(dep.Limits.RequestsPerSecond, 0))
	o.Timeout = cmp.Or(max(o.Timeout, 0), max(dep.Limits.Timeout, 0), 15*time.Second)
	o.MaxCreates = cmp.Or(max(o.MaxCreates, 0), dep.Limits.MaxCreates)
	o.UserAgent = cmp.Or(o.UserAgent, "gateassay")
	transport, err := Transport(dep, o.Timeout)
	if err != nil {
		return nil, err
	}
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 2*o.InFlight+16, o.InFlight
	c := &Client{
		dep: dep, base: base, opts: o, transport: transport, unkept: transport.Clone(),
		gate:     newGate(o.InFlight, o.RequestsPerSecond),
		budget:   newBudget(o.MaxCreates),
		redactor: redact.New(dep),
		kept:     map[int]*Exchange{},
		accepted: map[Operation][]*Exchange{},
	}
	c.unkept.DisableKeepAlives = true
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

// Close ends what is under way and closes every connection. Requests sent afterwards end as Canceled.
func (c *Client) Close() {
	c.gate.close(errClosed)
	c.cancel()
	c.transport.CloseIdleConnections()
	c.unkept.CloseIdleConnections()
}

// Send sends what build makes. After a 429 it waits as the deployment asks, up to a minute, and has build make another
// request, with fresh identifiers if it likes: at most six attempts (build is told which, from 1) and about a minute
// of waiting in all. Nothing else is repeated, but after a 503 with a Retry-After it waits before it returns. Every
// attempt is recorded; the last is returned.
func (c *Client) Send(ctx context.Context, build func(attempt int) *Request) *Exchange {
	var waited time.Duration
	for attempt := 1; ; attempt++ {
		r := build(attempt)
		x, wait := c.once(ctx, r, attempt)
		waited += wait
		if waited > longestWait || attempt == mostAttempts || wait > 0 && !c.rest(ctx, wait) {
			return x
		}
		if x.Status != http.StatusTooManyRequests || r.MayBlock || r.AtOnce {
			return x
		}
	}
}

// rest waits, and reports whether the time passed without an end of the context or the client.
func (c *Client) rest(ctx context.Context, wait time.Duration) bool {
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
	case <-c.ctx.Done():
	}
	return false
}

// Once sends a request exactly once.
func (c *Client) Once(ctx context.Context, r *Request) *Exchange {
	x, _ := c.once(ctx, r, 1)
	return x
}

// once sends r and returns how long the deployment asks to wait before the next attempt.
func (c *Client) once(ctx context.Context, r *Request, n int) (*Exchange, time.Duration) {
	k, err := c.prepare(ctx, r)
	if err != nil {
		return c.unsent(r, n, Unsent, err.Error()), 0
	}
	k.attempt = n
	return c.single(ctx, k)
}

func (c *Client) single(ctx context.Context, k *call) (*Exchange, time.Duration) {
	if _, why := c.admit(ctx, k); why != nil {
		return c.unsent(k.req, k.attempt, why.Kind, why.Detail), 0
	}
	return c.carry(ctx, k)
}

// finish settles what an exchange counts for, records it and reports it.
func (c *Client) finish(ctx context.Context, k *call, x *Exchange) {
	c.count(k, x)
	x.Leaks = c.leaks(x)
	c.record(k, x)
	if x.Err != nil && x.Err.Kind == TooLarge {
		x.Body = bytes.Clone(x.Body[:min(len(x.Body), headOfFile)])
	}

	c.mu.Lock()
	c.stats.Sent++
	if k.attempt > 1 {
		c.stats.Retries++
	}
	if x.Operation == Export && x.Success() {
		c.stats.Exports++
	}
	c.keep(x)
	c.keepAccepted(x)
	c.mu.Unlock()

	if t, ok := ctx.Value(traceKey{}).(*Trace); ok && t != nil { // nil: outside of any trace
		t.add(x)
	}
	if c.opts.OnExchange != nil {
		c.report.Lock()
		defer c.report.Unlock()
		c.opts.OnExchange(x)
	}
}

// Stats returns what was done so far.
func (c *Client) Stats() Stats {
	c.mu.Lock()
	s := c.stats
	c.mu.Unlock()
	s.PeakInFlight = c.gate.now().peak
	s.Created = len(c.budget.list())
	return s
}

// Created returns the ids of the representatives created, in the order seen.
func (c *Client) Created() []string { return c.budget.list() }

// Redactor returns the redactor of this run.
func (c *Client) Redactor() *redact.Redactor { return c.redactor }

// Exchange returns a finished exchange by its number, without the raw answer; nil when there is none.
func (c *Client) Exchange(seq int) *Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[seq]
}

const (
	keptInAll = 24 << 20 // bytes of bodies retained; beyond, each keeps its beginning only
	keptEach  = 2 << 10
)

// keep retains the recorded part of an exchange.
func (c *Client) keep(x *Exchange) {
	if c.opts.Forget {
		return
	}
	copied := *x
	copied.Header, copied.Body = nil, nil
	r := &copied.Recorded
	if c.keptSize > keptInAll && max(len(r.RequestBody), len(r.ResponseBody)) > keptEach {
		r.RequestBody = bytes.Clone(r.RequestBody[:min(len(r.RequestBody), keptEach)])
		r.ResponseBody = bytes.Clone(r.ResponseBody[:min(len(r.ResponseBody), keptEach)])
		r.Comment = join(r.Comment, "shortened: the run already holds too many large bodies")
	}
	c.keptSize += len(r.RequestBody) + len(r.ResponseBody) + len(r.Curl)
	c.kept[x.Seq] = &copied
}
