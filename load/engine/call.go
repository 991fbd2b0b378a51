package engine

import (
	"slices"
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/traffic"
	"github.com/gateassay/gateassay/load/transport"
)

// fill makes request k.
func (e *Engine) fill(k int64, r *traffic.Request) {
	e.o.Source.Fill(k, r)
	if r.Repeat && !e.o.Ledger.Accepted(r.Of) {
		r.Expect = judge.Either
	}
	if n := int64(len(e.o.Target.Identities)); n > 0 {
		r.Identity = int(r.Of % n) // a repeat comes from whoever sent its original
	}
	if e.o.Trace != nil {
		e.o.Trace(k, &r.Trace)
	}
}

// variables are the headers that differ from one request to the next. It is made once and used again.
type variables struct {
	fields []transport.Field
	text   []byte // all values, one behind the other
}

func (v *variables) add(name, value string) {
	if value != "" {
		v.text = append(v.text, value...)
		v.end(name, len(value))
	}
}

// end makes the last bytes of the text a field.
func (v *variables) end(name string, length int) {
	v.fields = append(v.fields, transport.Field{Name: name, Value: v.text[len(v.text)-length:]})
}

// vary sets the headers of a request.
func (e *Engine) vary(v *variables, r *traffic.Request) {
	v.fields, v.text = v.fields[:0], append(v.text[:0], r.Nonce[:]...)
	v.end("nonce", len(r.Nonce))
	v.text = append(v.text, r.Transaction[:]...)
	v.end("x-transaction-uuid", len(r.Transaction))
	v.add("x-include-replay-protection-schema", r.Replay)
	v.add("x-lang", r.Language)
	v.add("x-wallet-uuid", r.Wallet)
	if len(e.o.Target.Identities) > 0 {
		v.add(e.o.Target.Identities[r.Identity].Header())
	}
	if e.o.Trace != nil {
		v.text = append(v.text, r.Trace[:]...)
		v.end("traceparent", len(r.Trace))
	}
}

// call is one request at a time with all its buffers: what a worker owns.
type call struct {
	e         *Engine
	session   *transport.Session
	request   traffic.Request
	exchange  transport.Exchange
	result    Result
	variables variables
}

// open makes a call, still without a session, for a run that starts at start.
func (e *Engine) open(start time.Time) *call {
	c := &call{e: e}
	c.exchange.Path, c.exchange.Base = e.o.Target.Path, start
	c.exchange.Fields = slices.Clone(e.o.Target.Fields)
	c.result.Request, c.result.Exchange = &c.request, &c.exchange
	return c
}

// perform makes request k, sends it and judges the answer. at is T(k).
func (c *call) perform(k int64, at time.Duration) {
	c.e.fill(k, &c.request)
	c.e.vary(&c.variables, &c.request)
	x := &c.exchange
	x.Fields, x.Body = append(x.Fields[:len(c.e.o.Target.Fields)], c.variables.fields...), c.request.Body
	c.session.Do(x)
	c.judge(k, at)
}

// judge judges what became of request k and counts its times.
func (c *call) judge(k int64, at time.Duration) {
	o, x, r := &c.e.o, &c.exchange, &c.result
	if x.Err != nil {
		r.Verdict = o.Judge.Failed(x.Err)
	} else {
		r.Verdict = o.Judge.Answer(x.Status, x.Answer, r.Request.Expect, r.Request.Mode)
	}
	if r.Verdict.Class == judge.Accepted && !r.Request.Repeat {
		o.Ledger.Accept(r.Request.K)
	}
	sent := x.Sent
	if sent == 0 {
		sent = x.Began // it never got as far: the time went into connecting
	}
	r.K, r.Intended = k, at
	r.Lag, r.Service, r.Response = x.Began-at, x.Done-sent, x.Done-at
}
