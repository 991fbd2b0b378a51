package auth

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/curl"
	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// bearer: Authorization headers that hold no token which the platform issued and still honours.
func (s *Suite) bearer() {
	header := func(what, value string) sender {
		return sender{what, func() (identity, error) { return authorization(value), nil }}
	}
	under := func(what, prefix string) sender {
		return sender{what, func() (identity, error) {
			value, err := s.token()
			return authorization(prefix + value), err
		}}
	}
	// White space at the end of a header never arrives, so the scheme alone stands for an empty token.
	s.rejects("auth.bearer.empty", Must, Authentication, "An empty bearer token is refused.", spec.Security,
		header("an empty bearer token", "Bearer"), header("an empty Authorization header", ""))

	s.rejects("auth.bearer.garbage", Must, Authentication, "A bearer token that nobody issued is refused.",
		spec.Security,
		sender{"a random text as token", func() (identity, error) {
			return authorization("Bearer " + random(30)).made(target.RandomToken), nil
		}},
		sender{"a made-up JWT as token", func() (identity, error) {
			return authorization("Bearer " + madeUp()).made(target.MadeUpToken), nil
		}})

	s.rejects("auth.bearer.scheme", Should, Authentication,
		"The token under a scheme other than Bearer, or as an API key, is refused.",
		spec.Needs("credentials.platform_token"),
		under("the token under the scheme Basic", "Basic "), under("the token under the scheme Token", "Token "),
		under("the token without a scheme", ""), sender{"the token as API key", func() (identity, error) {
			value, err := s.token()
			return apiKey(value), err
		}})

	const expiredKey = "credentials.expired_token"
	s.rejects("auth.bearer.expired", Must, Authentication, "An expired token is refused.", spec.Needs(expiredKey),
		spec.Security, sender{"an expired token", func() (identity, error) {
			expired := s.t.Deployment.Credentials.ExpiredToken
			value, err := given(expiredKey, expired, deployment.Bearer)
			if at, known := token.Expiry(value); err == nil && known && at.After(time.Now()) {
				err = spec.Unmet(expiredKey, "it does not expire before %s", at.Format(time.RFC3339))
			}
			return identity{credential: expired}, err
		}})
}

