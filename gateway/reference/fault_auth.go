package reference

import (
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
)

// authenticateAsMainUserWhen returns an effect that takes some unauthenticated requests for the
// main user's.
func authenticateAsMainUserWhen(holds func(q *requestState) bool) effect {
	return combineEffects(func(q *requestState, s *requestSender) {
		if s.user == nil && holds(q) {
			s.user = q.gateway.data.main
		}
	})
}

// treatAsAnonymousWhen returns an effect that drops the authentication of some requests.
func treatAsAnonymousWhen(holds func(q *requestState) bool) effect {
	return effectWhen(holds, func(s *requestSender) { s.user = nil })
}

func (q *requestState) hasNoCredential() bool {
	return q.r.Header["Authorization"] == nil && q.r.Header["X-Api-Key"] == nil &&
		q.r.URL.RawQuery == ""
}

// sentAPIKey returns the API key of a request that has no Authorization header.
func (q *requestState) sentAPIKey() (key string, sent bool) {
	keys := q.r.Header["X-Api-Key"]
	if q.r.Header["Authorization"] != nil || len(keys) != 1 {
		return "", false
	}
	return keys[0], true
}

// sentBearerToken returns the bearer token of a request.
func (q *requestState) sentBearerToken() (token string, sent bool) {
	scheme, token, _ := strings.Cut(q.r.Header.Get("Authorization"), " ")
	return token, strings.EqualFold(scheme, "Bearer")
}

func (q *requestState) usesAPIKey() bool { _, sent := q.sentAPIKey(); return sent }

// usesRevokedKey reports whether a request carries the revoked API key.
func (q *requestState) usesRevokedKey() bool {
	key, _ := q.sentAPIKey()
	return key == q.gateway.tokens.revokedKey
}

func (q *requestState) usesExpiredToken() bool {
	token, _ := q.sentBearerToken()
	return token == q.gateway.tokens.expired
}

func authFaults() faultDeclarations {
	// refused changes the 401 answers to some requests.
	refused := func(operation operation, holds func(q *requestState) bool, change any) effect {
		return effectDuring(operation, effectWhen(holds, changeAnswer("unauthenticated", change)))
	}
	missing := (*requestState).hasNoCredential
	tokens := func(q *requestState) bool { _, sent := q.sentBearerToken(); return sent }
	garbage := func(q *requestState) bool {
		token, sent := q.sentBearerToken()
		return sent && !strings.Contains(token, ".")
	}
	forbidden := setStatus(http.StatusForbidden)
	credential := func(q *requestState) string {
		return q.r.Header.Get("Authorization") + q.r.Header.Get("x-api-key")
	}
	bodyFirst := func(q *requestState, a *pendingResponse) {
		if q.readJSONBody(); len(q.issues) > 0 || q.body["mother_name"] == nil {
			a.status = q.gateway.choices.InvalidStatus
		}
	}
	return slices.Concat(
		declareFault("auth.bearer_refused", effectDuring(operationCreate, treatAsAnonymousWhen(tokens))),
		declareFault("auth.api_key_refused",
			effectDuring(operationExport, treatAsAnonymousWhen((*requestState).usesAPIKey))),
		declareFault("auth.create_missing_accepted",
			effectDuring(operationCreate, authenticateAsMainUserWhen(missing))),
		declareFault("auth.export_missing_accepted",
			effectDuring(operationExport, authenticateAsMainUserWhen(missing))),
		declareFault("auth.export_unguarded",
			effectDuring(operationExport, authenticateAsMainUserWhen(func(q *requestState) bool {
				return missing(q) && !q.namesProduct() && q.r.Header.Get("x-wallet-uuid") == ""
			}))),
		declareFault("auth.slash_unguarded",
			effectDuring(operationExport,
				authenticateAsMainUserWhen(func(q *requestState) bool {
					return missing(q) && strings.HasSuffix(q.r.URL.Path, "/")
				}))),
		declareFault("auth.inside_unguarded",
			authenticateAsMainUserWhen(func(q *requestState) bool {
				return missing(q) && q.r.Header.Get("X-Forwarded-For") == "127.0.0.1"
			}),
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
				a.header.Set("X-Debug-Credential", credential(q))
			})),
		declareFault("auth.secret_in_refusal", combineEffects(func(q *requestState, a *pendingResponse) {
			if refusal := a.errorObject(); refusal != nil {
				refusal["received"] = credential(q)
			}
		})),
	)
}

// matchesWhole reports whether a regular expression matches the whole text.
func matchesWhole(pattern, text string) bool {
	same, err := regexp.MatchString("^(?:"+pattern+")$", text)
	return err == nil && same
}

func apiKeyFaults() faultDeclarations {
	// takesKeys accepts some API keys as the main user's.
	takesKeys := func(name string, same func(sent, own string) bool) faultDeclarations {
		return declareFault(name, authenticateAsMainUserWhen(func(q *requestState) bool {
			key, sent := q.sentAPIKey()
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
		declareFault("auth.revoked_api_key_accepted",
			authenticateAsMainUserWhen((*requestState).usesRevokedKey)),
		declareFault("auth.api_key_in_query",
			authenticateAsMainUserWhen(func(q *requestState) bool {
				return strings.HasSuffix(q.r.URL.RawQuery, "="+q.gateway.tokens.apiKey)
			})),
		declareFault("auth.api_key.under_scheme_accepted",
			authenticateAsMainUserWhen(func(q *requestState) bool {
				return strings.HasSuffix(q.r.Header.Get("Authorization"), " "+q.gateway.tokens.apiKey)
			})),
		declareFault("auth.api_key.in_cookie_accepted",
			authenticateAsMainUserWhen(
				func(q *requestState) bool { return q.hasCookie(q.gateway.tokens.apiKey) }),
		),
	)
}

func (q *requestState) hasCookie(value string) bool {
	return slices.ContainsFunc(q.r.Cookies(), func(c *http.Cookie) bool { return c.Value == value })
}
