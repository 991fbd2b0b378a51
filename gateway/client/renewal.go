package client

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
)

// renewal keeps an issued token fresh. It renews in the background once a fifth of the token's life is left, at most a
// minute, or when the deployment file asks for it; callers only wait while there is no token that holds.
type renewal struct {
	obtain func(ctx context.Context) (*grant, error)
	now    func() time.Time

	held   atomic.Pointer[grant]
	flight singleflight.Group // of renew, which alone uses the rest
	err    error              // of the last renewal
	again  time.Time          // not before then, after an error
}

const (
	longestMargin = time.Minute
	pauseRenewal  = time.Second // after an error
)

// current returns a token that holds. It fails when there is none and none can be obtained.
func (r *renewal) current(ctx context.Context) (string, error) {
	held := r.held.Load()
	if held.fresh(r.now()) {
		return held.value, nil
	}
	done := r.flight.DoChan("", r.renew)
	if held.holds(r.now()) {
		return held.value, nil
	}
	select {
	case renewed := <-done:
		if renewed.Err != nil {
			return "", renewed.Err
		}
		held = renewed.Val.(*grant)
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if !held.holds(r.now()) {
		return "", &CredentialError{
			"credentials",
			"the issued token had already expired when it arrived; check the clocks",
		}
	}
	return held.value, nil
}

// renew obtains another token, unless that was done or failed a moment ago.
func (r *renewal) renew() (any, error) {
	if held := r.held.Load(); held.fresh(r.now()) { // by another caller's renewal, since this one looked
		return held, nil
	}
	if r.now().Before(r.again) {
		return nil, r.err
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestIssue)
	defer cancel()
	got, err := r.obtain(ctx)
	if err != nil {
		r.err, r.again = err, r.now().Add(pauseRenewal)
		return nil, err
	}
	got.schedule(r.now())
	r.held.Store(got)
	return got, nil
}

// holds reports whether there is a token and it has not expired.
func (g *grant) holds(now time.Time) bool {
	return g != nil && (g.expires.IsZero() || now.Before(g.expires))
}

// fresh reports whether there is a token that need not be renewed yet.
func (g *grant) fresh(now time.Time) bool {
	return g != nil && (g.renew.IsZero() || now.Before(g.renew))
}

// schedule sets when a token is renewed, where it expires before the deployment file asks for another.
func (g *grant) schedule(now time.Time) {
	if !g.expires.IsZero() {
		early := g.expires.Add(-min(g.expires.Sub(now)/5, longestMargin))
		if g.renew.IsZero() || early.Before(g.renew) {
			g.renew = early
		}
	}
}
