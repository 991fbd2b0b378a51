package reference

import (
	"encoding/base64"
	"encoding/json"
	"errors"
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
	key                                []byte // signs platform tokens
	main, expired, unprivileged, other string
	apiKey                             string
	verified                           sync.Map // token -> verified; holds tokens of our own signature only
}

type verified struct {
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
	}{
		{&t.main, g.data.main, now, tokenLifetime},
		{&t.expired, g.data.main, now.Add(-48 * time.Hour), 24 * time.Hour},
		{&t.unprivileged, g.data.unprivileged, now, tokenLifetime},
		{&t.other, g.data.other, now, tokenLifetime},
	} {
		signed, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
			Issuer: issuer, Subject: issue.user.id,
			IssuedAt: jwt.NewNumericDate(issue.issued), ExpiresAt: jwt.NewNumericDate(issue.issued.Add(issue.life)),
		}).SignedString(t.key)
		if err != nil {
			return fmt.Errorf("signing a platform token: %w", err)
		}
		*issue.token = signed
	}
	t.apiKey = "ref_" + base64.RawURLEncoding.EncodeToString(derive(g.secret, "API key"))
	return nil
}

// authenticate tells who sends a request; nil: nobody that is known. A bearer token decides where one is sent, the API
// key otherwise.
func (g *Gateway) authenticate(r *http.Request) *user {
	authorization, sent := r.Header["Authorization"]
	if sent {
		if u := g.bearer(r, authorization); u != nil {
			return u
		}
		return nil
	}
	return g.apiKeyOf(r)
}

func (g *Gateway) apiKeyOf(r *http.Request) *user {
	keys, sent := r.Header["X-Api-Key"]
	switch {
	case g.choices.NoAPIKey || g.fault("auth.api_key_refused") && strings.HasSuffix(r.URL.Path, exportPath):
		return nil
	case !sent && g.fault("auth.api_key_in_query") && r.URL.RawQuery != "":
		for _, values := range r.URL.Query() {
			if values[0] == g.tokens.apiKey {
				return g.data.main
			}
		}
		return nil
	case !sent || len(keys) != 1:
		return nil
	case keys[0] == "":
		return g.either(g.fault("auth.empty_api_key_accepted"))
	}
	known := constantTimeEqual(keys[0], g.tokens.apiKey) || g.fault("auth.unknown_api_key_accepted")
	if n := min(len(keys[0]), len(g.tokens.apiKey)); g.fault("auth.api_key_beginning_accepted") && n > 8 {
		known = keys[0][:n] == g.tokens.apiKey[:n]
	}
	return g.either(known)
}

func (g *Gateway) either(known bool) *user {
	if known {
		return g.data.main
	}
	return nil
}

func (g *Gateway) bearer(r *http.Request, headers []string) *user {
	if len(headers) != 1 {
		return nil
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		if g.fault("auth.any_scheme_accepted") {
			return g.verify(token)
		}
		return nil
	}
	if token == "" {
		return g.either(g.fault("auth.empty_bearer_accepted"))
	}
	if g.fault("auth.bearer_refused") && strings.HasSuffix(r.URL.Path, createPath) {
		return nil
	}
	if u := g.verify(token); u != nil {
		return u
	}
	if g.fault("auth.garbage_accepted") && strings.Count(token, ".") != 2 {
		return g.data.main
	}
	return g.leniently(token)
}

// verify checks algorithm, signature, issuer, expiry and subject of a platform token.
func (g *Gateway) verify(token string) *user {
	if cached, ok := g.tokens.verified.Load(token); ok {
		if v := cached.(verified); g.now().Before(v.expires) {
			return v.user
		}
		return g.lateUser(token)
	}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithIssuer(issuer), jwt.WithExpirationRequired(),
		jwt.WithStrictDecoding(), jwt.WithTimeFunc(g.now))
	var claims jwt.RegisteredClaims
	_, err := parser.ParseWithClaims(token, &claims, func(*jwt.Token) (any, error) { return g.tokens.key, nil })
	if err != nil {
		if errors.Is(err, jwt.ErrTokenExpired) {
			return g.lateUser(token)
		}
		return nil
	}
	u := g.data.users[claims.Subject]
	if u != nil {
		g.tokens.verified.Store(token, verified{u, claims.ExpiresAt.Time})
	}
	return u
}

