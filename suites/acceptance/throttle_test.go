package acceptance

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
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
