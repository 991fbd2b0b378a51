package driver

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/results"
)

// TestUsersTakeTurns lets two users send: what one of them repeats is blocked.
func TestUsersTakeTurns(t *testing.T) {
	for _, engine := range []string{"vegeta", "direct"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			traces, users := map[string]bool{}, map[string]int{}
			d := gateway(t, before(func(_ http.ResponseWriter, r *http.Request) bool {
				if trace := r.Header.Get("traceparent"); trace != "" {
					mu.Lock()
					traces[trace] = true
					users[r.Header.Get("Authorization")]++
					mu.Unlock()
				}
				return false
			}))
			d.Load.Credentials = []*deployment.Credential{d.Credentials.Main(), d.Credentials.OtherUser}
			result := play(t, t.Context(), d, planned(t, "rate=150/s", "duration=2s", "repeats=20%",
				"track-files=0%", "trace=true", "engine="+engine))
			run := result.Run
			if run.Verdict == results.Fail || run.Requests.Accepted+run.Requests.Blocked != run.Requests.Sent ||
				run.Requests.Blocked == 0 || len(run.Violations) > 0 {
				t.Fatalf("%s: %s, %+v", run.Verdict, run.Reason, run.Requests)
			}
			for user, sent := range users {
				if sent < 80 || len(users) != 2 {
					t.Errorf("%s sent %d requests, one of %d", user, sent, len(users))
				}
			}
			if int64(len(traces)) != run.Requests.Sent {
				t.Errorf("%d traces of %d requests", len(traces), run.Requests.Sent)
			}
			if len(run.Slowest) != 10 || run.Slowest[0].ResponseMS < run.Slowest[9].ResponseMS {
				t.Errorf("%+v", run.Slowest)
			}
			for _, s := range run.Slowest {
				if !traces[s.Trace] || len(strings.Split(s.Trace, "-")) != 4 {
					t.Errorf("%+v was not seen", s)
				}
			}
		})
	}
}
