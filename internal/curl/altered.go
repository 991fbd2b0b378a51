package curl

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/internal/token"
)

const (
	// minSharedRun is how long a text is that a credential and what was made of it have in common,
	// where that is no accident; of a short credential a third is enough.
	minSharedRun = 16
	// maxAddedText is how much a change may add to a credential: the longer signature of a forged
	// token belongs to that token alone.
	maxAddedText = 28
)

// alteredPart is what was sent in place of a credential: as it is where it was made up, or how bash
// makes it of a credential. Where neither is possible a person has to put it into a variable.
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

// deriveText says in bash how a text follows from that of a variable. What is counted is counted
// from the end: of two tokens of one issuer the signatures are of the same length.
func deriveText(variable, sent, own string) (expression string, ok bool) {
	if a, b := strings.Split(sent, "."), strings.Split(own, "."); len(a) == 3 && len(b) == 3 &&
		a[1] == b[1] && a[0] != b[0] && (a[2] == "" || a[2] == b[2]) { // under another header
		expression = Quote(a[0]+".") + `"$(token_payload "$` + variable + `")".`
		if a[2] != "" {
			expression += `"${` + variable + `##*.}"`
		}
		return expression, true
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

// hasSharedRun reports whether two texts have so many characters in a row in common, in whichever
// case. The header of a token, which is no secret, does not count.
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

// commonPrefix counts the bytes in which two texts begin alike, and commonSuffix those in which
// they end alike.
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
