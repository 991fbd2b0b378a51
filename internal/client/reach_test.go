package client

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
)

func TestReachingAFileAsSomebodyElse(t *testing.T) {
	for name, tc := range map[string]struct {
		gateway http.HandlerFunc
		conf    *deployment.Retrieval
		want    string // path that answers last
	}{
		"a redirect elsewhere": {
			conf: offering(false, ""), want: "/cdn",
			gateway: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, r.URL.Query().Get("cdn")+"/cdn", http.StatusFound)
			},
		},
		"an address elsewhere": {
			conf: offering(true, "/url"), want: "/cdn",
			gateway: func(w http.ResponseWriter, r *http.Request) {
				asked{ResponseWriter: w}.state("READY", r.URL.Query().Get("cdn")+"/cdn")
			},
		},
		"a refusal": {
			conf:    offering(true, "/url"),
			gateway: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			var there atomic.Int64
			cdn := serve(t, func(_ http.ResponseWriter, r *http.Request) {
				there.Add(1)
				if r.Header.Get("Authorization") != "" || r.Header.Get("nonce") != "" {
					t.Errorf("another origin saw %v", r.Header)
				}
			})
			dep := testDeployment(serve(t, tc.gateway))
			dep.Export.File = tc.conf
			dep.Export.File.Request += "&cdn=" + cdn
			_, x, elsewhere := newClient(t, dep, Options{}).FetchWithoutPolling(t.Context(), "id",
				dep.Credentials.OtherUser)
			if elsewhere != (tc.want != "") || elsewhere != (there.Load() == 1) ||
				x.IsSuccess() != elsewhere {
				t.Errorf("%v, %d, elsewhere %v", x, x.Status, elsewhere)
			}
		})
	}
}
