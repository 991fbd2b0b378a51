package deployment

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Issuer says how the value of a credential is obtained during a run: by a command or from a token
// endpoint.
type Issuer struct {
	Command []string      // program and arguments; it prints the token
	Dir     string        // where it runs
	Refresh time.Duration // how often it is obtained anew; 0: before it expires
	OAuth2  *OAuth2

	mu                 sync.Mutex
	token              string
	renewAt, expiresAt time.Time // another is obtained from then on; this one holds until then
	err                error     // of the last time
	retryAt            time.Time // not before then, after an error
}

const (
	maxRenewalMargin  = time.Minute // before a token expires, in which another is obtained
	renewalRetryPause = time.Second // after an error
	neverExpires      = 100 * 365 * 24 * time.Hour
)

// Token is what holds now. Once it is due, obtain gets another, with when that expires where it is
// known; where none can be had, the last one is used for as long as it holds. Whoever asks
// meanwhile waits. The end of ctx ends one attempt only.
func (i *Issuer) Token(
	ctx context.Context, obtain func(context.Context) (token string, expiry time.Time, err error),
) (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	now := time.Now()
	if !now.Before(i.renewAt) && !now.Before(i.retryAt) {
		token, expiry, err := obtain(ctx)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if i.err = err; err != nil {
			i.retryAt = now.Add(renewalRetryPause)
		} else {
			life := neverExpires
			if !expiry.IsZero() {
				life = expiry.Sub(now)
			}
			use := life - min(life/5, maxRenewalMargin)
			if i.Refresh > 0 {
				use = min(use, i.Refresh)
			}
			i.token, i.renewAt, i.expiresAt = token, now.Add(use), now.Add(life)
		}
	}
	switch {
	case time.Now().Before(i.expiresAt):
		return i.token, nil
	case i.err != nil:
		return "", i.err
	}
	return "", errors.New("the issued token had already expired when it arrived; check the clocks")
}

// IsOutdated reports whether a token that was issued has ended, or was replaced by another.
func (i *Issuer) IsOutdated(token string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return token != i.token || !time.Now().Before(i.expiresAt)
}

// OAuth2 is a token endpoint that issues tokens to a client by its secret.
type OAuth2 struct {
	// The address of the token endpoint.
	TokenURL string `yaml:"token_url" jsonschema:"required,format=token_url"`
	// The ID of the client.
	ClientID string `yaml:"client_id" jsonschema:"required,format=line"`
	// The secret of the client.
	ClientSecret string `yaml:"client_secret" jsonschema:"required,format=line"`
	// The scopes to ask for, separated by spaces.
	Scope string `yaml:"scope" jsonschema:"format=line"`
}
