package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/reference"
)

// canaryShapes is how a deployment repeats a credential without meaning to hide it. Those in which it still shows are
// alike, since it holds no sign that URLs, JSON or HTML would change.
var canaryShapes = []func(string) string{
	func(s string) string { return s },
	func(s string) string { // the payload of a token
		parts := strings.Split(s, ".")
		return parts[len(parts)/2]
	},
	func(s string) string { return base64.StdEncoding.EncodeToString([]byte("Bearer " + s)) },
	func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	func(s string) string { return hex.EncodeToString([]byte(s)) },
	func(s string) string { return fmt.Sprintf("%X", s) },
}

// echo is an answer on its way, and the credential in some shape.
type echo struct {
	header http.Header
	status int
	body   []byte
	shaped string
	n      int64
}

// edit changes the JSON object of an answer, if it is one.
func (e *echo) edit(change func(map[string]any)) {
	var object map[string]any
	if json.Unmarshal(e.body, &object) == nil && object != nil {
		change(object)
		e.body, _ = json.Marshal(object)
	}
}

func (e *echo) set(names ...string) {
	e.edit(func(o map[string]any) {
		for _, name := range names {
			if _, there := o[name]; there {
				o[name] = e.shaped
			}
		}
	})
}

// inHeader is what a header can carry of a text.
func inHeader(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '\r' || c == '\n' || c == 0 {
			return ' '
		}
		return c
	}, s)
}

func inName(s string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x7f && (c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' ||
			strings.ContainsRune("-_.%", c)) {
			return c
		}
		return -1
	}, s)
}

// canaryPlaces is where an answer repeats the credential.
var canaryPlaces = map[string]func(*echo){
	"id":    func(e *echo) { e.set("id", "file_id") },
	"value": func(e *echo) { e.edit(func(o map[string]any) { o["note"] = "so: " + e.shaped }) },
	"field": func(e *echo) { e.set("name", "representor_type", "created_at", "shareholder_id", "email", "income") },
	"key": func(e *echo) {
		e.edit(func(o map[string]any) { o[e.shaped] = 1; o["file_state"] = map[string]any{e.shaped: e.shaped} })
	},
	"error": func(e *echo) {
		if e.status >= 400 {
			e.body, _ = json.Marshal(map[string]any{"error": map[string]any{"code": e.shaped, "message": "bad " +
				e.shaped, e.shaped: true}})
		}
	},
	"text": func(e *echo) {
		if e.n%3 == 0 {
			e.body = []byte("<p>" + e.shaped + "</p>")
		}
	},
	"header": func(e *echo) {
		for _, name := range []string{
			"X-Echo", "Location", "Set-Cookie", "Deprecation", "Www-Authenticate",
			"X-Ratelimit-Limit",
		} {
			e.header[name] = []string{inHeader(e.shaped)}
		}
	},
	"header's name": func(e *echo) {
		e.header["X-"+inName(e.shaped)] = []string{"1"}
		e.header[inName(e.shaped)] = []string{"2"}
	},
	"type": func(e *echo) { e.header["Content-Type"] = []string{"application/json; profile=" + inHeader(e.shaped)} },
	"file": func(e *echo) {
		if strings.Contains(string(e.body), ",") && !json.Valid(e.body) {
			first, rest, _ := bytes.Cut(e.body, []byte("\n"))
			e.body = fmt.Appendf(nil, "%s,%s\n%s", first, strings.NewReplacer(",", " ", "\n", " ", "\r",
				" ").Replace(e.shaped), rest)
			e.header["Content-Disposition"] = []string{`attachment; filename="` + inName(e.shaped) + `.csv"`}
		}
	},
	"host": func(e *echo) { // of a redirect, and of a download address
		at := "http://" + inName(e.shaped) + ".invalid/" + url.PathEscape(e.shaped) + "?of=" + url.QueryEscape(e.shaped)
		e.edit(func(o map[string]any) {
			if _, there := o["url"]; there {
				o["url"] = at
			}
		})
		if e.n%7 == 0 {
			e.status = http.StatusTemporaryRedirect
			e.header["Location"] = []string{at}
		}
	},
	"coding": func(e *echo) {
		if e.n%3 == 0 {
			e.header["Content-Encoding"] = []string{inName(e.shaped)}
		}
	},
	"trailer": func(e *echo) {
		e.header[http.TrailerPrefix+"X-"+inName(e.shaped)] = []string{inHeader(e.shaped)}
		e.header[http.TrailerPrefix+"X-Trailing"] = []string{inHeader(e.shaped)}
	},
	"when": func(e *echo) {
		for _, name := range []string{"Date", "Last-Modified", "Age", "Content-Range", "Server", "Via", "Alt-Svc"} {
			e.header[name] = []string{inHeader(e.shaped)}
		}
		if e.n%9 == 0 {
			e.status = http.StatusServiceUnavailable
			e.header["Retry-After"] = []string{inHeader(e.shaped)}
		}
	},
	"status": func(e *echo) {
		e.raw("HTTP/1.1 %d %s\r\nContent-Length: %d\r\n\r\n%s", e.status, inHeader(e.shaped), len(e.body), e.body)
	},
	"no HTTP": func(e *echo) {
		if e.n%5 == 0 {
			e.raw("%s\r\n\r\n", e.shaped)
		}
	},
	"unsolicited": func(e *echo) {
		e.raw("HTTP/1.1 %d OK\r\nContent-Length: %d\r\n\r\n%sHTTP/1.1 200 %s\r\nX: %s\r\n\r\n", e.status, len(e.body),
			e.body, inHeader(e.shaped), inHeader(e.shaped))
	},
}

