package reference

import (
	"crypto/hmac"
	"encoding/base64"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
)

const (
	tokenIssuer   = "gateassay-reference"
	tokenLifetime = 90 * 24 * time.Hour
)

// issuedCredentials are the credentials that the gateway issues.
type issuedCredentials struct {
	key                                       []byte // signs platform tokens
	main, expired, early, unprivileged, other string
	apiKey, revokedKey                        string
}

func (g *Gateway) issueCredentials() *issuedCredentials {
	key, now := deriveKey(g.secret, "platform tokens"), g.now()
	signed := func(u *user, issued time.Time, life time.Duration, more jwt.MapClaims) string {
		claims := jwt.MapClaims{
			"iss": tokenIssuer,
			"sub": u.id,
			"iat": issued.Unix(),
			"exp": issued.Add(life).Unix(),
		}
		maps.Copy(claims, more)
		// HMAC accepts any bytes as a key
		token, _ := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(key)
		return token
	}
	apiKey := func(name string) string {
		return "ref_" + base64.RawURLEncoding.EncodeToString(deriveKey(g.secret, name))
	}
	return &issuedCredentials{
		key: key, apiKey: apiKey("API key"), revokedKey: apiKey("revoked API key"),
		main:    signed(g.data.main, now, tokenLifetime, nil),
		expired: signed(g.data.main, now.Add(-48*time.Hour), 24*time.Hour, nil),
		early: signed(g.data.main, now, tokenLifetime,
			jwt.MapClaims{"nbf": now.Add(tokenLifetime / 2).Unix()}),
		unprivileged: signed(g.data.unprivileged, now, tokenLifetime, nil),
		other:        signed(g.data.other, now, tokenLifetime, nil),
	}
}

// requireCaller sets the caller of a request. It answers 401 and returns false if there is none.
func (q *request) requireCaller() bool {
	s := sender{q.gateway.authenticate(q.r)}
	q.gateway.applyEffects(q, &s)
	if q.caller = s.user; q.caller == nil {
		q.w.Header().Set("WWW-Authenticate", `Bearer realm="gateway"`)
		q.respondRefusal(http.StatusUnauthorized, "unauthenticated")
	}
	return q.caller != nil
}

// authenticate returns the user who sends a request, or nil. An Authorization header takes
// precedence over an API key.
func (g *Gateway) authenticate(r *http.Request) *user {
	if headers, sent := r.Header["Authorization"]; sent {
		scheme, token, _ := strings.Cut(headers[0], " ")
		if len(headers) != 1 || !strings.EqualFold(scheme, "Bearer") {
			return nil
		}
		u, _ := g.verifyToken(token)
		return u
	}
	keys := r.Header["X-Api-Key"]
	if g.choices.NoAPIKey || len(keys) != 1 || !hmac.Equal([]byte(keys[0]), []byte(g.tokens.apiKey)) {
		return nil
	}
	return g.data.main
}

// verifyToken checks algorithm, signature, issuer, expiry and subject of a platform token.
func (g *Gateway) verifyToken(token string) (*user, error) {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithIssuer(tokenIssuer),
		jwt.WithExpirationRequired(), jwt.WithStrictDecoding(), jwt.WithTimeFunc(g.now))
	var claims jwt.RegisteredClaims
	if _, err := parser.ParseWithClaims(token, &claims,
		func(*jwt.Token) (any, error) { return g.tokens.key, nil }); err != nil {
		return nil, err
	}
	return g.data.users[claims.Subject], nil
}

var (
	uuidPattern = regexp.MustCompile(
		`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	uuidAnywherePattern = regexp.MustCompile(strings.Trim(uuidPattern.String(), "^$"))
	uuidV4Pattern       = regexp.MustCompile(
		`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
)

// readUUIDHeader returns a header and whether it is a UUID v4; an empty value counts as absent.
// It adds a defect to the request if it is not.
func (q *request) readUUIDHeader(header, key string, required bool) (id string, valid bool) {
	value := strings.ToLower(q.r.Header.Get(header))
	ending, why := ".format", "expected a UUID v4"
	switch {
	case value == "" && required:
		ending, why = ".absent", "this header is required: a UUID v4"
	case value == "":
		return "", false
	case uuidV4Pattern.MatchString(value):
		return value, true
	case value == uuid.Nil.String():
		ending = ".nil"
	case uuidPattern.MatchString(value):
		ending = ".version"
	case uuidAnywherePattern.MatchString(value):
		ending = ".inside"
	case len(value) == len(uuid.Nil.String()) && !strings.ContainsAny(value, "0123456789abcdef"):
		ending = ".length"
	}
	var sent any = value
	if q.r.Header[http.CanonicalHeaderKey(header)] == nil {
		sent = nil
	}
	q.addDefect(0, key+ending, header, sent, why)
	return value, false
}

// preferredLanguage returns the language header, and targetUserID the on-behalf-of header.
func (q *request) preferredLanguage() string { return q.r.Header.Get(q.names.Language) }

func (q *request) targetUserID() string { return q.r.Header.Get(q.names.OnBehalfOf) }

// readCommonHeaders reads the nonce, the language, the product and the target user. Without a
// target user the request runs as its caller.
func (q *request) readCommonHeaders() {
	q.nonce, _ = q.readUUIDHeader(q.names.Nonce, "header.nonce", true)
	if !slices.Contains([]string{"", "pt-BR", "en-US"}, q.preferredLanguage()) {
		q.addDefect(0, "header.language.set", q.names.Language, q.preferredLanguage(),
			"expected pt-BR or en-US")
	}
	q.runsAs = q.caller
	products := q.caller.person.products
	product, valid := q.readUUIDHeader("x-product-uuid", "header.product", false)
	q.selection.Product = products[0]
	if slices.Contains(products, product) {
		q.selection.Product, q.selection.InProduct = product, true
	} else if valid {
		q.addDefect(0, "header.product.unknown", "x-product-uuid", product,
			"no product of this user has this ID")
	}
	target, valid := q.readUUIDHeader(q.names.OnBehalfOf, "header.on_behalf_of", false)
	if target != "" && product == "" {
		key := "header.on_behalf_of.product"
		if q.r.Header["X-Product-Uuid"] != nil {
			key += ".empty"
		}
		q.addDefect(0, key, q.names.OnBehalfOf, target, "this header requires x-product-uuid")
	}
	if u := q.gateway.data.users[target]; valid && u != nil &&
		slices.Contains(u.person.products, products[0]) {
		q.runsAs = u
	} else if valid {
		q.addDefect(0, "header.on_behalf_of.unknown", q.names.OnBehalfOf, target,
			"no user with this ID in the product")
	}
}

// requireMediaType reports whether the body has the expected media type, and adds a defect if
// not.
func (q *request) requireMediaType(expected string) bool {
	media, _, err := mime.ParseMediaType(q.r.Header.Get("Content-Type"))
	if err == nil && media == expected {
		return true
	}
	key := "body.media"
	if expected == "application/json" {
		key += map[string]string{
			"application/x-www-form-urlencoded": ".form", "application/xml": ".xml", "text/xml": ".xml",
		}[media]
	}
	q.addDefect(http.StatusUnsupportedMediaType, key, "Content-Type", media, "expected "+expected)
	return false
}
