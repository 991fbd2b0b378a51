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

// Edit makes another credential of one. Of that it holds at most three characters and the header
// of a JWT, so it may be written.
type Edit struct {
	Header    string // replaces the header of a JWT and the dot after it; empty: it stays
	From, To  int    // characters to replace, both counted from the end of the credential
	Text      string // stands in their place
	SwapCase  bool   // they stay, in the other letter case
	Algorithm string // HS256, HS384 or HS512 signs the result; empty: nothing is added
	Key       string // for Algorithm; may be empty
}

// Change returns an edit for a credential. Its error does not quote the credential.
type Change func(credential string) (Edit, error)

// Apply returns the edited credential, which is the same if there is nothing to change.
func (e Edit) Apply(credential string) string {
	if e.Header != "" {
		credential = credential[strings.Index(credential, ".")+1:]
	}
	from, to := len(credential)-e.From, len(credential)-e.To
	text := e.Text
	if e.SwapCase {
		text = swapCase(credential[from:to])
	}
	made := e.Header + credential[:from] + text + credential[to:]
	if method := jwt.GetSigningMethod(e.Algorithm); method != nil {
		signature, _ := method.Sign(made, []byte(e.Key)) // HMAC takes any key
		made += "." + base64URL(signature)
	}
	return made
}

func swapCase(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// tamper returns a change of a JWT.
func tamper(edit func(p jwtParts) Edit) Change {
	return func(credential string) (Edit, error) {
		p, err := splitJWT(credential)
		if err != nil {
			return Edit{}, err
		}
		return edit(p), nil
	}
}

// ChangedPayload adds a claim that grants more rights and keeps the other claims and the
// signature. A gateway that accepts it does not verify signatures.
func ChangedPayload() Change {
	return tamper(func(p jwtParts) Edit {
		name := "admin"
		for _, taken := p.claims[name]; taken; _, taken = p.claims[name] {
			name += "_tampered"
		}
		comma := ","
		if len(p.claims) == 0 {
			comma = ""
		}
		end := bytes.LastIndexByte(p.payloadJSON, '}')
		changed := base64URL(fmt.Appendf(bytes.Clone(p.payloadJSON[:end]), "%s%q:true}", comma, name))
		same, behind := end/3*4, 1+len(p.signature)
		return Edit{From: len(p.payload) - same + behind, To: behind, Text: changed[same:]}
	})
}

// ChangedSignature flips bits in the first byte of the signature.
func ChangedSignature() Change {
	return tamper(func(p jwtParts) Edit { return p.flipSignatureBits(0) })
}

// ChangedSignatureEnd flips bits in the last byte of the signature.
func ChangedSignatureEnd() Change {
	return tamper(func(p jwtParts) Edit { return p.flipSignatureBits(len(p.signatureBytes) - 1) })
}

// flipSignatureBits flips bits in a byte of the signature, which is in two characters.
func (p jwtParts) flipSignatureBits(at int) Edit {
	if len(p.signatureBytes) == 0 {
		return Edit{}
	}
	p.signatureBytes[at] ^= 0xa5
	first := at * 4 / 3
	from := len(p.signature) - first
	return Edit{From: from, To: from - 2, Text: base64URL(p.signatureBytes)[first:][:2]}
}

// SwappedSignatureCase swaps the case of the letters in the signature, which a case-insensitive
// comparison would not notice.
func SwappedSignatureCase() Change {
	return tamper(func(p jwtParts) Edit { return Edit{From: len(p.signature), SwapCase: true} })
}

// TruncatedSignature removes the last third of the signature; the rest still decodes.
func TruncatedSignature() Change {
	return tamper(func(p jwtParts) Edit {
		kept := len(p.signatureBytes) * 2 / 3
		same := kept / 3 * 4
		return Edit{
			From: len(p.signature) - same, Text: base64URL(p.signatureBytes[:kept])[same:],
		}
	})
}

// WithoutSignature removes the signature, but not the dot before it.
func WithoutSignature() Change {
	return tamper(func(p jwtParts) Edit { return Edit{From: len(p.signature)} })
}

// Unsigned sets the header's algorithm, none or another spelling of it, and removes the signature.
func Unsigned(algorithm string) Change {
	return tamper(func(p jwtParts) Edit {
		return Edit{Header: p.headerWith(algorithm, ""), From: len(p.signature)}
	})
}

// AlgNoneSigned sets the header's algorithm to none and keeps the signature.
func AlgNoneSigned() Change {
	return tamper(func(p jwtParts) Edit { return Edit{Header: p.headerWith("none", "")} })
}

// SignedWith signs the token with another key than the platform's, by HS256, HS384 or HS512. keyID
// is the kid of its header; empty: unchanged.
func SignedWith(key, keyID, algorithm string) Change {
	return tamper(func(p jwtParts) Edit {
		return Edit{
			Header: p.headerWith(algorithm, keyID), From: 1 + len(p.signature),
			Algorithm: algorithm, Key: key,
		}
	})
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
	// an object, not null; base64 may hold line breaks, which no header can
	if err != nil || p.headers == nil || strings.ContainsAny(t, "\r\n") ||
		!bytes.HasPrefix(bytes.TrimSpace(p.payloadJSON), []byte("{")) {
		return jwtParts{}, fmt.Errorf(
			"%w: expected three segments with dots between them: two JSON objects and a signature",
			ErrNotJWT)
	}
	return p, nil
}

// headerWith returns the header with another algorithm and, if it is not empty, key ID, and the
// dot behind it.
func (p jwtParts) headerWith(algorithm, keyID string) string {
	members := map[string]any{"typ": "JWT"}
	maps.Copy(members, p.headers)
	members["alg"] = algorithm
	if keyID != "" {
		members["kid"] = keyID
	}
	text, _ := json.Marshal(members) // they were parsed from JSON
	return base64URL(text) + "."
}

func base64URL(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
