package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/redact"
)

// Options of a client. Where a number is zero, the deployment's limit holds.
type Options struct {
	InFlight          int
	RequestsPerSecond float64 // zero and no limit in the deployment: unlimited
	Timeout           time.Duration
	TimeoutKey        string // where Timeout comes from, for messages; empty: limits.timeout
	MaxRequests       int    // of all operations but the retrieval of files; zero: any number
	MaxBody           int64  // bytes of a file, decompressed; zero: limits.max_file_mib
	// called once for each finished exchange, one at a time; it must not send
	OnExchange func(*Exchange)
	UserAgent  string
	// keep no exchange: Exchange finds none, and memory does not grow with their number
	KeepNoExchanges bool
}

const (
	maxAttempts  = 6
	maxRetryWait = time.Minute // of one Send, for throttling, in all
)

// Client sends the requests of one run. It is safe for concurrent use.
type Client struct {
	deployment *deployment.File
	base       *url.URL
	opts       Options
	transport  *http.Transport
	begun      time.Time
	gate       *requestGate
	budget     *creationBudget
	redactor   *redact.Redactor
	secrets    sync.Map // value -> *deployment.Credential, of each value that a credential has had
	seq        atomic.Int64
	counted    atomic.Int64 // requests that MaxRequests bounds
	created    atomic.Int64 // representatives, by distinct id
	unanswered atomic.Int64 // creations
	// nanoseconds that a file took which was not there at once; 0: not known
	leastWait atomic.Int64
	ctx       context.Context // done when the client is closed
	cancel    context.CancelFunc

	mu       sync.Mutex
	stats    Stats
	origins  map[string]*connectionPool
	kept     map[int]*Exchange
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
	Unanswered   int           // creations without an answer, which may have made one
	Exports      int           // exports accepted
	Waited       time.Duration // sum of the pauses that they caused
	InFlight     int           // on the wire now
	Pause        time.Duration // for so long nothing will be sent, as the deployment asked to wait
	// why nothing more will be sent: the deployment throttles whatever comes; nil: it does not
	Exhausted error
}

