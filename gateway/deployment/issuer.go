package deployment

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Issuer obtains the value of a credential during a run, from a command or a token endpoint.
type Issuer struct {
	Command []string      // program and arguments; prints the token
	Dir     string        // the folder that it runs in
	Refresh time.Duration // renewal interval; 0: only before the token expires
	OAuth2  *OAuth2

	mu                 sync.Mutex
	token              string
	renewAt, expiresAt time.Time // when to obtain another token, and when this one expires
	err                error     // of the latest attempt
	retryAt            time.Time // no attempt before this, after an error
}

const (
	maxRenewalMargin  = time.Minute // maximum time before expiry at which a token is renewed
	renewalRetryPause = time.Second // after an error
	neverExpires      = 100 * 365 * 24 * time.Hour
)

// Token returns the current token. When it is due, obtain renews it and returns the new expiry,
// or zero if unknown. After an error the last token stays in use until it expires. Concurrent
// callers wait. The end of ctx ends only the caller's attempt.
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

// IsOutdated reports whether an issued token has expired or was replaced.
func (i *Issuer) IsOutdated(token string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return token != i.token || !time.Now().Before(i.expiresAt)
}

// OAuth2 is a token endpoint for the client credentials grant.
type OAuth2 struct {
	// The address of the token endpoint.
	TokenURL string `yaml:"token_url" jsonschema:"required,format=token_url"`
	// The ID of the client.
	ClientID string `yaml:"client_id" jsonschema:"required,format=line"`
	// The secret of the client.
	ClientSecret string `yaml:"client_secret" jsonschema:"required,format=line"`
	// The scopes to request, separated by spaces.
	Scope string `yaml:"scope" jsonschema:"format=line"`
}
