package lab

import (
	"context"
	"net/http"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/target"
)

// isRefusedLikeValid reports whether the refusal of a request has nothing to do with it, as
// another valid one gets the same: the deployment takes all for repeats, or allows no more.
func (l *Lab) isRefusedLikeValid(ctx context.Context, a target.Answer) bool {
	if !a.IsClientError() {
		return false
	}
	another, err := l.anotherValid[a.Sent.Operation].Get(ctx)
	return err == nil && another.Status == a.Status
}

// mayRefuseAll reports whether an answer, or earlier ones to valid requests like it, give reason to
// ask whether another valid request is refused.
func (l *Lab) mayRefuseAll(a target.Answer) bool {
	if a.Status == http.StatusConflict {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	caller := callerOf(a.Sent)
	return l.refusedValid[caller] && !l.acceptedValid[caller]
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
	l.acceptedValid[callerOf(a.Sent)] = true
}
