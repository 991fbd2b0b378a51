package target_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/target"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// deployed is a deployment that answers with one status and keeps the latest request.
type deployed struct {
	URL, body string
	header    http.Header
}

func deploy(t *testing.T, status int) *deployed {
	t.Helper()
	d := &deployed{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		d.header, d.body = r.Header, string(body)
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	d.URL = server.URL
	return d
}

// aim returns a target of the deployment; more is appended to its deployment file.
func aim(t *testing.T, url string, more ...string) *target.Target {
	t.Helper()
	text := "name: scripted\nbase_url: " + url + "\ncredentials: {platform_token: main-token-012}\n" +
		strings.Join(more, "\n") + "\n"
	if !strings.Contains(text, "fixtures:") {
		text += "fixtures: {shareholder_id: 1b4e28ba-2fa1-41d2-883f-0016d3cca427}\n"
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
