package auth

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/spec"
)

// checkBearer judges Authorization headers that hold no token which the platform issued and still honours.
func (s *suite) checkBearer() {
	fixed := func(value string) maker { return func() (identity, error) { return authorization(value), nil } }

	// The header has to carry a token. White space at the end of a header never arrives, so the scheme alone stands for
	// an empty token.
	s.refused("auth.bearer.empty", "Bearer without a token", "no token", fixed("Bearer"))
	s.refused("auth.bearer.empty", "an empty Authorization header", "empty header", fixed(""))

	// The token has to be one that the platform authorization system issued.
	s.refused("auth.bearer.garbage", "a random text as token", "random text", func() (identity, error) {
		return authorization("Bearer " + random(30)), nil
	})
	s.refused("auth.bearer.garbage", "a made-up JWT as token", "made-up JWT", func() (identity, error) {
		return authorization("Bearer " + madeUp()), nil
	})

	// The token is sent as a Bearer token; the same token under another scheme is no authentication.
	for _, scheme := range []struct{ detail, prefix string }{
		{"Basic", "Basic "}, {"Token", "Token "}, {"no scheme", ""},
	} {
		s.refused("auth.bearer.scheme", "the token under another scheme: "+scheme.detail, scheme.detail, func() (identity, error) {
			value, err := s.token()
			return authorization(scheme.prefix + value), err
		})
	}

	// A token that is past its time is not valid any more.
	s.refused("auth.bearer.expired", "an expired token", "", func() (identity, error) {
		expired := s.t.Deployment.Credentials.ExpiredToken
		switch {
		case expired == nil:
			return identity{}, spec.Unmet("credentials.expired_token", "")
		case expired.Method != deployment.Bearer:
			return identity{}, spec.Unmet("credentials.expired_token", "it is given as an API key, not as a bearer token")
		}
		if at, known := token.Expiry(expired.Value); known && at.After(time.Now()) {
			return identity{}, spec.Unmet("credentials.expired_token", "it does not expire before %s", at.Format(time.RFC3339))
		}
		return identity{credential: expired}, nil
	})
}

// checkTampered judges the platform token after it was changed: what the platform did not sign is not its token.
func (s *suite) checkTampered() {
	for _, change := range []struct {
		rule, label, detail string
		tamper              func(string) (string, error)
	}{
		// A payload that is not the signed one.
		{"auth.bearer.payload", "token with its payload changed", "", token.PayloadChanged},
		// A signature that is not the platform's.
		{"auth.bearer.signature", "token with its signature changed", "at its beginning", token.SignatureChanged},
		{"auth.bearer.signature", "token with its signature changed at its end", "at its end", token.SignatureEndChanged},
		// A part of the signature does not sign.
		{"auth.bearer.signature_cut", "token with its signature cut off", "", token.SignatureCut},
		// Nothing signed.
		{"auth.bearer.signature_removed", "token without its signature", "the dot kept", token.SignatureRemoved},
		{"auth.bearer.signature_removed", "token without its signature and dot", "the dot removed", withoutDot},
		// The token must not decide by itself that it needs no signature.
		{"auth.bearer.alg_none", "token with alg none", "", token.AlgNone},
		{"auth.bearer.alg_none", "token with alg None", "written None", func(t string) (string, error) { return token.Unsigned(t, "None") }},
		// A sound signature by a key that is not the platform's.
		{"auth.bearer.other_key", "token signed with another key", "", token.Resigned},
	} {
		s.refused(change.rule, change.label, change.detail, func() (identity, error) {
			value, err := s.token()
			if err != nil {
				return identity{}, err
			}
			changed, err := change.tamper(value)
			if err != nil {
				return identity{}, spec.Unmet("credentials.platform_token", "the token is opaque, it cannot be taken apart: %v", err)
			}
			// What is left of the token is as secret as the token.
			s.t.Client.Redactor().Secret(change.label, changed)
			return authorization("Bearer " + changed), nil
		})
	}
}

func withoutDot(value string) (string, error) {
	bare, err := token.SignatureRemoved(value)
	if err != nil {
		return "", err
	}
	return bare[:len(bare)-1], nil
}

// random is text that nobody issued as a credential.
func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails: crypto/rand aborts the program instead
	return base64.RawURLEncoding.EncodeToString(b)
}

// madeUp is a JWT in form: claims that look right, and random bytes as signature.
func madeUp() string {
	claims, err := json.Marshal(map[string]any{
		"sub": uuid.NewString(), "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	})
	if err != nil {
		panic("claims cannot be written: " + err.Error())
	}
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode(claims) + "." + random(32)
}
