// Package token makes credentials and identifiers that a gateway must refuse: JWTs that were tampered with, and values
// that are not a UUID of version 4. No error it returns repeats a token.
package token

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"maps"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
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
	hashes := map[string]func() hash.Hash{"HS256": sha256.New, "HS384": sha512.New384, "HS512": sha512.New}
	return tamper(t, func(p *pieces) error {
		if f.KeyID != "" {
			p.headerClaims = maps.Clone(p.headerClaims)
			p.headerClaims["kid"] = json.RawMessage(strconv.Quote(f.KeyID))
		}
		if err := p.announce(f.Algorithm); err != nil {
			return err
		}
		mac := hmac.New(hashes[f.Algorithm], []byte(f.Key))
		mac.Write([]byte(p.header + "." + p.payload))
		p.signature = encode(mac.Sum(nil))
		return nil
	})
}

// Resigned signs the same payload with HS256 and a random key that nobody was given.
func Resigned(t string) (string, error) { return Forger{Algorithm: "HS256", Key: rand.Text()}.Sign(t) }

// Expiry gives the time in the claim exp; false for an opaque token and for one without that claim.
func Expiry(t string) (time.Time, bool) {
	p, err := split(t)
	if err != nil {
		return time.Time{}, false
	}
	var seconds json.Number
	if json.Unmarshal(p.claims["exp"], &seconds) != nil || bytes.HasPrefix(p.claims["exp"], []byte(`"`)) {
		return time.Time{}, false
	}
	value, err := seconds.Float64()
	if err != nil || math.Abs(value) > 253402300799 { // the last second of the year 9999
		return time.Time{}, false
	}
	whole, fraction := math.Modf(value)
	return time.Unix(int64(whole), int64(fraction*1e9)).UTC(), true
}

// pieces is a JWT taken apart.
type pieces struct {
	header, payload, signature string // as written

	headerClaims   map[string]json.RawMessage
	claims         map[string]json.RawMessage
	payloadJSON    []byte
	signatureBytes []byte
}

func split(t string) (pieces, error) {
	segments := strings.Split(t, ".")
	if len(segments) == 5 {
		return pieces{}, fmt.Errorf("%w that can be tampered with: five segments, so it is encrypted", ErrNotJWT)
	}
	if len(segments) != 3 {
		return pieces{}, fmt.Errorf("%w: expected three segments with dots between them", ErrNotJWT)
	}
	p := pieces{header: segments[0], payload: segments[1], signature: segments[2]}
	var err error
	if p.headerClaims, _, err = object(p.header); err != nil {
		return pieces{}, fmt.Errorf("%w: its header %w", ErrNotJWT, err)
	}
	if p.claims, p.payloadJSON, err = object(p.payload); err != nil {
		return pieces{}, fmt.Errorf("%w: its payload %w", ErrNotJWT, err)
	}
	if p.signatureBytes, err = decode(p.signature); err != nil {
		return pieces{}, fmt.Errorf("%w: its signature is not base64url", ErrNotJWT)
	}
	return p, nil
}

// object decodes one segment; its errors say nothing about what the segment holds.
func object(segment string) (map[string]json.RawMessage, []byte, error) {
	text, err := decode(segment)
	if err != nil {
		return nil, nil, errors.New("is not base64url")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return nil, nil, errors.New("is not a JSON object")
	}
	return members, text, nil
}

// announce writes the header anew with an algorithm.
func (p *pieces) announce(algorithm string) error {
	members := map[string]json.RawMessage{"typ": json.RawMessage(`"JWT"`)}
	maps.Copy(members, p.headerClaims)
	members["alg"] = json.RawMessage(`"` + algorithm + `"`)
	text, err := json.Marshal(members)
	if err != nil {
		return errors.New("the token's header cannot be re-encoded")
	}
	p.header = encode(text)
	return nil
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// decode accepts padding, which some issuers leave in place.
func decode(s string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
}
