package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/reference"
)

// What the test records say about people stays out of every file and off the terminal, also where a deployment repeats
// it in a place that nobody expects.
func TestNoPersonalDataIsWrittenAnywhere(t *testing.T) {
	g := must.Get(reference.New(reference.Options{Seed: 6}))(t)
	var mu sync.Mutex
	sent := map[string]bool{}
	count := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		held := httptest.NewRecorder()
		g.ServeHTTP(held, r)
		var person struct {
			Phone   string                  `json:"phone_number"`
			Address struct{ Street string } `json:"address"`
		}
		mu.Lock()
		count++
		n := count
		if json.Unmarshal(body, &person) == nil {
			for _, v := range []string{person.Phone, person.Address.Street} {
				if len(v) >= 10 && !strings.HasPrefix(v, "Rua das Palmeiras") { // which checks name themselves
					sent[v] = true
				}
			}
		}
		mu.Unlock()
		answer, status := held.Body.Bytes(), held.Code
		bare := strings.TrimPrefix(person.Phone, "+") // as a deployment may keep it
		switch quoted := fmt.Sprintf("%s, %s, %s", person.Phone, person.Address.Street, bare); {
		case len(person.Phone) < 10 || n%4 == 0:
		case n%4 == 1: // says that it is shorter than it is: the rest stands where the next answer should begin
			if conn, out, err := http.NewResponseController(w).Hijack(); err == nil {
				defer conn.Close()
				fmt.Fprintf(out, "HTTP/1.1 %d OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
					status, len(answer)/2, answer)
				_ = out.Flush()
				_, _ = conn.Read(make([]byte, 1))
			}
			return
		case n%4 == 2:
			w.Header().Set("X-Debug", quoted)
			answer = fmt.Appendf(nil, `{"errors":[{"detail":%q}]}`, quoted)
		default:
			answer = append([]byte("bad request: "+quoted+" "), body[:len(body)*2/3]...)
		}
		for name, values := range held.Header() {
			w.Header()[name] = values
		}
		w.Header().Del("Content-Length")
		w.WriteHeader(status)
		_, _ = w.Write(answer)
	}))
	defer server.Close()
	deployment, out := filepath.Join(t.TempDir(), "d.yaml"), filepath.Join(t.TempDir(), "run")
	must.Succeed(t, os.WriteFile(deployment, g.DeploymentYAML(server.URL), 0o600))
	said, err := exec.Command("gateassay", "conform", "-d", deployment, "--suite", "create", "--timeout", "2s", "--out",
		out).CombinedOutput()
	if got := code(t, err); got == 2 || got == 4 {
		t.Fatalf("%v: %s", err, said)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(sent) < 20 {
		t.Fatalf("%d values were sent", len(sent))
	}
	search := func(where string, data []byte) {
		for v := range sent {
			part := v[len(v)/4:] // pseudonyms keep the country of a phone number
			if at := strings.Index(string(data), part); at >= 0 {
				t.Errorf("%s holds %q of %q: …%s…", where, part, v, data[max(0, at-80):min(len(data), at+80)])
				return
			}
		}
	}
	search("the terminal", said)
	eachFile(t, out, search)
}
