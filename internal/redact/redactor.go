// Package redact prepares what a run saw for being written down. It removes secrets and
// replaces personal data by pseudonyms.
//
// It works by value and by place. It finds values as they are, with characters escaped for
// URLs, JSON or HTML, and in Base64 and hexadecimal. Places are names of headers, query
// parameters and JSON fields.
package redact

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Placeholder replaces a secret.
const Placeholder = "[redacted]"

// Shorter values occur by chance. Values beyond these numbers are only redacted by place, so
// that a long run stays fast.
const (
	minSecretLength   = 4
	minPersonalLength = 5
	maxPersonalLength = 64 << 10
	maxSecrets        = 2000
	maxPersonal       = 20000
)

// Redactor redacts what a run records. It is safe for concurrent use.
type Redactor struct {
	fields     personalFields
	pseudonyms pseudonymiser
	host       string // of the deployment; it is public

	mu        sync.RWMutex
	secrets   map[string]bool
	personal  map[string]bool
	spellings secretIndex
}

// New returns a redactor that knows the secrets of a deployment.
func New(dep *deployment.File) *Redactor {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		panic("no randomness: " + err.Error()) // crypto/rand never fails on a supported system
	}
	r := &Redactor{
		fields: personalFieldsOf(dep.LegalRepresentative.Fields), pseudonyms: pseudonymiser{key},
		secrets: map[string]bool{}, personal: map[string]bool{}, spellings: newSecretIndex(),
	}
	if base, err := url.Parse(dep.BaseURL); err == nil {
		r.host = base.Host
	}
	for _, value := range dep.Secrets() {
		r.AddSecret(value)
	}
	return r
}

