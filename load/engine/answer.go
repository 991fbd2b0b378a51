package engine

import (
	"net/http"
	"time"

	"github.com/gateassay/gateassay/load/judge"
)

type rawAnswer struct {
	intended, began, done time.Duration
	status                int
	header                func() http.Header
	body                  []byte
	err                   error // nil or an error that judge.FailureOf knows
}

func (e *Engine) judge(r *RequestResult, a rawAnswer) {
	q := r.Request
	if r.Status, r.Body, r.Err, r.Header = a.status, a.body, a.err, nil; a.err != nil {
		r.Status, r.Body = 0, nil
		r.Judgement = e.config.Judge.JudgeFailure(a.err)
	} else {
		r.Judgement = e.config.Judge.JudgeAnswer(a.status, a.body, q.Expect, q.Mode)
	}
	if r.Judgement.Class == judge.ClassAccepted && !q.Repeat {
		e.ledger.Accept(q.K)
	}
	if first, paired := e.config.Source.Pair(q.K); paired {
		r.Judgement = e.config.Judge.JudgePair(first, r.Judgement, a.status, q.Expect, q.Mode)
	}
	if r.Judgement.Class.IsBad() && a.err == nil {
		r.Header = a.header()
	}
	r.K, r.Intended = q.K, a.intended
	r.Lag, r.Service, r.Response = a.began-a.intended, a.done-a.began, a.done-a.intended
}
