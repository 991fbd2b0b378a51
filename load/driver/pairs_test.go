package driver

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

type lastVerdict struct{ judge.Verdict }

func (l *lastVerdict) Record(_ int, r *engine.Result) { l.Verdict = r.Verdict }

func makePairs(t *testing.T, sink engine.Sink, flags ...string) *pairs {
	t.Helper()
	p := planned(t, flags...).WithRun("one")
	s := must.Get(p.Schedule())(t)
	made := must.Get(newPairs(p, gateway(t, nil), s))(t)
	made.status, made.sink = 409, sink
	return made
}

// TestPairsKeepTheShareOfRepeats counts what a plan of 5 % repeats makes.
func TestPairsKeepTheShareOfRepeats(t *testing.T) {
	p := makePairs(t, nil, "rate=1000/s", "duration=100s", "repeats=5%")
	repeats, seconds := 0, 0
	r, before := &traffic.Request{}, &traffic.Request{}
	for k := range int64(100_000) {
		p.Fill(k, r)
		_, repeat := p.Repeats(k)
		if late := repeat && !p.Paired(k); late && r.Repeat {
			t.Fatalf("request %d repeats one that was not accepted: %+v", k, r)
		}
		if repeat {
			repeats++
		}
		if !p.Paired(k) {
			continue
		}
		seconds++
		p.Fill(k-1, before)
		if before.Repeat || before.Nonce != r.Nonce || before.Transaction != r.Transaction ||
			string(before.Body) != string(r.Body) || before.Mode != r.Mode || r.Of != k-1 || r.K != k {
			t.Fatalf("request %d does not repeat the one before it: %+v, %+v", k, before, r)
		}
		if before.Expect != judge.Either {
			t.Fatalf("request %d: %v", k, before.Expect)
		}
	}
	if repeats < 4400 || repeats > 5600 || seconds < 700 || seconds > 1300 {
		t.Errorf("%d repeats, %d at once", repeats, seconds)
	}
	if n := p.spared.Load(); n != int64(repeats-seconds) {
		t.Errorf("%d repeats were spared of %d", n, repeats-seconds)
	}
	for k := int64(1); k < 100_000; k++ {
		if of, repeat := p.Repeats(k); repeat && of < k-1 {
			p.ledger.Accept(of)
			if p.Fill(k, r); !r.Repeat || r.Of != of || r.Expect != judge.Block {
				t.Fatalf("request %d does not repeat %d: %+v", k, of, r)
			}
			break
		}
	}
	if none := makePairs(t, nil, "rate=1000/s", "duration=10s", "repeats=0"); none.Paired(1) {
		t.Error("pairs without repeats")
	}
}

func TestOneOfAPairPasses(t *testing.T) {
	sink := &lastVerdict{}
	p := makePairs(t, sink, "rate=1000/s", "duration=10s", "repeats=50%")
	k := int64(1)
	for !p.Paired(k) {
		k++
	}
	answer := func(k int64, class judge.Class, status int) {
		r := &traffic.Request{}
		p.Fill(k, r)
		r.Expect = judge.Either // as the engine does where the first is not known to be accepted
		p.Record(0, &engine.Result{
			K: k, Request: r, Exchange: &transport.Exchange{Status: status},
			Verdict: judge.Verdict{Class: class},
		})
	}
	for _, c := range []struct {
		first, second judge.Class
		status        int
		want          judge.Class
		rule          string
	}{
		{judge.Accepted, judge.Blocked, 409, judge.Blocked, ""},
		{judge.Blocked, judge.Accepted, 201, judge.Accepted, ""},
		{judge.Accepted, judge.Accepted, 201, judge.MissedBlock, "replay.race."},
		{judge.Blocked, judge.Blocked, 409, judge.FalseBlock, ".first"},
		{judge.Blocked, judge.Blocked, 400, judge.ClientError, ""},
		{judge.ServerError, judge.Accepted, 201, judge.Accepted, ""},
		{judge.Timeout, judge.Blocked, 409, judge.Blocked, ""},
	} {
		for _, order := range [][2]int64{{k - 1, k}, {k, k - 1}} {
			answer(order[0], c.first, 0)
			answer(order[1], c.second, c.status)
			if sink.Class != c.want || (sink.Rule == "") != (c.rule == "") {
				t.Errorf("%v and %v: %+v", c.first, c.second, sink.Verdict)
			}
		}
	}
	if len(p.open) != 0 || p.settled != 14 || p.raced != 14 {
		t.Errorf("%d open, %d settled, %d raced", len(p.open), p.settled, p.raced)
	}
}
