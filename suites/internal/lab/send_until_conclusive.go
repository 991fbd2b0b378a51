package lab

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

const (
	// maxAttempts limits the attempts of a request before its control checks the deployment.
	maxAttempts = 4
	// minCrashes is how many times a request must get a server error, or no answer while others
	// get one, before it is blamed. Two intermittent failures may come in a row.
	minCrashes = 3
)

// attempts holds the attempts of one request, which is sent until its answer is clear. If no
// answer is, alive sends the same request without the defect. It tells a deployment that is
// unavailable from one that fails on this request only: if alive is answered and one more
// attempt is not, the unclear answer is the finding. Server errors other than 502, 503 and 504
// are not temporary, and one unanswered request waits long enough, so alive is asked right after
// them. Nothing is blamed while alive gets no answer.
type attempts struct {
	lab          *Lab
	isConclusive answers.ConclusiveFunc
	alive        func(context.Context) (*client.Exchange, bool)
	pauses       *backoff.ExponentialBackOff

	answer target.Answer
	valid  *client.Exchange // alive's answer; nil: it was not asked
	err    error            // why the answer cannot be judged
}

// SendUntilConclusive sends a request until its answer is clear, or its control shows that no
// answer will be.
func (l *Lab) SendUntilConclusive(
	ctx context.Context, isConclusive answers.ConclusiveFunc, send func() *client.Exchange,
	alive func(context.Context) (*client.Exchange, bool),
) (target.Answer, error) {
	pauses := &backoff.ExponentialBackOff{
		InitialInterval: l.target.Pause, Multiplier: 2, MaxInterval: time.Minute,
	}
	tries := &attempts{lab: l, isConclusive: isConclusive, alive: alive, pauses: pauses}
	for tries.needAnother(ctx, send()) {
		continue
	}
	return tries.answer, tries.err
}

// needAnother records the result of an attempt and reports whether to make another. It waits
// before it returns true.
func (t *attempts) needAnother(ctx context.Context, x *client.Exchange) bool {
	l, a := t.lab, &t.answer
	if x.Err != nil && x.Err.Kind == client.TroubleMaxCreates && a.ControlAnswered &&
		a.IsServerError() && !l.stability.hasTransientErrors() && ctx.Err() == nil {
		return false // no creations are left, and the answer is enough to blame the deployment
	}
	a.Exchange, a.Attempts = x, append(a.Attempts, x)
	all := len(a.Attempts) == maxAttempts
	switch t.err = l.unjudgeableReason(ctx, x); {
	case t.err != nil:
		return false
	case t.isConclusive(x):
		l.stability.recordAnswered(x, a.Attempts[:len(a.Attempts)-1])
		return false
	case a.ControlAnswered:
		more, err := l.judgeInconclusive(*a)
		t.err = err
		if !more {
			if x.Err != nil && err == nil { // a missing answer counts after one that came
				a.Preceding = []*client.Exchange{t.valid}
			}
			return false
		}
	case t.alive != nil && (x.IsServerError() || hasTimedOut(x) || all):
		t.valid, a.ControlAnswered = t.alive(ctx)
		if a.ControlAnswered {
			return x.Operation != client.OperationCreate || !x.IsServerError() ||
				!l.stability.crashesConsistently()
		}
	}
	if all && !a.ControlAnswered && ctx.Err() == nil {
		t.err = inconclusiveError(*a, t.valid)
		return false
	}
	if !target.SleepContext(ctx, t.pauses.NextBackOff()) {
		t.err = spec.ErrInterrupted
	}
	return t.err == nil
}

// judgeInconclusive judges a request without a clear answer whose control was answered. more
// asks for another attempt. A nil error without more makes the answer a finding; an error says
// why it shows nothing.
func (l *Lab) judgeInconclusive(a target.Answer) (more bool, err error) {
	failed := countFailed(a.Attempts)
	mayPass := !(a.IsServerError() && l.stability.crashesConsistently()) &&
		(failed < minCrashes || l.stability.mayBeLostByChance(failed))
	switch {
	case a.Status == http.StatusTooManyRequests:
		return false, spec.Inconclusivef("throttled: %s", answers.Describe(a.Exchange))
	case a.Err != nil &&
		(a.Err.Kind == client.TroubleTooLarge || a.Err.Kind == client.TroubleDecompression):
		return false, spec.Inconclusivef("there is an answer, but it could not be read: %s",
			answers.Describe(a.Exchange))
	case mayPass && len(a.Attempts) < 2*maxAttempts:
		return true, nil
	case mayPass:
		return false, spec.Inconclusivef(
			"the deployment answers unreliably: many requests had to be sent again, so a "+
				"missing answer proves nothing: %s", answers.Describe(a.Exchange))
	case a.Status >= 500:
		l.stability.crashingRequests.Add(1)
	}
	return false, nil
}

// countFailed counts the attempts that got a server error or no answer. Throttled ones say nothing
// about the request.
func countFailed(attempts []*client.Exchange) int {
	failed := 0
	for _, x := range attempts {
		if x.Status != http.StatusTooManyRequests {
			failed++
		}
	}
	return failed
}

func hasTimedOut(x *client.Exchange) bool {
	return x.Err != nil && x.Err.Kind == client.TroubleTimeout
}

func inconclusiveError(a target.Answer, valid *client.Exchange) error {
	if valid == nil {
		return spec.Inconclusivef("no clear answer after %d attempts: %s", len(a.Attempts),
			answers.Describe(a.Exchange))
	}
	return spec.Inconclusivef(
		"no clear answer after %d attempts (%s), and the same request without the defect got none "+
			"either (%s)",
		len(a.Attempts), answers.Describe(a.Exchange), answers.Describe(valid))
}

// unjudgeableReason returns why no rule can judge the exchange: the run was interrupted, or one
// of its own limits held the request back.
func (l *Lab) unjudgeableReason(ctx context.Context, x *client.Exchange) error {
	switch {
	case ctx.Err() != nil:
		return spec.ErrInterrupted
	case x.Err != nil && x.Err.Kind == client.TroubleMaxRequests:
		return &spec.Reason{Inconclusive: true, Key: "limits.max_requests", Text: x.Err.Error()}
	case x.Err != nil && x.Err.Kind == client.TroubleMaxCreates:
		stats := l.target.Client.Stats()
		used := fmt.Sprintf("limits.max_creates is used up: %d representatives were created",
			stats.Created)
		if stats.Unanswered > 0 {
			used += fmt.Sprintf(", and %d more may have been, as they got no answer", stats.Unanswered)
		}
		if 4*stats.Unanswered > stats.Created { // creations without an answer used them up
			return spec.Inconclusivef("%s", used)
		}
		return spec.NotVerifiedf("limits.max_creates", "%s", used)
	}
	return nil
}

// TransientError returns an error that makes an observation start over, where the exchange shows
// nothing about the request.
func (l *Lab) TransientError(ctx context.Context, x *client.Exchange) error {
	err := l.unjudgeableReason(ctx, x)
	if err == nil && l.IsTransient(x) {
		err = spec.Transientf("%s", answers.Describe(x))
	}
	return err
}
