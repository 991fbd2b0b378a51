package curl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
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
	own, shared := (*deployment.Credential)(nil), false
	for _, c := range r.Credentials {
		if hasSharedRun(sent, c.Value, min(minSharedRun, len(c.Value)/3)) {
			own, shared = c, true
			break
		}
	}
	part := TextPart{Variable: AlteredVariable, What: r.AlteredCredential}
	switch {
	case !shared && len(r.Credentials) > 0:
		return TextPart{Plain: sent}
	case shared:
		of := CredentialVariable(own)
		if expression, ok := deriveText(of.Variable, sent, own.Value); ok {
			part.Source, part.Expression = &of, expression
		}
	}
	return part
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
	tail := commonPrefix(reversed(sent[head:]), reversed(own[head:]))
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
	case added == swapCase(left):
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

func commonPrefix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// swapCase writes ASCII letters in the other case, as tr does.
func swapCase(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return c - 'a' + 'A'
		case c >= 'A' && c <= 'Z':
			return c - 'A' + 'a'
		}
		return c
	}, s)
}
