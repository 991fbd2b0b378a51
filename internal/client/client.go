package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/redact"
)

// Options configure a client. For zero numbers the deployment's limits apply.
type Options struct {
	InFlight          int
	RequestsPerSecond float64 // zero here and in the deployment: no limit
	Timeout           time.Duration
	TimeoutKey        string // the source of Timeout, for messages; empty: limits.timeout
	MaxRequests       int    // of all operations but file retrieval; zero: no limit
	MaxBody           int64  // bytes of a file, decompressed; zero: limits.max_file_mib
	// is called once for each finished exchange, never concurrently; it must not send requests
	OnExchange func(*Exchange)
	UserAgent  string
	// drop exchanges: Exchange returns nil, and memory stays bounded
	KeepNoExchanges bool
}

const (
	maxAttempts  = 6
	maxPostponed = 4           // attempts of an export that is refused beside others
	maxRetryWait = time.Minute // total waiting of one Send for throttling
)

// Client sends the requests of one run. It is safe for concurrent use.
type Client struct {
	deployment *deployment.File
	base       *url.URL
	opts       Options
	transport  *http.Transport
	begun      time.Time
	gate       *requestGate
	exports    *semaphore.Weighted // 1 for each export in flight; all: see HoldExports
	budget     *creationBudget
	redactor   *redact.Redactor
	secrets    sync.Map // value -> *deployment.Credential, replaced tokens included
	seq        atomic.Int64
	counted    atomic.Int64 // requests that count against MaxRequests
	created    atomic.Int64 // representatives, by distinct id
	unanswered atomic.Int64 // creations without an answer
	awaited    atomic.Int64 // files, see Stats
	// nanoseconds that the fastest file took which was not ready at once; 0: none yet
	leastWait atomic.Int64
	// the status of exports that are refused beside others, see RetryExportsAfter; 0: none
	exportLimit atomic.Int32
	ctx         context.Context // done when the client is closed
	cancel      context.CancelFunc

	mu      sync.Mutex
	stats   Stats
	origins map[string]*connectionPool
	kept    map[int]*Exchange
	whole   map[Operation][]*Exchange // all creations, accepted exports

	report sync.Mutex // serializes OnExchange
}

// Stats counts what a client has done so far.
type Stats struct {
	Sent         int           // requests sent, including retries
	Retries      int           // attempts after the first
	Throttled    int           // answers that throttle, see reportToGate
	Postponed    int           // of Throttled: exports, see RetryExportsAfter
	Unavailable  int           // answers 503
	PeakInFlight int           // maximum number of requests on the wire at once
	Created      int           // representatives created, by distinct id
	Unanswered   int           // creations without an answer, which may have made one
	Exports      int           // accepted exports
	Waited       time.Duration // total pauses due to throttling
	InFlight     int           // requests on the wire now
	Awaited      int           // files that are not ready and are asked for again later
	Pause        time.Duration // time until requests are sent again, as the deployment asked
	// why the client stopped sending: the deployment throttles every request; nil: it did not stop
	Exhausted error
}

// New returns a client for a deployment. It sends nothing. It fails if a file named under tls
// is unusable.
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
		gate:    newRequestGate(o.InFlight, o.RequestsPerSecond),
		exports: semaphore.NewWeighted(math.MaxInt64),
		budget:  newCreationBudget(dep.Limits.MaxCreates), redactor: redact.New(dep),
		origins: map[string]*connectionPool{}, kept: map[int]*Exchange{},
		whole: map[Operation][]*Exchange{},
	}
	for _, cred := range dep.AllCredentials() {
		if cred.Value != "" {
			c.secrets.Store(cred.Value, cred)
		}
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

// Close cancels pending requests and closes every connection. Later requests fail with
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

// connectionsTo returns the pool of connections to a URL's origin.
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

// Send sends the request that build returns. After a 429 it waits as long as the deployment asks,
// and calls build again with the number of the attempt (from 1), so that build can use fresh
// identifiers. It makes at most six attempts and waits about a minute in total. It retries at once
// if the 401 was for a token that expired or was replaced. Other answers are not retried, unless
// RetryExportsAfter names them; after a 503 with a Retry-After, Send waits before it returns. Every
// attempt is recorded; the last is returned.
func (c *Client) Send(ctx context.Context, build func(attempt int) *Request) *Exchange {
	var waited time.Duration
	for attempt := 1; ; attempt++ {
		r := build(attempt)
		x, wait := c.sendAttempt(ctx, r, attempt)
		waited += wait
		if waited > maxRetryWait || attempt == maxAttempts || x.postponed && attempt == maxPostponed ||
			wait > 0 && !waitFor(ctx, c, time.After(wait)) {
			return x
		}
		if !x.canRenewToken(r) && !x.postponed &&
			(x.Status != http.StatusTooManyRequests || r.MayBlock) {
			return x
		}
	}
}

// SendOnce sends a request once. It sends it again only if the 401 was for a token that expired or
// was replaced.
func (c *Client) SendOnce(ctx context.Context, r *Request) *Exchange {
	x, _ := c.sendAttempt(ctx, r, 1)
	if x.canRenewToken(r) {
		x, _ = c.sendAttempt(ctx, r, 2)
	}
	return x
}

// canRenewToken reports whether the request was refused for a token that can be renewed.
func (x *Exchange) canRenewToken(r *Request) bool {
	return x.Err != nil && x.Err.Kind == TroubleTokenEnded && r.Credential.Issuer != nil
}

// sendAttempt sends r and returns how long to wait before the next attempt.
func (c *Client) sendAttempt(
	ctx context.Context, r *Request, attempt int,
) (*Exchange, time.Duration) {
	calls, why := c.prepareAndAdmit(ctx, attempt, r)
	if why != nil {
		return c.unsentExchange(r, attempt, why), 0
	}
	return c.sendAdmitted(ctx, calls[0])
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
	if x.Status == http.StatusServiceUnavailable {
		c.stats.Unavailable++
	}
	if k.attempt > 1 {
		c.stats.Retries++
	}
	if x.Operation == OperationExport && x.IsSuccess() {
		c.stats.Exports++
	}
	c.keepExchange(x)
	c.mu.Unlock()

	if t, ok := ctx.Value(traceKey{}).(*Trace); ok && t != nil { // nil: not traced
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

// keepExchange stores an exchange without its headers and bodies. It also stores creations and
// accepted exports in full, because the end of a run judges them together. The caller holds c.mu.
func (c *Client) keepExchange(x *Exchange) {
	if x.Operation == OperationCreate || x.Operation == OperationExport && x.IsSuccess() {
		c.whole[x.Operation] = append(c.whole[x.Operation], x)
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

// Exchange returns a finished exchange by its number, without headers and bodies, or nil.
func (c *Client) Exchange(seq int) *Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[seq]
}

// AcceptedExchanges returns the accepted exchanges of an operation with their bodies, in order
// of arrival.
func (c *Client) AcceptedExchanges(op Operation) []*Exchange {
	return slices.DeleteFunc(c.wholeExchanges(op), func(x *Exchange) bool { return !x.IsSuccess() })
}

// Creations returns all creations with their bodies, whatever came of them, in order of arrival.
func (c *Client) Creations() []*Exchange { return c.wholeExchanges(OperationCreate) }

func (c *Client) wholeExchanges(op Operation) []*Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.whole[op])
}

// Stats returns the current counts.
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
	s.Awaited = int(c.awaited.Load())
	return s
}

// InFlightLimit returns how many requests may be on the wire at once.
func (c *Client) InFlightLimit() int { return c.opts.InFlight }