// raw has the answer written as it is, and the connection kept.
func (e *echo) raw(format string, args ...any) {
	e.header = nil
	e.body = fmt.Appendf(nil, format, args...)
}

// send gives the answer to the client.
func (e *echo) send(w http.ResponseWriter) {
	if e.header == nil {
		if conn, out, err := http.NewResponseController(w).Hijack(); err == nil {
			defer conn.Close()
			_, _ = out.Write(e.body)
			_ = out.Flush()
			_, _ = conn.Read(make([]byte, 1)) // until the client has seen it
		}
		return
	}
	for name, values := range e.header {
		w.Header()[name] = values
	}
	w.WriteHeader(e.status)
	_, _ = w.Write(e.body)
}

// told is what requests said of people, in pieces that no pseudonym keeps.
type told struct {
	mu    sync.Mutex
	parts map[string][]string // by their first bytes: a run writes megabytes
	n     int
}

// head is how many bytes a part is looked up by; none is shorter.
const head = 7

// of gives a long text that a request says of a person, a different one each time; empty: it says none.
func (t *told) of(body []byte, n int64) string {
	var p struct {
		Name, Email string
		Mother      string                  `json:"mother_name"`
		Phone       string                  `json:"phone_number"`
		CPF         struct{ Number string } `json:"document"`
		Address     struct{ Street string }
	}
	if json.Unmarshal(body, &p) != nil || len(p.Phone) < 10 {
		return ""
	}
	long := slices.DeleteFunc([]string{p.Name, p.Mother, p.Phone, p.Email, p.CPF.Number, p.Address.Street}, func(v string) bool {
		// A street that checks name themselves, and a name that is no UTF-8 on purpose.
		return len(v) < 10 || strings.HasPrefix(v, "Rua das Palmeiras") || strings.ContainsRune(v, utf8.RuneError)
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range long {
		part := strings.ToLower(v[len(v)/4:]) // pseudonyms keep the country of a phone number
		if same := t.parts[part[:head]]; !slices.Contains(same, part) {
			t.parts[part[:head]], t.n = append(same, part), t.n+1
		}
	}
	if len(long) == 0 {
		return ""
	}
	return long[n%int64(len(long))]
}

// find returns what a text holds of it, or "".
func (t *told) find(text string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text = strings.ToLower(text)
	for i := range max(0, len(text)-head+1) {
		for _, part := range t.parts[text[i:i+head]] {
			if strings.HasPrefix(text[i:], part) {
				return part
			}
		}
	}
	return ""
}

// personalShapes is how a deployment may write what it was told of a person.
var personalShapes = []func(string) string{
	func(s string) string { return s },
	url.QueryEscape,
	url.PathEscape,
	func(s string) string { quoted, _ := json.Marshal(s); return strings.Trim(string(quoted), `"`) },
}

// asName are the places that a text stands in without its signs: what it says of a person is another text then.
var asName = []string{"header's name", "file", "host", "coding", "trailer"}

// canary is a gateway that repeats the credential of each request, or what it says of a person, in each shape in turn, and
// each time in another place.
func canary(t *testing.T) (deployment, address string, secrets []string, people *told) {
	t.Helper()
	g := must.Get(reference.New(reference.Options{Seed: 3}))(t)
	places, people := slices.Sorted(maps.Keys(canaryPlaces)), &told{parts: map[string][]string{}}
	var count atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		held := httptest.NewRecorder()
		g.ServeHTTP(held, r)
		secret := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("x-api-key")
		n := count.Add(1)
		if len(secret) < 24 { // an invalid one of the tests
			secret = secrets[0]
		}
		shaped := canaryShapes[n%int64(len(canaryShapes))](secret)
		place := places[n/int64(len(canaryShapes))%int64(len(places))]
		if said := people.of(body, n/4); said != "" && n%3 > 0 && !slices.Contains(asName, place) {
			shaped = personalShapes[n%int64(len(personalShapes))](said)
		}
		e := echo{header: held.Header().Clone(), status: held.Code, body: held.Body.Bytes(), n: n, shaped: shaped}
		e.header.Del("Content-Length")
		canaryPlaces[place](&e)
		e.send(w)
	}))
	t.Cleanup(server.Close)
	text := g.DeploymentYAML(server.URL)
	for _, m := range regexp.MustCompile(
		`(?:platform_token|api_key|bearer|expired_token): "?([^\s"]{20,})`).FindAllSubmatch(text, -1) {
		secrets = append(secrets, string(m[1]))
	}
	if len(secrets) < 4 {
		t.Fatalf("credentials: %q", secrets)
	}
	deployment = filepath.Join(t.TempDir(), "d.yaml")
	text = bytes.ReplaceAll(text, []byte("timeout: 15s"), []byte("timeout: 2s"))
	must.Succeed(t, os.WriteFile(deployment, text, 0o600))
	return deployment, server.URL, secrets, people
}

