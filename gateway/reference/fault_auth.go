package reference

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
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
	refusal := func(operation operation, change func(q *call, a *reply)) effect {
		return answered(operation, "unauthenticated", change)
	}
	forbidden := status(http.StatusForbidden)
	credential := func(q *call) string { return q.r.Header.Get("Authorization") + q.r.Header.Get("x-api-key") }
	return under("auth.",
		fault("auth.bearer_refused", "bearer", "refuses platform tokens on creation",
			banishes(withToken(func(*call, string) bool { return true })).of(creating)),
		fault("auth.api_key_refused", "api_key", "refuses API keys on the export",
			banishes((*call).byAPIKey).of(exporting)),
		fault("auth.create_missing_accepted", "missing", "accepts a creation without a credential",
			anonymous(creating)),
		fault("auth.export_missing_accepted", "missing", "accepts an export without a credential",
			anonymous(exporting)),
		fault("auth.create_missing_403", "missing", "answers a creation without a credential with 403",
			refusal(creating, forbidden).when((*call).withoutCredential)),
		fault("auth.create_missing_500", "missing", "answers a creation without a credential with a server error",
			refusal(creating, crash).when((*call).withoutCredential)),
		fault("auth.export_missing_500", "missing", "answers an export without a credential with a server error",
			refusal(exporting, crash).when((*call).withoutCredential)),
		fault("auth.body_first", "missing.before_body", "validates a body before it asks for a credential",
			refusal(creating, func(q *call, a *reply) {
				if q.readObject() && (len(q.issues) > 0 || q.body["mother_name"] == nil) {
					a.kind, a.status = "invalid_request", q.g.choices.InvalidStatus
				}
			}).when((*call).withoutCredential)),
		fault("auth.body_first.syntax", "missing.before_body", "reads a body before it asks for a credential",
			refusal(creating, func(q *call, a *reply) {
				if q.readObject() && q.body == nil {
					a.kind, a.status = "invalid_request", q.g.choices.InvalidStatus
				}
			}).when((*call).withoutCredential)),
		fault("auth.export_403", "export_status", "answers an export without valid authentication with 403",
			refusal(exporting, forbidden)),
		fault("auth.expired_403", "bearer.expired", "answers a creation with an expired token with 403",
			refusal(creating, forbidden).when(withToken((*call).expired))),
		fault("auth.garbage_500", "bearer.garbage", "answers a bearer token that is not a JWT with a server error",
			on(func(q *call, a *reply) {
				if token, sent := q.bearer(); sent && a.kind == "unauthenticated" && !strings.Contains(token, ".") {
					crash(q, a)
				}
			})),
		fault("auth.unknown_api_key_403", "api_key.unknown", "answers a creation with an unknown API key with 403",
			refusal(creating, forbidden).when(func(q *call) bool { return q.r.Header.Get("x-api-key") != "" })),
		fault("auth.unknown_api_key_accepted", "api_key.unknown", "accepts any API key",
			admits(withKey(func(_ *call, key string) bool { return key != "" }))),
		fault("auth.api_key_beginning_accepted", "api_key.altered",
			"compares API keys only up to the length of the shorter one",
			admits(withKey(func(q *call, key string) bool {
				n := min(len(key), len(q.g.tokens.apiKey))
				return n > 8 && key[:n] == q.g.tokens.apiKey[:n]
			}))),
		fault("auth.api_key_end_accepted", "api_key.altered", "compares only the end of API keys",
			admits(withKey(func(q *call, key string) bool {
				_, end := apiKeyEnds(q.g.tokens.apiKey)
				return strings.HasSuffix(key, end)
			}))),
		fault("auth.api_key_ends_accepted", "api_key.altered", "compares only the beginning and the end of API keys",
			admits(withKey(func(q *call, key string) bool {
				beginning, end := apiKeyEnds(q.g.tokens.apiKey)
				return strings.HasPrefix(key, beginning) && strings.HasSuffix(key, end)
			}))),
		fault("auth.empty_api_key_accepted", "api_key.empty", "accepts an empty API key",
			admits(withKey(func(_ *call, key string) bool { return key == "" }))),
		fault("auth.revoked_api_key_accepted", "api_key.revoked", "accepts API keys that were revoked",
			admits(withKey(func(q *call, key string) bool { return key == q.g.tokens.revokedKey }))),
		fault("auth.api_key_in_query", "api_key.in_query", "accepts the API key in the query",
			admits(func(q *call) bool {
				for _, values := range q.r.URL.Query() {
					if values[0] == q.g.tokens.apiKey {
						return q.r.Header["Authorization"] == nil && q.r.Header["X-Api-Key"] == nil
					}
				}
				return false
			})),
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

// apiKeyEnds are the parts of an API key by which people distinguish keys.
func apiKeyEnds(key string) (beginning, end string) { return key[:8], key[len(key)-8:] }

// forgery is a token that was not accepted, beside the main user's own.
type forgery struct {
	header, payload, signature string
	genuine                    []string
}

func (f forgery) samePayload() bool { return f.header == f.genuine[0] && f.payload == f.genuine[1] }

func (f forgery) claimsNone() bool {
	var header struct{ Alg string }
	return readPart(f.header, &header) && strings.EqualFold(header.Alg, "none")
}

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
	return under("auth.",
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
		fault("auth.payload_changed_accepted", "bearer.payload", "accepts a changed payload under a known signature",
			believes(func(f forgery) bool { return f.signed() && !f.samePayload() && f.signature == f.genuine[2] })),
		fault("auth.signature_changed_accepted", "bearer.signature", "accepts any signature", believes(forgery.other)),
		fault("auth.signature_beginning_compared", "bearer.signature", "compares only the first half of a signature",
			believes(func(f forgery) bool {
				half := len(f.genuine[2]) / 2
				return f.other() && len(f.signature) == len(f.genuine[2]) && f.signature[:half] == f.genuine[2][:half]
			})),
		fault("auth.cut_signature_accepted", "bearer.signature_cut", "accepts the beginning of a signature",
			believes(forgery.cut)),
		fault("auth.signature_removed_accepted", "bearer.signature_removed", "accepts tokens without signature",
			believes(func(f forgery) bool { return f.signature == "" && !f.claimsNone() })),
		fault("auth.alg_none_accepted", "bearer.alg_none", "accepts tokens that claim to need no signature",
			believes(forgery.claimsNone)),
		fault("auth.alg_none_accepted_with_signature", "bearer.alg_none",
			"accepts tokens that claim to need no signature and have one",
			believes(func(f forgery) bool { return f.claimsNone() && f.signature != "" })),
		fault("auth.other_key_accepted", "bearer.other_key", "accepts tokens that are signed with any key",
			believes(func(f forgery) bool { return f.signature != "" })),
	)
}
