package acceptance

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
)

// A deployment that serves one operation is tested as far as possible, and the reason quotes its
// answer about the missing path.
func TestOneMissingPathEndsNothing(t *testing.T) {
	gateway := start(t, reference.Options{Seed: 31})
	at := testmust.Get(url.Parse(gateway.Deployment.BaseURL))(t)
	proxy := httputil.NewSingleHostReverseProxy(at)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/exports") {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"message":"no such route here"}`))
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	dep := *gateway.Deployment
	dep.BaseURL = front.URL
	result := run(t, suites.Options{Deployment: &dep, Select: suites.Selection{Rules: []string{
		"create.success.*", "export.body.array", "replay.nonce.*",
	}}})
	if result.Obstacle != nil || result.Run.Counts.Pass == 0 || result.Run.Counts.Fail > 0 ||
		result.Run.Counts.Inconclusive == 0 {
		t.Errorf("obstacle %v, counts %+v", result.Obstacle, result.Run.Counts)
	}
	const why = "a valid export was not accepted (404 Not Found: no such route here), so no rule about " +
		"exports can be judged; run gateassay doctor"
	for _, r := range result.Run.Rules {
		if !strings.HasPrefix(r.ID, "create.") && r.Level != "observe" &&
			!strings.HasPrefix(r.Reason, why) {
			t.Errorf("%s is %s: %s", r.ID, r.Verdict, r.Reason)
		}
	}
}
