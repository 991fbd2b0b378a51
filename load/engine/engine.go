// Package engine sends the requests of a load run on schedule, judges each answer, and passes
// the results to a sink. There are two engines: vegeta drives vegeta's Attacker over net/http,
// and direct runs its own loop over fasthttp. Both measure response time from when a request was
// due.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

// A Sink takes results. Record must be safe for concurrent use. r and what it points to are
// valid only until Record returns.
type Sink interface {
	Record(r *RequestResult)
}

// A RequestResult is the outcome of one request.
type RequestResult struct {
	K         int64
	Request   *traffic.Request // Expect is the expectation it was judged by
	Judgement judge.Judgement

	Status     int         // of a complete answer; 0: none
	RetryAfter bool        // the answer has a Retry-After header
	Header     http.Header // of the answer; it may be missing if the class is not bad
	Body       []byte
	Err        error // reason for no answer; nil: there is one

	Intended time.Duration // due time T(k), from the start of the run
	Lag      time.Duration // from T(k) until the request was sent
	Queued   bool          // all allowed workers were busy, so Lag is not the generator's fault
	Service  time.Duration // from sending until the complete answer
	Response time.Duration // from T(k) until the complete answer
}

// Target is the operation under load, with what all requests to it share.
type Target struct {
	URL        *url.URL
	Header     http.Header // User-Agent, Content-Type, Accept and the like
	Identities []Identity  // users that take turns; none: only Header is sent
}

// An Identity is a user that requests are sent as.
type Identity struct {
	Name   string                      // for results
	Header func() (name, value string) // the credential to send now; it must not block
}

// Config configures a run.
type Config struct {
	Engine   string // plan.EngineVegeta or plan.EngineDirect; empty: vegeta
	Schedule *schedule.Schedule
	Share    *schedule.Share // requests that this process sends; nil: all

	Target   Target
	Source   *traffic.Generator
	Judge    *judge.Judge
	HTTP     *transport.NetHTTP  // of the vegeta engine
	FastHTTP *transport.FastHTTP // of the direct engine
	Sink     Sink
	Raw      func(vegeta.Result) // takes vegeta's own results; may be nil

	StartAt     time.Time     // zero: at once
	MaxLateness time.Duration // how much later than StartAt a run may start; 0: 100 ms
	MaxInFlight int           // more requests wait, and the wait counts as response time; 0: no limit
	MaxWorkers  int           // each uses a connection; 0: 10,000
	Grace       time.Duration // time for requests in flight after a stop, before they are canceled
}

// Summary describes a finished run.
type Summary struct {
	Start          time.Time     // the moment that T(k) counts from
	Elapsed        time.Duration // from Start to the last answer
	Sent           int64         // requests handed to the transport
	Unsent         int64         // requests of this shard not sent before a stop
	SkippedRepeats int64         // repeats sent as fresh requests, see fillRequest
}

// ErrStartPassed is returned if StartAt passed more than MaxLateness ago. Nothing was sent.
var ErrStartPassed = errors.New("the moment to start has passed: nothing was sent")

// DefaultMaxWorkers limits the requests in flight unless the configuration does.
const DefaultMaxWorkers = 10_000

const defaultMaxLateness = 100 * time.Millisecond

// An Engine carries out one run. Call Run only once.
type Engine struct {
	config         Config
	limit          int // workers at once
	ledger         *traffic.AcceptedLedger
	skippedRepeats atomic.Int64
	runner         runner
}

type runner interface {
	run(ctx context.Context, start time.Time) (elapsed time.Duration)
	state() (begun, inFlight int64)
	eachInFlight(f func(due, sent time.Duration))
}

// New makes an engine.
func New(c Config) *Engine {
	c.MaxWorkers = cmp.Or(c.MaxWorkers, DefaultMaxWorkers)
	if c.Share == nil {
		c.Share = c.Schedule.NewShare(0, 1, nil)
	}
	e := &Engine{
		config: c, limit: c.MaxWorkers, ledger: c.Source.NewLedger(cmp.Or(c.MaxInFlight, 20_000)),
	}
	if c.MaxInFlight > 0 {
		e.limit = min(e.limit, c.MaxInFlight)
	}
	e.runner = &vegetaRunner{e: e, cursor: c.Share.NewCursor(), hits: map[uint64]*vegetaHit{}}
	if c.Engine == plan.EngineDirect {
		e.runner = &directRunner{e: e, waiting: c.Share.NewCursor()}
	}
	return e
}

// Run sends the whole schedule, or stops when ctx ends. It returns when no request is in flight
// and no goroutine is left. The transport stays open unless requests had to be canceled.
func (e *Engine) Run(ctx context.Context) (Summary, error) {
	start := time.Now()
	if at := e.config.StartAt; !at.IsZero() {
		if start.Sub(at) > cmp.Or(e.config.MaxLateness, defaultMaxLateness) {
			return Summary{Start: at, Unsent: e.config.Share.Count()},
				fmt.Errorf("%w (it was %s, now it is %s)", ErrStartPassed, at.Format(time.RFC3339Nano),
					start.Format(time.RFC3339Nano))
		}
		start = start.Add(at.Sub(start)) // monotonic: setting the clock does not disturb the run
	}
	elapsed := e.runner.run(ctx, start)
	sent, _ := e.State()
	return Summary{
		Start: start, Elapsed: elapsed, Sent: sent, Unsent: e.config.Share.Count() - sent,
		SkippedRepeats: e.skippedRepeats.Load(),
	}, nil
}

// State returns the number of requests begun so far and of those in flight. It is safe for
// concurrent use.
func (e *Engine) State() (begun, inFlight int64) { return e.runner.state() }

// EachInFlight calls f for each request that waits for its answer, with the moments when it was
// due and when it was sent, from the start of the run. It is safe for concurrent use.
func (e *Engine) EachInFlight(f func(due, sent time.Duration)) { e.runner.eachInFlight(f) }

// whenStopped calls stop when ctx ends, and cancel if requests are in flight for longer than
// Grace after that. The caller must call ended when none is in flight.
func (e *Engine) whenStopped(ctx context.Context, stop, cancel func()) (ended func()) {
	done := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		stop()
		select {
		case <-time.After(e.config.Grace):
			cancel()
		case <-done:
		}
	})
	return func() {
		forget()
		close(done)
	}
}

// minSleep is the shortest time between two wake-ups of the scheduler. On an idle machine a
// wake-up costs more than sending a request. So above 1,000 requests per second, requests due
// within a millisecond are sent together: up to a millisecond late, never early. The delay
// counts as lag.
const minSleep = time.Millisecond

type precisionSleeper struct {
	start time.Time
	woken time.Duration
	timer *time.Timer
}

func newPrecisionSleeper(start time.Time) *precisionSleeper {
	return &precisionSleeper{start: start, timer: time.NewTimer(time.Hour)}
}

func (s *precisionSleeper) now() time.Duration { return time.Since(s.start) }

// until waits for a moment or the end of ctx and returns the time since the start. It wakes at
// most once per minSleep.
func (s *precisionSleeper) until(ctx context.Context, at time.Duration) time.Duration {
	now := s.now()
	if now >= at {
		return now
	}
	s.timer.Reset(max(at, s.woken+minSleep) - now)
	select {
	case <-s.timer.C:
	case <-ctx.Done():
	}
	s.woken = s.now()
	return s.woken
}

// RelaxGarbageCollector makes the garbage collector run less often. It is meant for programs
// that only generate load.
func RelaxGarbageCollector() { debug.SetGCPercent(200) }
