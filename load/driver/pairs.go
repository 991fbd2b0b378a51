package driver

import (
	"cmp"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/traffic"
)

// pairs stands between the traffic and the engine, and judges requests that are sent twice in a row. Whichever is
// accepted, the other must not be.
type pairs struct {
	*traffic.Generator
	ledger *traffic.Ledger
	sink   engine.Sink
	status int // with which the deployment blocks; 0: not known
	k      int64
	modes  []rules.Mode

	spared atomic.Int64 // repeats that were sent as fresh requests instead

	mu      sync.Mutex
	open    map[int64]judge.Class // what became of the request of a pair that was answered first, by the pair's first k
	settled int64                 // pairs of which both were answered
	raced   int64                 // of these, both were under way at once
}

// mostOpen bounds the memory; a deployment that answers nothing leaves pairs open.
const mostOpen = 1 << 16

// newPairs makes the traffic of a plan.
func newPairs(p *plan.Plan, d *deployment.File, s *schedule.Schedule) (*pairs, error) {
	g, err := p.Generator(d, s)
	if err != nil {
		return nil, err
	}
	inFlight := cmp.Or(p.MaxInFlight, 20_000)
	return &pairs{Generator: g, ledger: g.NewLedger(inFlight), k: s.K(), modes: rules.Modes(), open: map[int64]judge.Class{}}, nil
}

// Fill makes request k. A repeat whose original is not known to be accepted, because the deployment is slow or refused
// it, is sent as a fresh request instead: sent anyway, it could overtake its original, which then would be blocked with
// every right and be judged as a false block.
func (p *pairs) Fill(k int64, r *traffic.Request) {
	if p.Generator.Fill(k, r); r.Repeat && r.Of < k-1 && !p.ledger.Accepted(r.Of) {
		p.FillFresh(k, r)
		p.spared.Add(1)
	}
}

// Record judges the pairs and hands everything on.
func (p *pairs) Record(worker int, r *engine.Result) {
	if p.Paired(r.K) {
		p.settle(r.K-1, r)
	} else if r.K+1 < p.k && p.Paired(r.K+1) {
		p.settle(r.K, r)
	}
	p.sink.Record(worker, r)
}

// settle looks at both answers of a pair once they are there.
func (p *pairs) settle(first int64, r *engine.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	other, known := p.open[first]
	if !known {
		if len(p.open) < mostOpen {
			p.open[first] = r.Verdict.Class
		}
		return
	}
	delete(p.open, first)
	p.settled++
	if r.Request.Repeat && r.Request.Expect == judge.Block {
		return // judged by itself
	}
	p.raced++
	mode := p.modes[r.Request.Mode].Name
	switch {
	case other == judge.Accepted && r.Verdict.Class == judge.Accepted:
		r.Verdict = judge.Verdict{Class: judge.MissedBlock, Rule: "replay.race." + mode}
	case other == judge.Blocked && r.Verdict.Class == judge.Blocked:
		if p.status != 0 && r.Exchange.Status != p.status {
			r.Verdict = judge.Verdict{Class: judge.ClientError}
			return
		}
		r.Verdict = judge.Verdict{Class: judge.FalseBlock, Rule: "replay." + mode + ".first"}
	}
}

// notes says what was done.
func (p *pairs) notes() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var notes []string
	if p.settled > 0 {
		notes = append(notes, fmt.Sprintf("requests sent twice in a row: %d, in %d of these pairs both were under "+
			"way at once", p.settled, p.raced))
	}
	if n := p.spared.Load(); n > 0 {
		notes = append(notes, fmt.Sprintf("%s sent as a fresh request, because the original had not been "+
			"accepted by then", printable.Quantity(n, "repeat")))
	}
	return notes
}
