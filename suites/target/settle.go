package target

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/plan"
)

// Answer is what a request got, after everything that could be trouble rather than judgement was told apart.
type Answer struct {
	*client.Exchange                    // the last attempt
	Attempts         []*client.Exchange // all attempts, each with fresh identifiers
	Control          *client.Exchange   // the request without the defect, sent when no attempt was clear: it was answered
}

// Clear tells whether an answer speaks about the request itself.
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

// attempts of one request before the control is asked whether the deployment is in order.
const attempts = 4

// Settle sends a request until its answer is clear. When none is, the control (the same request without the defect)
// tells a deployment that is out of order from one that cannot answer this very request: where the control is answered
// and the request once more is not, the unclear answer is the finding.
func (t *Target) Settle(ctx context.Context, clear Clear, once func() *client.Exchange, control func(context.Context) (*client.Exchange, bool)) (Answer, error) {
	var a Answer
	send := func() error {
		x := once()
		a.Exchange = x
		a.Attempts = append(a.Attempts, x)
		return t.sent(ctx, x)
	}
	pause := 200 * time.Millisecond
	for range attempts {
		if err := send(); err != nil {
			return a, err
		}
		if clear(a.Exchange) {
			return a, nil
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return a, plan.Interrupted
		}
	}
	if control == nil {
		return a, plan.Unclear("no clear answer after %d attempts: %s", len(a.Attempts), Describe(a.Exchange))
	}
	twin, ok := control(ctx)
	if !ok {
		return a, plan.Unclear("no clear answer after %d attempts (%s), and the same request without the defect got none either (%s)",
			len(a.Attempts), Describe(a.Exchange), Describe(twin))
	}
	a.Control = twin
	if err := send(); err != nil {
		return a, err
	}
	if a.Exchange.Status == http.StatusTooManyRequests {
		return a, plan.Unclear("throttled: %s", Describe(a.Exchange))
	}
	return a, nil
}

// sent tells why an exchange cannot be judged whatever the rule: interrupted, or held back by our own limits.
func (t *Target) sent(ctx context.Context, x *client.Exchange) error {
	if ctx.Err() != nil {
		return plan.Interrupted
	}
	if x.Err != nil && x.Err.Kind == client.Budget {
		return plan.Unmet("limits.max_creates", "the run may create no more representatives")
	}
	return nil
}

// Usable turns an exchange that says nothing about the request into a reason to start the observation anew.
func (t *Target) Usable(ctx context.Context, x *client.Exchange) error {
	if err := t.sent(ctx, x); err != nil {
		return err
	}
	if x.Transient() {
		return plan.Transient("%s", Describe(x))
	}
	return nil
}

// Describe says in a few words what a request got.
func Describe(x *client.Exchange) string {
	switch {
	case x == nil:
		return "nothing was sent"
	case x.Err != nil:
		return x.Err.Error()
	case x.Status == 0:
		return "no answer"
	}
	return fmt.Sprintf("%d %s", x.Status, http.StatusText(x.Status))
}
