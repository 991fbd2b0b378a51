// Package token makes credentials and identifiers that a gateway must refuse: JWTs that were tampered with, and values
// that are not a UUID of version 4. No error it returns repeats a token.
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

// ErrNotJWT is wrapped by every error about a token that is opaque or encrypted: there is nothing to tamper with.
var ErrNotJWT = errors.New("not a JWT")

// tamper takes a token apart, has its pieces changed, and joins them again.
func tamper(t string, change func(*pieces) error) (string, error) {
	p, err := split(t)
	if err == nil {
		err = change(&p)
	}
	if err != nil {
		return "", err
	}
	return p.header + "." + p.payload + "." + p.signature, nil
}

// PayloadChanged adds a claim that grants more than was granted, leaves all others as they were, and keeps the
// signature: whoever accepts it does not verify signatures.
func PayloadChanged(t string) (string, error) {
	return tamper(t, func(p *pieces) error {
		name := "admin"
		for _, taken := p.claims[name]; taken; _, taken = p.claims[name] {
			name += "_tampered"
		}
		comma := ","
		if len(p.claims) == 0 {
			comma = ""
		}
		text := bytes.TrimRight(p.payloadJSON, " \t\r\n")
		p.payload = encode(fmt.Appendf(bytes.Clone(text[:len(text)-1]), "%s%q:true}", comma, name))
		return nil
	})
}

// SignatureChanged flips bits in the first byte of the signature.
func SignatureChanged(t string) (string, error) {
	return tamper(t, func(p *pieces) error { return p.flip(0) })
}

// SignatureEndChanged flips bits in the last byte of the signature.
func SignatureEndChanged(t string) (string, error) {
	return tamper(t, func(p *pieces) error { return p.flip(len(p.signatureBytes) - 1) })
}

func (p *pieces) flip(at int) error {
	if len(p.signatureBytes) == 0 {
		return errors.New("the token has no signature that could be changed")
	}
	p.signatureBytes[at] ^= 0xa5
	p.signature = encode(p.signatureBytes)
	return nil
}

// SignatureCaseChanged writes the letters of the signature in the other case, as a comparison without case would not
// see.
func SignatureCaseChanged(t string) (string, error) {
	return tamper(t, func(p *pieces) error {
		before := p.signature
		p.signature = strings.Map(func(r rune) rune {
			if unicode.IsUpper(r) {
				return unicode.ToLower(r)
			}
			return unicode.ToUpper(r)
		}, before)
		if p.signature == before {
			return errors.New("the token has no signature whose letters could be changed")
		}
		return nil
	})
}

// SignatureCut drops the last third of the signature; what is left still decodes.
func SignatureCut(t string) (string, error) {
	return tamper(t, func(p *pieces) error {
		if len(p.signatureBytes) < 3 {
			return errors.New("the token's signature is too short to cut")
		}
		p.signature = encode(p.signatureBytes[:len(p.signatureBytes)*2/3])
		return nil
	})
}

// SignatureRemoved leaves header, payload and the dot behind them.
func SignatureRemoved(t string) (string, error) {
	return tamper(t, func(p *pieces) error { p.signature = ""; return nil })
}

// AlgNone announces in the header that the token is unsigned, and removes the signature.
func AlgNone(t string) (string, error) { return Unsigned(t, "none") }

// Unsigned announces an algorithm in the header, such as another spelling of none, and removes the signature.
func Unsigned(t, alg string) (string, error) {
	return tamper(t, func(p *pieces) error { p.signature = ""; return p.announce(alg) })
}

// AlgNoneSigned announces in the header that the token is unsigned, and leaves the signature.
func AlgNoneSigned(t string) (string, error) {
	return tamper(t, func(p *pieces) error { return p.announce("none") })
}

// Forger signs tokens without the platform's key.
type Forger struct {
	Algorithm string // HS256, HS384 or HS512
	Key       string // may be empty
	KeyID     string // kid of the header; empty: as it was
}

// Sign signs the payload of a token anew.
func (f Forger) Sign(t string) (string, error) {
	return tamper(t, func(p *pieces) error {
		if f.KeyID != "" {
			p.headers["kid"] = f.KeyID
		}
		if err := p.announce(f.Algorithm); err != nil {
			return err
		}
		signature, err := jwt.GetSigningMethod(f.Algorithm).Sign(p.header+"."+p.payload, []byte(f.Key))
		p.signature = encode(signature)
		return err
	})
}

// Expiry gives the time in the claim exp; false for an opaque token and for one without that claim.
func Expiry(t string) (time.Time, bool) {
	p, _ := split(t)
	number, _ := p.claims["exp"].(json.Number)
	seconds, err := number.Float64()
	if err != nil || math.Abs(seconds) > 253402300799 { // the last second of the year 9999
		return time.Time{}, false
	}
	return time.Unix(int64(seconds), 0).UTC(), true
}

// Subject gives the claim sub; empty for an opaque token and for one without that claim.
func Subject(t string) string {
	p, _ := split(t)
	subject, _ := p.claims["sub"].(string)
	return subject
}

// pieces is a JWT taken apart.
type pieces struct {
	header, payload, signature string // as written

	headers        map[string]any
	claims         jwt.MapClaims
	payloadJSON    []byte
	signatureBytes []byte
}

// split takes a JWT apart, padded or not. Its error says nothing about what the token holds.
func split(t string) (p pieces, err error) {
	parser := jwt.NewParser(jwt.WithJSONNumber(), jwt.WithPaddingAllowed())
	parsed, segments, err := parser.ParseUnverified(t, jwt.MapClaims{})
	if err == nil || errors.Is(err, jwt.ErrTokenUnverifiable) { // by an algorithm that jwt does not know
		p = pieces{header: segments[0], payload: segments[1], signature: segments[2], headers: parsed.Header}
		p.claims, _ = parsed.Claims.(jwt.MapClaims)
		p.payloadJSON, _ = parser.DecodeSegment(p.payload)
		p.signatureBytes, err = parser.DecodeSegment(p.signature)
	}
	if err != nil || p.headers == nil || !bytes.HasPrefix(bytes.TrimSpace(p.payloadJSON), []byte("{")) { // but null
		return pieces{}, fmt.Errorf("%w: expected three segments with dots between them: two JSON objects and a signature", ErrNotJWT)
	}
	return p, nil
}

// announce writes the header anew with an algorithm.
func (p *pieces) announce(algorithm string) error {
	members := map[string]any{"typ": "JWT"}
	maps.Copy(members, p.headers)
	members["alg"] = algorithm
	text, err := json.Marshal(members)
	p.header = encode(text)
	return err
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
