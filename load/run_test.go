package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
)

// TestTheReferenceGatewayPasses sends a plan with each engine. The vegeta engine uses two identities
// in turn, each of which may fetch only its own files.
func TestTheReferenceGatewayPasses(t *testing.T) {
	for _, engine := range []string{"direct", "vegeta"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			users := map[string]int{}
			d := gateway(t, before(func(_ http.ResponseWriter, r *http.Request) bool {
				mu.Lock()
				defer mu.Unlock()
				if r.Method == http.MethodPost {
					users[r.Header.Get("Authorization")]++
				}
				return false
			}))
			p := planned(t, "rate=150/s", "duration=2s", "repeats=20%", "track-files=10%", "engine="+engine)
			p.SLO = []string{
				"false_blocks==0", "missed_blocks==0", "errors==0", "p99<30s", "file_p95<30s",
				"file_failures==0",
			}
			if engine == "vegeta" {
				d.Load.Credentials = []*deployment.Credential{
					d.Credentials.Main(),
					d.Credentials.OtherUser,
				}
			}
			result := play(t, t.Context(), d, p)
			q := result.Run.Requests
			if q.Sent != 300 || q.Accepted+q.Blocked != 300 || q.Blocked < 5 {
				t.Errorf("%+v", q)
			}
			for _, r := range result.Run.Thresholds {
				if !r.OK {
					t.Errorf("%+v", r)
				}
			}
			for user, sent := range users {
				if engine == "vegeta" && (sent < 80 || len(users) != 2) {
					t.Errorf("%s sent %d requests, one of %d", user, sent, len(users))
				}
			}
			rendered(t, result.Folder)
			for _, name := range []string{"intervals.ndjson", "histograms.hlog", "series.csv"} {
				data := testmust.Get(os.ReadFile(filepath.Join(result.Folder, name)))(t)
				if len(data) == 0 || bytes.Contains(data, []byte(d.Credentials.Main().Value)) {
					t.Errorf("%s is empty, or holds the credential", name)
				}
			}
		})
	}
}

// TestFaultsOfReplayAreFound sends load to gateways that break replay protection.
func TestFaultsOfReplayAreFound(t *testing.T) {
	for fault, rule := range map[string]string{
		"replay.forgets_after_a_second": ".same",
		"replay.nonce.not_atomic":       "replay.race.nonce",
		"replay.nonce.other_nonce":      "replay.nonce.first",
		"replay.block_answered_200":     "replay.blocked_is_4xx",
	} {
		if testing.Short() && rule != ".same" && rule != "replay.nonce.first" {
			continue
		}
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			result := play(t, t.Context(), gateway(t, nil, fault),
				planned(t, "rate=250/s", "duration=2500ms", "repeats=30%", "track-files=0"))
			found := int64(0)
			for _, v := range result.Run.Violations {
				if strings.HasSuffix(v.Rule, rule) {
					found += v.Count
				}
			}
			if found == 0 || result.ExitCode() != 1 {
				t.Errorf("expected answers that violate %s and exit code 1, found %+v, %d: %s", rule,
					result.Run.Violations, result.ExitCode(), result.Run.Reason)
			}
			kept, err := os.ReadFile(filepath.Join(result.Folder, results.ExchangesName))
			if err != nil || !strings.Contains(string(kept), `"rule":"replay.`) {
				t.Errorf("no exchange that violates a rule was kept: %v", err)
			}
		})
	}
}

