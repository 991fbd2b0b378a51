package reference

import (
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
)

// authenticateWhen returns an effect that takes some unauthenticated requests for the
// main user's.
func authenticateWhen(holds func(q *request) bool) effect {
	return combine(func(q *request, s *sender) {
		if s.user == nil && holds(q) {
			s.user = q.gateway.data.main
		}
	})
}

// anonymousWhen returns an effect that drops the authentication of some requests.
func anonymousWhen(holds func(q *request) bool) effect {
	return when(holds, func(s *sender) { s.user = nil })
}

func (q *request) hasNoCredential() bool {
	return q.r.Header["Authorization"] == nil && q.r.Header["X-Api-Key"] == nil &&
		q.r.URL.RawQuery == ""
}

// sentAPIKey returns the API key of a request that has no Authorization header.
func (q *request) sentAPIKey() (key string, sent bool) {
	keys := q.r.Header["X-Api-Key"]
	if q.r.Header["Authorization"] != nil || len(keys) != 1 {
		return "", false
	}
	return keys[0], true
}

// sentBearerToken returns the bearer token of a request.
func (q *request) sentBearerToken() (token string, sent bool) {
	scheme, token, _ := strings.Cut(q.r.Header.Get("Authorization"), " ")
	return token, strings.EqualFold(scheme, "Bearer")
}

func (q *request) usesAPIKey() bool { _, sent := q.sentAPIKey(); return sent }

// usesRevokedKey reports whether a request carries the revoked API key.
func (q *request) usesRevokedKey() bool {
	key, _ := q.sentAPIKey()
	return key == q.gateway.tokens.revokedKey
}

func (q *request) usesExpiredToken() bool {
	token, _ := q.sentBearerToken()
	return token == q.gateway.tokens.expired
}

func authFaults() changes {
	// refused changes the 401 answers to some requests.
	refused := func(operation operation, holds func(q *request) bool, change any) effect {
		return during(operation, when(holds, changeAnswer("unauthenticated", change)))
	}
	missing := (*request).hasNoCredential
	tokens := func(q *request) bool { _, sent := q.sentBearerToken(); return sent }
	garbage := func(q *request) bool {
		token, sent := q.sentBearerToken()
		return sent && !strings.Contains(token, ".")
	}
	forbidden := setStatus(http.StatusForbidden)
	credential := func(q *request) string {
		return q.r.Header.Get("Authorization") + q.r.Header.Get("x-api-key")
	}
	bodyFirst := func(q *request, a *response) {
		if q.readJSONBody(); len(q.issues) > 0 || q.body["mother_name"] == nil {
			a.status = q.gateway.choices.InvalidStatus
		}
	}
	return changes{
		"auth.bearer_refused":          during(opCreate, anonymousWhen(tokens)),
		"auth.api_key_refused":         during(opExport, anonymousWhen((*request).usesAPIKey)),
		"auth.create_missing_accepted": during(opCreate, authenticateWhen(missing)),
		"auth.export_missing_accepted": during(opExport, authenticateWhen(missing)),
		"auth.anonymous_accepted": authenticateWhen(
			func(q *request) bool { return credential(q) == "" }),
		"auth.export_unguarded": during(opExport, authenticateWhen(func(q *request) bool {
			return missing(q) && !q.namesProduct() && q.r.Header.Get("x-wallet-uuid") == ""
		})),
		"auth.blank_accepted": during(opExport, authenticateWhen(func(q *request) bool {
			h := q.r.Header
			return h.Get("Authorization") == "" && h.Get("x-api-key") == "" && q.r.URL.RawQuery == ""
		})),
		"auth.credential_unread": combine(func(q *request, s *sender) {
			if credential(q) != "" {
				s.user = q.gateway.data.main
			}
		}),
		"auth.slash_unguarded": during(opExport,
			authenticateWhen(
				func(q *request) bool { return missing(q) && strings.HasSuffix(q.r.URL.Path, "/") })),
		"auth.query_unguarded": authenticateWhen(
			func(q *request) bool { return credential(q) == "" && q.r.URL.RawQuery != "" }),
		"auth.inside_unguarded": authenticateWhen(
			func(q *request) bool { return missing(q) && q.r.Header.Get("X-Forwarded-For") == "127.0.0.1" }),
		"auth.create_open":        during(opCreate, authenticateWhen(func(*request) bool { return true })),
		"auth.export_open":        during(opExport, authenticateWhen(func(*request) bool { return true })),
		"auth.create_missing_403": refused(opCreate, missing, forbidden),
		"auth.create_missing_500": refused(opCreate, missing, respondWithCrash),
		"auth.body_first":         refused(opCreate, missing, bodyFirst),
		"auth.export_403":         during(opExport, changeAnswer("unauthenticated", forbidden)),
		"auth.expired_403":        refused(opCreate, (*request).usesExpiredToken, forbidden),
		"auth.garbage_500":        when(garbage, changeAnswer("unauthenticated", respondWithCrash)),
		"auth.secret_in_header": func(q *request, a *response) {
			a.header.Set("X-Debug-Credential", credential(q))
		},
		"auth.secret_in_refusal": func(q *request, a *response) {
			if refusal := a.errorObject(); refusal != nil {
				refusal["received"] = credential(q)
			}
		},
	}
}

