package cmd

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
)

// Encodings in which a deployment may repeat a credential, and personal data, unintentionally.
var (
	secretShapes = []func(string) string{
		strings.Clone,
		func(s string) string { return base64.StdEncoding.EncodeToString([]byte("Bearer " + s)) },
		func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
		func(s string) string { return hex.EncodeToString([]byte(s)) },
		func(s string) string { return fmt.Sprintf("%X", s) },
		func(s string) string { // the payload of a token
			parts := strings.Split(s, ".")
			return parts[len(parts)/2]
		},
		func(s string) string { return each(s, "%%%02x") },
		func(s string) string { return each(s, "\\u%04x") },
		func(s string) string { return each(s, "&#%d;") },
	}
	personalShapes = []func(string) string{
		strings.Clone, url.QueryEscape, url.PathEscape,
		func(s string) string { quoted, _ := json.Marshal(s); return strings.Trim(string(quoted), `"`) },
	}
)

// each formats every byte of s.
func each(s, format string) (out string) {
	for _, c := range []byte(s) {
		out += fmt.Sprintf(format, c)
	}
	return out
}

// echo is an answer and the encoded text that it repeats.
type echo struct {
	header http.Header
	status int
	body   []byte
	shaped string
	raw    string // replaces the answer if not empty
}

// edit changes the JSON object of an answer, if it is one.
func (e *echo) edit(change func(map[string]any)) {
	var object map[string]any
	if json.Unmarshal(e.body, &object) == nil && object != nil {
		change(object)
		e.body, _ = json.Marshal(object)
	}
}

// line returns the text as a header value can carry it, and token as a header name can.
func line(s string) string {
	return strings.NewReplacer("\r", " ", "\n", " ", "\x00", " ").Replace(s)
}

func token(s string) string {
	return regexp.MustCompile(`[^A-Za-z0-9_.%-]`).ReplaceAllString(s, "")
}

// canaryPlaces are the places where an answer repeats the text. Those after the first five are
// names, which carry parts of it only.
var canaryPlaces = []func(*echo){
	func(e *echo) {
		e.edit(func(o map[string]any) {
			for _, name := range []string{
				"id", "file_id", "name", "representor_type", "created_at", "shareholder_id", "email", "income",
			} {
				if _, there := o[name]; there {
					o[name] = e.shaped
				}
			}
			o["note"] = "so: " + e.shaped
		})
	},
	func(e *echo) {
		e.edit(
			func(o map[string]any) { o[e.shaped] = 1; o["file_state"] = map[string]any{e.shaped: e.shaped} })
	},
	func(e *echo) {
		if e.status >= 400 {
			e.body, _ = json.Marshal(
				map[string]any{"error": map[string]any{"code": e.shaped, "message": "bad " + e.shaped}})
		} else {
			e.body = []byte("<p>" + e.shaped + "</p>")
		}
	},
	func(e *echo) {
		for _, name := range []string{
			"X-Echo", "Location", "Set-Cookie", "Deprecation", "Www-Authenticate", "Date", "Server", "Age",
			"X-Ratelimit-Limit", "Retry-After",
			http.TrailerPrefix + "X-Trailing",
		} {
			e.header[name] = []string{line(e.shaped)}
		}
		e.header["Content-Type"] = []string{"application/json; profile=" + line(e.shaped)}
	},
	func(e *echo) { // in a second, unrequested answer too
		e.raw = fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Length: %d\r\n\r\n%sHTTP/1.1 200 %[2]s\r\n\r\n",
			e.status, line(e.shaped), len(e.body), e.body)
	},
	func(e *echo) {
		e.header["X-"+token(e.shaped)], e.header[token(e.shaped)] = []string{"1"}, []string{"2"}
	},
	func(e *echo) {
		if first, rest, some := bytes.Cut(e.body, []byte("\n")); some &&
			bytes.Contains(first, []byte(",")) {
			e.body = fmt.Appendf(nil, "%s,%s\n%s", first, token(e.shaped), rest)
			e.header["Content-Disposition"] = []string{`attachment; filename="` + token(e.shaped) + `.csv"`}
		}
	},
	func(e *echo) { // in a redirect and in a download address
		at := "http://" + token(e.shaped) + ".invalid/" + url.PathEscape(
			e.shaped,
		) + "?of=" + url.QueryEscape(e.shaped)
		e.edit(func(o map[string]any) { o["url"] = at })
		e.status, e.header["Location"] = http.StatusTemporaryRedirect, []string{at}
	},
	func(e *echo) { e.header["Content-Encoding"] = []string{token(e.shaped)} },
	func(e *echo) { e.raw = e.shaped + "\r\n\r\n" },
}

