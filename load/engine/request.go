package engine

import (
	"net/http"
	"runtime/debug"
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/traffic"
)

// RelaxGC lets Go's garbage collector run less often, for programs that only drive load.
func RelaxGC() { debug.SetGCPercent(200) }

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

func (e *Engine) eachHeader(r *traffic.Request, f func(name, value string)) {
	r.EachHeader(f)
	if len(e.config.Target.Identities) > 0 {
		if name, value := e.config.Target.Identities[r.Identity].Header(); value != "" {
			f(name, value)
		}
	}
}

type rawAnswer struct {
	intended, began, done time.Duration
	status                int
	header                func() http.Header
	body                  []byte
	err                   error // of a kind that judge.FailureOf returns
}

func (e *Engine) judge(r *RequestResult, a rawAnswer) {
	q := r.Request
	if r.Status, r.Body, r.Err, r.Header = a.status, a.body, a.err, nil; a.err != nil {
		r.Status, r.Body = 0, nil
		r.Verdict = e.config.Judge.JudgeFailure(a.err)
	} else {
		r.Verdict = e.config.Judge.JudgeAnswer(a.status, a.body, q.Expect, q.Mode)
	}
	if r.Verdict.Class == judge.ClassAccepted && !q.Repeat {
		e.ledger.Accept(q.K)
	}
	if first, paired := e.config.Source.Pair(q.K); paired {
		r.Verdict = e.config.Judge.JudgePair(first, r.Verdict, a.status, q.Expect, q.Mode)
	}
	if r.Verdict.Class.IsBad() && a.err == nil {
		r.Header = a.header()
	}
	r.K, r.Intended = q.K, a.intended
	r.Lag, r.Service, r.Response = a.began-a.intended, a.done-a.began, a.done-a.intended
}
