// Package token makes credentials that a gateway must refuse: JWTs that were tampered with. Its
// errors never contain a token.
package token

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/golang-jwt/jwt/v5"
)

// ErrNotJWT is wrapped by every error about an opaque or encrypted token, which cannot be
// tampered with.
var ErrNotJWT = errors.New("not a JWT")

// tamper splits a token, changes its parts and joins them again.
func tamper(t string, change func(*jwtParts) error) (string, error) {
	p, err := splitJWT(t)
	if err == nil {
		err = change(&p)
	}
	if err != nil {
		return "", err
	}
	return p.header + "." + p.payload + "." + p.signature, nil
}

// WithChangedPayload adds a claim that grants more rights and keeps the other claims and the
// signature. A gateway that accepts it does not verify signatures.
func WithChangedPayload(t string) (string, error) {
	return tamper(t, func(p *jwtParts) error {
		name := "admin"
		for _, taken := p.claims[name]; taken; _, taken = p.claims[name] {
			name += "_tampered"
		}
		comma := ","
		if len(p.claims) == 0 {
			comma = ""
		}
		text := bytes.TrimRight(p.payloadJSON, " \t\r\n")
		p.payload = base64URL(fmt.Appendf(bytes.Clone(text[:len(text)-1]), "%s%q:true}", comma, name))
		return nil
	})
}

// WithChangedSignature flips bits in the first byte of the signature.
func WithChangedSignature(t string) (string, error) {
	return tamper(t, func(p *jwtParts) error { return p.flipSignatureBit(0) })
}

// WithChangedSignatureEnd flips bits in the last byte of the signature.
func WithChangedSignatureEnd(t string) (string, error) {
	return tamper(t, func(p *jwtParts) error { return p.flipSignatureBit(len(p.signatureBytes) - 1) })
}

func (p *jwtParts) flipSignatureBit(at int) error {
	if len(p.signatureBytes) == 0 {
		return errors.New("the token has no signature that could be changed")
	}
	p.signatureBytes[at] ^= 0xa5
	p.signature = base64URL(p.signatureBytes)
	return nil
}

// WithSwappedSignatureCase swaps the case of the letters in the signature, which a
// case-insensitive comparison would not notice.
func WithSwappedSignatureCase(t string) (string, error) {
	return tamper(t, func(p *jwtParts) error {
		before := p.signature
		if p.signature = SwapCase(before); p.signature == before {
			return errors.New("the token has no signature whose letters could be changed")
		}
		return nil
	})
}

