// Package engine sends the requests of a load run at the moments that its schedule means them to be
// sent, judges each answer, and hands what it measured to a sink. Two engines do the same work:
// vegeta drives vegeta's Attacker over net/http, direct has a loop of its own over fasthttp. Both
// count response time from the intended moment.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

// Name of an engine, as --engine spells it.
type Name string

// The engines.
const (
	Vegeta Name = "vegeta" // the default
	Direct Name = "direct"
)

// Sink takes what became of each request. Record is called on the goroutine that sent it, by the
// vegeta engine on the one that reads vegeta's results; what r points to is valid until it returns.
type Sink interface {
	Record(r *Result)
}

// Result is what became of one request.
type Result struct {
	K       int64
	Request *traffic.Request // Expect is as it was judged
	Verdict judge.Verdict

	Status int         // of the answer; 0: there was none that could be read to its end
	Header http.Header // of an answer whose class is bad
	Body   []byte
	Err    error // why there is no answer

	Intended time.Duration // T(k), from the start of the run
	Lag      time.Duration // from T(k) until a worker began with it
	// it had to wait as all workers allowed were busy: Lag is then no fault of the generator
	Queued   bool
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
	Header func() (name, value string) // the credential, as it is to be sent now; it must not wait
}

// Config of a run.
type Config struct {
	Name     Name // empty: Vegeta
	Schedule *schedule.Schedule
	Share    *schedule.Share // what this process sends of it; nil: all

	Target   Target
	Source   *traffic.Generator
	Judge    *judge.Judge
	HTTP     *transport.HTTP     // of the vegeta engine
	FastHTTP *transport.FastHTTP // of the direct engine
	Sink     Sink
	// takes what vegeta's Attacker itself says of each request that was sent; nil: nobody does
	Raw func(vegeta.Result)

	StartAt time.Time // zero: at once
	// further requests wait, and their response time counts on; 0: no limit
	MaxInFlight int
	// bound of what the engine itself may use, as each has a connection; 0: 10,000
	MaxWorkers int
	// what is in flight when the run is stopped may go on for this long, then it is cut
	Grace time.Duration
}

// Summary is what a run did.
type Summary struct {
	Start   time.Time     // T(0) is meant for here
	Elapsed time.Duration // until the last answer
	Sent    int64         // handed to the transport
	Unsent  int64         // of this shard: never begun, as the run was stopped
	// repeats that were sent as fresh requests, as their originals were not accepted by then
	Spared int64
}

// ErrLate is returned, with nothing sent, when StartAt has passed.
var ErrLate = errors.New("the moment to start has passed: nothing was sent")

const (
	defaultMaxWorkers = 10_000
	lateAfter         = 100 * time.Millisecond // a process that gets going this late still starts
)

// Engine is one run. Run may be called once.
type Engine struct {
	o      Config
	limit  int // workers at once
	ledger *traffic.Ledger
	spared atomic.Int64
	runner runner
}

type runner interface {
	run(ctx context.Context, start time.Time) (elapsed time.Duration)
	state() (begun, inFlight int64)
}

// New makes the engine that is named, by default that of vegeta.
func New(o Config) *Engine {
	o.MaxWorkers = cmp.Or(o.MaxWorkers, defaultMaxWorkers)
	if o.Share == nil {
		o.Share = o.Schedule.Share(0, 1, nil)
	}
	e := &Engine{o: o, limit: o.MaxWorkers,
		ledger: o.Source.NewLedger(cmp.Or(o.MaxInFlight, 20_000))}
	if o.MaxInFlight > 0 {
		e.limit = min(e.limit, o.MaxInFlight)
	}
	e.runner = &vegetaRun{e: e, cursor: o.Share.Cursor(), hits: map[uint64]*hit{}}
	if o.Name == Direct {
		e.runner = &direct{e: e, waiting: o.Share.Cursor()}
	}
	return e
}

// Run sends the whole schedule, or stops sending as soon as the context ends. It returns when no
// request is in flight and no goroutine of the run is left. The transport stays open, unless
// requests had to be cut.
func (e *Engine) Run(ctx context.Context) (Summary, error) {
	start := time.Now()
	if at := e.o.StartAt; !at.IsZero() {
		if start.Sub(at) > lateAfter {
			return Summary{Start: at, Unsent: e.o.Share.Count()},
				fmt.Errorf("%w (it was %s, now it "+
					"is %s)", ErrLate, at.Format(time.RFC3339Nano), start.Format(time.RFC3339Nano))
		}
		// with a monotonic reading, so that a clock that is set cannot disturb the run
		start = start.Add(at.Sub(start))
	}
	elapsed := e.runner.run(ctx, start)
	sent, _ := e.State()
	return Summary{Start: start, Elapsed: elapsed, Sent: sent, Unsent: e.o.Share.Count() - sent,
		Spared: e.spared.Load()}, nil
}

// State says how many requests were begun so far, and how many are in flight. It may be called at
// any time, from any goroutine.
func (e *Engine) State() (begun, inFlight int64) { return e.runner.state() }
