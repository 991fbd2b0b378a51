// Package engine sends the requests of a load run at the moments that its schedule means them to be sent, judges each
// answer, and hands what it measured to a sink. Two engines do the same work: direct has a loop of its own that
// allocates nothing for a request, vegeta drives vegeta's Attacker. Both count response time from the intended moment.
package engine

import (
	"context"
	"errors"
	"fmt"
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
	Direct Name = "direct"
	Vegeta Name = "vegeta"
)

// Source makes request k; *traffic.Generator is one.
type Source interface {
	Fill(k int64, r *traffic.Request)
}

// Ledger remembers which requests were accepted; *traffic.Ledger is one.
type Ledger interface {
	Accept(k int64)
	Accepted(k int64) bool
}

// Sink takes what became of each request. Record is called on the goroutine that sent it, by the vegeta engine on the
// one that reads vegeta's results; what r points to is valid until it returns. Shards count from 0, low ones are the busiest, and two calls with one shard never overlap. Their
// number is bounded by Options.MaxWorkers, so a sink with fewer shards takes the remainder and a lock.
type Sink interface {
	Record(shard int, r *Result)
}

// Result is what became of one request.
type Result struct {
	K        int64
	Request  *traffic.Request    // Expect is as it was judged
	Exchange *transport.Exchange // times count from the start of the run
	Verdict  judge.Verdict

	Intended time.Duration // T(k), from the start of the run
	Lag      time.Duration // from T(k) until a worker began with it
	Queued   bool          // it had to wait as all workers allowed were busy: Lag is then no fault of the generator
	Service  time.Duration // from sending, after connecting where that was needed, until the whole answer
	Response time.Duration // from T(k) until the whole answer

	Vegeta *vegeta.Result // vegeta's own result; nil from the direct engine, see AsVegeta
}

// Target is the operation under load and what every request to it carries.
type Target struct {
	URL    string            // for results in vegeta's encoding
	Path   string            // with its query
	Fields []transport.Field // credential, Content-Type, Accept and the like
}

// Saturation replaces the schedule: each worker sends its next request once the last is answered.
type Saturation struct {
	Workers  int
	Requests int64         // ends after so many; 0: no bound
	For      time.Duration // ends after so long; 0: no bound
}

// Options of a run.
type Options struct {
	Name       Name // empty: Direct
	Schedule   *schedule.Schedule
	Shard      int // of Shards
	Shards     int // 0: 1
	Saturation *Saturation

	Target    Target
	Source    Source
	Ledger    Ledger // nil: nothing is remembered, every repeat is judged as Either
	Judge     *judge.Judge
	Transport transport.Transport
	Sink      Sink

	StartAt     time.Time     // zero: at once
	MaxInFlight int           // further requests wait, and their response time counts on; 0: no limit
	MaxWorkers  int           // bound of what the engine itself may use, as each has a connection; 0: 10,000
	Idle        time.Duration // workers beyond what is needed end, with their connections, after this; 0: 5 s
	Grace       time.Duration // what is in flight when the run is stopped may go on for this long, then it is cut
}

// Summary is what a run did. What was neither sent nor counted as unsent does not exist: Planned = Sent + Unsent.
type Summary struct {
	Start        time.Time     // T(0) is meant for here
	Elapsed      time.Duration // until the last answer
	Planned      int64         // requests of this shard; with saturation, those that were sent
	Sent         int64         // handed to the transport
	Unsent       int64         // never begun, as the run was stopped
	PeakInFlight int
	Stopped      bool // before the schedule was through
}

// State is a glance at a run that goes on.
type State struct {
	Released int64 // due so far
	Begun    int64 // taken by a worker so far
	InFlight int
	Waiting  int64 // due, and no worker free
}

// ErrLate is returned, with nothing sent, when StartAt has passed.
var ErrLate = errors.New("the moment to start has passed: nothing was sent")

const (
	defaultMaxWorkers = 10_000
	defaultIdle       = 5 * time.Second
	lateAfter         = 100 * time.Millisecond // a process that gets going this late still starts
)

// Engine is one run. Run may be called once.
type Engine struct {
	o      Options
	limit  int // workers at once
	runner runner
}

type runner interface {
	run(ctx context.Context, start time.Time) Summary
	state() State
}

// New checks the options. An error names the one that is missing or wrong.
func New(o Options) (*Engine, error) {
	switch {
	case o.Source == nil || o.Judge == nil || o.Transport == nil || o.Sink == nil:
		return nil, errors.New("engine: Source, Judge, Transport and Sink must be given")
	case o.Schedule == nil && o.Saturation == nil || o.Schedule != nil && o.Saturation != nil:
		return nil, errors.New("engine: give either a schedule or saturation")
	case o.Saturation != nil && o.Saturation.Workers < 1:
		return nil, fmt.Errorf("engine: saturation needs at least one worker, not %d", o.Saturation.Workers)
	case o.MaxInFlight < 0 || o.MaxWorkers < 0:
		return nil, errors.New("engine: a limit is negative; 0 stands for none")
	}
	if o.Shards == 0 {
		o.Shards = 1
	}
	if o.Shard < 0 || o.Shard >= o.Shards {
		return nil, fmt.Errorf("engine: shard %d of %d", o.Shard, o.Shards)
	}
	if o.MaxWorkers == 0 {
		o.MaxWorkers = defaultMaxWorkers
	}
	if o.Idle <= 0 {
		o.Idle = defaultIdle
	}
	if o.Ledger == nil {
		o.Ledger = noLedger{}
	}
	e := &Engine{o: o, limit: o.MaxWorkers}
	if o.MaxInFlight > 0 {
		e.limit = min(e.limit, o.MaxInFlight)
	}
	if o.Saturation != nil {
		e.limit = o.Saturation.Workers
	}
	switch o.Name {
	case Direct, "":
		e.runner = newDirect(e)
	case Vegeta:
		e.runner = newVegetaRun(e)
	default:
		return nil, fmt.Errorf("--engine %q is unknown: give direct or vegeta", string(o.Name))
	}
	return e, nil
}

// Run sends the whole schedule, or stops sending as soon as the context ends. It returns when no request is in flight
// and no goroutine of the run is left. The transport stays open, unless requests had to be cut.
func (e *Engine) Run(ctx context.Context) (Summary, error) {
	start := time.Now()
	if at := e.o.StartAt; !at.IsZero() {
		if start.Sub(at) > lateAfter {
			return Summary{Start: at, Planned: e.planned(), Unsent: e.planned()}, fmt.Errorf("%w (it was %s, now it is %s)", ErrLate, at.Format(time.RFC3339Nano), start.Format(time.RFC3339Nano))
		}
		start = start.Add(at.Sub(start)) // with a monotonic reading, so that a clock that is set cannot disturb the run
	}
	return e.runner.run(ctx, start), nil
}

// State may be called at any time, from any goroutine.
func (e *Engine) State() State { return e.runner.state() }

// k is the request that the shard's n-th is.
func (e *Engine) k(n int64) int64 { return int64(e.o.Shard) + int64(e.o.Shards)*n }

// planned is the number of requests of this shard; 0 with saturation.
func (e *Engine) planned() int64 {
	if e.o.Schedule == nil {
		return 0
	}
	return e.o.Schedule.Count(e.o.Shard, e.o.Shards)
}

type noLedger struct{}

func (noLedger) Accept(int64)        {}
func (noLedger) Accepted(int64) bool { return false }
