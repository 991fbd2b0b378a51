// Package redact makes what a run saw fit to be written down: secrets go, what a run says of people is replaced by
// pseudonyms.
//
// It works by value, in the forms in which programs repeat a text (as it is, with any of its signs escaped as URLs, JSON
// and HTML do, and as Base64 and hexadecimal digits hold it), and by place: names of headers, query parameters and JSON fields.
package redact

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Mark stands where a secret stood.
const Mark = "[redacted]"

// What is shorter appears by chance, and what is registered beyond these numbers is left to the redaction by place, so
// that a long run stays fast.
const (
	shortestSecret   = 4
	shortestPersonal = 5
	longestPersonal  = 64 << 10
	mostSecrets      = 2000
	mostPersonal     = 20000
)

// Redactor is safe for concurrent use.
type Redactor struct {
	fields personalFields
	names  pseudonyms
	host   string // of the deployment: its name is public

	mu       sync.RWMutex
	secrets  map[string]bool
	personal map[string]bool
	needles  needles
}

// New makes a redactor that knows the secrets of a deployment.
func New(dep *deployment.File) *Redactor {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		panic("no randomness: " + err.Error()) // crypto/rand never fails on a supported system
	}
	r := &Redactor{
		fields: newPersonalFields(dep.LegalRepresentative.Fields), names: pseudonyms{key},
		secrets: map[string]bool{}, personal: map[string]bool{}, needles: newNeedles(),
	}
	if base, err := url.Parse(dep.BaseURL); err == nil {
		r.host = base.Host
	}
	for name, value := range dep.Secrets() {
		r.Secret(name, value)
	}
	return r
}

// Secret registers a value that must never be written. One of fewer than four bytes is only found where it stands
// alone. Of a JSON Web Token, the parts are secrets as well.
func (r *Redactor) Secret(_, value string) {
	parts := []string{value}
	if head, rest, jwt := strings.Cut(value, "."); jwt && strings.HasPrefix(head, "eyJ") {
		parts = append(parts, rest)
		parts = append(parts, strings.Split(rest, ".")...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, part := range parts {
		if part == "" || i > 0 && len(part) < 16 || r.secrets[part] || len(r.secrets) >= mostSecrets {
			continue
		}
		r.secrets[part] = true
		if len(part) >= shortestSecret {
			for _, form := range append(texts(part), codes(part)...) {
				r.needles.add(form, Mark)
			}
		}
	}
}

// Personal registers values about a person that the run made up; each is replaced by its pseudonym in any form.
func (r *Redactor) Personal(values ...string) {
	for _, v := range values {
		if len(v) < shortestPersonal || len(v) > longestPersonal {
			continue
		}
		pseudonym := r.names.of(v)
		if pseudonym == v {
			continue // nothing in it could be replaced: it says nothing about anybody
		}
		r.mu.Lock()
		if !r.personal[v] && len(r.personal) < mostPersonal {
			r.personal[v] = true
			to := texts(pseudonym)
			for i, form := range texts(v) {
				r.needles.add(form, to[i])
			}
			for _, form := range codes(v) {
				r.needles.add(form, Mark)
			}
		}
		r.mu.Unlock()
	}
}

// values replaces every registered value; nothing else.
func (r *Redactor) values(s string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.secrets[s] {
		return Mark
	}
	return unescaped(replaced(s, r.needles.find), r.needles.find)
}

var (
	jwtShape  = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{6,}=*\.[A-Za-z0-9_-]{2,}=*(\.[A-Za-z0-9_=-]*)?`)
	userinfo  = regexp.MustCompile(`://[^/?#\s"'<>@]+@`)
	queryPair = regexp.MustCompile(`([?&;])((?:amp;)?[A-Za-z0-9_.%-]+)=([^&#\s"'<>\\]*)`)
	// authorizationText finds a credential quoted in prose or in a dumped header.
	authorizationText = regexp.MustCompile(
		`(?i)\b(bearer|basic|x-api-key)(:\s*|=|\s+)[A-Za-z0-9_~+/-][A-Za-z0-9._~+/-]{14,}=*`)
)

// Text redacts free text, such as a message: registered values, anything that looks like a JWT, passwords in addresses,
// and signatures in query strings.
func (r *Redactor) Text(s string) string {
	s = r.values(s)
	s = unescaped(jwtShape.ReplaceAllString(s, Mark), func(plain string, visit func(from, to int, with string)) {
		for _, found := range jwtShape.FindAllStringIndex(plain, -1) {
			visit(found[0], found[1], Mark)
		}
	})
	s = userinfo.ReplaceAllString(s, "://"+Mark+"@")
	s = queryPair.ReplaceAllStringFunc(s, func(pair string) string {
		m := queryPair.FindStringSubmatch(pair)
		if m[3] == "" || !sensitiveParameter(m[2]) {
			return pair
		}
		return m[1] + m[2] + "=redacted"
	})
	return authorizationText.ReplaceAllString(s, "${1}${2}"+Mark)
}

// Secrets takes credentials out of a request that is to be sent again. The people that the run made up stay: with a
// pseudonym in their place it would be another request.
func (r *Redactor) Secrets(request []byte) []byte {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return []byte(replaced(string(request), func(s string, visit func(from, to int, with string)) {
		r.needles.find(s, func(from, to int, with string) {
			if with == Mark {
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
		key := strings.ToLower(name) // as a secret is found that was capitalised as names are
		if hidden := r.Text(key); hidden != key {
			name = hidden
		}
		out[r.Text(name)] = clean
	}
	return out
}

// HeaderValue redacts the value of one header. The scheme of an authentication stays.
func (r *Redactor) HeaderValue(name, v string) string {
	if !SecretHeader(name) {
		return r.Text(v)
	}
	scheme, rest, _ := strings.Cut(v, " ")
	switch known := AuthScheme(scheme); {
	case v == "", known && rest == "":
		return v
	case known:
		return scheme + " " + Mark
	}
	return Mark
}

// Address redacts a URL: parameters by name, everything but the deployment's own host by value.
func (r *Redactor) Address(u *url.URL) string {
	clean := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if u.Host != r.host {
		clean.Host = r.Text(u.Host)
	}
	if path := r.Text(u.Path); path != u.Path {
		clean.Path, clean.RawPath = path, ""
	}
	clean.RawQuery = strings.TrimPrefix(r.Text("?"+r.query(u.RawQuery)), "?")
	return clean.String()
}

// query hides parameters that hold a credential once they are decoded, as readers of an address decode them.
func (r *Redactor) query(raw string) string {
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

// LearnAddress registers what makes a download address valid, so that it is found wherever it is quoted.
func (r *Redactor) LearnAddress(u *url.URL) {
	for name, values := range u.Query() {
		for _, v := range values {
			if sensitiveParameter(name) && len(v) >= 8 {
				r.Secret("a download address", v)
			}
		}
	}
}

// Longest is the length of the longest text that is replaced as a whole: a cut through it leaves what is not
// recognised.
func (r *Redactor) Longest() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return widestEscape * r.needles.longest
}
