package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"

	"github.com/gateassay/gateassay/internal/exactjson"
)

// readableForms returns the forms in which a text stays readable. Their number and order are
// fixed.
func readableForms(v string) []string {
	query, path := url.QueryEscape(v), url.PathEscape(v)
	return []string{
		v, strings.ToLower(v), query, path, lowerPercentEscapes(query), lowerPercentEscapes(path),
		strings.ReplaceAll(query, "+", "%20"),
		escapeJSONMinimally(v), escapeJSON(v), strings.ReplaceAll(v, "/", `\/`), html.EscapeString(v),
	}
}

// encodedForms returns the forms in which a text is unreadable: hexadecimal digits, and Base64
// at each offset.
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
				text = text[offset+1:] // this includes bits of the text before
			}
			if (offset+len(v))%3 != 0 {
				text = text[:len(text)-1] // this includes bits of the text after
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

// escapeJSON returns v as the inside of a JSON string, with the escapes of encoding/json.
func escapeJSON(v string) string {
	quoted, _ := json.Marshal(v) // a text always has a JSON form
	return string(quoted[1 : len(quoted)-1])
}

// escapeJSONMinimally is escapeJSON without HTML escapes.
func escapeJSONMinimally(v string) string {
	quoted := exactjson.Quote(v)
	return quoted[1 : len(quoted)-1]
}