// New makes a client for a deployment. It sends nothing. It fails when a file of tls cannot be
// used.
func New(dep *deployment.File, o Options) (*Client, error) {
	base, err := url.Parse(dep.BaseURL)
	if err != nil {
		return nil, err
	}
	o.InFlight = cmp.Or(o.InFlight, dep.Limits.InFlight, 16)
	o.RequestsPerSecond = cmp.Or(o.RequestsPerSecond, dep.Limits.RequestsPerSecond)
	o.Timeout = cmp.Or(o.Timeout, dep.Limits.Timeout, 15*time.Second)
	o.UserAgent = cmp.Or(o.UserAgent, "gateassay")
	transport, err := NewTransport(dep, o.Timeout)
	if err != nil {
		return nil, err
	}
	c := &Client{
		deployment: dep, base: base, opts: o, transport: transport, begun: time.Now(),
		gate:     newRequestGate(o.InFlight, o.RequestsPerSecond),
		budget:   newCreationBudget(dep.Limits.MaxCreates),
		redactor: redact.New(dep),
		origins:  map[string]*connectionPool{},
		kept:     map[int]*Exchange{},
		accepted: map[Operation][]*Exchange{},
	}
	for _, cred := range dep.AllCredentials() {
		if cred.Value != "" {
			c.secrets.Store(cred.Value, cred)
		}
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

// Close ends what is under way and closes every connection. Requests sent afterwards end as
// TroubleCanceled.
func (c *Client) Close() {
	c.gate.close(errClosed)
	c.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, to := range c.origins {
		to.close()
	}
}

// connectionsTo are those to the origin of an address.
func (c *Client) connectionsTo(u *url.URL) *connectionPool {
	c.mu.Lock()
	defer c.mu.Unlock()
	to := c.origins[originOf(u)]
	if to == nil {
		to = newConnectionPool(c.opts.InFlight, func(ctx context.Context) (*http.ClientConn, error) {
			return c.transport.NewClientConn(context.WithValue(ctx, addressKey{}, u), u.Scheme, hostPort(u))
		})
		c.origins[originOf(u)] = to
	}
	return to
}

// Send sends what build makes. After a 429 it waits as the deployment asks, up to a minute, and has
// build make another request, with fresh identifiers if it likes: at most six attempts (build is
// told which, from 1) and about a minute of waiting in all. So it does at once where a token was
// refused that another has replaced. Nothing else is repeated, but after a 503 with a Retry-After
// it waits before it returns. Every attempt is recorded; the last is returned.
func (c *Client) Send(ctx context.Context, build func(attempt int) *Request) *Exchange {
	var waited time.Duration
	for attempt := 1; ; attempt++ {
		r := build(attempt)
		x, wait := c.sendAttempt(ctx, r, attempt)
		waited += wait
		if waited > maxRetryWait || attempt == maxAttempts ||
			wait > 0 && !waitFor(ctx, c, time.After(wait)) {
			return x
		}
		if !x.canRenewToken(r) && (x.Status != http.StatusTooManyRequests || r.MayBlock) {
			return x
		}
	}
}

// SendOnce sends a request once: a second time only where its token was refused that another has
// replaced.
func (c *Client) SendOnce(ctx context.Context, r *Request) *Exchange {
	x, _ := c.sendAttempt(ctx, r, 1)
	if x.canRenewToken(r) {
		x, _ = c.sendAttempt(ctx, r, 2)
	}
	return x
}

// canRenewToken reports whether a token was refused that can be had anew.
func (x *Exchange) canRenewToken(r *Request) bool {
	return x.Err != nil && x.Err.Kind == TroubleTokenEnded && r.Credential.Issuer != nil
}

// sendAttempt sends r and returns how long the deployment asks to wait before the next attempt.
func (c *Client) sendAttempt(
	ctx context.Context, r *Request, attempt int,
) (*Exchange, time.Duration) {
	k, err := c.prepare(r)
	if err != nil {
		return c.unsentExchange(r, attempt, TroubleUnsendable, err.Error()), 0
	}
	k.attempt = attempt
	if _, why := c.admit(ctx, k); why != nil {
		return c.unsentExchange(r, attempt, why.Kind, why.Detail), 0
	}
	if err := c.authenticate(ctx, k); err != nil {
		c.cancelAdmission(k)
		return c.unsentExchange(r, attempt, TroubleUnsendable, err.Error()), 0
	}
	return c.sendAdmitted(ctx, k)
}

// recordAndReport records an exchange and reports it.
func (c *Client) recordAndReport(ctx context.Context, k *pendingRequest, x *Exchange) {
	x.Leaks = c.leakedCredentials(x, k.url.RawQuery)
	c.recordExchange(k, x)
	if x.Err != nil && x.Err.Kind == TroubleTooLarge {
		x.Body = bytes.Clone(x.Body[:min(len(x.Body), recordedFileBytes)])
	}

	c.mu.Lock()
	c.stats.Sent++
	if k.attempt > 1 {
		c.stats.Retries++
	}
	if x.Operation == OperationExport && x.IsSuccess() {
		c.stats.Exports++
	}
	c.keepExchange(x)
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

// Redactor returns the redactor of this run.
func (c *Client) Redactor() *redact.Redactor { return c.redactor }

// keepExchange retains an exchange: an accepted answer of the two operations with its body, as a
// run judges all of them at its end, others apart from their header fields and bodies. It is called
// with c.mu held.
func (c *Client) keepExchange(x *Exchange) {
	if x.IsSuccess() && (x.Operation == OperationCreate || x.Operation == OperationExport) {
		c.accepted[x.Operation] = append(c.accepted[x.Operation], x)
	}
	if c.opts.KeepNoExchanges {
		return
	}
	kept := *x
	kept.Header, kept.Body, kept.Recorded = nil, nil, Record{
		step: x.Recorded.step, sent: x.Recorded.sent, matters: x.Recorded.matters,
		details: x.Recorded.details,
	}
	c.kept[x.Seq] = &kept
}

// Exchange returns a finished exchange by its number, without what was sent and what came; nil when
// there is none.
func (c *Client) Exchange(seq int) *Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[seq]
}

// AcceptedExchanges lists the accepted answers of an operation in the order in which they came,
// with their bodies.
func (c *Client) AcceptedExchanges(op Operation) []*Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.accepted[op])
}

// Stats returns what was done so far.
func (c *Client) Stats() Stats {
	c.mu.Lock()
	s := c.stats
	c.mu.Unlock()
	now := c.gate.snapshot()
	s.PeakInFlight, s.InFlight, s.Pause = now.peak, now.used, max(0, time.Until(now.pausedUntil))
	if errors.Is(now.closed, errExhausted) {
		s.Exhausted = now.closed
	}
	s.Created = int(c.created.Load())
	s.Unanswered = int(c.unanswered.Load())
	return s
}

// InFlightLimit is how many requests may be on the wire at once.
func (c *Client) InFlightLimit() int { return c.opts.InFlight }
