package curl

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/token"
)

const (
	// minSharedRun is how many characters a credential and a text share in a row if one was made
	// from the other. For a short credential a third of it is enough.
	minSharedRun = 16
	// maxAddedText is how many bytes an alteration may add to a credential. A forged signature is
	// longer and fits only its own token.
	maxAddedText = 28
)

// alteredPart returns what to send instead of a credential: the text as sent if it is made up, or
// a bash expression that derives it from a credential. Otherwise a person has to set a variable.
func (r *Request) alteredPart(sent string) TextPart {
	if len(r.Credentials) == 0 {
		return TextPart{Variable: AlteredVariable, What: r.AlteredCredential}
	}
	for _, own := range r.Credentials {
		if !hasSharedRun(sent, own.Value, min(minSharedRun, len(own.Value)/3)) {
			continue
		}
		of := CredentialVariable(own)
		part := TextPart{Variable: AlteredVariable, What: r.AlteredCredential}
		if expression, ok := deriveText(of.Variable, sent, own.Value); ok {
			part.Expression, part.Source = expression, &of
		}
		return part
	}
	return TextPart{Plain: sent}
}

// deriveText returns a bash expression that derives a text from a variable. Offsets count from
// the end, because signatures of one issuer have the same length.
func deriveText(variable, sent, own string) (expression string, ok bool) {
	a, b := strings.Split(sent, "."), strings.Split(own, ".")
	if len(a) == 3 && len(b) == 3 && a[1] == b[1] { // the token has another header or signer
		payload := Quote(a[0]+".") + `"$(token_payload "$` + variable + `")"`
		switch f, forged := token.ForgerOf(sent); {
		case forged && sent != own:
			return fmt.Sprintf(`"$(sign_token %s %s %s)"`, strings.TrimPrefix(f.Algorithm, "HS"),
				Quote(f.Key), payload), true
		case a[0] == b[0]:
		case a[2] == "":
			return payload + ".", true
		case a[2] == b[2]:
			return payload + `."${` + variable + `##*.}"`, true
		}
	}
	head := commonPrefix(sent, own)
	tail := commonSuffix(sent[head:], own[head:])
	added, left := sent[head:len(sent)-tail], own[head:len(own)-tail]
	switch head {
	case 0:
	case len(own):
		expression = `"$` + variable + `"`
	default:
		expression = fmt.Sprintf(`"${%s:0:${#%[1]s}-%d}"`, variable, len(own)-head)
	}
	switch {
	case added == "":
	case added == token.SwapCase(left):
		expression += fmt.Sprintf(`"$(swap_case "${%s:${#%[1]s}-%d:%d}")"`, variable, len(own)-head,
			len(left))
	case len(added) <= maxAddedText && !hasSharedRun(added, own, minSharedRun/2):
		expression += Quote(added)
	default:
		return "", false
	}
	if tail > 0 {
		expression += fmt.Sprintf(`"${%s:${#%[1]s}-%d}"`, variable, tail)
	}
	return expression, true
}

// hasSharedRun reports whether two texts share n characters in a row, ignoring case. The header
// of a token does not count, because it is not secret.
func hasSharedRun(a, b string, n int) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if _, rest, isToken := strings.Cut(b, "."); isToken && strings.Count(b, ".") == 2 {
		b = rest
	}
	for i := range max(len(b)-n+1, 0) {
		if n > 0 && strings.Contains(a, b[i:i+n]) {
			return true
		}
	}
	return false
}

// commonPrefix returns the length of the common prefix of two texts in bytes, and commonSuffix
// that of the common suffix.
func commonPrefix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
