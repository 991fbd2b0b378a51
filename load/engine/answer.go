package engine

import (
	"time"

	"github.com/gateassay/gateassay/load/judge"
)

// judge completes a result that has its request, and its answer or error. began and done are the
// moments of sending and of the complete answer, from the start of the run.
func (e *Engine) judge(r *RequestResult, began, done time.Duration) {
	q := r.Request
	r.K, r.Intended = q.K, e.config.Schedule.DueAt(q.K)
	r.Lag, r.Service, r.Response = began-r.Intended, done-began, done-r.Intended
	if r.Err != nil {
		r.Status, r.Header, r.Body = 0, nil, nil
		r.Judgement = e.config.Judge.JudgeFailure(r.Err)
	} else {
		r.Judgement = e.config.Judge.JudgeAnswer(
			judge.Answer{Status: r.Status, Body: r.Body, RetryAfter: r.RetryAfter}, q.Expect, q.Mode)
	}
	if r.Judgement.Class == judge.ClassAccepted && !q.Repeat {
		e.ledger.Accept(q.K)
	}
	if first, paired := e.config.Source.Pair(q.K); paired {
		r.Judgement = e.config.Judge.JudgePair(first, r.Judgement, r.Status, q.Expect, q.Mode)
	}
}