// lateUser is the user of an expired token, for the fault that accepts it.
func (g *Gateway) lateUser(token string) *user {
	if g.fault("auth.expired_accepted") {
		return g.subjectOf(token)
	}
	return nil
}

// leniently accepts what a fault lets pass although verification failed.
func (g *Gateway) leniently(token string) *user {
	if len(g.broken.names) == 0 {
		return nil
	}
	parts := strings.Split(token, ".")
	if len(parts) < 2 {
		return nil
	}
	signature := ""
	if len(parts) == 3 {
		signature = parts[2]
	}
	none := strings.EqualFold(algorithmOf(parts[0]), "none")
	genuine := strings.Split(g.tokens.main, ".")
	samePayload := parts[0] == genuine[0] && parts[1] == genuine[1]
	switch {
	case g.fault("auth.other_key_accepted") && signature != "":
		return g.subjectWhen(true, token)
	case none:
		return g.subjectWhen(g.fault("auth.alg_none_accepted"), token)
	case signature == "":
		return g.subjectWhen(g.fault("auth.signature_removed_accepted"), token)
	case samePayload && len(signature) < len(genuine[2]) && strings.HasPrefix(genuine[2], signature):
		return g.subjectWhen(g.fault("auth.cut_signature_accepted"), token)
	case samePayload:
		half := len(genuine[2]) / 2
		compared := g.fault("auth.signature_beginning_compared") && len(signature) == len(genuine[2]) && signature[:half] == genuine[2][:half]
		return g.subjectWhen(compared || g.fault("auth.signature_changed_accepted"), token)
	case signature == genuine[2]:
		return g.subjectWhen(g.fault("auth.payload_changed_accepted"), token)
	}
	return nil
}

// subjectWhen is the user that a token names, or the main user where its claims cannot be read.
func (g *Gateway) subjectWhen(broken bool, token string) *user {
	if !broken {
		return nil
	}
	if u := g.subjectOf(token); u != nil {
		return u
	}
	return g.data.main
}

func (g *Gateway) subjectOf(token string) *user {
	parts := strings.Split(token, ".")
	if len(parts) < 2 {
		return nil
	}
	var claims struct {
		Subject string `json:"sub"`
	}
	data, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(data, &claims) != nil {
		return nil
	}
	return g.data.users[claims.Subject]
}

func algorithmOf(header string) string {
	var h struct {
		Algorithm string `json:"alg"`
	}
	data, err := base64.RawURLEncoding.DecodeString(header)
	if err != nil || json.Unmarshal(data, &h) != nil {
		return ""
	}
	return h.Algorithm
}

// authenticated answers 401 and returns nil when nobody valid sends the request.
func (g *Gateway) authenticated(w http.ResponseWriter, r *http.Request, operation string) *user {
	if u := g.authenticate(r); u != nil {
		return u
	}
	if withoutCredential(r) && g.fault("auth."+operation+"_missing_accepted") {
		return g.data.main
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="gateway"`)
	g.refuse(w, r, g.unknownStatus(r, operation), "unauthenticated")
	return nil
}

func withoutCredential(r *http.Request) bool {
	return r.Header["Authorization"] == nil && r.Header["X-Api-Key"] == nil && r.URL.RawQuery == ""
}

// unknownStatus is 401 unless a fault answers something else.
func (g *Gateway) unknownStatus(r *http.Request, operation string) int {
	if len(g.broken.names) == 0 {
		return http.StatusUnauthorized
	}
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch creation := operation == "create"; {
	case withoutCredential(r) && g.fault("auth."+operation+"_missing_403"),
		g.fault("auth." + operation + "_403"),
		creation && bearer && token == g.tokens.expired && g.fault("auth.expired_403"),
		creation && r.Header.Get("x-api-key") != "" && g.fault("auth.unknown_api_key_403"):
		return http.StatusForbidden
	case withoutCredential(r) && g.fault("auth."+operation+"_missing_500"),
		bearer && !strings.Contains(token, ".") && g.fault("auth.garbage_500"):
		return http.StatusInternalServerError
	}
	return http.StatusUnauthorized
}
