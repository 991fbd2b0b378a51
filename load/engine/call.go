package engine

import (
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

// call is one request at a time with all its buffers: what a worker owns.
type call struct {
	e        *Engine
	session  transport.Session
	request  traffic.Request
	exchange transport.Exchange
	result   Result
	text     []byte // of the header values that are strings elsewhere
}

// open makes a call, still without a session, for a run that starts at start.
func (e *Engine) open(start time.Time) *call {
	c := &call{e: e}
	c.exchange.Path, c.exchange.Base = e.o.Target.Path, start
	c.exchange.Fields = append(make([]transport.Field, 0, len(e.o.Target.Fields)+5), e.o.Target.Fields...)
	c.result.Request, c.result.Exchange = &c.request, &c.exchange
	return c
}

// perform makes request k, sends it and judges the answer. at is T(k).
func (c *call) perform(k int64, at time.Duration) {
	o := &c.e.o
	o.Source.Fill(k, &c.request)
	if c.request.Repeat && !o.Ledger.Accepted(c.request.Of) {
		c.request.Expect = judge.Either
	}
	c.load()
	c.session.Do(&c.exchange)

	x, r := &c.exchange, &c.result
	if x.Err != nil {
		r.Verdict = o.Judge.Failed(x.Err)
	} else {
		r.Verdict = o.Judge.Answer(x.Status, x.Answer, c.request.Expect, c.request.Mode)
	}
	if r.Verdict.Class == judge.Accepted && !c.request.Repeat {
		o.Ledger.Accept(c.request.K)
	}
	sent := x.Sent
	if sent == 0 {
		sent = x.Began // it never got as far: the time went into connecting
	}
	r.K, r.Intended, r.Vegeta = k, at, nil
	r.Lag, r.Service, r.Response = x.Began-at, x.Done-sent, x.Done-at
}

// load puts the request into the exchange.
func (c *call) load() {
	x, r := &c.exchange, &c.request
	x.Fields = x.Fields[:len(c.e.o.Target.Fields)]
	x.Body = r.Body
	x.Fields = append(x.Fields,
		transport.Field{Name: "nonce", Value: r.Nonce[:]},
		transport.Field{Name: "x-transaction-uuid", Value: r.Transaction[:]})
	c.text = c.text[:0]
	c.add("x-include-replay-protection-schema", r.Replay)
	c.add("x-lang", r.Language)
	c.add("x-wallet-uuid", r.Wallet)
}

// add appends a header unless its value is empty.
func (c *call) add(name, value string) {
	if value == "" {
		return
	}
	from := len(c.text)
	c.text = append(c.text, value...) // should this move, earlier values keep the memory that they point to
	c.exchange.Fields = append(c.exchange.Fields, transport.Field{Name: name, Value: c.text[from:]})
}