func TestNoDeploymentNoVerdict(t *testing.T) {
	for name, status := range map[string]int{
		"connection refused":                         0,
		"refuses a valid export":                     http.StatusUnauthorized,
		"answers a valid export with something else": http.StatusOK,
	} {
		base := "http://127.0.0.1:9"
		if status != 0 {
			base = gateway(t, before(func(w http.ResponseWriter, _ *http.Request) bool {
				http.Error(w, "no such key: top-secret-key-1234", status)
				return true
			})).BaseURL
		}
		result := play(t, t.Context(), file(t,
			"name: dead\nbase_url: "+base+"\ncredentials: {api_key: "+
				"top-secret-key-1234}\nload: {allow: true, max_rate: 100}\n"),
			planned(t, "rate=50/s", "duration=1s"))
		run := result.Run
		if result.ExitCode() != 3 || !strings.Contains(run.Reason, name) ||
			strings.Contains(run.Reason, "top-secret") ||
			status != 0 && !strings.Contains(run.Reason, fmt.Sprint(status, " no such key")) ||
			run.Requests.Sent != 0 || run.Rate.Target != 50 {
			t.Errorf("%s: exit code %d, %s", name, result.ExitCode(), run.Reason)
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	d := gateway(t, nil)
	held := t.TempDir()
	testmust.WriteFile(t, filepath.Join(held, runfolder.IntervalsName), "x")
	p := planned(t, "rate=50/s", "duration=1s")
	proxied := *p
	proxied.HTTP, proxied.Engine = "2", plan.EngineDirect
	four, meet := p.WithShards(4), Rendezvous{Place: t.TempDir()}
	used := filepath.Join(t.TempDir(), "used")
	_ = testmust.Get(Run(t.Context(), Options{
		Deployment: d, Plan: planned(t, "rate=50/s", "duration=100ms"), RunID: "r0", Out: used,
	}))(t)
	for want, o := range map[string]Options{
		"the run in " + used: {Deployment: d, Plan: p, RunID: "r0", Out: used + "-again"},
		"holds a recor":      {Deployment: d, Plan: p, Out: held},
		"--engine dire":      {Deployment: d, Plan: &proxied},
		"--metrics":          {Deployment: d, Plan: p, Metrics: "127.0.0.1:99999"},
		"--shard":            {Deployment: d, Plan: four, RunID: "r1", Shard: 4, Meeting: meet},
		"--run-id":           {Deployment: d, Plan: four, Shard: 1, Meeting: meet},
		"--out":              {Deployment: d, Plan: four, RunID: "r1", Shard: 1},
	} {
		if o.Out == "" {
			o.Out = t.TempDir()
		}
		_, err := Run(t.Context(), o)
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if left, _ := os.ReadDir(o.Out); o.Out != held && len(left) > 0 {
			t.Errorf("%s: %v is left, and the folder cannot be used again", want, left)
		}
	}
}

// More files than can be followed at once are counted and named, and so are late ones.
func TestNoFileIsLostAtTheEnd(t *testing.T) {
	d := gateway(t, before(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return r.Method != http.MethodPost
	}))
	d.Export.File.Timeout, d.Limits.Timeout = 200*time.Millisecond, 800*time.Millisecond
	run := play(t, t.Context(), d,
		planned(t, "rate=200/s", "duration=500ms", "repeats=0", "track-files=100%")).Run
	if f := run.Files; f.Sampled != 100 || f.Ready != 0 || f.Dropped == 0 ||
		f.Failed+f.Pending+f.Dropped != 100 {
		t.Errorf("%+v", f)
	}
	testmust.Contain(t, strings.Join(run.Notes, "\n"),
		"not followed, because this run follows at most 64")
}

// Which 4xx blocks a repeat is open, also whether it is the same in each mode.
func TestBlocksMayHaveAnotherStatusInEachMode(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mode := r.Header.Get("x-include-replay-protection-schema")
		key, status := mode+string(body), http.StatusConflict
		if strings.Contains(mode, "nonce") {
			key, status = key+r.Header.Get("nonce"), http.StatusForbidden
		}
		if strings.Contains(mode, "transaction") {
			key += r.Header.Get("x-transaction-uuid")
		}
		mu.Lock()
		defer mu.Unlock()
		if !seen[key] {
			seen[key], status = true, http.StatusAccepted
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"file_id":%q,"file_state":{},"created_at":"2026-01-01T00:00:00Z"}`,
			r.Header.Get("nonce"))
	}))
	defer server.Close()
	result := play(t, t.Context(), file(t, "name: two\nbase_url: "+server.URL+
		"\ncredentials: {api_key: key-of-a-test}\nload: {allow: true}\n"),
		planned(t, "rate=100/s", "duration=2500ms", "repeats=40%", "track-files=0"))
	if q := result.Run.Requests; q.Blocked < 20 || q.Accepted+q.Blocked != q.Sent ||
		result.Run.Statuses != nil {
		t.Errorf("%+v, %v: %s", q, result.Run.Statuses, result.Run.Reason)
	}
}

// What a deployment does wrong fails the run without a threshold on it.
func TestFailuresNeedNoThreshold(t *testing.T) {
	accept := func(w http.ResponseWriter, id string) {
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprintf(w, `{"file_id":%q,"file_state":{},"created_at":"2026-01-01T00:00:00Z"}`, id)
	}
	var seen sync.Map
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		code   int
		says   string
	}{
		"accepts repeats": {func(w http.ResponseWriter, r *http.Request) {
			accept(w, r.Header.Get("nonce"))
		}, 1, "unblocked repeats: 5 repeats accepted, 5 of them before the run"},
		"fails": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
		}, 1, "500"},
		"is unavailable": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
		}, 3, "503"},
		"throttles": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusConflict)
		}, 3, "409"},
		"gives one file ID": {func(w http.ResponseWriter, r *http.Request) {
			if _, again := seen.LoadOrStore(r.Header.Get("nonce"), true); again {
				w.WriteHeader(http.StatusConflict)
				return
			}
			accept(w, "one")
		}, 1, "19 answers broke a documented rule"},
	} {
		server := httptest.NewServer(c.handle)
		result := play(t, t.Context(), file(t, "name: bad\nbase_url: "+server.URL+
			"\ncredentials: {api_key: key-of-a-test}\nload: {allow: true}\n"),
			planned(t, "rate=50/s", "duration=400ms", "repeats=0", "track-files=0", "slo=none"))
		if result.ExitCode() != c.code || !strings.Contains(result.Run.Reason, c.says) {
			t.Errorf("%s: exit code %d: %s", name, result.ExitCode(), result.Run.Reason)
		}
		server.Close()
	}
}
