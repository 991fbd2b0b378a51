package reference

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// badCredentials are headers that must not authenticate.
func badCredentials(g tried) map[string][]string {
	parts := strings.Split(g.tokens.main, ".")
	encode := base64.RawURLEncoding.EncodeToString
	bearer := func(token string) []string { return []string{"Authorization", "Bearer " + token} }
	claims := jwt.RegisteredClaims{
		Issuer: issuer, Subject: g.data.main.id,
		ExpiresAt: jwt.NewNumericDate(g.now().Add(time.Hour)),
	}
	sign := func(method jwt.SigningMethod, key any, c jwt.RegisteredClaims) string {
		token, err := jwt.NewWithClaims(method, c).SignedString(key)
		if err != nil {
			panic(err)
		}
		return token
	}
	otherIssuer, noExpiry, stranger := claims, claims, claims
	otherIssuer.Issuer, noExpiry.ExpiresAt, stranger.Subject = "someone", nil, "7d2c3b1e-0f4a-4c55-9d6e-1a2b3c4d5e6f"
	flipped := []byte(parts[2])
	flipped[5] ^= 1
	// The last character of the signature holds bits that decoding may ignore.
	loose := parts[2][:42] +
		string("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[strings.IndexByte(
			"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", parts[2][42])^1])
	payload := encode([]byte(jsonOf(object{
		"iss": issuer, "sub": g.data.main.id, "exp": g.now().Add(time.Hour).Unix(),
		"admin": true,
	})))
	return map[string][]string{
		"nothing":             {"Authorization", "-"},
		"empty header":        {"Authorization", ""},
		"empty bearer":        {"Authorization", "Bearer "},
		"bearer only":         {"Authorization", "Bearer"},
		"garbage":             bearer("garbage"),
		"three parts":         bearer("a.b.c"),
		"another scheme":      {"Authorization", "Basic " + g.tokens.main},
		"no scheme":           {"Authorization", g.tokens.main},
		"expired":             bearer(g.tokens.expired),
		"payload changed":     bearer(parts[0] + "." + payload + "." + parts[2]),
		"signature changed":   bearer(parts[0] + "." + parts[1] + "." + string(flipped)),
		"signature loose":     bearer(parts[0] + "." + parts[1] + "." + loose),
		"signature cut":       bearer(g.tokens.main[:len(g.tokens.main)-4]),
		"signature removed":   bearer(parts[0] + "." + parts[1] + "."),
		"two parts":           bearer(parts[0] + "." + parts[1]),
		"alg none":            bearer(sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims)),
		"alg none, signature": bearer(encode([]byte(`{"alg":"nOnE","typ":"JWT"}`)) + "." + parts[1] + "." + parts[2]),
		"another key": bearer(
			sign(jwt.SigningMethodHS256, []byte("another key, long enough to be one"), claims)),
		"another algorithm": bearer(sign(jwt.SigningMethodHS512, g.tokens.key, claims)),
		"another issuer":    bearer(sign(jwt.SigningMethodHS256, g.tokens.key, otherIssuer)),
		"no expiry":         bearer(sign(jwt.SigningMethodHS256, g.tokens.key, noExpiry)),
		"unknown user":      bearer(sign(jwt.SigningMethodHS256, g.tokens.key, stranger)),
		"unknown key":       {"Authorization", "-", "x-api-key", "ref_unknown"},
		"empty key":         {"Authorization", "-", "x-api-key", ""},
		"key as bearer":     bearer(g.tokens.apiKey),
		"token as key":      {"Authorization", "-", "x-api-key", g.tokens.main},
	}
}

func TestAuthentication(t *testing.T) {
	g := try(t, Choices{})
	text := jsonOf(g.person())
	for name, headers := range badCredentials(g) {
		create, export := g.createText(text, headers...), g.export("{}", headers...)
		if create.Code != 401 || export.Code != 401 {
			t.Errorf("%s: create %d, export %d, want 401", name, create.Code, export.Code)
		}
	}
	if w := g.send("POST", exportPath+"?x-api-key="+g.tokens.apiKey, strings.NewReader("{}"), "Authorization",
		"-"); w.Code != 401 {
		t.Errorf("key in the query: %d", w.Code)
	}
	for name, headers := range map[string][]string{
		"token": nil, "lower-case scheme": {"Authorization", "bearer " + g.tokens.main}, "key": {
			"Authorization", "-",
			"x-api-key", g.tokens.apiKey,
		},
	} {
		create, export := g.createText(text, headers...), g.export("{}", headers...)
		if create.Code != 201 || export.Code != 200 {
			t.Errorf("%s: create %d, export %d", name, create.Code, export.Code)
		}
	}
	g.clock.at = g.clock.at.Add(tokenLifetime + time.Second)
	if w := g.export("{}"); w.Code != 401 {
		t.Errorf("a token that expired after it was verified: %d, want 401", w.Code)
	}
}
