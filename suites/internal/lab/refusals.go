package lab

import (
	"context"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// IsRefusedLikeValid reports whether the refusal of a request has nothing to do with it, as valid
// ones get the same: the deployment refuses some now and then, takes all for repeats, or allows no
// more.
func (l *Lab) IsRefusedLikeValid(ctx context.Context, a target.Answer) bool {
	op := a.Operation
	switch {
	case !a.IsClientError():
		return false
	case l.stability.refusesInPassing(op, a.Status):
		return true
	}
	if ended := a.StartedAt.Add(a.Service); l.lastAcceptedOfControl(op).After(ended) {
		return false
	}
	another, err, _ := l.anotherValid.Do(string(op), func() (any, error) {
		return l.sendAnotherValid(ctx, op)
	})
	return err == nil && another.(target.Answer).Status == a.Status ||
		l.stability.refusesInPassing(op, a.Status)
}

// ConfirmRefusal returns an error where the refusal of a request has nothing to do with it. A valid
// request, and an export that conflicts, is sent again first: what it gets then counts.
func (l *Lab) ConfirmRefusal(ctx context.Context, p Probe, a target.Answer) (target.Answer, error) {
	retry := func() {
		control := a.Control
		a = l.RetryRefused(ctx, a, func() (target.Answer, error) {
			return l.resend(ctx, p, a.Condition, a.Sent)
		})
		a.Control = control
	}
	if isExportConflict(a.Exchange) {
		retry()
	}
	if l.IsRefusedLikeValid(ctx, a) {
		return a, spec.Inconclusivef("refused (%s), as another valid %s is", a,
			operationNoun(p.Operation))
	}
	if p.Valid {
		retry()
		l.noteOutcome(p, a, nil)
	}
	return a, nil
}

// isExportConflict reports whether an export got a conflict, which no fresh one should get.
func isExportConflict(x *client.Exchange) bool {
	return x.Operation == client.OperationExport && x.Status == http.StatusConflict
}

// IsBesideOthers reports whether an export may have been refused because the deployment had others
// to work on, as valid ones were. Only a conflict is never what an invalid export gets.
func (l *Lab) IsBesideOthers(x *client.Exchange, valid bool) bool {
	return answers.MayBeBusy(x) && (valid || isExportConflict(x)) &&
		l.stability.refusesInPassing(x.Operation, x.Status)
}

// AcceptsNoMore is IsRefusedLikeValid where the control's caller had others accepted: the deployment
// takes not all for repeats.
func (l *Lab) AcceptsNoMore(ctx context.Context, a target.Answer) bool {
	return !l.lastAcceptedOfControl(a.Operation).IsZero() && l.IsRefusedLikeValid(ctx, a)
}

// sendAnotherValid sends one more valid request, unless the last one was refused and none has been
// accepted since.
func (l *Lab) sendAnotherValid(ctx context.Context, op client.Operation) (target.Answer, error) {
	accepted := l.lastAcceptedOfControl(op)
	l.mu.Lock()
	last, isRefused := l.refusedAnother[op]
	l.mu.Unlock()
	if isRefused && last.StartedAt.After(accepted) {
		return last, nil
	}
	a, err := l.SendInConfigurations(ctx, Probe{
		Operation: op, Label: "another valid " + operationNoun(op), Valid: true,
		CreateReserve: client.ReserveForEvidence,
		Expectation:   Expectation{Conclusive: answers.ConclusiveForCaller},
	})
	if err == nil && a.IsClientError() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.refusedAnother[op] = a
	}
	return a, err
}

// RetryRefused sends a refused valid request, or an export that conflicts, again, with fresh
// identifiers. Where that is accepted, or conflicts no more, the deployment refuses such requests now
// and then, whatever they hold, and the later answer counts. It waits where the deployment may be busy
// with other exports.
func (l *Lab) RetryRefused(
	ctx context.Context, a target.Answer, send func() (target.Answer, error),
) target.Answer {
	if !a.IsClientError() || a.IsTransient() {
		return a
	}
	for try := range l.stability.retriesOfRefusal(a.Exchange) {
		if try > 0 && answers.MayBeBusy(a.Exchange) {
			target.SleepContext(ctx, l.target.Pause<<(try-1))
		}
		again, err := send()
		if err != nil {
			return a // the refusal is what there is to judge
		}
		if again.IsSuccess() || isExportConflict(a.Exchange) && again.Status != a.Status {
			l.stability.recordPassingRefusal(a.Exchange)
			if answers.MayBeBusy(a.Exchange) {
				l.target.Client.RetryExportsAfter(a.Status)
			}
			return again
		}
	}
	l.stability.recordLastingRefusal()
	return a
}

// mayRefuseAll reports whether a right refusal, or earlier ones of valid requests like it, give
// reason to ask whether another valid request is refused.
func (l *Lab) mayRefuseAll(a target.Answer) bool {
	if a.Status == http.StatusConflict {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	caller := callerOf(a.Sent)
	return l.refusedValid[caller] && l.lastAccepted[caller].IsZero()
}

// isConflict reports whether a creation got 409, which the document reserves for identifiers.
func (p Probe) isConflict(a target.Answer) bool {
	return p.Operation == client.OperationCreate && a.Status == http.StatusConflict
}

// requestCaller is who sends requests of an operation, and for whom.
type requestCaller struct {
	operation  client.Operation
	credential *deployment.Credential
	onBehalfOf string
}

func callerOf(r target.Request) requestCaller {
	return requestCaller{r.Operation, r.Credential, r.OnBehalfOf}
}

// lastAcceptedOfControl returns when the last accepted valid request of the control's caller was sent,
// without the control; zero: none was.
func (l *Lab) lastAcceptedOfControl(op client.Operation) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lastAccepted[requestCaller{operation: op, credential: l.target.Deployment.Credentials.Main()}]
}

// noteOutcome notes whether a valid request was accepted, keeps accepted creations, and marks the
// exchanges of an invalid request.
func (l *Lab) noteOutcome(p Probe, a target.Answer, err error) {
	if !p.Valid {
		l.MarkInvalid(a.Attempts...)
		return
	}
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !a.IsSuccess():
		l.refusedValid[callerOf(a.Sent)] = true
		return
	case p.Operation == client.OperationCreate:
		l.validCreations = append(l.validCreations, a)
	}
	if caller := callerOf(a.Sent); l.lastAccepted[caller].Before(a.StartedAt) {
		l.lastAccepted[caller] = a.StartedAt
	}
}
