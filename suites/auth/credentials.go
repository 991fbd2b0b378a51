package auth

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Rules that others depend on: two whose senders are tried in every context, two about what is nothing like a credential.
const (
	missing    = "auth.missing"
	expired    = "auth.bearer.expired"
	garbage    = "auth.bearer.garbage"
	unknownKey = "auth.api_key.unknown"
)

// bearer: Authorization headers that hold no token which the platform issued and still honours.
func (s *Suite) bearer() {
	// White space at the end of a header never arrives, so the scheme alone stands for an empty token.
	s.rejects("auth.bearer.empty", Must, "An empty bearer token is refused.", alternately(
		stranger("an empty bearer token", authorization, "Bearer"), stranger("an empty Authorization header", authorization, "")),
		spec.Security)
	s.rejects(garbage, Must, "A bearer token that nobody issued is refused.", []sender{
		stranger("a random text as token", authorization, "Bearer "+rand.Text()),
		stranger("a made-up JWT as token", authorization, "Bearer "+madeUp()),
	}, spec.Security)

	own := s.token()
	s.rejects("auth.bearer.scheme", Should, "The token under a scheme other than Bearer, or as an API key, is refused.", alternately(
		own.in("the token under the scheme Basic", authorization, "Basic "), own.in("the token under the scheme Token", authorization, "Token "),
		own.in("the token without a scheme", authorization, ""), own.in("the token as API key", apiKeyHeader, "")), spec.NeedsKeys(own.key))

	given := s.t.Deployment.Credentials
	const expiredKey, earlyKey = "credentials.expired_token", "credentials.not_yet_valid_token"
	s.rejects(expired, Must, "An expired token is refused.", []sender{
		credential{expiredKey, given.ExpiredToken, deployment.Bearer, ""}.itself("an expired token", func(value string) error {
			if at, known := token.Expiry(value); known && at.After(time.Now()) {
				return spec.NotVerifiedf(expiredKey, "it does not expire before %s", at.Format(time.RFC3339))
			}
			return nil
		}),
	}, spec.NeedsKeys(expiredKey), spec.Security)
	s.rejects("auth.bearer.not_yet_valid", Must, "A token that is not valid yet is refused.", []sender{
		credential{earlyKey, given.NotYetValidToken, deployment.Bearer, ""}.itself("a token that is not valid yet", unchecked),
	}, spec.NeedsKeys(earlyKey), spec.Security)
}

func unchecked(string) error { return nil }

// tampered: the platform token after it was changed. What the platform did not sign is not its token.
func (s *Suite) tampered() {
	a := func(what string, change func(string) (string, error)) sender {
		return s.changed(s.token(), "a token "+what, change)
	}
	by := func(key, id, algorithm string) func(string) (string, error) {
		return token.Forger{Algorithm: algorithm, Key: key, KeyID: id}.Sign
	}
	bare := func(value string) (string, error) {
		unsigned, err := token.SignatureRemoved(value)
		return strings.TrimSuffix(unsigned, "."), err
	}
	s.GroupRules(spec.NeedsKeys("credentials.platform_token"), spec.Security, func() {
		s.rejects("auth.bearer.payload", Must, "A token whose payload was changed is refused.",
			[]sender{a("whose payload was changed", token.PayloadChanged)})
		s.rejects("auth.bearer.signature", Must, "A token whose signature was changed is refused.", append(alternately(
			a("whose signature was changed at its end", token.SignatureEndChanged),
			a("whose signature is in the other letter case", token.SignatureCaseChanged)),
			a("whose signature was changed", token.SignatureChanged),
			a("with one more part behind its signature", func(t string) (string, error) { return t + ".e30", nil })))
		s.rejects("auth.bearer.signature_cut", Must, "A token whose signature is cut off is refused.",
			[]sender{a("whose signature was cut off", token.SignatureCut)})
		s.rejects("auth.bearer.signature_removed", Must, "A token whose signature was removed is refused.", alternately(
			a("whose signature was removed", token.SignatureRemoved), a("whose signature was removed with its dot", bare)))
		s.rejects("auth.bearer.alg_none", Must, "A token that claims to need no signature is refused.", append(alternately(
			a("that is unsigned (alg None)", func(t string) (string, error) { return token.Unsigned(t, "None") }),
			a("with alg none beside its signature", token.AlgNoneSigned)),
			a("that is unsigned (alg none)", token.AlgNone)))
		s.rejects("auth.bearer.other_key", Must, "A token signed with another key is refused.", append(alternately(
			a("signed with an empty key", by("", "", "HS256")), a("signed with another key by HS512", by(rand.Text(), "", "HS512")),
			a("signed with another key under an unknown key ID", by(rand.Text(), "gateassay", "HS256")),
			a("signed with an empty key under a key ID that names an empty file", by("", "../../../../dev/null", "HS256"))),
			a("signed with the key secret", by("secret", "", "HS256"))))
	})
}