// matchesWhole reports whether a regular expression matches the whole text.
func matchesWhole(pattern, text string) bool {
	same, err := regexp.MatchString("^(?:"+pattern+")$", text)
	return err == nil && same
}

func apiKeyFaults() changes {
	// acceptKeys accepts some API keys as the main user's.
	acceptKeys := func(same func(sent, own string) bool) effect {
		return authenticateWhen(func(q *request) bool {
			key, sent := q.sentAPIKey()
			return sent && same(key, q.gateway.tokens.apiKey)
		})
	}
	beginning := func(sent, own string) bool {
		n := min(len(sent), len(own))
		return n > 8 && sent[:n] == own[:n]
	}
	return changes{
		"auth.unknown_api_key_accepted":   acceptKeys(func(sent, _ string) bool { return sent != "" }),
		"auth.api_key_beginning_accepted": acceptKeys(beginning),
		"auth.api_key.within_accepted":    acceptKeys(strings.Contains),
		"auth.api_key.altered.any_case":   acceptKeys(strings.EqualFold),
		"auth.object_member_accepted": acceptKeys(
			func(sent, _ string) bool { return sent == "constructor" }),
		"auth.test_key_accepted": acceptKeys(func(sent, _ string) bool { return sent == "test" }),
		"auth.api_key.prefix_accepted": acceptKeys(
			func(sent, own string) bool { return len(sent) >= len(own)/2 && strings.HasPrefix(own, sent) }),
		"auth.empty_api_key_accepted": acceptKeys(func(sent, _ string) bool { return sent == "" }),
		"auth.api_key.half_accepted": acceptKeys(
			func(sent, own string) bool { return len(sent) == len(own)/2 && strings.Contains(own, sent) }),
		"auth.api_key.asterisk_accepted": acceptKeys(func(sent, own string) bool {
			same, err := path.Match(sent, own)
			return err == nil && same
		}),
		"auth.api_key.pattern_accepted": acceptKeys(matchesWhole),
		"auth.revoked_api_key_accepted": authenticateWhen((*request).usesRevokedKey),
		"auth.api_key_in_query": authenticateWhen(func(q *request) bool {
			return strings.HasSuffix(q.r.URL.RawQuery, "="+q.gateway.tokens.apiKey)
		}),
		"auth.api_key.under_scheme_accepted": authenticateWhen(func(q *request) bool {
			return strings.HasSuffix(q.r.Header.Get("Authorization"), " "+q.gateway.tokens.apiKey)
		}),
		"auth.api_key.in_cookie_accepted": authenticateWhen(
			func(q *request) bool { return q.hasCookie(q.gateway.tokens.apiKey) }),
	}
}

func (q *request) hasCookie(value string) bool {
	return slices.ContainsFunc(q.r.Cookies(), func(c *http.Cookie) bool { return c.Value == value })
}
