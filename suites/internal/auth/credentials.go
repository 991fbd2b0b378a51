package auth

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Rules that others depend on: ruleMissing and ruleExpired are tried in every configuration,
// ruleGarbage and ruleUnknownKey are about obvious garbage.
const (
	ruleMissing     = "auth.missing"
	ruleMissingPath = "auth.missing.path"
	ruleExpired     = "auth.bearer.expired"
	ruleGarbage     = "auth.bearer.garbage"
	ruleUnknownKey  = "auth.api_key.unknown"
)

// declareBearerRules declares the rules on Authorization headers without a token that the
// platform issued and still honours.
func (s *Suite) declareBearerRules() {
	// Trailing white space of a header is lost, so the scheme alone stands for an empty token.
	s.ruleRejects("auth.bearer.empty", Must, "An empty bearer token is refused.", alternateBySeed(
		callerWithHeader("an empty bearer token", inAuthorizationHeader, "Bearer"),
		callerWithHeader("an empty Authorization header", inAuthorizationHeader, "")),
		spec.Security)
	s.ruleRejects(ruleGarbage, Must, "A bearer token that nobody issued is refused.", []caller{
		callerWithMadeUp("a random text as token", inAuthorizationHeader, rand.Text()),
		callerWithMadeUp("a made-up JWT as token", inAuthorizationHeader, fabricatedJWT()),
	}, spec.Security)

	s.ruleRejects("auth.bearer.scheme", Should,
		"The token under a scheme other than Bearer, or as an API key, is refused.", alternateBySeed(
			s.token.callerInHeader("the token under the scheme Basic", inAuthorizationHeader, "Basic "),
			s.token.callerInHeader("the token under the scheme Token", inAuthorizationHeader, "Token "),
			s.token.callerInHeader("the token without a scheme", inAuthorizationHeader, ""),
			s.token.callerInHeader("the token as API key", inAPIKeyHeader, "")),
		spec.NeedsKeys(s.token.settingKey))

	given := s.target.Deployment.Credentials
	const expiredKey, earlyKey = "credentials.expired_token", "credentials.not_yet_valid_token"
	s.ruleRejects(ruleExpired, Must, "An expired token is refused.",
		[]caller{bearer(expiredKey, given.ExpiredToken).
			aloneWithExpiry("an expired token", true, "it does not expire before")},
		spec.NeedsKeys(expiredKey), spec.Security)
	s.ruleRejects("auth.bearer.not_yet_valid", Must, "A token that is not valid yet is refused.",
		[]caller{bearer(earlyKey, given.NotYetValidToken).alone("a token that is not valid yet")},
		spec.NeedsKeys(earlyKey), spec.Security)
}

// declareTamperedTokenRules declares the rules on altered platform tokens. A token that the
// platform did not sign is invalid.
func (s *Suite) declareTamperedTokenRules() {
	a := func(what string, change token.Change) caller {
		return s.token.callerWithChange("a token "+what, change)
	}
	bare := func(value string) (token.Edit, error) {
		unsigned, err := token.WithoutSignature()(value)
		unsigned.From++
		return unsigned, err
	}
	onePartMore := func(string) (token.Edit, error) { return token.Edit{Text: ".e30"}, nil }
	const otherKey = "known to gateassay alone"
	s.GroupRules(spec.NeedsKeys("credentials.platform_token"), spec.Security, func() {
		s.ruleRejects("auth.bearer.payload", Must, "A token whose payload was changed is refused.",
			[]caller{a("whose payload was changed", token.ChangedPayload())})
		s.ruleRejects("auth.bearer.signature", Must, "A token whose signature was changed is refused.",
			append(alternateBySeed(
				a("whose signature was changed at its end", token.ChangedSignatureEnd()),
				a("whose signature is in the other letter case", token.SwappedSignatureCase())),
				a("whose signature was changed", token.ChangedSignature()),
				a("with one more part after its signature", onePartMore)))
		s.ruleRejects("auth.bearer.signature_cut", Must, "A token whose signature is cut off is refused.",
			[]caller{a("whose signature was cut off", token.TruncatedSignature())})
		s.ruleRejects("auth.bearer.signature_removed", Must,
			"A token whose signature was removed is refused.", alternateBySeed(
				a("whose signature was removed", token.WithoutSignature()),
				a("whose signature was removed with its dot", bare)))
		s.ruleRejects("auth.bearer.alg_none", Must,
			"A token that claims to need no signature is refused.", append(alternateBySeed(
				a("that is unsigned (alg None)", token.Unsigned("None")),
				a("with alg none and a signature", token.AlgNoneSigned())),
				a("that is unsigned (alg none)", token.Unsigned("none"))))
		s.ruleRejects("auth.bearer.other_key", Must, "A token signed with another key is refused.",
			append(alternateBySeed(
				a("signed with an empty key", token.SignedWith("", "", "HS256")),
				a("signed with another key by HS512", token.SignedWith(otherKey, "", "HS512")),
				a("signed with another key under an unknown key ID",
					token.SignedWith(otherKey, "gateassay", "HS256")),
				a("signed with an empty key under a key ID that names an empty file",
					token.SignedWith("", "../../../../dev/null", "HS256"))),
				a("signed with the key secret", token.SignedWith("secret", "", "HS256"))))
	})
}