// AddSecret registers a value that must never be written. A value of fewer than four bytes is
// only found as a whole text. The parts of a JSON Web Token are registered, too, and those of other
// values between signs, which a deployment may cut off.
func (r *Redactor) AddSecret(value string) {
	parts := []string{value}
	if head, rest, jwt := strings.Cut(value, "."); jwt && strings.HasPrefix(head, "eyJ") {
		parts = append(parts, rest)
		parts = append(parts, strings.Split(rest, ".")...)
	} else {
		parts = append(parts, strings.FieldsFunc(value, isSign)...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, part := range parts {
		if part == "" || i > 0 && len(part) < 16 || r.secrets[part] || len(r.secrets) >= maxSecrets {
			continue
		}
		r.secrets[part] = true
		if len(part) >= minSecretLength {
			for _, form := range append(readableForms(part), encodedForms(part)...) {
				r.spellings.add(form, Placeholder)
			}
		}
	}
}

// isSign reports whether a character is none of Base64 for URLs.
func isSign(r rune) bool {
	return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// AddPersonal registers personal values that the run made up. Every form of them is replaced by
// a pseudonym.
func (r *Redactor) AddPersonal(values ...string) {
	for _, v := range values {
		if len(v) < minPersonalLength || len(v) > maxPersonalLength {
			continue
		}
		pseudonym := r.pseudonyms.textPseudonym(v)
		if pseudonym == v {
			continue // it has nothing to replace, so it identifies nobody
		}
		r.mu.Lock()
		if !r.personal[v] && len(r.personal) < maxPersonal {
			r.personal[v] = true
			to := readableForms(pseudonym)
			for i, form := range readableForms(v) {
				r.spellings.add(form, to[i])
			}
			for _, form := range encodedForms(v) {
				r.spellings.add(form, Placeholder)
			}
		}
		r.mu.Unlock()
	}
}

// replaceRegistered replaces only registered values.
func (r *Redactor) replaceRegistered(s string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.secrets[s] {
		return Placeholder
	}
	return replaceUnescaped(replaceFound(s, r.spellings.find), r.spellings.find)
}

var (
	jwtPattern = regexp.MustCompile(
		`eyJ[A-Za-z0-9_-]{6,}=*\.[A-Za-z0-9_-]{2,}=*(\.[A-Za-z0-9_=-]*)?`,
	)
	userinfoPattern  = regexp.MustCompile(`://[^/?#\s"'<>@]+@`)
	queryPairPattern = regexp.MustCompile(`([?&;])((?:amp;)?[A-Za-z0-9_.%-]+)=([^&#\s"'<>\\]*)`)
	// quotedCredentialPattern matches a credential in prose or in a dumped header.
	quotedCredentialPattern = regexp.MustCompile(
		`(?i)\b(bearer|basic|x-api-key)(:\s*|=|\s+)[A-Za-z0-9_~+/-][A-Za-z0-9._~+/-]{14,}=*`)
)

// Text redacts free text, such as a message: registered values, anything like a JWT, passwords
// in addresses, and secrets in query strings.
func (r *Redactor) Text(s string) string {
	s = r.replaceRegistered(s)
	s = replaceUnescaped(jwtPattern.ReplaceAllString(s, Placeholder),
		func(plain string, visit func(from, to int, with string)) {
			for _, found := range jwtPattern.FindAllStringIndex(plain, -1) {
				visit(found[0], found[1], Placeholder)
			}
		})
	s = userinfoPattern.ReplaceAllString(s, "://"+Placeholder+"@")
	s = queryPairPattern.ReplaceAllStringFunc(s, func(pair string) string {
		m := queryPairPattern.FindStringSubmatch(pair)
		if m[3] == "" || !isSecretParameter(m[2]) {
			return pair
		}
		return m[1] + m[2] + "=redacted"
	})
	return quotedCredentialPattern.ReplaceAllString(s, "${1}${2}"+Placeholder)
}

// RemoveSecrets removes credentials from a request that is to be sent again. People that the
// run made up stay, because pseudonyms would make it another request.
func (r *Redactor) RemoveSecrets(request []byte) []byte {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return []byte(replaceFound(string(request), func(s string, visit func(from, to int, with string)) {
		r.spellings.find(s, func(from, to int, with string) {
			if with == Placeholder {
				visit(from, to, with)
			}
		})
	}))
}

// Header redacts a header block: credentials by the header's name, everything else as text.
func (r *Redactor) Header(h http.Header) http.Header {
	if h == nil {
		return nil
	}
	out := make(http.Header, len(h))
	for name, values := range h {
		clean := make([]string, len(values))
		for i, v := range values {
			clean[i] = r.HeaderValue(name, v)
		}
		key := strings.ToLower(name) // header names are capitalised, secrets need not be
		if hidden := r.Text(key); hidden != key {
			name = hidden
		}
		out[r.Text(name)] = clean
	}
	return out
}

// HeaderValue redacts the value of a header. An authentication scheme stays.
func (r *Redactor) HeaderValue(name, v string) string {
	if !IsSecretHeader(name) {
		return r.Text(v)
	}
	switch scheme, _ := SplitScheme(v); {
	case v == "", isAuthScheme(strings.TrimSuffix(v, " ")):
		return v
	case scheme != "":
		return scheme + " " + Placeholder
	}
	return Placeholder
}

// Address redacts a URL: parameters by name, everything except the deployment's host by value.
func (r *Redactor) Address(u *url.URL) string {
	clean := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if u.Host != r.host {
		clean.Host = r.Text(u.Host)
	}
	if path := r.Text(u.Path); path != u.Path {
		clean.Path, clean.RawPath = path, ""
	}
	clean.RawQuery = strings.TrimPrefix(r.Text("?"+r.redactQuery(u.RawQuery)), "?")
	return clean.String()
}

// redactQuery hides parameters that hold a secret after decoding.
func (r *Redactor) redactQuery(raw string) string {
	pairs := strings.Split(raw, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		plainName, _ := url.QueryUnescape(name)
		plain, err := url.QueryUnescape(value)
		switch hidden := r.Text(plainName); {
		case hidden != plainName:
			pairs[i] = url.QueryEscape(hidden) + "=redacted"
		case err == nil && r.Text(plain) != plain:
			pairs[i] = name + "=redacted"
		}
	}
	return strings.Join(pairs, "&")
}

// AddPresignedAddress registers the secrets in a download address, so that they are found
// wherever they are quoted.
func (r *Redactor) AddPresignedAddress(u *url.URL) {
	for name, values := range u.Query() {
		for _, v := range values {
			if isSecretParameter(name) && len(v) >= 8 {
				r.AddSecret(v)
			}
		}
	}
}

// MaxValueLength returns the maximum length of a text that is replaced as a whole. A cut
// through it would leave a part that is not recognised.
func (r *Redactor) MaxValueLength() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return maxEscapeBytes * r.spellings.longest
}
