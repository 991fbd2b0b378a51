package browse_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"path/filepath"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/browse"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/suites/recordtest"
)

func loaded(id string, p99 float64) results.Run {
	times := results.DurationStats{P50: 10, P99: p99}
	return results.Run{
		Schema: results.Schema, Run: results.RunInfo{
			ID: id, Deployment: "staging",
			StartedAt: recordtest.StartTime, FinishedAt: recordtest.StartTime.Add(time.Minute),
		},
		Plan: json.RawMessage("{}"), Verdict: results.VerdictPass,
		Thresholds: []threshold.Result{{Expr: "p99<300ms", Observed: "212ms", OK: true}},
		Requests:   results.RequestCounts{Sent: 1000, Accepted: 990},
		Rate:       results.Rate{Target: 100, Achieved: 99.5},
		Latency:    results.ServiceAndResponse{Service: times, Response: times},
	}
}

// put writes the run.json of a run below a folder.
func put(t testing.TB, dir, run string, content any) {
	t.Helper()
	testmust.WriteFile(t, filepath.Join(dir, run, "run.json"), content)
}

// runs returns a folder with runs of every kind, good and bad.
func runs(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, "good", recordtest.CleanRun())
	report := testmust.Get(conformance.Page(t.TempDir(), recordtest.CleanRun()))(t)
	testmust.WriteFile(t, filepath.Join(dir, "good", "report.html"), string(report))
	put(t, dir, "deep/er/bad", recordtest.SampleRun())
	put(t, dir, "load-1", loaded("a", 200))
	put(t, dir, "load-2", loaded("b", 300))
	put(t, dir, "capacity",
		`{"schema":"gateassay/load-capacity/v1","verdict":"pass","run":{"deployment":"staging","started_at":"2026-11-20T09:30:00Z"},"capacity":{"rate":210}}`)
	put(t, dir, "capacity/probes/001", loaded("probe", 1))
	put(t, dir, "cut", `{"schema":`)
	testmust.WriteFile(t, filepath.Join(dir, "killed", "journal.ndjson"), "{}")
	put(t, dir, "future", `{"schema":"gateassay/conformance/v9"}`)
	testmust.WriteFile(t, filepath.Join(dir, "notes", "readme.txt"), "private")
	return dir
}

func open(t testing.TB, dir string) *browse.Handler {
	t.Helper()
	h := testmust.Get(browse.Open(dir, browse.Options{
		Hosts: []string{host, "localhost:8090"}, Title: "runs",
	}))(t)
	t.Cleanup(func() { _ = h.Close() })
	return h
}

func ask(h http.Handler, method, at, target string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	r.Host = at
	return answer(h, r)
}

func answer(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func get(h http.Handler, target string) *httptest.ResponseRecorder {
	return ask(h, http.MethodGet, host, target)
}

// of returns the address of a file of a run.
func of(run, file string) string {
	return (&url.URL{Path: "/run/" + path.Join(run, file)}).EscapedPath()
}

const report = "report.html"

// holds fails the test unless the page contains the texts.
func holds(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		testmust.Contain(t, page, want)
	}
}
