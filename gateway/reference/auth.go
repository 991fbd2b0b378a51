package reference

import (
	"crypto/hmac"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	issuer        = "gateassay-reference"
	tokenLifetime = 90 * 24 * time.Hour
)

// tokens are the credentials that the gateway issued, and those that it has verified.
type tokens struct {
	key                                       []byte // signs platform tokens
	main, expired, early, unprivileged, other string
	apiKey, revokedKey                        string
	grants                                    sync.Map // token -> grant; holds tokens of our own signature only
}

type grant struct {
	user    *user
	expires time.Time
}

func (g *Gateway) issueCredentials() error {
	t := g.tokens
	t.key = derive(g.secret, "platform tokens")
	now := g.now()
	for _, issue := range []struct {
		token  *string
		user   *user
		issued time.Time
		life   time.Duration
		wait   time.Duration
	}{
		{&t.main, g.data.main, now, tokenLifetime, 0},
		{&t.expired, g.data.main, now.Add(-48 * time.Hour), 24 * time.Hour, 0},
		{&t.early, g.data.main, now, tokenLifetime, tokenLifetime / 2},
		{&t.unprivileged, g.data.unprivileged, now, tokenLifetime, 0},
		{&t.other, g.data.other, now, tokenLifetime, 0},
	} {
		var notBefore *jwt.NumericDate
		if issue.wait > 0 {
			notBefore = jwt.NewNumericDate(issue.issued.Add(issue.wait))
		}
		signed, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
			Issuer: issuer, Subject: issue.user.id,
			NotBefore: notBefore, IssuedAt: jwt.NewNumericDate(issue.issued), ExpiresAt: jwt.NewNumericDate(issue.issued.Add(issue.life)),
		}).SignedString(t.key)
		if err != nil {
			return fmt.Errorf("signing a platform token: %w", err)
		}
		*issue.token = signed
	}
	t.apiKey = "ref_" + base64.RawURLEncoding.EncodeToString(derive(g.secret, "API key"))
	t.revokedKey = "ref_" + base64.RawURLEncoding.EncodeToString(derive(g.secret, "revoked API key"))
	return nil
}

// authenticated finds who sends a request, and refuses it where nobody does who is known.
func (q *call) authenticated() bool {
	s := sender{q.g.authenticate(q.r)}
	q.g.pass(q, &s)
	if q.caller = s.user; q.caller == nil {
		q.w.Header().Set("WWW-Authenticate", `Bearer realm="gateway"`)
		q.refuse(http.StatusUnauthorized, "unauthenticated")
	}
	return q.caller != nil
}

// authenticate returns who sends a request; nil: nobody who is known. A bearer token decides where one is sent, the API
// key otherwise.
func (g *Gateway) authenticate(r *http.Request) *user {
	if headers, sent := r.Header["Authorization"]; sent {
		scheme, token, _ := strings.Cut(headers[0], " ")
		if len(headers) != 1 || !strings.EqualFold(scheme, "Bearer") {
			return nil
		}
		u, _ := g.verify(token)
		return u
	}
	keys := r.Header["X-Api-Key"]
	if g.choices.NoAPIKey || len(keys) != 1 || !hmac.Equal([]byte(keys[0]), []byte(g.tokens.apiKey)) {
		return nil
	}
	return g.data.main
}

// verify checks algorithm, signature, issuer, expiry and subject of a platform token.
func (g *Gateway) verify(token string) (*user, error) {
	if cached, ok := g.tokens.grants.Load(token); ok {
		if v := cached.(grant); g.now().Before(v.expires) {
			return v.user, nil
		}
	}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithIssuer(issuer),
		jwt.WithExpirationRequired(), jwt.WithStrictDecoding(), jwt.WithTimeFunc(g.now))
	var claims jwt.RegisteredClaims
	if _, err := parser.ParseWithClaims(token, &claims,
		func(*jwt.Token) (any, error) { return g.tokens.key, nil }); err != nil {
		return nil, err
	}
	u := g.data.users[claims.Subject]
	if u != nil {
		g.tokens.grants.Store(token, grant{u, claims.ExpiresAt.Time})
	}
	return u, nil
}
