package token_test

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/golang-jwt/jwt/v5"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/internal/token"
)

var key = []byte("the key of the issuer, long enough for HS256")

func issue(t *testing.T, claims jwt.MapClaims) string {
	t.Helper()
	made := jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
	made.Header["kid"] = "k1"
	signed := testmust.Get(made.SignedString(key))(t)
	return signed
}

// parts returns the segments of a signed JWT.
func parts(value string) (header, payload, signature string, ok bool) {
	_, err := token.WithoutSignature()(value)
	segments := append(strings.Split(value, "."), "", "", "")
	return segments[0], segments[1], segments[2], err == nil
}

func verify(t string) error {
	_, err := jwt.Parse(t, func(*jwt.Token) (any, error) { return key, nil },
		jwt.WithValidMethods([]string{"HS256", "none"}))
	return err
}

// tampers are the ways to tamper with a token. Those that change the signature keep the rest.
var tampers = map[string]token.Change{
	"payload changed":         token.ChangedPayload(),
	"signature changed":       token.ChangedSignature(),
	"signature's end changed": token.ChangedSignatureEnd(),
	"signature in other case": token.SwappedSignatureCase(),
	"signature cut":           token.TruncatedSignature(),
	"no signature":            token.WithoutSignature(),
	"alg none":                token.Unsigned("none"),
	"resigned":                token.SignedWith(rand.Text(), "", "HS256"),
}

// apply changes a token; "" if that is impossible.
func apply(change token.Change, value string) (string, error) {
	edit, err := change(value)
	if err != nil {
		return "", err
	}
	return edit.Apply(value), nil
}

func TestTamperedTokensAreRefusedForTheReasonMeant(t *testing.T) {
	original := issue(t, jwt.MapClaims{"sub": "user-1", "exp": 4102444800, "big": 9007199254740993})
	if err := verify(original); err != nil {
		t.Fatalf("the original must verify: %v", err)
	}
	for name, tamper := range tampers {
		got, err := apply(tamper, original)
		if _, _, _, ok := parts(got); err != nil || got == original || !ok {
			t.Errorf("%s: %v; the token is unchanged or none any more: %s", name, err, got)
		}
		parsed, _, _ := jwt.NewParser().ParseUnverified(got, jwt.MapClaims{})
		if parsed == nil || parsed.Header["kid"] != "k1" {
			t.Errorf("%s: the header lost its key ID: %s", name, got)
		}
		want := jwt.ErrTokenSignatureInvalid
		if name == "alg none" {
			want = jwt.ErrTokenUnverifiable
		}
		if err := verify(got); !errors.Is(err, want) {
			t.Errorf("%s: a verifier says %v, want %v", name, err, want)
		}
	}
}

func TestPayloadChangedKeepsEverythingElse(t *testing.T) {
	original := issue(t, jwt.MapClaims{"sub": "user-1", "admin": true, "big": 9007199254740993})
	changed := testmust.Get(apply(token.ChangedPayload(), original))(t)
	h1, p1, s1, _ := parts(original)
	h2, p2, s2, ok := parts(changed)
	if !ok || h1 != h2 || s1 != s2 || p1 == p2 {
		t.Fatalf("header %v, signature %v kept; payload changed %v", h1 == h2, s1 == s2, p1 != p2)
	}
	text, _ := base64.RawURLEncoding.DecodeString(p2)
	for _, want := range []string{
		`"admin":true`, `"admin_tampered":true`, `"big":9007199254740993`, `"sub":"user-1"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("payload %s lacks %s", text, want)
		}
	}
}

func TestPayloadChangedOfAnEmptyPayload(t *testing.T) {
	changed := testmust.Get(
		apply(token.ChangedPayload(), segments(`{"alg":"HS256"}`, ` {} `, "sig")))(t)
	_, payload, _, ok := parts(changed)
	text, _ := base64.RawURLEncoding.DecodeString(payload)
	if !ok || string(text) != ` {"admin":true}` {
		t.Errorf("payload %q, ok %v", text, ok)
	}
}

func TestOpaqueTokensAreNotTamperedWith(t *testing.T) {
	secret := "sk_live_5up3rs3cr3t"
	opaque := []string{
		"", secret, "a.b", secret + "." + secret + "." + secret, "a.b.c.d.e", segments(`[]`, `{}`, "s"),
		segments(`{}`, `null`, "s"), segments(`{}`, `{}`, "s") + "!", segments(`{}`, `{}`, "s") + "\n",
	}
	for _, value := range opaque {
		for _, tamper := range tampers {
			got, err := apply(tamper, value)
			if !errors.Is(err, token.ErrNotJWT) || got != "" {
				t.Errorf("%q: got %q, %v", value, got, err)
			}
			if err != nil &&
				(strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "not a JWT")) {
				t.Errorf("message %q", err)
			}
		}
		if _, ok := token.Expiry(value); ok {
			t.Errorf("%q has an expiry", value)
		}
	}
}

func TestClaims(t *testing.T) {
	for payload, want := range map[string]string{`{"sub":"u-1"}`: "u-1", `{}`: "", `{"sub":7}`: ""} {
		testmust.Equal(t, token.Subject(segments(`{}`, payload, "s")), want, payload)
		testmust.Equal(t, token.Subject("opaque"), "", payload)
	}
	for payload, want := range map[string]time.Time{
		`{"exp":1735689600}`:  time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
		`{"exp":1.7356896e9}`: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		if got, ok := token.Expiry(segments(`{}`, payload, "s")); !ok || !got.Equal(want) {
			t.Errorf("%s: %v, %v", payload, got, ok)
		}
	}
	for _, payload := range []string{
		`{}`, `{"exp":"1735689600"}`, `{"exp":null}`, `{"exp":1e300}`, `{"exp":true}`,
		`{"exp":{}}`,
	} {
		if got, ok := token.Expiry(segments(`{}`, payload, "s")); ok {
			t.Errorf("%s: %v", payload, got)
		}
	}
}

// FuzzTampering checks that tampering yields another token, and changes only what it should.
func FuzzTampering(f *testing.F) {
	f.Add("a.b.c")
	f.Add(segments(`{"alg":"HS256"}`, `{"sub":"x","exp":1e9}`, "signature"))
	f.Add(segments(`{}`, ` { } `, ""))
	f.Fuzz(func(t *testing.T, value string) {
		if at, ok := token.Expiry(value); ok && (at.Year() > 9999 || at.Year() < -9999) {
			t.Errorf("%q expires at %s", value, at)
		}
		for name, tamper := range tampers {
			changed, err := apply(tamper, value)
			if err != nil {
				continue
			}
			header, payload, signature, ok := parts(changed)
			if !ok {
				t.Errorf("%s: %q became %q, which is no JWT", name, value, changed)
			}
			same := changed == value && strings.ContainsFunc(signature, unicode.IsLetter)
			if strings.HasPrefix(name, "signature") &&
				(same || !strings.HasPrefix(value, header+"."+payload+".")) {
				t.Errorf("%s: %q became %q", name, value, changed)
			}
		}
	})
}

func segments(header, payload, signature string) string {
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(header)) + "." + encode([]byte(payload)) + "." + encode([]byte(signature))
}
