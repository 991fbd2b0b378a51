package suites

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/doctor"
)

const (
	// preflightTimeout limits how long a run waits for its controls. A slow deployment is tested
	// without their answers.
	preflightTimeout = 5 * time.Second
	// maxFailedConnects is how many connection attempts at the start of a run must fail before it is
	// given up. A deployment may be restarting.
	maxFailedConnects = 3

	// A run is given up after this many requests in a row, over at least this time, without any
	// answer. Each further request would only wait for its timeout.
	silentRequests = 40
	silentDuration = 10 * time.Second
	// It is also given up if one request in lostOneIn gets no answer: waiting for each would take
	// too long.
	lostRequests = 40
	lostOneIn    = 20
	lostDuration = 80 * time.Second
)

// livenessMonitor detects a deployment that cannot be reached, or that stops answering during a
// run.
type livenessMonitor struct {
	deployment *deployment.File

	mu     sync.Mutex
	last   map[client.Operation]*client.Exchange
	silent int       // requests in a row without an answer
	since  time.Time // start of the first of these
	sent   int
	lost   int       // requests that timed out
	begun  time.Time // start of the first request
}

// observeExchange counts an exchange and returns why the run must be given up; nil: it goes on.
func (p *livenessMonitor) observeExchange(x *client.Exchange) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last[x.Operation] = x
	p.sent++
	if p.sent == 1 {
		p.begun = x.StartedAt
	}
	switch {
	case x.Err == nil:
		p.silent = 0
		return nil
	case x.Err.Kind == client.TroubleTokenEnded:
		p.silent = 0
		return p.expiredCredentialError()
	case x.Err.Kind == client.TroubleCanceled:
		return nil
	case x.Err.Kind == client.TroubleTimeout:
		p.lost++
	}
	p.silent++
	if p.silent == 1 {
		p.since = x.StartedAt
	}
	switch {
	case p.silent == p.sent && p.sent >= maxFailedConnects && doctor.FailedToConnect(x):
		return doctor.DetectObstacle(p.deployment, []*client.Exchange{x})
	case p.lost >= lostRequests && p.lost*lostOneIn >= p.sent && time.Since(p.begun) >= lostDuration:
		return fmt.Errorf(
			"the deployment left %d of %d requests without an answer, and the run would take too long: "+
				"what was found until then counts",
			p.lost, p.sent)
	case p.silent >= silentRequests && time.Since(p.since) >= silentDuration:
		return fmt.Errorf("the deployment stopped answering: %d requests in a row got none, the last: %w",
			p.silent, x.Err)
	}
	return nil
}

// expiredCredentialError returns an error if the main credential expired during the run and
// nothing issues a new one.
func (p *livenessMonitor) expiredCredentialError() error {
	main := p.deployment.Credentials.Main()
	if at, says := token.Expiry(main.Value); says && main.Issuer == nil && at.After(p.begun) &&
		at.Before(time.Now()) {
		return fmt.Errorf(
			"%s expired on %s, during the run: take a token that lasts longer; what was found until then "+
				"counts",
			main.SettingKey(), at.Format("2006-01-02 15:04 MST"))
	}
	return nil
}

// abortError is the cancellation cause of a run that was given up.
type abortError struct{ error }

// abortReason returns why the run was given up; nil: it was not.
func (s *session) abortReason() error {
	cause, _ := errors.AsType[abortError](context.Cause(s.ctx))
	return cause.error
}

// startObstacle returns why the run ended before its tests began; nil: it did not.
func (s *session) startObstacle() *doctor.Obstacle {
	o, _ := errors.AsType[*doctor.Obstacle](s.abortReason())
	return o
}

// sendControl sends the control of an operation and returns its last answer; nil: none came.
func (s *session) sendControl(ctx context.Context, op client.Operation) *client.Exchange {
	s.lab.AwaitControlAnswer(ctx, op)
	s.liveness.mu.Lock()
	defer s.liveness.mu.Unlock()
	return s.liveness.last[op]
}

// runPreflight obtains the credentials, sends the controls and reports whether anything can be
// tested. If not, it gives the run up with the obstacle.
func (s *session) runPreflight() bool {
	s.plan.EnableObservations(s.ctx)
	if err := client.ObtainCredentials(s.ctx, s.deployment); err != nil && s.ctx.Err() == nil {
		s.abort(abortError{doctor.CredentialObstacle(err)})
	} else if o := s.findPreflightObstacle(); o != nil {
		s.abort(abortError{o})
	}
	return s.ctx.Err() == nil
}

// findPreflightObstacle returns what blocks every rule, based on the answers to the controls; nil:
// nothing does.
func (s *session) findPreflightObstacle() *doctor.Obstacle {
	ctx, stop := context.WithTimeout(s.ctx, preflightTimeout)
	defer stop()
	asks := func(of func(operation string) bool) bool {
		return slices.ContainsFunc(s.selected,
			func(r rules.Rule) bool { return of(r.Operation()) && s.target.MissingSettings(r) == nil })
	}
	var controls []*client.Exchange
	if asks(func(operation string) bool { return operation != "create" }) {
		controls = append(controls, s.sendControl(ctx, client.OperationExport))
	}
	if s.deployment.Fixtures.ShareholderID != "" &&
		asks(func(operation string) bool { return operation == "create" || operation == "auth" }) {
		controls = append(controls, s.sendControl(ctx, client.OperationCreate))
	}
	return doctor.DetectObstacle(s.deployment, controls)
}
