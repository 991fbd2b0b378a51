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
		v, strings.ToLower(v), query, path, lowerPercentEscapes(query), lowerPercentEscapes(path),
		strings.ReplaceAll(query, "+", "%20"),
		escapeJSONMinimally(v), escapeJSON(v), strings.ReplaceAll(v, "/", `\/`), html.EscapeString(v),
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

var upperEscapePattern = regexp.MustCompile(`%[0-9A-F]{2}`)

func lowerPercentEscapes(s string) string {
	return upperEscapePattern.ReplaceAllStringFunc(s, strings.ToLower)
}

// escapeJSON is v as the inside of a JSON string, with the escapes that most encoders write.
func escapeJSON(v string) string {
	quoted, _ := json.Marshal(v) // a text always has a JSON form
	return string(quoted[1 : len(quoted)-1])
}

// escapeJSONMinimally is escapeJSON without what only HTML needs.
func escapeJSONMinimally(v string) string {
	quoted := jsonQuote(v)
	return quoted[1 : len(quoted)-1]
}
