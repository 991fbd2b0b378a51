package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/reference"
)

// personalShapes is how a deployment may write what it was told of a person.
var personalShapes = []func(string) string{
	func(s string) string { return s },
	url.QueryEscape,
	url.PathEscape,
	func(s string) string { quoted, _ := json.Marshal(s); return strings.Trim(string(quoted), `"`) },
}

// What is said of people stays out of all files also where it comes back as a key, a name, an address or a status.
func TestNoPersonalDataIsWrittenWhereverItComesBack(t *testing.T) {
	g := must.Get(reference.New(reference.Options{Seed: 8}))(t)
	var mu sync.Mutex
	sent, count, echoes := map[string]bool{}, 0, 0
	place := []func(*echo){
		func(e *echo) { e.edit(func(o map[string]any) { o[e.shaped] = map[string]any{e.shaped: 1} }) },
		func(e *echo) { e.set("id") },
		func(e *echo) { e.header["X-Of"] = []string{inHeader(e.shaped)} },
		func(e *echo) { e.header["Set-Cookie"] = []string{"for=" + inHeader(e.shaped)} },
		func(e *echo) {
			e.status = http.StatusTemporaryRedirect
			e.header["Location"] = []string{"/of/" + e.shaped + "?q=" + e.shaped}
		},
		func(e *echo) { e.header[http.TrailerPrefix+"X-Of"] = []string{inHeader(e.shaped)} },
		func(e *echo) { e.raw("HTTP/1.1 500 no %s\r\nContent-Length: 0\r\n\r\n", inHeader(e.shaped)) },
		func(e *echo) { e.raw("%s\r\n\r\n", e.shaped) },
		func(e *echo) {
			e.edit(func(o map[string]any) { o["trace"] = []any{"at", e.shaped, "in <" + e.shaped + ">"} })
		},
		func(e *echo) { e.status, e.body = 400, fmt.Appendf(nil, "<h1>%s</h1> %s", e.shaped, e.body) },
		func(e *echo) { e.header["Content-Type"] = []string{"application/json; of=" + inHeader(e.shaped)} },
		func(e *echo) {
			e.status = http.StatusServiceUnavailable
			e.header["Retry-After"] = []string{inHeader(e.shaped)}
		},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		held := httptest.NewRecorder()
		g.ServeHTTP(held, r)
		var person struct {
			Name    string                  `json:"name"`
			Mother  string                  `json:"mother_name"`
			Phone   string                  `json:"phone_number"`
			Email   string                  `json:"email"`
			CPF     struct{ Number string } `json:"document"`
			Address struct{ Street string } `json:"address"`
		}
		e := echo{header: held.Header().Clone(), status: held.Code, body: held.Body.Bytes()}
		e.header.Del("Content-Length")
		mu.Lock()
		if json.Unmarshal(body, &person) == nil && len(person.Phone) >= 10 {
			var long []string
			for _, v := range []string{person.Name, person.Mother, person.Phone, person.Email, person.CPF.Number, person.Address.Street} {
				if len(v) >= 10 && !strings.HasPrefix(v, "Rua das Palmeiras") { // which checks name themselves
					long = append(long, v)
					sent[v] = true
				}
			}
			if count++; len(long) > 0 && count%3 > 0 {
				to, shape := place[echoes%len(place)], personalShapes[echoes/len(place)%len(personalShapes)]
				for i := range long { // of some places only the last is seen
					e.shaped = shape(long[(echoes+echoes/len(place)+i)%len(long)])
					to(&e)
				}
				echoes++
			}
		}
		mu.Unlock()
		e.send(w)
	}))
	defer server.Close()
	deployment := filepath.Join(t.TempDir(), "d.yaml")
	must.Succeed(t, os.WriteFile(deployment, g.DeploymentYAML(server.URL), 0o600))
	most := 5
	if testing.Short() {
		most = 1
	}
	for run := 0; run < most && echoes < len(place)*len(personalShapes); run++ {
		out := filepath.Join(t.TempDir(), "run")
		said, err := exec.Command("gateassay", "conform", "-d", deployment, "--suite", "create", "--timeout", "2s",
			"--verbose", "--seed", fmt.Sprint(run+1), "--out", out).CombinedOutput()
		if got := code(t, err); got == 2 || got == 4 {
			t.Fatalf("%v: %s", err, said)
		}
		mu.Lock()
		search := newPersonalSearch(sent).in(t)
		search("the terminal", said)
		eachFile(t, out, search)
		mu.Unlock()
	}
	mu.Lock()
	defer mu.Unlock()
	if len(sent) < 60 || echoes < len(place)*len(personalShapes) {
		t.Errorf("%d values were sent, and %d answers repeated some", len(sent), echoes)
	}
}

// personalSearch finds what was said of people, by its first bytes: a run writes megabytes, and says hundreds of things.
type personalSearch map[string][]string

// personalHead is how many bytes are looked up at once; no part that is looked for is shorter.
const personalHead = 7

func newPersonalSearch(sent map[string]bool) personalSearch {
	s := personalSearch{}
	for v := range sent {
		part := strings.ToLower(v[len(v)/4:]) // pseudonyms keep the country of a phone number
		s[part[:personalHead]] = append(s[part[:personalHead]], part)
	}
	return s
}

func (s personalSearch) find(text string) (part string, at int) {
	for i := range len(text) - personalHead + 1 {
		for _, part := range s[text[i:i+personalHead]] {
			if strings.HasPrefix(text[i:], part) {
				return part, i
			}
		}
	}
	return "", -1
}

func (s personalSearch) in(t *testing.T) func(where string, data []byte) {
	return func(where string, data []byte) {
		text := strings.ToLower(string(data))
		if part, at := s.find(text); at >= 0 {
			t.Errorf("%s holds %q: …%s…", where, part, text[max(0, at-80):min(len(text), at+80)])
		}
	}
}