// SwapCase swaps the case of the letters in a text.
func SwapCase(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// WithTruncatedSignature removes the last third of the signature; the rest still decodes.
func WithTruncatedSignature(t string) (string, error) {
	return tamper(t, func(p *jwtParts) error {
		if len(p.signatureBytes) < 3 {
			return errors.New("the token's signature is too short to cut")
		}
		p.signature = base64URL(p.signatureBytes[:len(p.signatureBytes)*2/3])
		return nil
	})
}

// WithoutSignature removes the signature, but not the dot before it.
func WithoutSignature(t string) (string, error) {
	return tamper(t, func(p *jwtParts) error { p.signature = ""; return nil })
}

// WithAlgNone sets the header's algorithm to none and removes the signature.
func WithAlgNone(t string) (string, error) { return UnsignedWithAlg(t, "none") }

// UnsignedWithAlg sets the header's algorithm, such as another spelling of none, and removes the
// signature.
func UnsignedWithAlg(t, alg string) (string, error) {
	return tamper(t, func(p *jwtParts) error { p.signature = ""; return p.setAlgorithm(alg) })
}

// WithAlgNoneSigned sets the header's algorithm to none and keeps the signature.
func WithAlgNoneSigned(t string) (string, error) {
	return tamper(t, func(p *jwtParts) error { return p.setAlgorithm("none") })
}

// Keys that a Forger signs with besides none.
const (
	GuessedKey = "secret" // a key that people choose
	UnknownKey = "known to gateassay alone"
)

// Forger signs tokens without the platform's key.
type Forger struct {
	Algorithm string // HS256, HS384 or HS512
	Key       string // may be empty
	KeyID     string // kid of the header; empty: unchanged
}

// Sign returns the token with its payload signed by the forger.
func (f Forger) Sign(t string) (string, error) {
	return tamper(t, func(p *jwtParts) error {
		if f.KeyID != "" {
			p.headers["kid"] = f.KeyID
		}
		if err := p.setAlgorithm(f.Algorithm); err != nil {
			return err
		}
		signature, err := jwt.GetSigningMethod(f.Algorithm).Sign(p.header+"."+p.payload, []byte(f.Key))
		p.signature = base64URL(signature)
		return err
	})
}

// ForgerOf returns the forger who signed a token, and whether it was one with a key of this
// package or with none.
func ForgerOf(t string) (Forger, bool) {
	p, err := splitJWT(t)
	name, _ := p.headers["alg"].(string)
	method, _ := jwt.GetSigningMethod(name).(*jwt.SigningMethodHMAC)
	if err != nil || method == nil {
		return Forger{}, false
	}
	for _, key := range []string{"", GuessedKey, UnknownKey} {
		if method.Verify(p.header+"."+p.payload, p.signatureBytes, []byte(key)) == nil {
			return Forger{Algorithm: name, Key: key}, true
		}
	}
	return Forger{}, false
}

// Expiry returns the time in the claim exp. It reports false for an opaque token and for one
// without that claim.
func Expiry(t string) (time.Time, bool) {
	p, _ := splitJWT(t)
	number, _ := p.claims["exp"].(json.Number)
	seconds, err := number.Float64()
	if err != nil || math.Abs(seconds) > 253402300799 { // the last second of the year 9999
		return time.Time{}, false
	}
	return time.Unix(int64(seconds), 0).UTC(), true
}

// Subject returns the claim sub, or "" for an opaque token and for one without that claim.
func Subject(t string) string {
	p, _ := splitJWT(t)
	subject, _ := p.claims["sub"].(string)
	return subject
}

// jwtParts are the parts of a JWT.
type jwtParts struct {
	header, payload, signature string // as written

	headers        map[string]any
	claims         jwt.MapClaims
	payloadJSON    []byte
	signatureBytes []byte
}

// splitJWT splits a JWT, with or without padding. Its error does not quote the token.
func splitJWT(t string) (p jwtParts, err error) {
	parser := jwt.NewParser(jwt.WithJSONNumber(), jwt.WithPaddingAllowed())
	parsed, segments, err := parser.ParseUnverified(t, jwt.MapClaims{})
	// jwt does not know every algorithm
	if err == nil || errors.Is(err, jwt.ErrTokenUnverifiable) {
		p = jwtParts{
			header:    segments[0],
			payload:   segments[1],
			signature: segments[2],
			headers:   parsed.Header,
		}
		p.claims, _ = parsed.Claims.(jwt.MapClaims)
		p.payloadJSON, _ = parser.DecodeSegment(p.payload)
		p.signatureBytes, err = parser.DecodeSegment(p.signature)
	}
	// an object, not null
	if err != nil || p.headers == nil ||
		!bytes.HasPrefix(bytes.TrimSpace(p.payloadJSON), []byte("{")) {
		return jwtParts{}, fmt.Errorf(
			"%w: expected three segments with dots between them: two JSON objects and a signature",
			ErrNotJWT)
	}
	return p, nil
}

// setAlgorithm sets the algorithm in the header.
func (p *jwtParts) setAlgorithm(algorithm string) error {
	members := map[string]any{"typ": "JWT"}
	maps.Copy(members, p.headers)
	members["alg"] = algorithm
	text, err := json.Marshal(members)
	p.header = base64URL(text)
	return err
}

func base64URL(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
