package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"
)

// readableForms are the forms in which a text can still be read, always the same number in the same
// order.
func readableForms(v string) []string {
	query, path := url.QueryEscape(v), url.PathEscape(v)
	return []string{
		v, strings.ToLower(v), query, path, lowerEscapes(query), lowerEscapes(path),
		strings.ReplaceAll(query, "+", "%20"),
		bareJSON(v), jsonText(v), strings.ReplaceAll(v, "/", `\/`), html.EscapeString(v),
	}
}

// encodedForms are the forms in which the text no longer shows: hexadecimal digits, and Base64
// wherever it begins in it.
func encodedForms(v string) []string {
	if len(v) < 5 {
		return nil
	}
	digits := hex.EncodeToString([]byte(v))
	all := []string{digits, strings.ToUpper(digits)}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for offset := range 3 {
			text := enc.EncodeToString(append(make([]byte, offset), v...))
			if offset > 0 {
				text = text[offset+1:] // holds bits of what stands before
			}
			if (offset+len(v))%3 != 0 {
				text = text[:len(text)-1] // and of what stands behind
			}
			if len(text) >= 6 {
				all = append(all, text)
			}
		}
	}
	return all
}

var upperEscape = regexp.MustCompile(`%[0-9A-F]{2}`)

func lowerEscapes(s string) string { return upperEscape.ReplaceAllStringFunc(s, strings.ToLower) }

// jsonText is v as the inside of a JSON string, with the escapes that most encoders write.
func jsonText(v string) string {
	quoted, _ := json.Marshal(v) // a text always has a JSON form
	return string(quoted[1 : len(quoted)-1])
}

// bareJSON is jsonText without what only HTML needs.
func bareJSON(v string) string {
	quoted := jsonQuote(v)
	return quoted[1 : len(quoted)-1]
}
