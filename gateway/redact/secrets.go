package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
)

// Mark stands where a secret stood.
const Mark = "[redacted]"

var (
	jwtShape  = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{6,}=*\.[A-Za-z0-9_-]{2,}=*(\.[A-Za-z0-9_=-]*)?`)
	userinfo  = regexp.MustCompile(`://[^/?#\s"'<>@]+@`)
	queryPair = regexp.MustCompile(`([?&;])((?:amp;)?[A-Za-z0-9_.%-]+)=([^&#\s"'<>\\]*)`)
	// authorizationText finds a credential quoted in prose or in a dumped header.
	authorizationText = regexp.MustCompile(
		`(?i)\b(bearer|basic|x-api-key)(:\s*|=|\s+)[A-Za-z0-9_~+/-][A-Za-z0-9._~+/-]{14,}=*`)
	encodedRun    = regexp.MustCompile(`(?:[A-Za-z0-9._~+-]*%[0-9A-Fa-f]{2})+[A-Za-z0-9._~+-]*`)
	escapedRun    = regexp.MustCompile(`(?:[^\s"\\]*\\+u[0-9A-Fa-f]{4})+[^\s"\\]*`)
	entityRun     = regexp.MustCompile(`(?:[^\s&<>]*&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[a-z]{2,6});)+[^\s&<>]*`)
	unicodeEscape = regexp.MustCompile(`\\+u[0-9A-Fa-f]{4}`)
)

// SecretHeader reports whether the value of a header is a credential whatever it holds.
func SecretHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key",
		"api-key", "apikey", "x-auth-token", "x-access-token", "x-amz-security-token", "x-csrf-token":
		return true
	}
	return false
}

func AuthScheme(s string) bool {
	switch strings.ToLower(s) {
	case "bearer", "basic", "digest", "token", "apikey", "negotiate", "ntlm", "jwt", "hmac", "mac", "hoba", "dpop",
		"aws4-hmac-sha256":
		return true
	}
	return false
}

// sensitiveParameter reports whether a query parameter carries a credential or makes an address a presigned one.
func sensitiveParameter(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = strings.TrimPrefix(strings.ToLower(name), "amp;")
	name = strings.NewReplacer("-", "", "_", "", ".", "").Replace(name)
	switch name {
	case "key", "sig", "code", "auth", "jwt", "hmac", "hash", "policy", "keypairid", "googleaccessid", "awsaccesskeyid",
		"xgoogcredential", "xamzcredential":
		return true
	}
	for _, part := range []string{
		"apikey", "token", "signature", "secret", "password", "passwd", "authorization", "credential", "accesskey",
	} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasSuffix(name, "sig")
}

// Presigned reports whether an address authorises itself.
func Presigned(u *url.URL) bool {
	for name := range u.Query() {
		if sensitiveParameter(name) {
			return true
		}
	}
	return false
}

// spellings are the usual ways in which the same text is written, always the same number in the same order.
func spellings(v string) []string {
	query, path := url.QueryEscape(v), url.PathEscape(v)
	return []string{
		v, strings.ToUpper(v), strings.ToLower(v), norm.NFD.String(v), norm.NFC.String(v),
		query, path, lowerEscapes(query), lowerEscapes(path), strings.ReplaceAll(query, "+", "%20"),
		jsonText(v), asciiJSON(v), jsonText(jsonText(v)), html.EscapeString(v), strings.ReplaceAll(v, "/", `\/`),
	}
}

// codes are encodings in which the text no longer shows, at any alignment.
func codes(v string) []string {
	if len(v) < 5 {
		return nil
	}
	all := []string{hex.EncodeToString([]byte(v)), strings.ToUpper(hex.EncodeToString([]byte(v)))}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for offset := range 3 {
			text := enc.EncodeToString(append(make([]byte, offset), v...))
			if offset > 0 {
				text = text[offset+1:]
			}
			if (offset+len(v))%3 != 0 {
				text = text[:len(text)-1]
			}
			if len(text) >= 6 {
				all = append(all, text)
			}
		}
	}
	return all
}

var lowerEscape = regexp.MustCompile(`%[0-9A-F]{2}`)

func lowerEscapes(s string) string { return lowerEscape.ReplaceAllStringFunc(s, strings.ToLower) }

// jsonText is v as the inside of a JSON string, with the escapes that most encoders write.
func jsonText(v string) string {
	quoted, err := json.Marshal(v)
	if err != nil {
		return v
	}
	return string(quoted[1 : len(quoted)-1])
}

// asciiJSON is v as the inside of a JSON string with everything beyond ASCII escaped.
func asciiJSON(v string) string {
	var b strings.Builder
	for _, c := range jsonText(v) {
		switch {
		case c < 0x80:
			b.WriteRune(c)
		case c > 0xffff:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}

// escapes are the notations whose runs decoded looks into.
var escapes = []struct {
	mark  string
	run   *regexp.Regexp
	plain func(string) string
	again func(string) string
}{
	{"%", encodedRun, unescapedQuery, url.QueryEscape},
	{`\u`, escapedRun, func(run string) string {
		return unicodeEscape.ReplaceAllStringFunc(run, func(e string) string {
			c, _ := strconv.ParseUint(e[len(e)-4:], 16, 16)
			return string(rune(c))
		})
	}, jsonText},
	{"&", entityRun, html.UnescapeString, html.EscapeString},
}

func unescapedQuery(run string) string {
	if plain, err := url.QueryUnescape(run); err == nil {
		return plain
	}
	return run
}

// decoded looks inside runs of percent escapes, \u escapes and character references: where their plain text holds a
// registered value, the whole run is replaced by the redacted plain text, escaped again.
func (r *Redactor) decoded(s string) string {
	for _, e := range escapes {
		if !strings.Contains(s, e.mark) {
			continue
		}
		s = e.run.ReplaceAllStringFunc(s, func(run string) string {
			before := run
			for range 3 { // an escape may have been escaped again
				plain := e.plain(before)
				if plain == before {
					break
				}
				if clean := jwtShape.ReplaceAllString(r.values(plain), Mark); clean != plain {
					return e.again(clean)
				}
				before = plain
			}
			return run
		})
	}
	return s
}

// Address redacts a URL: parameters by name and by value, the path by value. The result is a URL still.
func (r *Redactor) Address(u *url.URL) string {
	clean := *u
	if clean.User != nil {
		clean.User = url.User("redacted")
	}
	if u.Host != r.host {
		clean.Host = r.Text(u.Host)
	}
	if path := r.Text(u.Path); path != u.Path {
		clean.Path, clean.RawPath = path, ""
	}
	pairs := strings.Split(u.RawQuery, "&")
	for i, pair := range pairs {
		name, value, assigned := strings.Cut(pair, "=")
		switch {
		case value != "" && sensitiveParameter(name):
			pairs[i] = name + "=redacted"
		case assigned:
			pairs[i] = r.parameter(name) + "=" + r.parameter(value)
		default:
			pairs[i] = r.parameter(name)
		}
	}
	clean.RawQuery = strings.Join(pairs, "&")
	clean.Fragment, clean.RawFragment = "", ""
	return clean.String()
}

// parameter redacts one half of a query pair; it is only written anew where it held something.
func (r *Redactor) parameter(raw string) string {
	plain, err := url.QueryUnescape(raw)
	if err != nil {
		plain = raw
	}
	for _, text := range []string{plain, raw} {
		if clean := r.Text(text); clean != text {
			return url.QueryEscape(clean)
		}
	}
	return raw
}
