package redact

import (
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"
)

// escapePattern matches a character escaped for URLs, JSON or HTML.
var escapePattern = regexp.MustCompile(
	`%[0-9A-Fa-f]{2}|\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|` +
		`\\["\\/bfnrt]|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});`,
)

// maxEscapeBytes is the maximum length of an escape per byte of text: &#x0041;
const maxEscapeBytes = 8

// findFunc calls visit for each part of a text to replace, in order.
type findFunc func(text string, visit func(from, to int, with string))

// replaceFound replaces what find finds.
func replaceFound(s string, find findFunc) string {
	return replaceMapped(s, s, func(i int) int { return i }, find)
}

// replaceUnescaped replaces what find finds after the escapes of a text are decoded. The rest
// of the text keeps its spelling.
func replaceUnescaped(s string, find findFunc) string {
	if !strings.ContainsAny(s, `%\&`) {
		return s
	}
	var plain strings.Builder
	var at []int // offset in s for each byte of plain, and the end of s
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

// replaceMapped replaces in s what find finds in text; at maps offsets in text to offsets in s.
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

// decodeEscape decodes an escape, or returns it if it stands for nothing.
func decodeEscape(escape string) (sign string) {
	switch escape[0] {
	case '%':
		sign, _ = url.PathUnescape(escape) // the pattern guarantees a valid form
	case '&':
		sign = html.UnescapeString(escape)
	default:
		_ = json.Unmarshal([]byte(`"`+escape+`"`), &sign) // likewise
	}
	return sign
}
