package target

import (
	"context"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// Answer is what a request got, after everything that could be trouble rather than judgement was told apart.
type Answer struct {
	*client.Exchange                    // the last attempt
	Attempts         []*client.Exchange // all attempts, each with fresh identifiers
	Before           []*client.Exchange // what was sent ahead of it, without which it gets another answer
	Control          *client.Exchange   // a valid request that was accepted beside the same options; nil: none was sent
	Alive            *client.Exchange   // a valid request, answered when no attempt was clear
	Creation         *Creation          // what the last attempt sent, of creations
	Subject          string             // what was sent, in a few words; empty: the label of the request says it

	Condition []record.Setting // what it takes to get this answer; none: nothing, or it is not known
}

// About is what was sent, in a few words.
func (a Answer) About() string {
	if a.Subject == "" && a.Exchange != nil {
		return a.Label
	}
	return a.Subject
}

// String keeps what a request carries out of messages.
func (a Answer) String() string { return Describe(a.Exchange) }

// Clear reports whether an answer speaks about the request itself.
type Clear func(*client.Exchange) bool

// AboutField: a 401, a 403 and a 429 speak about the caller, a 5xx about the deployment; neither is the rejection of a
// bad field.
func AboutField(x *client.Exchange) bool {
	switch x.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, 0:
		return false
	}
	return x.Status < 500
}

// AboutAttack: as AboutField, but a firewall in front may answer 403 to what it takes for an attack.
func AboutAttack(x *client.Exchange) bool { return AboutField(x) || x.Status == http.StatusForbidden }

// AboutCaller: as AboutField, but 401 and 403 are answers as well: identity, headers, whose object it is.
func AboutCaller(x *client.Exchange) bool {
	return x.Status != 0 && x.Status != http.StatusTooManyRequests && x.Status < 500
}

const (
	// attempts of one request before the control is asked whether the deployment is in order.
	attempts = 4
	// broken is how often a request has to break the deployment to be blamed: of server errors that come and go, the first
	// may be two in a row.
	broken = 3
	// customary is how many requests have to break the deployment before this is taken for its way to answer.
	customary = 3
)

// Settle sends a request until its answer is clear. When none is, the control (the same request without the defect)
// distinguishes a deployment that is out of order from one that cannot answer this very request: where the control is
// answered and the request once more is not, the unclear answer is the finding. A server error other than 502, 503 and
// 504 is no trouble that passes: the control is asked right after it.
func (t *Target) Settle(ctx context.Context, clear Clear, once func() *client.Exchange,
	control func(context.Context) (*client.Exchange, bool),
) (a Answer, err error) {
	pauses := &backoff.ExponentialBackOff{InitialInterval: t.Pause, Multiplier: 2, MaxInterval: time.Minute}
	var valid *client.Exchange
	for {
		x := once()
		if x.Err != nil && x.Err.Kind == client.Budget && a.Alive != nil && a.Crashed() && !t.Sporadic() && ctx.Err() == nil {
			return a, nil // the run may create no more, and what was sent is enough to blame the deployment
		}
		a.Exchange, a.Attempts = x, append(a.Attempts, x)
		all := len(a.Attempts) == attempts
		switch err := t.sent(ctx, x); {
		case err != nil:
			return a, err
		case clear(x):
			t.Came(x, a.Attempts[:len(a.Attempts)-1])
			return a, nil
		case a.Alive != nil:
			if more, err := t.blamed(a); !more {
				return a, err
			}
		case control != nil && (x.Crashed() || all):
			var answered bool
			if valid, answered = control(ctx); answered {
				if a.Alive = valid; x.Operation == client.Create && x.Crashed() && t.customary() {
					return a, nil
				}
				continue
			}
		}
		if all && a.Alive == nil && ctx.Err() == nil {
			return a, unclear(a, valid)
		}
		if !Wait(ctx, pauses.NextBackOff()) {
			return a, spec.Interrupted
		}
	}
}

// blamed is what a request comes to that got no clear answer although its control did: more, where the next attempt may get
// one, or the reason why that shows nothing; otherwise it is a finding.
func (t *Target) blamed(a Answer) (more bool, err error) {
	lost := t.accident(len(a.Attempts))
	switch {
	case a.Status == http.StatusTooManyRequests:
		return false, spec.Unclear("throttled: %s", Describe(a.Exchange))
	case a.Err != nil && (a.Err.Kind == client.TooLarge || a.Err.Kind == client.Coded):
		return false, spec.Unclear("there is an answer, but it could not be read: %s", Describe(a.Exchange))
	case lost && len(a.Attempts) < 2*attempts, a.Crashed() && len(a.Attempts) < broken && !t.customary():
		return true, nil
	case lost:
		return false, spec.Unclear("many requests got a usable answer only when they were sent again, so that this one got none "+
			"proves nothing: %s", Describe(a.Exchange))
	case a.Status >= 500:
		t.breaks.Add(1)
	}
	return false, nil
}

// customary reports whether a deployment was seen to break again and again: what another attempt would get is known,
// and each may leave a record behind.
func (t *Target) customary() bool { return t.breaks.Load() >= customary && !t.Sporadic() }

// Wait reports whether the time passed without an interrupt.
func Wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

func unclear(a Answer, valid *client.Exchange) error {
	if valid == nil {
		return spec.Unclear("no clear answer after %d attempts: %s", len(a.Attempts), Describe(a.Exchange))
	}
	return spec.Unclear(
		"no clear answer after %d attempts (%s), and the same request without the defect got none either (%s)",
		len(a.Attempts), Describe(a.Exchange), Describe(valid))
}

// sent says why an exchange cannot be judged whatever the rule: interrupted, or held back by our own limits.
func (t *Target) sent(ctx context.Context, x *client.Exchange) error {
	switch {
	case ctx.Err() != nil:
		return spec.Interrupted
	case x.Err != nil && x.Err.Kind == client.Spent:
		return &spec.Reason{Inconclusive: true, Key: "limits.max_requests", Why: x.Err.Error()}
	case x.Err != nil && x.Err.Kind == client.Budget:
		return spec.Unmet("limits.max_creates", "the run may create no more representatives: it made %d, and answers without a clear "+
			"rejection counted as well", t.Client.Stats().Created)
	}
	return nil
}

// Usable turns an exchange that says nothing about the request into a reason to start the observation anew.
func (t *Target) Usable(ctx context.Context, x *client.Exchange) error {
	if err := t.sent(ctx, x); err != nil {
		return err
	}
	if t.Stray(x) {
		return spec.Transient("%s", Describe(x))
	}
	return nil
}
