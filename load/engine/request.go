package engine

import (
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/traffic"
)

// fillRequest makes request k. If the original of a repeat is not known to be accepted, a fresh
// request is sent instead: the repeat could overtake its original, which would then rightly be
// blocked but judged as a false block. A repeat that directly follows its original is sent in
// any case.
func (e *Engine) fillRequest(k int64, r *traffic.Request) {
	c := &e.config
	if c.Source.Fill(k, r); r.Repeat && !e.ledger.Accepted(r.Of) {
		if r.Expect = judge.ExpectEither; r.Of < k-1 {
			c.Source.FillFresh(k, r)
			e.skippedRepeats.Add(1)
		}
	}
	if n := int64(len(c.Target.Identities)); n > 0 {
		r.Identity = int(r.Of % n) // a repeat has the identity of its original
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
