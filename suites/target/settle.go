package target

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// Answer is what a request got, after everything that could be trouble rather than judgement was told apart.
type Answer struct {
	*client.Exchange                    // the last attempt
	Attempts         []*client.Exchange // all attempts, each with fresh identifiers
	// the request without the defect, sent when no attempt was clear: it was answered
	Control  *client.Exchange
	Creation *Creation // what the last attempt sent, of creations
	Subject  string    // what was sent, in a few words; empty: the label of the request says it

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

// AboutCaller: as AboutField, but 401 and 403 are answers as well: identity, headers, whose object it is.
func AboutCaller(x *client.Exchange) bool {
	return x.Status != 0 && x.Status != http.StatusTooManyRequests && x.Status < 500
}

const (
	// attempts of one request before the control is asked whether the deployment is in order.
	attempts = 4
	// customary is how many requests have to break the deployment before this is taken for its way to answer.
	customary = 3
)

// Settle sends a request until its answer is clear. When none is, the control (the same request without the defect)
// distinguishes a deployment that is out of order from one that cannot answer this very request: where the control is
// answered and the request once more is not, the unclear answer is the finding. A server error other than 502, 503 and
// 504 is no trouble that passes: the control is asked right after it. So it is when the budget of creations ends after
// one, because each creation that got no clear answer counts as made.
func (t *Target) Settle(ctx context.Context, clear Clear, once func() *client.Exchange,
	control func(context.Context) (*client.Exchange, bool),
) (a Answer, err error) {
	pauses := &backoff.ExponentialBackOff{InitialInterval: t.Pause, Multiplier: 2, MaxInterval: time.Minute}
	pause := func() bool { return Wait(ctx, pauses.NextBackOff()) }
	for {
		x := once()
		err := t.sent(ctx, x)
		spent := budgetEnded(x) && ctx.Err() == nil && control != nil && t.broken(a) // what was sent is enough to blame the deployment
		if !spent {
			a.Exchange, a.Attempts = x, append(a.Attempts, x)
			if err != nil {
				return a, err
			}
			if clear(x) {
				t.Came(x, a.Attempts[:len(a.Attempts)-1])
				return a, nil
			}
		}
		if a.Control != nil {
			if spent {
				return a, nil
			}
			if more, err := t.blamed(a); !more {
				return a, err
			}
			if !pause() {
				return a, spec.Interrupted
			}
			continue
		}
		broke, all := spent || a.Crashed(), spent || len(a.Attempts) == attempts
		if !broke && !pause() {
			return a, spec.Interrupted
		}
		var valid *client.Exchange
		if control != nil && (broke || all) {
			var ok bool
			if valid, ok = control(ctx); ok {
				if a.Control = valid; spent || a.Operation == client.Create && t.broken(a) && t.customary() {
					return a, nil
				}
				continue
			}
		}
		switch {
		case ctx.Err() != nil:
			return a, spec.Interrupted
		case all:
			return a, unclear(a, valid)
		case broke && !pause():
			return a, spec.Interrupted
		}
	}
}

// blamed is what a request comes to that got no clear answer although its control did: more, where the next attempt may get
// one, or the reason why that shows nothing; otherwise it is a finding.
func (t *Target) blamed(a Answer) (more bool, err error) {
	sent := len(a.Attempts)
	switch {
	case a.Status == http.StatusTooManyRequests:
		return false, spec.Unclear("throttled: %s", Describe(a.Exchange))
	case a.Crashed() && t.Sporadic() && sent < attempts:
		return true, nil
	case a.Err != nil && (a.Err.Kind == client.TooLarge || a.Err.Kind == client.Coded):
		return false, spec.Unclear("there is an answer, but it could not be read: %s", Describe(a.Exchange))
	case t.Astray() != nil:
		return false, t.Astray()
	case t.Accident(sent) && sent < 2*attempts:
		return true, nil
	case a.Status >= 500:
		t.breaks.Add(1)
	}
	return false, nil
}

// Wait reports whether the time passed without an interrupt.
func Wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
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

// budgetEnded reports whether a creation was never sent because the run may make no more of them.
func budgetEnded(x *client.Exchange) bool { return x.Err != nil && x.Err.Kind == client.Budget }

// broken reports whether attempts are enough to blame a deployment once the control is answered, although no more can
// be sent: a server error, or where the deployment is known to answer so, trouble that did not pass.
func (t *Target) broken(a Answer) bool {
	if t.Sporadic() {
		return false
	}
	for _, x := range a.Attempts {
		if x.Crashed() {
			return true
		}
	}
	return len(a.Attempts) > 1 && a.Status >= 500 && t.customary()
}

// customary reports whether a deployment was seen to break again and again: what another attempt would get is known,
// and each may leave a record behind.
func (t *Target) customary() bool { return t.breaks.Load() >= customary }

// sent says why an exchange cannot be judged whatever the rule: interrupted, or held back by our own limits.
func (t *Target) sent(ctx context.Context, x *client.Exchange) error {
	if ctx.Err() != nil {
		return spec.Interrupted
	}
	if x.Err != nil && x.Err.Kind == client.Spent {
		return &spec.Reason{Inconclusive: true, Key: "limits.max_requests", Why: x.Err.Error()}
	}
	if budgetEnded(x) {
		return spec.Unmet("limits.max_creates", "the run may create no more representatives%s", t.unclearCreations())
	}
	return nil
}

// unclearCreations says how much of the budget went to requests that may have made a record.
func (t *Target) unclearCreations() string {
	limit, created := t.Deployment.Limits.MaxCreates, t.Client.Stats().Created
	if created >= limit {
		return ""
	}
	return fmt.Sprintf(": it made %d, and %s without a clear rejection counted as well", created,
		printable.Quantity(limit-created, "answer"))
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
