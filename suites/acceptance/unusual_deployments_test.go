package acceptance

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// A deployment that asks to wait an hour gets few requests, and no rule fails.
func TestADeploymentThatSendsEverybodyAwayIsLeftAlone(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		var asked atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(status)
		}))
		defer server.Close()
		dep := testmust.Get(deployment.Parse("away.yaml", ".",
			[]byte("name: away\nbase_url: "+server.URL+"\ncredentials: {api_key: abcdefgh12345678}\n"),
			os.LookupEnv))(t)
		result := run(t, suites.Options{Deployment: dep})
		if result.Run.Verdict != record.RunNoVerdict || result.ExitCode(false) != 3 ||
			result.Run.Counts.Fail+result.Run.Counts.Warn > 0 || result.Run.Run.Partial {
			t.Errorf("%d: verdict %s, exit code %d, counts %+v", status, result.Run.Verdict,
				result.ExitCode(false), result.Run.Counts)
		}
		if n := asked.Load(); n > 40 {
			t.Errorf("%d: asked %d times", status, n)
		}
		told := 0
		for _, r := range result.Run.Rules {
			if strings.Contains(r.Reason, "asks to wait 1h0m0s") {
				told++
			}
		}
		if told < 20 {
			t.Errorf("%d: %d rules say why", status, told)
		}
	}
}

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

// A fixture that does not belong to the user accuses no deployment: refusing it is correct, and
// the reason names its key.
func TestAFixtureOfNobodysAccusesNobody(t *testing.T) {
	const nobodys = "6f1c3f0e-8f0a-4a55-9b0e-3c1f1f2b7d11"
	for rule, c := range map[string]struct {
		key   string
		spoil func(*deployment.Fixtures)
	}{
		"export.header.product.accepted": {
			"fixtures.product_id", func(f *deployment.Fixtures) { f.ProductID = nobodys },
		},
		"export.header.target_user.accepted": {
			"fixtures.target_user_id", func(f *deployment.Fixtures) { f.TargetUserID = nobodys },
		},
		"export.header.wallet.accepted": {
			"fixtures.default_wallet_id", func(f *deployment.Fixtures) { f.DefaultWalletID = nobodys },
		},
	} {
		if testing.Short() && c.key != "fixtures.target_user_id" {
			continue
		}
		dep := *start(t, reference.Options{Seed: 21}).Deployment
		c.spoil(&dep.Fixtures)
		o := suites.Options{Deployment: &dep}
		if c.key != "fixtures.product_id" { // creations do not send the other fixtures
			o.Select.Suites = []string{"export"}
		}
		r := run(t, o).Run
		found := false
		for _, seen := range r.Rules {
			if seen.Verdict == record.VerdictFail {
				t.Errorf("%s: %s failed: %s", c.key, seen.ID, seen.Reason)
			}
			found = found || seen.ID == rule && seen.Verdict == record.VerdictInconclusive &&
				strings.Contains(seen.Reason, c.key)
		}
		if !found || r.Verdict != record.RunNoVerdict {
			t.Errorf("%s: verdict %s, and %s does not name it", c.key, r.Verdict, rule)
		}
	}
}
