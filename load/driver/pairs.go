package driver

import (
	"fmt"
	"math"
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

// pairShare is the part of the plan's repeats that follow their original at once. The traffic's own repeats come a
// second later or more, when the original is settled; a race needs both under way together.
const pairShare = 0.2

// pairs stands between the traffic and the engine. Now and then it sends a request twice in a row: the next slot of the
// schedule carries the same identifiers and bytes. Whichever is accepted, the other must not be. It is a pure function
// of seed and k like all traffic.
type pairs struct {
	*traffic.Generator
	ledger *traffic.Ledger
	sink   engine.Sink
	judge  int // status with which the deployment blocks; 0: not known
	seed   uint64
	limit  uint64
	k      int64 // requests of the schedule
	modes  []rules.Mode

	spared atomic.Int64 // repeats that were sent as fresh requests instead

	mu      sync.Mutex
	open    map[int64]judge.Class // what became of the request of a pair that was answered first, by the pair's first k
	settled int64                 // pairs of which both were answered
	raced   int64                 // of these, both were under way at once
}

// mostOpen bounds the memory; a deployment that answers nothing leaves pairs open.
const mostOpen = 1 << 16

// newPairs makes the traffic of a plan. The share of repeats stays what the plan says in all.
func newPairs(p *plan.Plan, d *deployment.File, s *schedule.Schedule) (*pairs, error) {
	late := *p
	late.Repeats = p.Repeats * (1 - pairShare)
	g, err := late.Generator(d, s)
	if err != nil {
		return nil, err
	}
	inFlight := p.MaxInFlight
	if inFlight == 0 {
		inFlight = 20_000
	}
	return &pairs{
		Generator: g, ledger: g.NewLedger(inFlight), seed: uint64(p.Seed),
		// only every second slot can be the second of a pair
		limit: uint64(math.Min(2*p.Repeats*pairShare, 1) * (1 << 53)),
		k:     s.K(), modes: rules.Modes(), open: map[int64]judge.Class{},
	}, nil
}

// origin is the request that k repeats, else k itself.
func (p *pairs) origin(k int64) int64 {
	if of, ok := p.Repeats(k); ok {
		return of
	}
	if p.second(k) {
		return k - 1
	}
	return k
}

// second reports whether request k repeats the one before it.
func (p *pairs) second(k int64) bool {
	if p.limit == 0 || k < 1 || k%2 == 0 {
		return false
	}
	x := uint64(k)*0x9e3779b97f4a7c15 ^ (p.seed+0x51ed2701)*0xd6e8feb86659fd93
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	if (x^x>>32)>>11 >= p.limit {
		return false
	}
	if _, repeat := p.Repeats(k); repeat {
		return false
	}
	_, repeat := p.Repeats(k - 1)
	return !repeat
}

// pair gives the first request of the pair that k belongs to.
func (p *pairs) pair(k int64) (first int64, ok bool) {
	if p.second(k) {
		return k - 1, true
	}
	return k, k+1 < p.k && p.second(k+1)
}

// Fill makes request k. A repeat whose original is not known to be accepted, because the deployment is slow or refused
// it, is sent as a fresh request instead: sent anyway, it could overtake its original, which then would be blocked with
// every right and be judged as a false block.
func (p *pairs) Fill(k int64, r *traffic.Request) {
	first, ok := p.pair(k)
	if !ok {
		if p.Generator.Fill(k, r); r.Repeat && !p.ledger.Accepted(r.Of) {
			p.FillFresh(k, r)
			p.spared.Add(1)
		}
		return
	}
	p.FillFresh(first, r)
	r.Expect = judge.Either
	if k == first {
		return
	}
	r.K, r.Repeat, r.Of = k, true, first
	if p.ledger.Accepted(first) {
		r.Expect = judge.Block // too late for a race: the first is settled
	}
}

// Record judges the pairs and hands everything on.
func (p *pairs) Record(worker int, r *engine.Result) {
	if first, ok := p.pair(r.K); ok {
		p.settle(first, r)
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
		if p.judge != 0 && r.Exchange.Status != p.judge {
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
