package client

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"
)

// renewal keeps an issued token fresh: it obtains another one in the background while the last one still holds, and
// callers only wait where none does.
type renewal struct {
	obtain  func(ctx context.Context) (*oauth2.Token, error)
	refresh time.Duration // how often the deployment file asks for another; 0: it does not

	held  atomic.Pointer[grant]
	mu    sync.Mutex // of whoever obtains another one
	err   error      // of the last time
	again time.Time  // not before then, after an error
}

// grant is a token, with the time at which it expires and the earlier one at which it is renewed.
type grant struct {
	value          string
	expires, renew time.Time
}

const (
	longestMargin = time.Minute // before a token expires
	pauseRenewal  = time.Second // after an error
	noExpiry      = 100 * 365 * 24 * time.Hour
)

// current returns a token that holds. It fails when there is none and none can be obtained.
func (r *renewal) current(ctx context.Context) (string, error) {
	held := r.held.Load()
	switch now := time.Now(); {
	case held != nil && now.Before(held.renew):
		return held.value, nil
	case held != nil && now.Before(held.expires):
		if r.mu.TryLock() {
			go func() { defer r.mu.Unlock(); r.renew(context.WithoutCancel(ctx)) }()
		}
		return held.value, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held.Load() == held { // nobody else obtained one meanwhile
		r.renew(ctx)
	}
	switch held = r.held.Load(); {
	case held != nil && time.Now().Before(held.expires):
		return held.value, nil
	case r.err != nil:
		return "", r.err
	}
	return "", &CredentialError{"credentials", "the issued token had already expired when it arrived; check the clocks"}
}

func (r *renewal) renew(ctx context.Context) {
	now := time.Now()
	if now.Before(r.again) {
		return
	}
	ctx, cancel := context.WithTimeoutCause(ctx, longestIssue, errors.New("no answer in time"))
	defer cancel()
	got, err := r.obtain(ctx)
	if r.err = err; err != nil {
		r.again = now.Add(pauseRenewal)
		return
	}
	life := noExpiry
	if !got.Expiry.IsZero() {
		life = got.Expiry.Sub(now)
	}
	use := life - min(life/5, longestMargin)
	if r.refresh > 0 {
		use = min(use, r.refresh)
	}
	r.held.Store(&grant{got.AccessToken, now.Add(life), now.Add(use)})
}
