package client

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// renewal keeps an issued token fresh. It renews in the background once a fifth of the token's life is left, at most a
// minute, or when the deployment file asks for it; callers only wait while there is no token that holds.
type renewal struct {
	obtain func(ctx context.Context) (grant, error)
	now    func() time.Time

	held atomic.Pointer[grant]

	mu    sync.Mutex
	busy  chan struct{} // closed when the renewal under way ends; nil: none is
	err   error         // of the last renewal
	again time.Time     // not before then, after an error
}

const (
	longestMargin = time.Minute
	pauseRenewal  = time.Second // after an error
)

// current returns a token that holds. It fails when there is none and none can be obtained.
func (r *renewal) current(ctx context.Context) (string, error) {
	for range 2 { // once more for a token that comes while it is awaited
		held, now := r.held.Load(), r.now()
		if held != nil && (held.renew.IsZero() || now.Before(held.renew)) {
			return held.value, nil
		}
		done := r.start(now)
		if held != nil && held.holds(now) {
			return held.value, nil
		}
		select {
		case <-done:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
	if held := r.held.Load(); held != nil && held.holds(r.now()) {
		return held.value, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		return "", &CredentialError{"credentials", "what was issued had expired when it came; check the clocks"}
	}
	return "", r.err
}

// start begins a renewal unless one is under way or failed a moment ago; the channel is closed when it ends.
func (r *renewal) start(now time.Time) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy != nil {
		return r.busy
	}
	done := make(chan struct{})
	held := r.held.Load() // another caller's renewal may have ended since this one looked
	if now.Before(r.again) || held != nil && (held.renew.IsZero() || now.Before(held.renew)) {
		close(done)
		return done
	}
	r.busy = done
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(context.Background(), longestIssue)
		defer cancel()
		got, err := r.obtain(ctx)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.busy, r.err = nil, err
		if err != nil {
			r.again = r.now().Add(pauseRenewal)
			return
		}
		r.held.Store(got.scheduled(r.now()))
	}()
	return done
}

func (g *grant) holds(now time.Time) bool { return g.expires.IsZero() || now.Before(g.expires) }

// scheduled sets when a token is renewed, where it expires before the deployment file asks for another.
func (g grant) scheduled(now time.Time) *grant {
	if !g.expires.IsZero() {
		early := g.expires.Add(-min(g.expires.Sub(now)/5, longestMargin))
		if g.renew.IsZero() || early.Before(g.renew) {
			g.renew = early
		}
	}
	return &g
}
