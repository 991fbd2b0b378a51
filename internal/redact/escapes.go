package redact

import (
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"
)

// escapePattern is a sign as URLs, JSON or HTML write it.
var escapePattern = regexp.MustCompile(
	`%[0-9A-Fa-f]{2}|\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|` +
		`\\["\\/bfnrt]|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});`,
)

// maxEscapeBytes is how many bytes one of a text may take where it is escaped: &#x0041;
const maxEscapeBytes = 8

// findFunc calls visit for each part of a text that is to be replaced, in their order.
type findFunc func(text string, visit func(from, to int, with string))

// replaceFound puts the replacements in place of what is found.
func replaceFound(s string, find findFunc) string {
	return replaceMapped(s, s, func(i int) int { return i }, find)
}

// replaceUnescaped is replaced for what is found once the escapes of a text are undone; the rest of
// it stays as it is spelled.
func replaceUnescaped(s string, find findFunc) string {
	if !strings.ContainsAny(s, `%\&`) {
		return s
	}
	var plain strings.Builder
	var at []int // for each byte of it, where it begins in s; last, the end
	from := 0
	keep := func(to int) {
		for ; from < to; from++ {
			plain.WriteByte(s[from])
			at = append(at, from)
		}
	}
	for _, found := range escapePattern.FindAllStringIndex(s, -1) {
		keep(found[0])
		if sign := decodeEscape(s[found[0]:found[1]]); sign != s[found[0]:found[1]] {
			for range len(sign) {
				at = append(at, found[0])
			}
			plain.WriteString(sign)
			from = found[1]
		}
	}
	keep(len(s))
	at = append(at, len(s))
	return replaceMapped(s, plain.String(), func(i int) int { return at[i] }, find)
}

// replaceMapped replaces in s what is found in a text, whose bytes are at the given places of s.
func replaceMapped(s, text string, at func(int) int, find findFunc) string {
	var out strings.Builder
	copied := 0
	find(text, func(from, to int, with string) {
		out.WriteString(s[copied:at(from)])
		out.WriteString(with)
		copied = at(to)
	})
	if copied == 0 {
		return s
	}
	out.WriteString(s[copied:])
	return out.String()
}

// decodeEscape is the sign that an escape stands for; the escape itself where it stands for none.
func decodeEscape(escape string) (sign string) {
	switch escape[0] {
	case '%':
		sign, _ = url.PathUnescape(escape) // it has the right form
	case '&':
		sign = html.UnescapeString(escape)
	default:
		_ = json.Unmarshal([]byte(`"`+escape+`"`), &sign) // so has it
	}
	return sign
}
