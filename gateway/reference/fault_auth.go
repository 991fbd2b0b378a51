package reference

import (
	"cmp"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

// authenticateWhen makes an effect that takes a request of nobody who is known for one of the main
// user.
func authenticateWhen(holds func(q *requestState) bool) effect {
	return combineEffects(func(q *requestState, s *requestSender) {
		if s.user == nil && holds(q) {
			s.user = q.gateway.data.main
		}
	})
}

// denyWhen makes an effect that takes some requests for those of nobody.
func denyWhen(holds func(q *requestState) bool) effect {
	return effectWhen(holds, func(s *requestSender) { s.user = nil })
}

func (q *requestState) withoutCredential() bool {
	return q.r.Header["Authorization"] == nil && q.r.Header["X-Api-Key"] == nil &&
		q.r.URL.RawQuery == ""
}

// apiKey is the API key of a request, where no bearer token decides.
func (q *requestState) apiKey() (key string, sent bool) {
	keys := q.r.Header["X-Api-Key"]
	if q.r.Header["Authorization"] != nil || len(keys) != 1 {
		return "", false
	}
	return keys[0], true
}

// bearer is the bearer token of a request.
func (q *requestState) bearer() (token string, sent bool) {
	scheme, token, _ := strings.Cut(q.r.Header.Get("Authorization"), " ")
	return token, strings.EqualFold(scheme, "Bearer")
}

func (q *requestState) usesAPIKey() bool { _, sent := q.apiKey(); return sent }

// usesRevokedKey and expired hold for credentials that no longer count.
func (q *requestState) usesRevokedKey() bool {
	key, _ := q.apiKey()
	return key == q.gateway.tokens.revokedKey
}

func (q *requestState) usesExpiredToken() bool {
	token, _ := q.bearer()
	return token == q.gateway.tokens.expired
}

func authFaults() faultDeclarations {
	// refused changes how a request without valid authentication is answered.
	refused := func(operation operation, holds func(q *requestState) bool, change any) effect {
		return effectDuring(operation, effectWhen(holds, changeAnswer("unauthenticated", change)))
	}
	missing := (*requestState).withoutCredential
	tokens := func(q *requestState) bool { _, sent := q.bearer(); return sent }
	garbage := func(q *requestState) bool {
		token, sent := q.bearer()
		return sent && !strings.Contains(token,
			".")
	}
	forbidden := setStatus(http.StatusForbidden)
	credential := func(q *requestState) string { return q.r.Header.Get("Authorization") + q.r.Header.Get("x-api-key") }
	bodyFirst := func(q *requestState, a *pendingResponse) {
		if q.readObject(); len(q.issues) > 0 || q.body["mother_name"] == nil {
			a.status = q.gateway.choices.InvalidStatus
		}
	}
	return slices.Concat(
		declareFault("auth.bearer_refused", effectDuring(operationCreate, denyWhen(tokens))),
		declareFault("auth.api_key_refused",
			effectDuring(operationExport, denyWhen((*requestState).usesAPIKey))),
		declareFault("auth.create_missing_accepted",
			effectDuring(operationCreate, authenticateWhen(missing))),
		declareFault("auth.export_missing_accepted",
			effectDuring(operationExport, authenticateWhen(missing))),
		declareFault("auth.export_unguarded",
			effectDuring(operationExport, authenticateWhen(func(q *requestState) bool {
				return missing(q) && !q.namesProduct() && q.r.Header.Get("x-wallet-uuid") == ""
			}))),
		declareFault("auth.slash_unguarded",
			effectDuring(operationExport,
				authenticateWhen(func(q *requestState) bool {
					return missing(q) && strings.HasSuffix(q.r.URL.Path,
						"/")
				}))),
		declareFault("auth.inside_unguarded",
			authenticateWhen(
				func(q *requestState) bool { return missing(q) && q.r.Header.Get("X-Forwarded-For") == "127.0.0.1" },
			),
		),
		declareFault("auth.create_missing_403", refused(operationCreate, missing, forbidden)),
		declareFault("auth.create_missing_500", refused(operationCreate, missing, respondWithCrash)),
		declareFault("auth.body_first", refused(operationCreate, missing, bodyFirst)),
		declareFault("auth.export_403",
			effectDuring(operationExport, changeAnswer("unauthenticated", forbidden))),
		declareFault("auth.expired_403",
			refused(operationCreate, (*requestState).usesExpiredToken, forbidden)),
		declareFault("auth.garbage_500",
			effectWhen(garbage, changeAnswer("unauthenticated", respondWithCrash))),
		declareFault("auth.secret_in_header",
			combineEffects(func(q *requestState, a *pendingResponse) {
				a.header.Set("X-Debug-Credential",
					credential(q))
			})),
		declareFault("auth.secret_in_refusal", combineEffects(func(q *requestState, a *pendingResponse) {
			if refusal := a.errorObject(); refusal != nil {
				refusal["received"] = credential(q)
			}
		})),
	)
}

// matchesWhole reports whether the whole of a text matches a regular expression.
func matchesWhole(pattern, text string) bool {
	same, err := regexp.MatchString("^(?:"+pattern+")$", text)
	return err == nil && same
}

func apiKeyFaults() faultDeclarations {
	// takesKeys takes some API keys for the main user's own.
	takesKeys := func(name string, same func(sent, own string) bool) faultDeclarations {
		return declareFault(name, authenticateWhen(func(q *requestState) bool {
			key, sent := q.apiKey()
			return sent && same(key, q.gateway.tokens.apiKey)
		}))
	}
	beginning := func(sent, own string) bool {
		n := min(len(sent), len(own))
		return n > 8 && sent[:n] == own[:n]
	}
	return slices.Concat(
		takesKeys("auth.unknown_api_key_accepted", func(sent, _ string) bool { return sent != "" }),
		takesKeys("auth.api_key_beginning_accepted", beginning),
		takesKeys("auth.api_key.within_accepted", strings.Contains),
		takesKeys("auth.api_key.altered.any_case", strings.EqualFold),
		takesKeys("auth.object_member_accepted",
			func(sent, _ string) bool { return sent == "constructor" }),
		takesKeys("auth.test_key_accepted", func(sent, _ string) bool { return sent == "test" }),
		takesKeys("auth.api_key.prefix_accepted",
			func(sent, own string) bool { return len(sent) >= len(own)/2 && strings.HasPrefix(own, sent) }),
		takesKeys("auth.empty_api_key_accepted", func(sent, _ string) bool { return sent == "" }),
		takesKeys("auth.api_key.half_accepted",
			func(sent, own string) bool { return len(sent) == len(own)/2 && strings.Contains(own, sent) }),
		takesKeys("auth.api_key.asterisk_accepted",
			func(sent, own string) bool { same, err := path.Match(sent, own); return err == nil && same }),
		takesKeys("auth.api_key.pattern_accepted", matchesWhole),
		declareFault("auth.revoked_api_key_accepted", authenticateWhen((*requestState).usesRevokedKey)),
		declareFault("auth.api_key_in_query",
			authenticateWhen(func(q *requestState) bool {
				return strings.HasSuffix(q.r.URL.RawQuery,
					"="+q.gateway.tokens.apiKey)
			})),
		declareFault("auth.api_key.under_scheme_accepted",
			authenticateWhen(func(q *requestState) bool {
				return strings.HasSuffix(q.r.Header.Get("Authorization"), " "+q.gateway.tokens.apiKey)
			})),
		declareFault("auth.api_key.in_cookie_accepted",
			authenticateWhen(func(q *requestState) bool { return q.hasCookie(q.gateway.tokens.apiKey) })),
	)
}

func (q *requestState) hasCookie(value string) bool {
	return slices.ContainsFunc(q.r.Cookies(), func(c *http.Cookie) bool { return c.Value == value })
}

// forgedToken is a token that was not accepted, beside the main user's own.
type forgedToken struct {
	algorithm          string
	samePayload        bool // and the same header
	signature, genuine string
}

func (f forgedToken) claimsNone() bool { return strings.EqualFold(f.algorithm, "none") }

// hasSignature reports whether there is a signature to be compared.
func (f forgedToken) hasSignature() bool { return f.signature != "" && !f.claimsNone() }

func (f forgedToken) isTruncated() bool {
	return f.hasSignature() && f.samePayload && f.signature != f.genuine &&
		strings.HasPrefix(f.genuine,
			f.signature)
}

// hasOtherSignature reports whether the signature is another one under the genuine payload.
func (f forgedToken) hasOtherSignature() bool {
	return f.hasSignature() && f.samePayload && !f.isTruncated()
}

// acceptForgedWhen makes an effect that accepts some tokens which are not in order.
func acceptForgedWhen(holds func(f forgedToken) bool) effect {
	return combineEffects(func(q *requestState, s *requestSender) {
		token, sent := q.bearer()
		if strings.Count(token, ".") == 1 {
			token += "." // without its signature
		}
		var claims jwt.RegisteredClaims
		// what cannot be read stays empty
		read, parts, _ := jwt.NewParser().ParseUnverified(token, &claims)
		if s.user != nil || !sent || read == nil {
			return
		}
		algorithm, _ := read.Header["alg"].(string)
		genuine := strings.Split(q.gateway.tokens.main, ".")
		if holds(forgedToken{algorithm, slices.Equal(parts[:2], genuine[:2]), parts[2], genuine[2]}) {
			s.user = cmp.Or(q.gateway.data.users[claims.Subject], q.gateway.data.main)
		}
	})
}

func tokenFaults() faultDeclarations {
	// tokens holds for some bearer tokens.
	tokens := func(holds func(token string) bool) func(*requestState) bool {
		return func(q *requestState) bool { token, sent := q.bearer(); return sent && holds(token) }
	}
	anyScheme := func(q *requestState, s *requestSender) {
		if _, token, _ := strings.Cut(q.r.Header.Get("Authorization"), " "); s.user == nil {
			s.user, _ = q.gateway.verify(token)
		}
	}
	return slices.Concat(
		declareFault("auth.empty_bearer_accepted",
			authenticateWhen(tokens(func(token string) bool { return token == "" }))),
		declareFault("auth.garbage_accepted",
			authenticateWhen(
				tokens(func(token string) bool { return token != "" && strings.Count(token, ".") != 2 }),
			),
		),
		declareFault("auth.any_scheme_accepted", anyScheme),
		declareFault("auth.expired_accepted", authenticateWhen((*requestState).usesExpiredToken)),
		declareFault("auth.not_yet_valid_accepted",
			authenticateWhen(
				func(q *requestState) bool { token, _ := q.bearer(); return token == q.gateway.tokens.early },
			),
		),
		declareFault("auth.payload_changed_accepted",
			acceptForgedWhen(
				func(f forgedToken) bool { return f.hasSignature() && !f.samePayload && f.signature == f.genuine },
			),
		),
		declareFault("auth.signature_changed_accepted", acceptForgedWhen(forgedToken.hasOtherSignature)),
		declareFault("auth.bearer.signature.any_case",
			acceptForgedWhen(func(f forgedToken) bool {
				return f.hasOtherSignature() && strings.EqualFold(f.signature,
					f.genuine)
			})),
		declareFault("auth.bearer.signature.more_accepted",
			authenticateWhen(tokens(func(token string) bool { return strings.Count(token, ".") > 2 }))),
		declareFault("auth.cut_signature_accepted", acceptForgedWhen(forgedToken.isTruncated)),
		declareFault("auth.signature_removed_accepted",
			acceptForgedWhen(func(f forgedToken) bool { return f.signature == "" && !f.claimsNone() })),
		declareFault("auth.alg_none_accepted", acceptForgedWhen(forgedToken.claimsNone)),
		declareFault("auth.bearer.alg_none_in_capitals_accepted",
			acceptForgedWhen(func(f forgedToken) bool { return f.claimsNone() && f.algorithm != "none" })),
		declareFault("auth.other_key_accepted",
			acceptForgedWhen(func(f forgedToken) bool { return f.signature != "" })),
		declareFault("auth.bearer.other_key.guessed", authenticateWhen(tokens(func(token string) bool {
			_, err := jwt.Parse(token, func(*jwt.Token) (any, error) { return []byte("secret"), nil })
			return err == nil
		}))),
		declareFault("auth.bearer.in_other_header_accepted",
			authenticateWhen(
				func(q *requestState) bool { return q.r.Header.Get("X-Access-Token") == q.gateway.tokens.main },
			),
		),
		declareFault("auth.bearer.in_query_accepted",
			authenticateWhen(
				func(q *requestState) bool { return q.r.URL.Query().Get("access_token") == q.gateway.tokens.main },
			),
		),
		declareFault("auth.bearer.in_cookie_accepted",
			authenticateWhen(func(q *requestState) bool { return q.hasCookie(q.gateway.tokens.main) })),
	)
}
