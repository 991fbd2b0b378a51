package target

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/curl"
	"github.com/gateassay/gateassay/gateway/token"
)

// How a credential is altered in a shell, of the genuine one in a variable, so that a finding can be repeated by
// whoever has it. h, p and s are the parts of the token; d decodes one and e encodes one.
const (
	coding = `d() { tr '_-' '/+' | awk '{while (length($0)%4) $0=$0 "="; print}' | base64 -d; }
e() { base64 | tr -d '=\n' | tr '/+' '_-'; }`
	parts  = `h=${GATEWAY_TOKEN%%.*} p=${GATEWAY_TOKEN#*.} s=${GATEWAY_TOKEN##*.}; p=${p%.*}`
	header = `h=$(printf '%s' "$h" | d | sed 's/"alg" *: *"[^"]*"/"alg":"`
	encode = `"/' | e)`
	// c is some characters of the key k.
	keyParts = `k=$GATEWAY_API_KEY; c() { printf '%s' "$k" | cut -c "$1"; }; `
	other    = `[ "$c" = A ] && c=B || c=A`
)

// ofToken makes an alteration of the platform token: what is done to its parts, and the token that they make then.
func ofToken(says, steps, word string) *curl.Alteration {
	if steps != "" {
		steps = coding + "\n" + parts + "\n" + steps
	}
	return &curl.Alteration{Says: "your token, " + says, Before: steps, Word: word}
}

// UnsignedAs is a token whose header names no algorithm, in one spelling or another.
func UnsignedAs(alg string) *curl.Alteration {
	return ofToken("alg "+alg+", no signature", header+alg+encode, "$h.$p.")
}

// Forged is a token that somebody else signed, as the forger would in a shell.
func Forged(says string, f token.Forger) *curl.Alteration {
	key, kid := `"$(openssl rand -hex 16)"`, ""
	if f.Key == "" {
		key = `""`
	}
	if f.KeyID != "" {
		kid = `h=$(printf '%s' "$h" | d | sed 's/"kid" *: *"[^"]*" *,\{0,1\}//; s|^{|{"kid":"` + f.KeyID + `",|' | e)` + "\n"
	}
	return ofToken(says, kid+header+f.Algorithm+encode+`
s=$(printf '%s' "$h.$p" | openssl dgst -sha`+strings.TrimPrefix(f.Algorithm, "HS")+` -hmac `+key+` -binary | e)`, "$h.$p.$s")
}

// KeyPart is a part of the API key, with more behind it.
func KeyPart(from, to int, more string) *curl.Alteration {
	return &curl.Alteration{
		Says: "a part of your API key", Before: keyParts, Word: fmt.Sprintf(`$(c "%d-%d")%s`, from+1, to, more),
	}
}

// Alterations of the platform token and of the API key.
var (
	PayloadChanged = ofToken("its payload changed", `p=$(printf '%s' "$p" | d | sed 's/} *$/,"admin":true}/' | e)`,
		"$h.$p.$s")
	SignatureChanged = ofToken("its signature changed", `c=${s%"${s#?}"}; `+other+`; s=$c${s#?}`, "$h.$p.$s")
	// The last character may hold bits that mean nothing, the lowest bit of the one before it never does.
	SignatureEndChanged = ofToken("its signature changed at the end", `l=${s#"${s%?}"} s=${s%?}; c=${s#"${s%?}"}
c=$(printf '%s' "$c" | tr '\055_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' \
  '_\055BADCFEHGJILKNMPORQTSVUXWZYbadcfehgjilknmporqtsvuxwzy1032547698'); s=${s%?}$c$l`, "$h.$p.$s")
	SignatureCaseChanged = ofToken("its signature in the other letter case",
		`s=$(printf '%s' "$s" | tr 'a-zA-Z' 'A-Za-z')`, "$h.$p.$s")
	SignatureCut = ofToken("its signature cut off",
		`s=$(printf '%s' "$s" | cut -c "1-$((${#s}*2/3))")`, "$h.$p.$s")
	SignatureRemoved    = ofToken("no signature", "", "${GATEWAY_TOKEN%.*}.")
	SignatureDotRemoved = ofToken("no signature and no dot before it", "", "${GATEWAY_TOKEN%.*}")
	Resigned            = ofToken("signed with another key", header+"HS256"+encode+`
s=$(printf '%s' "$h.$p" | openssl dgst -sha256 -hmac "$(openssl rand -hex 16)" -binary | e)`, "$h.$p.$s")

	UnsignedWithSignature = ofToken("alg none, its signature kept", header+"none"+encode, "$h.$p.$s")

	RandomToken = &curl.Alteration{Says: "a random text", Word: `$(openssl rand -hex 20)`}
	MadeUpToken = &curl.Alteration{
		Says: "a made-up JWT", Before: coding, Word: `$(printf '{"alg":"HS256","typ":"JWT"}' | e).` +
			`$(printf '{"sub":"%s"}' "$(openssl rand -hex 8)" | e).$(openssl rand 32 | e)`,
	}
	UnknownKey     = &curl.Alteration{Says: "a key that nobody issued", Word: curl.UUID}
	KeyCut         = &curl.Alteration{Says: "your API key without its last character", Word: "${GATEWAY_API_KEY%?}"}
	KeyLonger      = &curl.Alteration{Says: "your API key with one character more", Word: "${GATEWAY_API_KEY}x"}
	KeyInList      = &curl.Alteration{Says: "your API key behind another in a list", Word: "x, ${GATEWAY_API_KEY}"}
	KeyCaseChanged = &curl.Alteration{
		Says: "your API key in the other letter case", Word: `$(printf '%s' "$GATEWAY_API_KEY" | tr 'a-zA-Z' 'A-Za-z')`,
	}
	KeyStartChanged = &curl.Alteration{
		Says: "your API key, its first half in the other letter case", Before: keyParts + `n=$((${#k}/2))`,
		Word: `$(c "1-$n" | tr 'a-zA-Z' 'A-Za-z')$(c "$((n+1))-")`,
	}
	KeyMiddleChanged = &curl.Alteration{
		Says: "your API key, its middle in the other letter case", Before: keyParts + `n=$((${#k}/3)) m=$((${#k}-n))`,
		Word: `$(c "1-$n")$(c "$((n+1))-$m" | tr 'a-zA-Z' 'A-Za-z')$(c "$((m+1))-")`,
	}
)
