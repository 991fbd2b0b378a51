package reference

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

// admits makes an effect that takes a request of nobody who is known for one of the main user.
func admits(when func(q *call) bool) effect {
	return on(func(q *call, s *sender) {
		if s.user == nil && when(q) {
			s.user = q.g.data.main
		}
	})
}

// anonymous makes an effect that needs no credential for an operation.
func anonymous(operation operation) effect { return admits((*call).withoutCredential).of(operation) }

func (q *call) withoutCredential() bool {
	return q.r.Header["Authorization"] == nil && q.r.Header["X-Api-Key"] == nil && q.r.URL.RawQuery == ""
}

// banishes makes an effect that takes some requests for those of nobody.
func banishes(when func(q *call) bool) effect {
	return on(func(_ *call, s *sender) { s.user = nil }).when(when)
}

// apiKey is the API key of a request, where no bearer token decides.
func (q *call) apiKey() (key string, sent bool) {
	keys := q.r.Header["X-Api-Key"]
	if q.r.Header["Authorization"] != nil || len(keys) != 1 {
		return "", false
	}
	return keys[0], true
}

// bearer is the bearer token of a request.
func (q *call) bearer() (token string, sent bool) {
	scheme, token, _ := strings.Cut(q.r.Header.Get("Authorization"), " ")
	return token, strings.EqualFold(scheme, "Bearer")
}

// withKey and withToken hold for some credentials.
func withKey(holds func(q *call, key string) bool) func(*call) bool {
	return func(q *call) bool {
		key, sent := q.apiKey()
		return sent && holds(q, key)
	}
}

func withToken(holds func(q *call, token string) bool) func(*call) bool {
	return func(q *call) bool {
		token, sent := q.bearer()
		return sent && holds(q, token)
	}
}

func (q *call) expired(token string) bool { return token == q.g.tokens.expired }

func authFaults() faults {
	refusal := func(name, rule, statement string, operation operation, when func(q *call) bool,
		change func(q *call, a *reply),
	) faults {
		return fault(name, rule, statement, answered(operation, "unauthenticated", change).when(when))
	}
	forbidden := status(http.StatusForbidden)
	credential := func(q *call) string { return q.r.Header.Get("Authorization") + q.r.Header.Get("x-api-key") }
	unread := func(faulty func(q *call) bool) func(*call, *reply) {
		return func(q *call, a *reply) {
			if q.readObject(); faulty(q) {
				a.kind, a.status = "invalid_request", q.g.choices.InvalidStatus
			}
		}
	}
	return slices.Concat(
		fault("auth.bearer_refused", "bearer", "refuses platform tokens on creation",
			banishes(withToken(func(*call, string) bool { return true })).of(creating)),
		fault("auth.api_key_refused", "api_key", "refuses API keys on the export",
			banishes((*call).byAPIKey).of(exporting)),
		fault("auth.create_missing_accepted", "missing", "accepts a creation without a credential", anonymous(creating)),
		fault("auth.export_missing_accepted", "missing", "accepts an export without a credential", anonymous(exporting)),
		refusal("auth.create_missing_403", "missing", "answers a creation without a credential with 403",
			creating, (*call).withoutCredential, forbidden),
		refusal("auth.create_missing_500", "missing", "answers a creation without a credential with a server error",
			creating, (*call).withoutCredential, crash),
		refusal("auth.export_missing_500", "missing", "answers an export without a credential with a server error",
			exporting, (*call).withoutCredential, crash),
		refusal("auth.body_first", "missing.before_body", "validates a body before it asks for a credential",
			creating, (*call).withoutCredential,
			unread(func(q *call) bool { return len(q.issues) > 0 || q.body["mother_name"] == nil })),
		refusal("auth.body_first.syntax", "missing.before_body", "reads a body before it asks for a credential",
			creating, (*call).withoutCredential, unread(func(q *call) bool { return q.body == nil })),
		refusal("auth.export_403", "export_status", "answers an export without valid authentication with 403",
			exporting, func(*call) bool { return true }, forbidden),
		refusal("auth.expired_403", "bearer.expired", "answers a creation with an expired token with 403",
			creating, withToken((*call).expired), forbidden),
		fault("auth.garbage_500", "bearer.garbage", "answers a bearer token that is not a JWT with a server error",
			on(func(q *call, a *reply) {
				if token, sent := q.bearer(); sent && a.kind == "unauthenticated" && !strings.Contains(token, ".") {
					crash(q, a)
				}
			})),
		refusal("auth.unknown_api_key_403", "api_key.unknown", "answers a creation with an unknown API key with 403",
			creating, func(q *call) bool { return q.r.Header.Get("x-api-key") != "" }, forbidden),
		fault("auth.secret_in_header", "confidential", "repeats the credential in a header of every answer",
			on(func(q *call, a *reply) { a.header.Set("X-Debug-Credential", credential(q)) })),
		fault("auth.secret_in_refusal", "confidential", "repeats the credential in refusals",
			on(func(q *call, a *reply) {
				if refusal := a.refusal(); refusal != nil {
					refusal["received"] = credential(q)
				}
			})),
	)
}