// madeUp is a JWT in form: claims that look right, and random text as signature.
func madeUp() string {
	encode, now := base64.RawURLEncoding.EncodeToString, time.Now()
	claims := fmt.Appendf(nil, `{"sub":%q,"iat":%d,"exp":%d}`, target.NewUUID(), now.Unix(), now.Add(time.Hour).Unix())
	return encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode(claims) + "." + rand.Text()
}

// keys: whatever is not the API key, however near to it.
func (s *Suite) keys() {
	s.rejects(unknownKey, Must, "An API key that nobody issued is refused.",
		append([]sender{stranger("an API key that nobody issued", apiKeyHeader, target.NewUUID())}, alternately(
			stranger("a name that every JavaScript object has as API key", apiKeyHeader, "constructor"),
			stranger("the word test as API key", apiKeyHeader, "test"), stranger("the word null as API key", apiKeyHeader, "null"),
			stranger("the word changeme as API key", apiKeyHeader, "changeme"))...), spec.Security)
	s.rejects("auth.api_key.empty", Must, "An empty API key is refused.",
		[]sender{stranger("an empty API key", apiKeyHeader, "")}, spec.Security)
	const revokedKey = "credentials.revoked_api_key"
	s.rejects("auth.api_key.revoked", Must, "An API key that was revoked is refused.", []sender{
		credential{revokedKey, s.t.Deployment.Credentials.RevokedAPIKey, deployment.APIKey, apiKeyHeader}.itself("a revoked API key", unchecked),
	}, spec.NeedsKeys(revokedKey), spec.Security)

	a := func(what string, change func(key string) string) sender {
		return s.changed(s.key(), what, func(key string) (string, error) { return change(key), nil })
	}
	half := func(more string) func(string) string {
		return func(key string) string { return key[:len(key)/2] + more }
	}
	s.GroupRules(spec.NeedsKeys("credentials.api_key"), spec.Security, func() {
		// Who compares the case of nothing, or only one end of a key or both, takes the first of the last two for the key;
		// who leaves out how it begins takes the second for it, as those do who compare its end.
		s.rejects("auth.api_key.altered", Must, "An API key that is nearly the one that was issued is refused.", append(alternately(
			a("the API key without its last character", func(key string) string { return key[:len(key)-1] }),
			a("the API key with one character more", func(key string) string { return key + "x" }),
			a("the API key behind another in a list", func(key string) string { return "x, " + key })),
			alternately(
				a("the API key with its middle in the other letter case", func(key string) string {
					from, to := len(key)/3, len(key)-len(key)/3
					return key[:from] + otherCase(key[from:to]) + key[to:]
				}),
				a("the API key with its first half in the other letter case", func(key string) string {
					return otherCase(key[:len(key)/2]) + key[len(key)/2:]
				}))...))
		s.rejects("auth.api_key.part", Must, "A part of an API key is refused.", alternately(a("the first half of the API key", half("")),
			a("the second half of the API key", func(key string) string { return key[len(key)/2:] })))
		s.rejects("auth.api_key.wildcard", Must, "An API key in which a wildcard stands for a part is refused.", alternately(
			a("half of the API key and a percent sign", half("%")), a("half of the API key and an asterisk", half("*")),
			a("half of the API key and .*", half(".*")), stranger("a percent sign as API key", apiKeyHeader, "%")))
	})
}

func otherCase(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// elsewhere: the right credential where it does not belong.
func (s *Suite) elsewhere() {
	own, key := s.token(), s.key()
	s.rejects("auth.bearer.elsewhere", Should, "The token in another place than Authorization is refused.", append(
		alternately(own.in("the token as a cookie", "Cookie", "token="), own.in("the token in X-Access-Token", "X-Access-Token", "")),
		alternately(own.inQuery("the token", "access_token"), own.inQuery("the token", "token"))...), spec.NeedsKeys(own.key))
	s.rejects("auth.api_key.elsewhere", Should, "The API key in another place than x-api-key is refused.", alternately(
		key.in("the API key as a bearer token", authorization, "Bearer "), key.in("the API key under the scheme ApiKey", authorization, "ApiKey "),
		key.in("the API key as a cookie", "Cookie", "x-api-key=")), spec.NeedsKeys(key.key))
	s.rejects("auth.api_key.in_query", Should, "The API key in the query instead of the header is refused.",
		alternately(key.inQuery("the API key", "x-api-key"), key.inQuery("the API key", "api_key")), spec.NeedsKeys(key.key))
}