// tampered: the platform token after it was changed. What the platform did not sign is not its token.
func (s *Suite) tampered() {
	tampered := func(what string, how *curl.Alteration, change func(string) (string, error)) sender {
		return sender{what, func() (identity, error) {
			value, err := s.token()
			if err != nil {
				return identity{}, err
			}
			changed, err := change(value)
			if err != nil {
				return identity{}, spec.Unmet("credentials.platform_token",
					"the token is opaque, it cannot be taken apart: %v", err)
			}
			// What is left of the token is as secret as the token.
			s.t.Client.Redactor().Secret(what, changed)
			return authorization("Bearer " + changed).made(how), nil
		}}
	}
	forged := func(says string, by token.Forger) sender {
		return tampered("a token "+says, target.Forged(says, by), by.Sign)
	}
	bare := func(value string) (string, error) {
		unsigned, err := token.SignatureRemoved(value)
		return strings.TrimSuffix(unsigned, "."), err
	}
	s.Group(spec.Needs("credentials.platform_token"), spec.Security, func() {
		s.rejects("auth.bearer.payload", Must, Authentication, "A token whose payload was changed is refused.",
			tampered("a token whose payload was changed", target.PayloadChanged, token.PayloadChanged))
		s.rejects("auth.bearer.signature", Must, Authentication, "A token whose signature was changed is refused.",
			tampered("a token whose signature was changed", target.SignatureChanged, token.SignatureChanged),
			tampered("a token whose signature was changed at its end", target.SignatureEndChanged,
				token.SignatureEndChanged),
			tampered("a token whose signature is in the other letter case", target.SignatureCaseChanged,
				token.SignatureCaseChanged))
		s.rejects("auth.bearer.signature_cut", Must, Authentication, "A token whose signature is cut off is refused.",
			tampered("a token whose signature was cut off", target.SignatureCut, token.SignatureCut))
		s.rejects("auth.bearer.signature_removed", Must, Authentication,
			"A token whose signature was removed is refused.",
			tampered("a token whose signature was removed", target.SignatureRemoved, token.SignatureRemoved),
			tampered("a token whose signature was removed with its dot", target.SignatureDotRemoved, bare))
		s.rejects("auth.bearer.alg_none", Must, Authentication, "A token that claims to need no signature is refused.",
			tampered("an unsigned token (alg none)", target.UnsignedAs("none"), token.AlgNone),
			tampered("an unsigned token (alg None)", target.UnsignedAs("None"),
				func(t string) (string, error) { return token.Unsigned(t, "None") }),
			tampered("a token with alg none beside its signature", target.UnsignedWithSignature, token.AlgNoneSigned))
		s.rejects("auth.bearer.other_key", Must, Authentication, "A token signed with another key is refused.",
			tampered("a token signed with another key", target.Resigned, token.Resigned),
			s.alternately(forged("signed with an empty key", token.Forger{Algorithm: "HS256"}),
				forged("signed with another key by HS512", token.Forger{Algorithm: "HS512", Key: random(30)}),
				forged("signed with another key under an unknown key ID", token.Forger{
					Algorithm: "HS256", Key: random(30), KeyID: "gateassay",
				}),
				forged("signed with an empty key under a key ID that names an empty file", token.Forger{
					Algorithm: "HS256", KeyID: "../../../../dev/null",
				})))
	})
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

// apiKeyHeader carries the API key, as the document names it.
const apiKeyHeader = "x-api-key"

func (s *Suite) keys() {
	s.rejects("auth.api_key.unknown", Must, Authentication, "An API key that nobody issued is refused.", spec.Security,
		sender{"an API key that nobody issued", func() (identity, error) {
			return apiKey(target.UUID()).made(target.UnknownKey), nil
		}})

	altered := func(what string, change func(key string) (string, *curl.Alteration)) sender {
		return sender{what, func() (identity, error) {
			key, err := s.key()
			if err != nil {
				return identity{}, err
			}
			changed, how := change(key)
			if changed == key {
				return identity{}, spec.Unmet("", "the key has no letter whose case could be changed")
			}
			s.t.Client.Redactor().Secret(what, changed)
			return apiKey(changed).made(how), nil
		}}
	}
	// Who compares the case of nothing, or only one end of a key or both, takes the first of these for the key; who
	// leaves out how it begins takes the second for it, as those do who compare its end.
	middle := altered("the API key with its middle in the other letter case",
		func(key string) (string, *curl.Alteration) {
			n := len(key) / 3
			return inOtherCase(key, n, len(key)-n, target.KeyMiddleChanged)
		})
	start := altered("the API key with its first half in the other letter case",
		func(key string) (string, *curl.Alteration) {
			return inOtherCase(key, 0, len(key)/2, target.KeyStartChanged)
		})
	s.rejects("auth.api_key.altered", Must, Authentication,
		"An API key that is nearly the one that was issued is refused.",
		spec.Needs("credentials.api_key"), spec.Security,
		altered("the API key without its last character", func(key string) (string, *curl.Alteration) {
			return key[:len(key)-1], target.KeyCut
		}),
		altered("the API key with one character more", func(key string) (string, *curl.Alteration) {
			return key + "x", target.KeyLonger
		}),
		senders{middle, start})

	part := func(from, to func(n int) int, more string) func(string) (string, *curl.Alteration) {
		return func(key string) (string, *curl.Alteration) {
			n := len(key)
			return key[from(n):to(n)] + more, target.KeyPart(from(n), to(n), more)
		}
	}
	none, half, whole := func(int) int { return 0 }, func(n int) int { return n / 2 }, func(n int) int { return n }
	s.rejects("auth.api_key.part", Must, Authentication, "A part of an API key is refused.",
		spec.Needs("credentials.api_key"), spec.Security,
		s.alternately(
			altered("the first half of the API key", part(none, half, "")),
			altered("the second half of the API key", part(half, whole, ""))))

	s.rejects("auth.api_key.wildcard", Must, Authentication, "An API key in which a wildcard stands for a part is refused.",
		spec.Needs("credentials.api_key"), spec.Security,
		s.alternately(
			altered("half of the API key and a percent sign", part(none, half, "%")),
			altered("half of the API key and an asterisk", part(none, half, "*")),
			altered("half of the API key and .*", part(none, half, ".*")),
			sender{"a percent sign as API key", func() (identity, error) { return apiKey("%"), nil }}))

	s.rejects("auth.api_key.elsewhere", Should, Authentication, "The API key in another place than x-api-key is refused.",
		spec.Needs("credentials.api_key"),
		s.alternately(
			s.elsewhere("the API key as a bearer token", s.key, "Authorization", "Bearer "),
			s.elsewhere("the API key under the scheme ApiKey", s.key, "Authorization", "ApiKey "),
			s.elsewhere("the API key as a cookie", s.key, "Cookie", "x-api-key=")))

	s.rejects("auth.bearer.elsewhere", Should, Authentication, "The token in another place than Authorization is refused.",
		spec.Needs("credentials.platform_token"),
		s.alternately(
			s.elsewhere("the token as a cookie", s.token, "Cookie", "token="),
			s.elsewhere("the token in X-Access-Token", s.token, "X-Access-Token", "")))

	s.rejects("auth.api_key.revoked", Must, Authentication, "An API key that was revoked is refused.",
		spec.Needs("credentials.revoked_api_key"), spec.Security, sender{"a revoked API key", func() (identity, error) {
			revoked := s.t.Deployment.Credentials.RevokedAPIKey
			_, err := given("credentials.revoked_api_key", revoked, deployment.APIKey)
			return identity{credential: revoked}, err
		}})

	s.rejects("auth.api_key.empty", Must, Authentication, "An empty API key is refused.", spec.Security,
		sender{"an empty API key", func() (identity, error) { return apiKey(""), nil }})

	s.Rule("auth.api_key.in_query", Should, Authentication,
		"The API key in the query instead of the header is refused.",
		spec.Needs("credentials.api_key"), func() {
			names := []string{"x-api-key", "api_key"}
			creations := s.rows(client.Create, s.Building(), len(names))
			exports := s.rows(client.Export, s.Building(), len(names))
			for i, name := range names {
				s.refusesInQuery(name, creations[i], exports[i])
			}
		})
}

// elsewhere is a right credential in another header.
func (s *Suite) elsewhere(what string, of func() (string, error), header, prefix string) sender {
	return sender{what, func() (identity, error) {
		value, err := of()
		return identity{header: http.Header{header: {prefix + value}}}, err
	}}
}

func apiKey(value string) identity { return identity{header: http.Header{apiKeyHeader: {value}}} }

// inOtherCase changes the letter case of a part of a key, or of all of it where that part has no letters.
func inOtherCase(key string, from, to int, how *curl.Alteration) (string, *curl.Alteration) {
	if part := otherCase(key[from:to]); part != key[from:to] && len(key) > 2 {
		return key[:from] + part + key[to:], how
	}
	return otherCase(key), target.KeyCaseChanged
}

func otherCase(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// refusesInQuery puts the right key where it does not belong. A deployment that refuses every query it does not know
// may do so before it looks for a key; that says nothing about authentication.
func (s *Suite) refusesInQuery(name string, creations, exports []control.Row) {
	spec.Helper()
	what := "the API key as ?" + name
	give := func() (identity, error) {
		key, err := s.key()
		return identity{query: url.Values{name: {key}}}, err
	}
	seen := s.refused(client.Create, what, give, creations...)
	creation := spec.Observe(s.Plan, "creation with "+what+", beside an unknown parameter",
		func(ctx context.Context) (target.Answer, error) {
			a, err := seen.Get(ctx)
			if err != nil || !a.Refusal() || a.Status == http.StatusUnauthorized {
				return a, err
			}
			x := s.t.Create(ctx, func() target.Creation {
				c := s.t.Creation("valid creation with an unknown query parameter")
				c.Query = url.Values{"gateassay": {target.UUID()}}
				return c
			})
			if err = s.t.Usable(ctx, x); err == nil && x.Refusal() {
				err = spec.Unmet("", "the deployment rejects an unknown query parameter (%s)", target.Describe(x))
			}
			return a, err
		})
	export := s.refused(client.Export, what, give, exports...)
	s.It("refuses a creation with "+what, func(ctx spec.Context) {
		ctx.Expect(creation.Await(ctx)).To(HaveStatus(http.StatusUnauthorized))
	})
	s.It("refuses an export with "+what, func(ctx spec.Context) { ctx.Expect(export.Await(ctx)).To(BeRefused()) })
}
