// Package engine sends the requests of a load run when its schedule says, judges each answer, and
// hands what it measured to a sink. Two engines do the same work: vegeta drives vegeta's Attacker
// over net/http, direct has its own loop over fasthttp. Both count response time from when a
// request was due.
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

// Sink takes results. Record may be called from several goroutines at once; what r points to is
// valid until it returns.
type Sink interface {
	Record(r *RequestResult)
}

// RequestResult is what became of one request.
type RequestResult struct {
	K         int64
	Request   *traffic.Request // Expect is as it was judged
	Judgement judge.Judgement

	Status int         // of a whole answer; 0: there was none
	Header http.Header // of an answer whose class is bad
	Body   []byte
	Err    error // why there is no answer

	Intended time.Duration // T(k), when it was due, from the start of the run
	Lag      time.Duration // from T(k) until it was sent
	Queued   bool          // all workers allowed were busy: Lag is no fault of the generator
	Service  time.Duration // from sending until the whole answer
	Response time.Duration // from T(k) until the whole answer
}

// Target is the operation under load and what every request to it carries.
type Target struct {
	URL        *url.URL
	Header     http.Header // User-Agent, Content-Type, Accept and the like
	Identities []Identity  // whose credentials take turns; none: Header holds what there is
}

// Identity is a user that requests are sent as.
type Identity struct {
	Name   string                      // for results
	Header func() (name, value string) // the credential to send now; it must not block
}

// Config of a run.
type Config struct {
	Engine   string // plan.EngineVegeta or plan.EngineDirect; empty: Vegeta
	Schedule *schedule.Schedule
	Share    *schedule.Share // what this process sends of it; nil: all

	Target   Target
	Source   *traffic.Generator
	Judge    *judge.Judge
	HTTP     *transport.NetHTTP  // of the vegeta engine
	FastHTTP *transport.FastHTTP // of the direct engine
	Sink     Sink
	Raw      func(vegeta.Result) // takes vegeta's own results; nil: nothing does

	StartAt     time.Time     // zero: at once
	MaxInFlight int           // further requests wait, and their time counts; 0: no limit
	MaxWorkers  int           // each has a connection; 0: 10,000
	Grace       time.Duration // for what is in flight when the run is stopped, before it is cut
}

// Summary is what a run did.
type Summary struct {
	Start          time.Time     // what T(k) counts from
	Elapsed        time.Duration // until the last answer
	Sent           int64         // handed to the transport
	Unsent         int64         // of this shard, when the run was stopped
	SkippedRepeats int64         // repeats sent as fresh requests, see fill
}

// ErrStartPassed is returned, with nothing sent, when StartAt has passed.
var ErrStartPassed = errors.New("the moment to start has passed: nothing was sent")

const (
	defaultMaxWorkers = 10_000
	maxStartDelay     = 100 * time.Millisecond // a process that gets going this late still starts
)

// Engine is one run. Run may be called once.
type Engine struct {
	config Config
	limit  int // workers at once
	ledger *traffic.AcceptedLedger
	spared atomic.Int64
	runner runner
}

type runner interface {
	run(ctx context.Context, start time.Time) (elapsed time.Duration)
	state() (begun, inFlight int64)
}

// New makes an engine.
func New(c Config) *Engine {
	c.MaxWorkers = cmp.Or(c.MaxWorkers, defaultMaxWorkers)
	if c.Share == nil {
		c.Share = c.Schedule.NewShare(0, 1, nil)
	}
	e := &Engine{
		config: c, limit: c.MaxWorkers,
		ledger: c.Source.NewLedger(cmp.Or(c.MaxInFlight, 20_000)),
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

// Run sends the whole schedule, or stops when the context ends. It returns when no request is in
// flight and no goroutine is left. The transport stays open, unless requests had to be cut.
func (e *Engine) Run(ctx context.Context) (Summary, error) {
	start := time.Now()
	if at := e.config.StartAt; !at.IsZero() {
		if start.Sub(at) > maxStartDelay {
			return Summary{Start: at, Unsent: e.config.Share.Count()},
				fmt.Errorf("%w (it was %s, now it is %s)", ErrStartPassed, at.Format(time.RFC3339Nano),
					start.Format(time.RFC3339Nano))
		}
		start = start.Add(at.Sub(start)) // monotonic: setting the clock does not disturb the run
	}
	elapsed := e.runner.run(ctx, start)
	sent, _ := e.State()
	return Summary{
		Start: start, Elapsed: elapsed, Sent: sent,
		Unsent:         e.config.Share.Count() - sent,
		SkippedRepeats: e.spared.Load(),
	}, nil
}

// State counts the requests begun so far, and those in flight. It is safe for concurrent use.
func (e *Engine) State() (begun, inFlight int64) { return e.runner.state() }

// minSleep is the least time between two wakings of the scheduler. On an idle machine each costs
// more than sending a request does, so above 1,000 requests a second those that fall due within a
// millisecond are sent together: up to that late, never early, and reported as lag.
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

// until waits for a moment, or for the end of the context, and returns the time since the start. It
// wakes once in a tick at most.
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

// RelaxGarbageCollector lets Go's garbage collector run less often, for programs that only drive
// load.
func RelaxGarbageCollector() { debug.SetGCPercent(200) }
