package reference

import (
	"cmp"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

// forgedToken is a rejected token, compared with the main user's.
type forgedToken struct {
	algorithm          string
	claims             jwt.RegisteredClaims
	samePayload        bool // and the same header
	signature, genuine string
}

func (f forgedToken) claimsAlgNone() bool { return strings.EqualFold(f.algorithm, "none") }

// hasSignature reports whether there is a signature to compare.
func (f forgedToken) hasSignature() bool { return f.signature != "" && !f.claimsAlgNone() }

func (f forgedToken) isTruncated() bool {
	return f.hasSignature() && f.samePayload && f.signature != f.genuine &&
		strings.HasPrefix(f.genuine, f.signature)
}

// hasOtherSignature reports whether another signature follows the genuine payload.
func (f forgedToken) hasOtherSignature() bool {
	return f.hasSignature() && f.samePayload && !f.isTruncated()
}

// hasValidClaims reports whether the claims would do, were they signed.
func (f forgedToken) hasValidClaims() bool {
	own := jwt.NewValidator(jwt.WithExpirationRequired(), jwt.WithIssuer(tokenIssuer))
	return own.Validate(f.claims) == nil
}

// acceptForgedWhen returns an effect that accepts some invalid tokens.
func acceptForgedWhen(holds func(f forgedToken) bool) effect {
	return combine(func(q *request, s *sender) {
		token, sent := q.sentBearerToken()
		if strings.Count(token, ".") == 1 {
			token += "." // the signature is missing
		}
		var claims jwt.RegisteredClaims
		// unreadable parts stay empty
		read, parts, _ := jwt.NewParser().ParseUnverified(token, &claims)
		if s.user != nil || !sent || read == nil {
			return
		}
		algorithm, _ := read.Header["alg"].(string)
		genuine := strings.Split(q.gateway.tokens.main, ".")
		same := slices.Equal(parts[:2], genuine[:2])
		if holds(forgedToken{algorithm, claims, same, parts[2], genuine[2]}) {
			s.user = cmp.Or(q.gateway.data.users[claims.Subject], q.gateway.data.main)
		}
	})
}

func tokenFaults() changes {
	// tokens returns a condition that holds for some bearer tokens.
	tokens := func(holds func(token string) bool) func(*request) bool {
		return func(q *request) bool {
			token, sent := q.sentBearerToken()
			return sent && holds(token)
		}
	}
	anyScheme := func(q *request, s *sender) {
		if _, token, _ := strings.Cut(q.r.Header.Get("Authorization"), " "); s.user == nil {
			s.user, _ = q.gateway.verifyToken(token)
		}
	}
	return changes{
		"auth.empty_bearer_accepted": authenticateWhen(
			tokens(func(token string) bool { return token == "" })),
		"auth.garbage_accepted": authenticateWhen(
			tokens(func(token string) bool { return token != "" && strings.Count(token, ".") != 2 })),
		"auth.any_scheme_accepted": anyScheme,
		"auth.expired_accepted":    authenticateWhen((*request).usesExpiredToken),
		"auth.not_yet_valid_accepted": authenticateWhen(func(q *request) bool {
			token, _ := q.sentBearerToken()
			return token == q.gateway.tokens.early
		}),
		"auth.payload_changed_accepted": acceptForgedWhen(func(f forgedToken) bool {
			return f.hasSignature() && !f.samePayload && f.signature == f.genuine
		}),
		"auth.signature_changed_accepted": acceptForgedWhen(forgedToken.hasOtherSignature),
		"auth.bearer.signature.any_case": acceptForgedWhen(func(f forgedToken) bool {
			return f.hasOtherSignature() && strings.EqualFold(f.signature, f.genuine)
		}),
		"auth.bearer.signature.more_accepted": authenticateWhen(
			tokens(func(token string) bool { return strings.Count(token, ".") > 2 })),
		"auth.cut_signature_accepted": acceptForgedWhen(forgedToken.isTruncated),
		"auth.signature_removed_accepted": acceptForgedWhen(
			func(f forgedToken) bool { return f.signature == "" && !f.claimsAlgNone() }),
		"auth.alg_none_accepted": acceptForgedWhen(forgedToken.claimsAlgNone),
		"auth.bearer.alg_none_in_capitals_accepted": acceptForgedWhen(
			func(f forgedToken) bool { return f.claimsAlgNone() && f.algorithm != "none" }),
		"auth.other_key_accepted": acceptForgedWhen(
			func(f forgedToken) bool { return f.signature != "" }),
		"auth.token_only_decoded": acceptForgedWhen(forgedToken.hasValidClaims),
		"auth.token_claims_unchecked": acceptForgedWhen(
			func(f forgedToken) bool { return f.claims.Subject != "" }),
		"auth.signature_mismatch_accepted": acceptForgedWhen(
			func(f forgedToken) bool { return f.hasSignature() && f.hasValidClaims() }),
		"auth.token_cached": authenticateWhen(func(q *request) bool {
			token, sent := q.sentBearerToken()
			parts, genuine := strings.Split(token, "."), strings.Split(q.gateway.tokens.main, ".")
			return sent && len(parts) > 1 && parts[1] == genuine[1]
		}),
		"auth.token_cached_by_beginning": authenticateWhen(func(q *request) bool {
			token, sent := q.sentBearerToken()
			return sent && strings.HasPrefix(token, q.gateway.tokens.main[:64])
		}),
		"auth.token_cached_by_header": combine(func(q *request, s *sender) {
			token, sent := q.sentBearerToken()
			if header, _, _ := strings.Cut(q.gateway.tokens.main, "."); sent &&
				strings.HasPrefix(token, header) {
				s.user = q.gateway.data.main
			}
		}),
		"auth.bearer.other_key.guessed": authenticateWhen(tokens(func(token string) bool {
			_, err := jwt.Parse(token, func(*jwt.Token) (any, error) { return []byte("secret"), nil })
			return err == nil
		})),
		"auth.bearer.in_other_header_accepted": authenticateWhen(
			func(q *request) bool { return q.r.Header.Get("X-Access-Token") == q.gateway.tokens.main }),
		"auth.bearer.in_query_accepted": authenticateWhen(
			func(q *request) bool { return q.r.URL.Query().Get("access_token") == q.gateway.tokens.main }),
		"auth.bearer.in_cookie_accepted": authenticateWhen(
			func(q *request) bool { return q.hasCookie(q.gateway.tokens.main) }),
	}
}
