package client

import (
	"crypto/rand"
	"net/http"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Redactor makes what a run saw fit to be written down: secrets go, personal data is replaced by pseudonyms. It works
// by value (what was registered) and by place (header names, query parameters, fields of JSON bodies). It is safe for
// concurrent use.
type Redactor struct {
	fields personalFields
	names  *pseudonyms

	mu       sync.RWMutex
	secrets  map[string]string // value -> name
	personal map[string]bool
	needles  needles
}

// Registered values beyond these numbers are left to the redaction by place, so that a long run stays fast.
const (
	mostSecrets     = 2000
	mostPersonal    = 20000
	longestPersonal = 64 << 10
)

func newRedactor(dep *deployment.File) *Redactor {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		panic("no randomness: " + err.Error()) // crypto/rand never fails on a supported system
	}
	r := &Redactor{
		fields:   newPersonalFields(dep.LegalRepresentative.Fields),
		names:    newPseudonyms(key),
		secrets:  map[string]string{},
		personal: map[string]bool{},
		needles:  newNeedles(),
	}
	for name, value := range dep.Secrets() {
		r.Secret(name, value)
	}
	return r
}

// Secret registers a value that must never be written, in any of its usual spellings. The name is shown in its place.
// Values of fewer than four characters are only recognised where they stand alone.
func (r *Redactor) Secret(name, value string) {
	if value == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.secrets[value]; known || len(r.secrets) >= mostSecrets {
		return
	}
	r.secrets[value] = name
	if len(value) < 4 {
		return
	}
	for _, part := range tellingParts(value) {
		for _, spelling := range spellings(part) {
			r.needles.add(spelling, redacted)
		}
		for _, spelling := range codes(part) {
			r.needles.add(spelling, redacted)
		}
	}
}

// Personal registers values about a person that the run generated; each is replaced by its pseudonym wherever it
// appears. Values of fewer than five bytes are ignored, they appear everywhere by chance, and so are those above 64 KiB.
func (r *Redactor) Personal(values ...string) {
	for _, v := range values {
		if len(v) < 5 || len(v) > longestPersonal {
			continue
		}
		pseudonym := r.names.of(v)
		if pseudonym == v {
			continue // nothing in it could be replaced: it says nothing about anybody
		}
		r.mu.Lock()
		if !r.personal[v] && len(r.personal) < mostPersonal {
			r.personal[v] = true
			from, to := spellings(v), spellings(pseudonym)
			for i := range from {
				r.needles.add(from[i], to[i])
			}
			for _, spelling := range codes(v) {
				r.needles.add(spelling, redacted)
			}
		}
		r.mu.Unlock()
	}
}

// values replaces every registered value; nothing else.
func (r *Redactor) values(s string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if _, whole := r.secrets[s]; whole {
		return redacted
	}
	return r.needles.replace(s)
}

// Text redacts free text, such as a message: registered secrets and personal values in any spelling, anything that
// looks like a JWT, passwords in addresses, and signatures in query strings.
func (r *Redactor) Text(s string) string {
	if s == "" {
		return s
	}
	s = r.values(s)
	s = r.decoded(s)
	s = jwtShape.ReplaceAllString(s, redacted)
	s = userinfo.ReplaceAllString(s, "://"+redacted+"@")
	s = queryPair.ReplaceAllStringFunc(s, func(pair string) string {
		m := queryPair.FindStringSubmatch(pair)
		if m[3] == "" || !sensitiveParameter(m[2]) {
			return pair
		}
		return m[1] + m[2] + "=redacted"
	})
	return authorizationText.ReplaceAllString(s, "${1}${2}"+redacted)
}

// header redacts a header block: credentials by the header's name, everything else as text.
func (r *Redactor) header(h http.Header) http.Header {
	if h == nil {
		return nil
	}
	out := make(http.Header, len(h))
	for name, values := range h {
		clean := make([]string, len(values))
		for i, v := range values {
			clean[i] = r.headerValue(name, v)
		}
		out[r.Text(name)] = clean
	}
	return out
}

func (r *Redactor) headerValue(name, v string) string {
	if !secretHeader(name) {
		return r.Text(v)
	}
	if v == "" {
		return ""
	}
	if scheme, rest, spaced := strings.Cut(v, " "); authScheme(scheme) {
		switch {
		case rest != "":
			return scheme + " " + redacted
		case spaced:
			return scheme + " "
		}
		return scheme
	}
	return redacted
}
