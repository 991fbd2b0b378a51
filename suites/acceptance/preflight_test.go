package acceptance

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// A deployment that serves one of the two operations is tested as far as it goes, and the missing path is named by its
// key with the deployment's own words.
func TestOneMissingPathEndsNothing(t *testing.T) {
	gateway, err := suites.StartReference(t.Context(), reference.Options{Seed: 31})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(gateway.Close)
	at, err := url.Parse(gateway.Deployment.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
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
		"create.success.*",
		"export.body.array", "replay.nonce.*",
	}}})
	if result.Obstacle != nil || result.Run.Counts.Pass == 0 || result.Run.Counts.Fail > 0 ||
		result.Run.Counts.Inconclusive == 0 {
		t.Errorf("obstacle %v, counts %+v", result.Obstacle, result.Run.Counts)
	}
	for _, r := range result.Run.Rules {
		if !strings.HasPrefix(r.ID, "create.") && r.Level != "observe" && !strings.HasPrefix(r.Reason,
			"a valid export was not accepted (404 Not Found: no such route here), so nothing can be said about exports; check export.path") {
			t.Errorf("%s is %s: %s", r.ID, r.Verdict, r.Reason)
		}
	}
}

// A token endpoint that gives no token ends a run before its tests, with everything that a run leaves.
func TestACredentialThatIsNotIssuedIsAnObstacle(t *testing.T) {
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":"no client of the name s3cret-of-mine-0123"}`, http.StatusForbidden)
	}))
	t.Cleanup(endpoint.Close)
	gateway, err := suites.StartReference(t.Context(), reference.Options{Seed: 31})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(gateway.Close)
	dep := *gateway.Deployment
	dep.Credentials.PlatformToken = &deployment.Credential{
		Name: "platform_token", Method: deployment.Bearer, Issuer: &deployment.Issuer{OAuth2: &deployment.OAuth2{
			TokenURL: endpoint.URL, ClientID: "me", ClientSecret: "s3cret-of-mine-0123",
		}},
	}
	result := run(t, suites.Options{Deployment: &dep, Out: filepath.Join(t.TempDir(), "run")})
	if result.Obstacle == nil || result.Run.Verdict != record.NoVerdict || result.Run.Run.Requests != 0 {
		t.Fatalf("%v, %s after %d requests", result.Obstacle, result.Run.Verdict, result.Run.Run.Requests)
	}
	text := must.Get(os.ReadFile(filepath.Join(result.Folder, "run.json")))(t)
	if !strings.Contains(string(text), "could not be obtained (no credential: credentials.platform_token: the token "+
		"endpoint answered 403 Forbidden)") || strings.Contains(string(text), "s3cret") {
		t.Errorf("%.2000s", text)
	}
}