// fabricatedJWT returns a JWT with plausible claims and a random signature. It is valid by clocks
// that are wrong by hours, too, and shares no part with tokens that are issued now.
func fabricatedJWT() string {
	const halfDay = 12 * time.Hour
	encode, now := base64.RawURLEncoding.EncodeToString, time.Now()
	claims := fmt.Appendf(nil, `{"sub":%q,"iat":%d,"exp":%d}`, target.NewUUID(),
		now.Add(-halfDay).Unix(), now.Add(halfDay).Unix())
	return encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode(claims) + "." + rand.Text()
}

// declareAPIKeyRules declares the rules on values that are not the API key, however similar.
func (s *Suite) declareAPIKeyRules() {
	s.ruleRejects(ruleUnknownKey, Must, "An API key that nobody issued is refused.",
		append([]caller{callerWithMadeUp("an API key that nobody issued", inAPIKeyHeader,
			target.NewUUID())},
			alternateBySeed(
				callerWithMadeUp("a name that every JavaScript object has as API key", inAPIKeyHeader,
					"constructor"),
				callerWithMadeUp("the word test as API key", inAPIKeyHeader, "test"),
				callerWithMadeUp("the word null as API key", inAPIKeyHeader, "null"),
				callerWithMadeUp("the word changeme as API key", inAPIKeyHeader, "changeme"))...),
		spec.Security)
	s.ruleRejects("auth.api_key.empty", Must, "An empty API key is refused.",
		[]caller{callerWithHeader("an empty API key", inAPIKeyHeader, "")}, spec.Security)
	const revokedKey = "credentials.revoked_api_key"
	s.ruleRejects("auth.api_key.revoked", Must, "An API key that was revoked is refused.",
		[]caller{apiKey(revokedKey, s.target.Deployment.Credentials.RevokedAPIKey).
			alone("a revoked API key")}, spec.NeedsKeys(revokedKey), spec.Security)

	a := func(what string, edit func(key string) token.Edit) caller {
		return s.key.callerWithChange(what,
			func(key string) (token.Edit, error) { return edit(key), nil })
	}
	half := func(more string) func(string) token.Edit {
		return func(key string) token.Edit { return token.Edit{From: (len(key) + 1) / 2, Text: more} }
	}
	s.GroupRules(spec.NeedsKeys("credentials.api_key"), spec.Security, func() {
		// The first of the last two values exposes a comparison that ignores case or compares only
		// one end or both ends of the key. The second exposes one that ignores the beginning or
		// compares only the end.
		s.ruleRejects("auth.api_key.altered", Must,
			"An API key that differs only slightly from the issued one is refused.",
			append(alternateBySeed(
				a("the API key without its last character",
					func(string) token.Edit { return token.Edit{From: 1} }),
				a("the API key with its last character changed", func(key string) token.Edit {
					last := key[len(key)-1]
					return token.Edit{From: 1, Text: string(rune(last ^ 1))} // such as a 6 for a 7
				}),
				a("the API key with one character more",
					func(string) token.Edit { return token.Edit{Text: "x"} }),
				a("the API key after another in a list", func(key string) token.Edit {
					return token.Edit{From: len(key), To: len(key), Text: "x, "}
				}),
			),
				alternateBySeed(
					a("the API key with its middle in the other letter case", func(key string) token.Edit {
						third := len(key) / 3
						return token.Edit{From: len(key) - third, To: third, SwapCase: true}
					}),
					a("the API key with its first half in the other letter case",
						func(key string) token.Edit {
							return token.Edit{From: len(key), To: (len(key) + 1) / 2, SwapCase: true}
						}))...))
		s.ruleRejects("auth.api_key.part", Must, "A part of an API key is refused.",
			alternateBySeed(a("the first half of the API key", half("")),
				a("the second half of the API key", func(key string) token.Edit {
					return token.Edit{From: len(key), To: (len(key) + 1) / 2}
				})))
		s.ruleRejects("auth.api_key.wildcard", Must,
			"An API key in which a wildcard stands for a part is refused.", alternateBySeed(
				a("half of the API key and a percent sign", half("%")),
				a("half of the API key and an asterisk", half("*")),
				a("half of the API key and .*", half(".*")),
				callerWithMadeUp("a percent sign as API key", inAPIKeyHeader, "%")))
	})
}

// declareMisplacedCredentials declares the rules on valid credentials in the wrong location.
func (s *Suite) declareMisplacedCredentials() {
	s.ruleRejects("auth.bearer.elsewhere", Should,
		"The token in another place than Authorization is refused.", append(
			alternateBySeed(s.token.callerInHeader("the token as a cookie", "Cookie", "token="),
				s.token.callerInHeader("the token in X-Access-Token", "X-Access-Token", "")),
			alternateBySeed(s.token.callerInQuery("the token", "access_token"),
				s.token.callerInQuery("the token", "token"))...),
		spec.NeedsKeys(s.token.settingKey))
	s.ruleRejects("auth.api_key.elsewhere", Should,
		"The API key in another place than x-api-key is refused.", alternateBySeed(
			s.key.callerInHeader("the API key as a bearer token", inAuthorizationHeader, "Bearer "),
			s.key.callerInHeader("the API key under the scheme ApiKey", inAuthorizationHeader, "ApiKey "),
			s.key.callerInHeader("the API key as a cookie", "Cookie", "x-api-key=")),
		spec.NeedsKeys(s.key.settingKey))
	s.ruleRejects("auth.api_key.in_query", Should,
		"The API key in the query instead of the header is refused.",
		alternateBySeed(s.key.callerInQuery("the API key", "x-api-key"),
			s.key.callerInQuery("the API key", "api_key")),
		spec.NeedsKeys(s.key.settingKey))
}