// takenKey declares a fault that takes some keys for the main user's own.
func takenKey(name, rule, statement string, like func(sent, own string) bool) faults {
	return fault(name, rule, statement,
		admits(withKey(func(q *call, sent string) bool { return like(sent, q.g.tokens.apiKey) })))
}

func keyFaults() faults {
	const altered = "api_key.altered"
	return slices.Concat(
		takenKey("auth.unknown_api_key_accepted", "api_key.unknown", "accepts any API key",
			func(sent, _ string) bool { return sent != "" }),
		takenKey("auth.api_key_beginning_accepted", altered, "compares API keys only up to the length of the shorter one",
			func(sent, own string) bool {
				n := min(len(sent), len(own))
				return n > 8 && sent[:n] == own[:n]
			}),
		takenKey("auth.api_key.within_accepted", altered, "looks for its API key anywhere in what is sent", strings.Contains),
		takenKey("auth.api_key.in_list_accepted", altered, "takes the last of several API keys in a list",
			func(sent, own string) bool { return strings.HasSuffix(sent, ", "+own) }),
		takenKey("auth.api_key_end_accepted", altered, "compares only the end of API keys",
			func(sent, own string) bool { return strings.HasSuffix(sent, own[len(own)-8:]) }),
		takenKey("auth.api_key_ends_accepted", altered, "compares only the beginning and the end of API keys",
			func(sent, own string) bool {
				return strings.HasPrefix(sent, own[:8]) && strings.HasSuffix(sent, own[len(own)-8:])
			}),
		takenKey("auth.empty_api_key_accepted", "api_key.empty", "accepts an empty API key",
			func(sent, _ string) bool { return sent == "" }),
		fault("auth.revoked_api_key_accepted", "api_key.revoked", "accepts API keys that were revoked",
			admits(withKey(revoked))),
		fault("auth.api_key_in_query", "api_key.in_query", "accepts the API key in the query",
			admits(func(q *call) bool {
				values := slices.Concat(slices.Collect(maps.Values(q.r.URL.Query()))...)
				return slices.Contains(values, q.g.tokens.apiKey) &&
					q.r.Header["Authorization"] == nil && q.r.Header["X-Api-Key"] == nil
			})),
	)
}

func revoked(q *call, key string) bool { return key == q.g.tokens.revokedKey }

// forgery is a token that was not accepted, beside the main user's own.
type forgery struct {
	header, payload, signature string
	genuine                    []string
}

func (f forgery) samePayload() bool { return f.header == f.genuine[0] && f.payload == f.genuine[1] }

func (f forgery) algorithm() string {
	var header struct{ Alg string }
	_ = readPart(f.header, &header)
	return header.Alg
}

func (f forgery) claimsNone() bool { return strings.EqualFold(f.algorithm(), "none") }

// signed reports whether there is a signature to be compared.
func (f forgery) signed() bool { return f.signature != "" && !f.claimsNone() }

func (f forgery) cut() bool {
	return f.signed() && f.samePayload() && len(f.signature) < len(f.genuine[2]) &&
		strings.HasPrefix(f.genuine[2], f.signature)
}

// other reports whether the signature is another one under the genuine payload.
func (f forgery) other() bool { return f.signed() && f.samePayload() && !f.cut() }

func readPart(part string, into any) bool {
	data, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && json.Unmarshal(data, into) == nil
}

