package target_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/target"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hangUp is a status that closes the connection without an answer.
const hangUp = -1

// deployed is a deployment that answers with a list of statuses and repeats the last one.
type deployed struct {
	URL string

	mu     sync.Mutex
	script []int
	seen   []*http.Request
	bodies []string
}

func (d *deployed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	d.mu.Lock()
	status := d.script[min(len(d.seen), len(d.script)-1)]
	d.seen = append(d.seen, r)
	d.bodies = append(d.bodies, string(body))
	d.mu.Unlock()
	if status == hangUp {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Retry-After", "0")
	w.WriteHeader(status)
}

func (d *deployed) requests() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.seen)
}

// request returns the nth request that the server received, from 0.
func (d *deployed) request(t *testing.T, n int) (http.Header, string) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if n >= len(d.seen) {
		t.Fatalf("%d requests came, want at least %d", len(d.seen), n+1)
	}
	return d.seen[n].Header, d.bodies[n]
}

func deploy(t *testing.T, script ...int) *deployed {
	t.Helper()
	d := &deployed{script: script}
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	d.URL = server.URL
	return d
}

const (
	shareholderWord = "1b4e28ba-2fa1-41d2-883f-0016d3cca427"
	bearer          = "main-token-0123456789"
)

// aim returns a target of the deployment; more is appended to its deployment file.
func aim(t *testing.T, url string, more ...string) *target.Target {
	t.Helper()
	text := "name: scripted\nbase_url: " + url + "\ncredentials: {platform_token: " + bearer + "}\n" +
		strings.Join(more, "\n") + "\n"
	if !strings.Contains(text, "fixtures:") {
		text += "fixtures: {shareholder_id: " + shareholderWord + "}\n"
	}
	if !strings.Contains(text, "limits:") {
		text += "limits: {requests_per_second: 10000}\n"
	}
	dep := testmust.Get(deployment.Parse("scripted.yaml", t.TempDir(), []byte(text),
		func(string) (string, bool) { return "", false }))(t)
	c := testmust.Get(client.New(dep, client.Options{}))(t)
	t.Cleanup(c.Close)
	return target.New(dep, c, 1)
}
