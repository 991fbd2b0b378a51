package auth

import "github.com/gateassay/gateassay/gateway/curl"

// How a credential is altered in a shell, of the genuine one in a variable, so that a finding can be repeated by
// whoever has it. h, p and s are the parts of the token; d decodes one and e encodes one.
const (
	coding = `d() { tr '_-' '/+' | awk '{while (length($0)%4) $0=$0 "="; print}' | base64 -d; }
e() { base64 | tr -d '=\n' | tr '/+' '_-'; }`
	parts  = `h=${GATEWAY_TOKEN%%.*} p=${GATEWAY_TOKEN#*.} s=${GATEWAY_TOKEN##*.}; p=${p%.*}`
	header = `h=$(printf '%s' "$h" | d | sed 's/"alg" *: *"[^"]*"/"alg":"`
	encode = `"/' | e)`
	other  = `[ "$c" = A ] && c=B || c=A`
)

// ofToken makes an alteration of the platform token: what is done to its parts, and the token that they make then.
func ofToken(says, steps, word string) *curl.Alteration {
	if steps != "" {
		steps = coding + "\n" + parts + "\n" + steps
	}
	return &curl.Alteration{Says: "your token, " + says, Before: steps, Word: word}
}

func unsignedAs(alg string) *curl.Alteration {
	return ofToken("alg "+alg+", no signature", header+alg+encode, "$h.$p.")
}

var (
	payloadChanged = ofToken("its payload changed", `p=$(printf '%s' "$p" | d | sed 's/} *$/,"admin":true}/' | e)`,
		"$h.$p.$s")
	startChanged = ofToken("its signature changed", `c=${s%"${s#?}"}; `+other+`; s=$c${s#?}`, "$h.$p.$s")
	// The last character may hold bits that mean nothing, the lowest bit of the one before it never does.
	endChanged = ofToken("its signature changed at the end", `l=${s#"${s%?}"} s=${s%?}; c=${s#"${s%?}"}
c=$(printf '%s' "$c" | tr '\055_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' \
  '_\055BADCFEHGJILKNMPORQTSVUXWZYbadcfehgjilknmporqtsvuxwzy1032547698'); s=${s%?}$c$l`, "$h.$p.$s")
	caseChanged = ofToken("its signature in the other letter case", `s=$(printf '%s' "$s" | tr 'a-zA-Z' 'A-Za-z')`,
		"$h.$p.$s")
	cut        = ofToken("its signature cut off", `s=$(printf '%s' "$s" | cut -c "1-$((${#s}*2/3))")`, "$h.$p.$s")
	removed    = ofToken("no signature", "", "${GATEWAY_TOKEN%.*}.")
	dotRemoved = ofToken("no signature and no dot before it", "", "${GATEWAY_TOKEN%.*}")
	resigned   = ofToken("signed with another key", header+"HS256"+encode+`
s=$(printf '%s' "$h.$p" | openssl dgst -sha256 -hmac "$(openssl rand -hex 16)" -binary | e)`, "$h.$p.$s")

	randomToken = &curl.Alteration{Says: "a random text", Word: `$(openssl rand -hex 20)`}
	madeUpToken = &curl.Alteration{
		Says: "a made-up JWT", Before: coding,
		Word: `$(printf '{"alg":"HS256","typ":"JWT"}' | e).` +
			`$(printf '{"sub":"%s"}' "$(openssl rand -hex 8)" | e).$(openssl rand 32 | e)`,
	}
	unknownKey = &curl.Alteration{Says: "a key that nobody issued", Word: "$(uuidgen)"}
	keyCut     = &curl.Alteration{Says: "your API key without its last character", Word: "${GATEWAY_API_KEY%?}"}
	keyLonger  = &curl.Alteration{Says: "your API key with one character more", Word: "${GATEWAY_API_KEY}x"}
	keyCase    = &curl.Alteration{
		Says: "your API key in the other letter case", Word: `$(printf '%s' "$GATEWAY_API_KEY" | tr 'a-zA-Z' 'A-Za-z')`,
	}
)