// subjectOf is the user that a token names, or the main user where its claims cannot be read.
func (g *Gateway) subjectOf(payload string) *user {
	var claims struct{ Sub string }
	if readPart(payload, &claims) && g.data.users[claims.Sub] != nil {
		return g.data.users[claims.Sub]
	}
	return g.data.main
}

// believes makes an effect that accepts some tokens which are not in order.
func believes(when func(f forgery) bool) effect {
	return on(func(q *call, s *sender) {
		token, sent := q.bearer()
		parts := append(strings.Split(token, "."), "")
		if s.user != nil || !sent || len(parts) < 3 || len(parts) > 4 {
			return
		}
		if when(forgery{parts[0], parts[1], parts[2], strings.Split(q.g.tokens.main, ".")}) {
			s.user = q.g.subjectOf(parts[1])
		}
	})
}

func tokenFaults() faults {
	forged := func(name, rule, statement string, when func(f forgery) bool) faults {
		return fault(name, rule, statement, believes(when))
	}
	return slices.Concat(
		fault("auth.empty_bearer_accepted", "bearer.empty", "accepts an empty bearer token",
			admits(withToken(func(_ *call, token string) bool { return token == "" }))),
		fault("auth.garbage_accepted", "bearer.garbage", "accepts any text as bearer token",
			admits(withToken(func(_ *call, token string) bool {
				return token != "" && strings.Count(token, ".") != 2
			}))),
		fault("auth.any_scheme_accepted", "bearer.scheme", "accepts the token under any scheme",
			on(func(q *call, s *sender) {
				if _, token, _ := strings.Cut(q.r.Header.Get("Authorization"), " "); s.user == nil {
					s.user, _ = q.g.verify(token)
				}
			})),
		fault("auth.expired_accepted", "bearer.expired", "accepts expired tokens", on(func(q *call, s *sender) {
			token, _ := q.bearer()
			if _, err := q.g.verify(token); s.user == nil && errors.Is(err, jwt.ErrTokenExpired) {
				s.user = q.g.subjectOf(strings.Split(token, ".")[1])
			}
		})),
		fault("auth.not_yet_valid_accepted", "bearer.not_yet_valid", "accepts tokens that are not valid yet",
			admits(withToken(func(q *call, token string) bool { return token == q.g.tokens.early }))),
		forged("auth.payload_changed_accepted", "bearer.payload", "accepts a changed payload under a known signature",
			func(f forgery) bool { return f.signed() && !f.samePayload() && f.signature == f.genuine[2] }),
		forged("auth.signature_changed_accepted", "bearer.signature", "accepts any signature", forgery.other),
		forged("auth.signature_beginning_compared", "bearer.signature", "compares only the first half of a signature",
			func(f forgery) bool {
				half := len(f.genuine[2]) / 2
				return f.other() && len(f.signature) == len(f.genuine[2]) && f.signature[:half] == f.genuine[2][:half]
			}),
		forged("auth.cut_signature_accepted", "bearer.signature_cut", "accepts the beginning of a signature", forgery.cut),
		forged("auth.signature_removed_accepted", "bearer.signature_removed", "accepts tokens without signature",
			func(f forgery) bool { return f.signature == "" && !f.claimsNone() }),
		forged("auth.alg_none_accepted", "bearer.alg_none", "accepts tokens that claim to need no signature",
			forgery.claimsNone),
		forged("auth.alg_none_accepted_with_signature", "bearer.alg_none",
			"accepts tokens that claim to need no signature and have one",
			func(f forgery) bool { return f.claimsNone() && f.signature != "" }),
		forged("auth.bearer.alg_none_in_capitals_accepted", "bearer.alg_none",
			"refuses the algorithm none in lower case only",
			func(f forgery) bool { return f.claimsNone() && f.algorithm() != "none" }),
		forged("auth.other_key_accepted", "bearer.other_key", "accepts tokens that are signed with any key",
			func(f forgery) bool { return f.signature != "" }),
	)
}

// narrowCredentials compare without case.
func narrowCredentials() faults {
	return append(fault("auth.api_key.altered.any_case", "api_key.altered", "compares API keys without case",
		admits(withKey(func(q *call, key string) bool { return strings.EqualFold(key, q.g.tokens.apiKey) }))),
		fault("auth.bearer.signature.any_case", "bearer.signature", "compares signatures without case",
			believes(func(f forgery) bool { return f.other() && strings.EqualFold(f.signature, f.genuine[2]) }))...)
}
