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

// admits makes an effect that takes a request of nobody who is known for one of the main user.
func admits(holds func(q *call) bool) effect {
	return combined(func(q *call, s *sender) {
		if s.user == nil && holds(q) {
			s.user = q.g.data.main
		}
	})
}

// denies makes an effect that takes some requests for those of nobody.
func denies(holds func(q *call) bool) effect { return when(holds, func(s *sender) { s.user = nil }) }

func (q *call) withoutCredential() bool {
	return q.r.Header["Authorization"] == nil && q.r.Header["X-Api-Key"] == nil && q.r.URL.RawQuery == ""
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

func (q *call) byAPIKey() bool { _, sent := q.apiKey(); return sent }

// revoked and expired hold for credentials that no longer count.
func (q *call) revoked() bool {
	key, _ := q.apiKey()
	return key == q.g.tokens.revokedKey
}

func (q *call) expired() bool {
	token, _ := q.bearer()
	return token == q.g.tokens.expired
}

func authFaults() faults {
	// refused changes how a request without valid authentication is answered.
	refused := func(operation operation, holds func(q *call) bool, change any) effect {
		return during(operation, when(holds, answered("unauthenticated", change)))
	}
	missing := (*call).withoutCredential
	tokens := func(q *call) bool { _, sent := q.bearer(); return sent }
	garbage := func(q *call) bool { token, sent := q.bearer(); return sent && !strings.Contains(token, ".") }
	forbidden := status(http.StatusForbidden)
	credential := func(q *call) string { return q.r.Header.Get("Authorization") + q.r.Header.Get("x-api-key") }
	bodyFirst := func(q *call, a *reply) {
		if q.readObject(); len(q.issues) > 0 || q.body["mother_name"] == nil {
			a.status = q.g.choices.InvalidStatus
		}
	}
	return slices.Concat(
		fault("auth.bearer_refused", during(creating, denies(tokens))),
		fault("auth.api_key_refused", during(exporting, denies((*call).byAPIKey))),
		fault("auth.create_missing_accepted", during(creating, admits(missing))),
		fault("auth.export_missing_accepted", during(exporting, admits(missing))),
		fault("auth.export_unguarded",
			during(exporting, admits(func(q *call) bool { return missing(q) && !q.namesProduct() && q.r.Header.Get("x-wallet-uuid") == "" }))),
		fault("auth.slash_unguarded",
			during(exporting, admits(func(q *call) bool { return missing(q) && strings.HasSuffix(q.r.URL.Path, "/") }))),
		fault("auth.inside_unguarded",
			admits(func(q *call) bool { return missing(q) && q.r.Header.Get("X-Forwarded-For") == "127.0.0.1" })),
		fault("auth.create_missing_403", refused(creating, missing, forbidden)),
		fault("auth.create_missing_500", refused(creating, missing, crash)),
		fault("auth.body_first", refused(creating, missing, bodyFirst)),
		fault("auth.export_403", during(exporting, answered("unauthenticated", forbidden))),
		fault("auth.expired_403", refused(creating, (*call).expired, forbidden)),
		fault("auth.garbage_500", when(garbage, answered("unauthenticated", crash))),
		fault("auth.secret_in_header",
			combined(func(q *call, a *reply) { a.header.Set("X-Debug-Credential", credential(q)) })),
		fault("auth.secret_in_refusal", combined(func(q *call, a *reply) {
			if refusal := a.refusal(); refusal != nil {
				refusal["received"] = credential(q)
			}
		})),
	)
}

// isLike reports whether the whole of a text matches a regular expression.
func isLike(pattern, text string) bool {
	same, err := regexp.MatchString("^(?:"+pattern+")$", text)
	return err == nil && same
}

func keyFaults() faults {
	// takesKeys takes some API keys for the main user's own.
	takesKeys := func(name string, same func(sent, own string) bool) faults {
		return fault(name, admits(func(q *call) bool {
			key, sent := q.apiKey()
			return sent && same(key, q.g.tokens.apiKey)
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
		takesKeys("auth.api_key.pattern_accepted", isLike),
		fault("auth.revoked_api_key_accepted", admits((*call).revoked)),
		fault("auth.api_key_in_query",
			admits(func(q *call) bool { return strings.HasSuffix(q.r.URL.RawQuery, "="+q.g.tokens.apiKey) })),
		fault("auth.api_key.under_scheme_accepted",
			admits(func(q *call) bool { return strings.HasSuffix(q.r.Header.Get("Authorization"), " "+q.g.tokens.apiKey) })),
		fault("auth.api_key.in_cookie_accepted",
			admits(func(q *call) bool { return q.hasCookie(q.g.tokens.apiKey) })),
	)
}

func (q *call) hasCookie(value string) bool {
	return slices.ContainsFunc(q.r.Cookies(), func(c *http.Cookie) bool { return c.Value == value })
}

// forgery is a token that was not accepted, beside the main user's own.
type forgery struct {
	algorithm          string
	samePayload        bool // and the same header
	signature, genuine string
}

func (f forgery) claimsNone() bool { return strings.EqualFold(f.algorithm, "none") }

// signed reports whether there is a signature to be compared.
func (f forgery) signed() bool { return f.signature != "" && !f.claimsNone() }

func (f forgery) cut() bool {
	return f.signed() && f.samePayload && f.signature != f.genuine && strings.HasPrefix(f.genuine, f.signature)
}

// other reports whether the signature is another one under the genuine payload.
func (f forgery) other() bool { return f.signed() && f.samePayload && !f.cut() }

// believes makes an effect that accepts some tokens which are not in order.
func believes(holds func(f forgery) bool) effect {
	return combined(func(q *call, s *sender) {
		token, sent := q.bearer()
		if strings.Count(token, ".") == 1 {
			token += "." // without its signature
		}
		var claims jwt.RegisteredClaims
		read, parts, _ := jwt.NewParser().ParseUnverified(token, &claims) // what cannot be read stays empty
		if s.user != nil || !sent || read == nil {
			return
		}
		algorithm, _ := read.Header["alg"].(string)
		genuine := strings.Split(q.g.tokens.main, ".")
		if holds(forgery{algorithm, slices.Equal(parts[:2], genuine[:2]), parts[2], genuine[2]}) {
			s.user = cmp.Or(q.g.data.users[claims.Subject], q.g.data.main)
		}
	})
}

func tokenFaults() faults {
	// tokens holds for some bearer tokens.
	tokens := func(holds func(token string) bool) func(*call) bool {
		return func(q *call) bool { token, sent := q.bearer(); return sent && holds(token) }
	}
	anyScheme := func(q *call, s *sender) {
		if _, token, _ := strings.Cut(q.r.Header.Get("Authorization"), " "); s.user == nil {
			s.user, _ = q.g.verify(token)
		}
	}
	return slices.Concat(
		fault("auth.empty_bearer_accepted",
			admits(tokens(func(token string) bool { return token == "" }))),
		fault("auth.garbage_accepted",
			admits(tokens(func(token string) bool { return token != "" && strings.Count(token, ".") != 2 }))),
		fault("auth.any_scheme_accepted", anyScheme),
		fault("auth.expired_accepted", admits((*call).expired)),
		fault("auth.not_yet_valid_accepted",
			admits(func(q *call) bool { token, _ := q.bearer(); return token == q.g.tokens.early })),
		fault("auth.payload_changed_accepted",
			believes(func(f forgery) bool { return f.signed() && !f.samePayload && f.signature == f.genuine })),
		fault("auth.signature_changed_accepted", believes(forgery.other)),
		fault("auth.bearer.signature.any_case",
			believes(func(f forgery) bool { return f.other() && strings.EqualFold(f.signature, f.genuine) })),
		fault("auth.bearer.signature.more_accepted",
			admits(tokens(func(token string) bool { return strings.Count(token, ".") > 2 }))),
		fault("auth.cut_signature_accepted", believes(forgery.cut)),
		fault("auth.signature_removed_accepted",
			believes(func(f forgery) bool { return f.signature == "" && !f.claimsNone() })),
		fault("auth.alg_none_accepted", believes(forgery.claimsNone)),
		fault("auth.bearer.alg_none_in_capitals_accepted",
			believes(func(f forgery) bool { return f.claimsNone() && f.algorithm != "none" })),
		fault("auth.other_key_accepted",
			believes(func(f forgery) bool { return f.signature != "" })),
		fault("auth.bearer.other_key.guessed", admits(tokens(func(token string) bool {
			_, err := jwt.Parse(token, func(*jwt.Token) (any, error) { return []byte("secret"), nil })
			return err == nil
		}))),
		fault("auth.bearer.in_other_header_accepted",
			admits(func(q *call) bool { return q.r.Header.Get("X-Access-Token") == q.g.tokens.main })),
		fault("auth.bearer.in_query_accepted",
			admits(func(q *call) bool { return q.r.URL.Query().Get("access_token") == q.g.tokens.main })),
		fault("auth.bearer.in_cookie_accepted",
			admits(func(q *call) bool { return q.hasCookie(q.g.tokens.main) })),
	)
}
