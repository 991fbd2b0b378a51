package engine

import (
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/traffic"
)

// fillRequest makes request k. A repeat whose original is not known to be accepted is sent as a
// fresh request instead: it could overtake its original, which would then be blocked rightly and
// judged as a false block. A repeat that follows its original at once is sent all the same.
func (e *Engine) fillRequest(k int64, r *traffic.Request) {
	c := &e.config
	if c.Source.Fill(k, r); r.Repeat && !e.ledger.Accepted(r.Of) {
		if r.Expect = judge.ExpectEither; r.Of < k-1 {
			c.Source.FillFresh(k, r)
			e.spared.Add(1)
		}
	}
	if n := int64(len(c.Target.Identities)); n > 0 {
		r.Identity = int(r.Of % n) // who sent the original sends the repeat
	}
}

func (e *Engine) eachRequestHeader(r *traffic.Request, f func(name, value string)) {
	r.EachHeader(f)
	if len(e.config.Target.Identities) > 0 {
		if name, value := e.config.Target.Identities[r.Identity].Header(); value != "" {
			f(name, value)
		}
	}
}