const namedPlaces = 5

// send writes the answer to the client.
func (e *echo) send(w http.ResponseWriter) {
	if e.raw != "" {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			defer conn.Close()
			_, _ = io.WriteString(conn, e.raw)
			_, _ = conn.Read(make([]byte, 1)) // until the client has read it
		}
		return
	}
	for name, values := range e.header {
		w.Header()[name] = values
	}
	w.WriteHeader(e.status)
	_, _ = w.Write(e.body)
}

// told collects the personal data of requests, in parts that no pseudonym keeps.
type told struct {
	mu    sync.Mutex
	parts []string
}

// of returns a long personal text of a request, a different one for each n; empty: none.
func (t *told) of(body []byte, n int64) string {
	var p struct {
		Name, Email string
		Mother      string                  `json:"mother_name"`
		Phone       string                  `json:"phone_number"`
		CPF         struct{ Number string } `json:"document"`
	}
	if json.Unmarshal(body, &p) != nil || len(p.Phone) < 10 {
		return ""
	}
	long := slices.DeleteFunc([]string{p.Name, p.Mother, p.Phone, p.Email, p.CPF.Number},
		func(v string) bool {
			// some names are invalid UTF-8 on purpose
			return len(v) < 10 || strings.ContainsRune(v, utf8.RuneError)
		})
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range long {
		// pseudonyms keep the country of a phone number
		t.parts = append(t.parts, strings.ToLower(v[len(v)/4:]))
	}
	if len(long) == 0 {
		return ""
	}
	return long[n%int64(len(long))]
}

// canary starts a gateway that repeats the credential of each request, or its personal data, in
// each encoding and in each place in turn.
func canary(t *testing.T) (deployment, address string, secrets []string, people *told) {
	t.Helper()
	g := testmust.Get(reference.New(reference.Options{Seed: 3}))(t)
	people = &told{}
	var count atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		held := httptest.NewRecorder()
		g.ServeHTTP(held, r)
		secret := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("x-api-key")
		if len(secret) < 24 { // an invalid credential of a rule
			secret = secrets[0]
		}
		n := count.Add(1)
		place := n % int64(len(canaryPlaces))
		shaped := secretShapes[n/int64(len(canaryPlaces))%int64(len(secretShapes))](secret)
		if said := people.of(body, n); said != "" && place < namedPlaces {
			shaped = personalShapes[n%int64(len(personalShapes))](said)
		}
		e := echo{
			header: held.Header().Clone(),
			status: held.Code,
			body:   held.Body.Bytes(),
			shaped: shaped,
		}
		e.header.Del("Content-Length")
		if n%7 < 4 || place < 2 { // only some answers are broken
			canaryPlaces[place](&e)
		}
		e.send(w)
	}))
	t.Cleanup(server.Close)
	text := g.DeploymentYAML(server.URL)
	for _, m := range regexp.MustCompile(
		`(?:platform_token|api_key|bearer|expired_token): "?([^\s"]{20,})`).FindAllSubmatch(text,
		-1) {
		secrets = append(secrets, string(m[1]))
	}
	if len(secrets) < 4 {
		t.Fatalf("credentials: %q", secrets)
	}
	deployment = filepath.Join(t.TempDir(), "d.yaml")
	text = bytes.ReplaceAll(text, []byte("timeout: 15s"), []byte("timeout: 2s"))
	testmust.Succeed(t, os.WriteFile(deployment, text, 0o600))
	return deployment, server.URL, secrets, people
}