// eachFile gives every file of a run, of which there are some.
func eachFile(t *testing.T, folder string, search func(name string, data []byte)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		search(filepath.Base(path), data)
		return err
	})
	if err != nil || files < 5 {
		t.Errorf("%d files: %v", files, err)
	}
}

// No file of a run and no line on the terminal gives away twelve characters of a credential, or what was said of a
// person, wherever and in whatever shape the deployment repeats it.
func TestNoSecretIsWrittenAnywhere(t *testing.T) {
	deployment, address, secrets, people := canary(t)
	for _, args := range [][]string{
		{"doctor", "-d", deployment},
		{"deployment", "init", "--url", address, "--token-env", "CANARY"},
		{"conform", "-d", deployment, "--timeout", "2s", "--verbose", "--out"},
		{"load", "run", "-d", deployment, "--rate", "100/s", "--duration", "1s", "--repeats", "20%", "--yes", "--out"},
		{"load", "run", "-d", deployment, "--rate", "50/s", "--duration", "1s", "--engine", "direct", "--yes", "--slo", "none", "--out"},
	} {
		d := newDecoder(secrets)
		out, runs := filepath.Join(t.TempDir(), "run"), args[len(args)-1] == "--out"
		if runs {
			args = append(args, out)
		}
		c := exec.Command("gateassay", args...)
		c.Env = append(os.Environ(), "CANARY="+secrets[0])
		said, err := c.CombinedOutput()
		if got := code(t, err); got == 4 || runs && got == 2 || len(said) < 100 {
			t.Errorf("%v: %v: %s", args, err, said)
		}
		search := func(where string, data []byte) {
			for _, text := range texts(data) {
				if found := cmp.Or(d.find(text, 1), people.find(text)); found != "" {
					at := max(0, strings.Index(strings.ToLower(text), found))
					t.Errorf("%s of %s still holds %q: …%q…", where, args[0], found, text[max(0, at-200):min(len(text), at+200)])
					return
				}
			}
		}
		search("the terminal", said)
		if runs {
			eachFile(t, out, search)
		}
	}
	if people.n < 60 {
		t.Errorf("%d values were sent", people.n)
	}
}
