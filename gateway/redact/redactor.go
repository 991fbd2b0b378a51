// Package redact makes what a run saw fit to be written down: secrets go, personal data is replaced by pseudonyms.
package redact

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Redactor works
// by value (what was registered) and by place (header names, query parameters, fields of JSON bodies). It is safe for
// concurrent use.
type Redactor struct {
	fields personalFields
	names  *pseudonyms
	host   string // of the deployment: its name is public

	mu       sync.RWMutex
	secrets  map[string]string // value -> name
	personal map[string]bool
	needles  needles
	runs     runs
	people   people
	public   map[uint64]bool // runs of what everybody may read, although a credential may repeat it
	longest  int
}

// shortest is what a value about a person has at the least to be looked for: shorter ones appear by chance.
const shortest = 5

// Registered values beyond these numbers are left to the redaction by place, so that a long run stays fast.
const (
	mostSecrets     = 2000
	mostPersonal    = 20000
	longestPersonal = 64 << 10
)

func New(dep *deployment.File) *Redactor {
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
		runs:     newRuns(),
		people:   newPeople(),
		public:   map[uint64]bool{},
	}
	if base, err := url.Parse(dep.BaseURL); err == nil {
		r.host = base.Host
		hashes(base.Host+base.Path, func(h uint64) { r.public[h] = true })
	}
	hashes(dep.Name, func(h uint64) { r.public[h] = true })
	for name, value := range dep.Secrets() {
		r.Secret(name, value)
	}
	return r
}

// Secret registers a value that must never be written: any twelve letters and digits of it in a row are found, in any
// notation that programs write by themselves. Of a value that has fewer, the whole is found in its usual spellings, and
// one of fewer than four characters only where it stands alone.
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
	r.longest = max(r.longest, 6*len(value)) // six bytes write one as \u0041
	r.needles.add(value, Mark)
	if r.runs.add(value, r.public) {
		return
	}
	for _, spelling := range slices.Concat(spellings(value), codes(value)) {
		r.needles.add(spelling, Mark)
	}
}

// Personal registers values about a person that the run generated; each is replaced by its pseudonym wherever it
// appears. Values of fewer than five bytes are ignored, they appear everywhere by chance, and so are those above 64
// KiB.
func (r *Redactor) Personal(values ...string) {
	for _, v := range values {
		if len(v) < shortest || len(v) > longestPersonal {
			continue
		}
		pseudonym := r.names.of(v)
		if pseudonym == v {
			continue // nothing in it could be replaced: it says nothing about anybody
		}
		r.mu.Lock()
		if !r.personal[v] && len(r.personal) < mostPersonal {
			r.personal[v] = true
			r.people.add(v, pseudonym)
			if phoneShape.MatchString(v) { // also without the code of the country
				r.people.add(digits(v)[2:], digits(pseudonym)[2:])
			}
			from, to := spellings(v), spellings(pseudonym)
			for i := range from {
				r.needles.add(from[i], to[i])
			}
			for _, spelling := range codes(v) {
				r.needles.add(spelling, Mark)
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
		return Mark
	}
	return r.runs.replace(r.people.replace(r.needles.replace(s)))
}

// Text redacts free text, such as a message: registered secrets and personal values in any spelling, anything that
// looks like a JWT, passwords in addresses, and signatures in query strings.
func (r *Redactor) Text(s string) string {
	if s == "" {
		return s
	}
	s = r.values(s)
	s = r.decoded(s)
	s = jwtShape.ReplaceAllString(s, Mark)
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
		out[r.headerName(name)] = clean
	}
	return out
}

// headerName looks at a name in lower case too: who reads a header capitalises what stands in its name anew.
func (r *Redactor) headerName(name string) string {
	clean := r.Text(name)
	lower := strings.ToLower(clean)
	if cleaner := r.Text(lower); cleaner != lower {
		return cleaner
	}
	return clean
}

func (r *Redactor) HeaderValue(name, v string) string {
	if !SecretHeader(name) {
		return r.Text(v)
	}
	if v == "" {
		return ""
	}
	scheme, rest, _ := strings.Cut(v, " ")
	switch known := AuthScheme(scheme); {
	case known && rest != "":
		return scheme + " " + Mark
	case known:
		return v
	}
	return Mark
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
	return max(r.longest, r.needles.longest)
}
