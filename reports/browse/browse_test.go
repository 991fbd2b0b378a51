package browse_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/browse"
	"github.com/gateassay/gateassay/reports/page"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

const host = "127.0.0.1:8090"

func put(t testing.TB, path string, content any) {
	t.Helper()
	data, isText := content.(string)
	if !isText {
		raw, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		data = string(raw)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func loaded(id string, p99 float64) results.Run {
	times := results.Times{P50: 10, P99: p99}
	return results.Run{
		Schema: results.Schema, Run: results.Info{
			ID: id, Deployment: "staging",
			StartedAt: recordtest.Start, FinishedAt: recordtest.Start.Add(time.Minute),
		},
		Plan: json.RawMessage("{}"), Verdict: results.Pass,
		Thresholds: []threshold.Result{{Expr: "p99<300ms", Observed: "212ms", OK: true}},
		Requests:   results.Requests{Sent: 1000, Accepted: 990}, Rate: results.Rate{Target: 100, Achieved: 99.5},
		Latency: results.Latency{Service: times, Response: times},
	}
}

// runs is a folder with runs of every kind, good and bad.
func runs(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "good", "run.json"), recordtest.Clean())
	report, err := page.Write(recordtest.Clean(), nil)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "good", "report.html"), string(report))
	put(t, filepath.Join(dir, "deep", "er", "bad", "run.json"), recordtest.Run())
	put(t, filepath.Join(dir, "load-1", "run.json"), loaded("a", 200))
	put(t, filepath.Join(dir, "load-2", "run.json"), loaded("b", 300))
	put(t, filepath.Join(dir, "capacity", "run.json"),
		`{"schema":"gateassay/load-capacity/v1","verdict":"pass","run":{"deployment":"staging","started_at":"2026-11-20T09:30:00Z"},"capacity":{"rate":210}}`)
	put(t, filepath.Join(dir, "capacity", "probes", "001", "run.json"), loaded("probe", 1))
	put(t, filepath.Join(dir, "cut", "run.json"), `{"schema":`)
	put(t, filepath.Join(dir, "killed", "journal.ndjson"), "{}")
	put(t, filepath.Join(dir, "future", "run.json"), `{"schema":"gateassay/conformance/v9"}`)
	put(t, filepath.Join(dir, "notes", "readme.txt"), "private")
	return dir
}

func open(t testing.TB, dir string) *browse.Handler {
	t.Helper()
	h, err := browse.Open(dir, browse.Options{
		Hosts: []string{host, "localhost:8090"}, Title: "runs", Patience: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
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

func of(page, run string, more ...string) string {
	q := url.Values{"run": {run}}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return page + "?" + q.Encode()
}

// holds wants texts in a page.
func holds(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing in\n%s", want, page)
		}
	}
}

func TestTheListShowsEveryRun(t *testing.T) {
	h := open(t, runs(t))
	body := get(h, "/").Body.String()
	holds(t, body, "conformant", "violations", "p99 200 ms at 99.5/s", "210/s", "unreadable",
		"gateassay/conformance/v9", "1 to 8 of 8", "/report?run=good", "/report?run=deep%2fer%2fbad")
	if strings.Contains(body, "probe") || strings.Contains(body, "/report?run=cut") {
		t.Error("the list holds a probe of a search, or a report that cannot be made")
	}
	filtered := get(h, "/?kind=load&verdict=pass").Body.String()
	if !strings.Contains(filtered, "1 to 2 of 2, 8 in all") || strings.Contains(filtered, "violations</span>") {
		t.Errorf("filtered:\n%s", filtered)
	}
	if none := get(h, "/?kind=load&verdict=conformant"); none.Code != http.StatusOK ||
		!strings.Contains(none.Body.String(), "No run matches") {
		t.Error(none.Code)
	}
	if empty := get(open(t, t.TempDir()), "/"); !strings.Contains(empty.Body.String(), "holds no recorded run yet") {
		t.Error(empty.Body.String())
	}
	if _, err := browse.Open(filepath.Join(t.TempDir(), "absent"), browse.Options{}); err == nil {
		t.Error("a folder that is not there was opened")
	}
}

func TestWhatChangesOnDiskIsSeen(t *testing.T) {
	dir := runs(t)
	h := open(t, dir)
	get(h, "/")
	put(t, filepath.Join(dir, "cut", "run.json"), loaded("whole", 123))
	if body := get(h, "/").Body.String(); !strings.Contains(body, "p99 123 ms") {
		t.Error("the old run.json is still shown")
	}
	if err := os.RemoveAll(filepath.Join(dir, "good")); err != nil {
		t.Fatal(err)
	}
	if w := get(h, of("/run", "good")); w.Code != http.StatusNotFound {
		t.Error(w.Code)
	}
}

func TestOnlyNamedHostsAndOnlyReading(t *testing.T) {
	h := open(t, runs(t))
	for _, good := range []string{host, "localhost:8090", "LOCALHOST:8090"} {
		if w := ask(h, http.MethodGet, good, "/"); w.Code != http.StatusOK {
			t.Errorf("%s: %d", good, w.Code)
		}
	}
	for _, bad := range []string{
		"", "evil.example", "evil.example:8090", "127.0.0.1",
		"127.0.0.1:8091", "localhost:8090.evil.example", "127.0.0.1:8090@evil.example",
	} {
		for _, target := range []string{
			"/", "/run?run=good", "/report?run=good", "/file?run=good&name=run.json", "/style.css", "/nowhere",
		} {
			if w := ask(h, http.MethodGet, bad, target); w.Code != http.StatusMisdirectedRequest ||
				strings.Contains(w.Body.String(), "staging") {
				t.Errorf("%q %s: %d", bad, target, w.Code)
			}
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"} {
		if w := ask(h, method, host, "/"); w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
	nobody, err := browse.Open(t.TempDir(), browse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer nobody.Close()
	if w := get(nobody, "/"); w.Code != http.StatusMisdirectedRequest {
		t.Errorf("without hosts: %d", w.Code)
	}
}

func TestNothingOutsideOfTheFolderIsServed(t *testing.T) {
	dir := runs(t)
	outside := t.TempDir()
	put(t, filepath.Join(outside, "run.json"), loaded("outside", 777))
	put(t, filepath.Join(outside, "report.html"), "outside")
	links := map[string]string{
		filepath.Join(dir, "linked"):                outside,
		filepath.Join(dir, "load-1", "report.html"): filepath.Join(outside, "report.html"),
		filepath.Join(dir, "load-1", "summary.md"):  "/etc/hostname",
	}
	for link, target := range links {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	h := open(t, dir)
	if body := get(h, "/").Body.String(); strings.Contains(body, "777") || strings.Contains(body, "run=linked") {
		t.Error("a link out of the folder was followed")
	}
	for _, target := range []string{
		of("/run", ".."), of("/run", "../"+filepath.Base(outside)), of("/run", outside), of("/run", "linked"),
		of("/run", "good/../good"), of("/run", ""), of("/run", "good/"), of("/run", "notes"),
		of("/run", "capacity/probes/001"), of("/report", "linked"), of("/report", "load-1"),
		of("/report", "../good"), of("/file", "good", "name", "../load-1/run.json"),
		of("/file", "good", "name", "/etc/passwd"), of("/file", "good", "name", "report.html"),
		of("/file", "good", "name", ""), of("/file", "notes", "name", "readme.txt"),
		of("/file", "load-1", "name", "summary.md"), of("/file", "good", "name", "run.json\x00"),
		"/compare?a=good&b=..%2F" + filepath.Base(outside), "/compare?a=linked&b=good", "/files/good/run.json",
		"/good/run.json",
	} {
		if w := get(h, target); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "outside") {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	if w := get(h, of("/file", "good", "name", "run.json")); w.Code != http.StatusOK ||
		!strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") ||
		!strings.Contains(w.Header().Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestNothingOfARunActsAsMarkup(t *testing.T) {
	dir := runs(t)
	hostile := recordtest.Run()
	hostile.Run.Deployment, hostile.Run.BaseURL, hostile.Run.ID, hostile.Reason = recordtest.Hostile,
		recordtest.Hostile, recordtest.Hostile, recordtest.Hostile
	hostile.Verdict = recordtest.Hostile
	put(t, filepath.Join(dir, "hostile", "run.json"), hostile)
	bad := loaded(recordtest.Hostile, 1)
	bad.Run.Deployment, bad.Thresholds[0].Expr, bad.Thresholds[0].Observed,
		bad.Reason = recordtest.Hostile, recordtest.Hostile, recordtest.Hostile, recordtest.Hostile
	put(t, filepath.Join(dir, `"><img src=x onerror=alert(1)>`, "run.json"), bad)
	put(t, filepath.Join(dir, "schema", "run.json"), map[string]string{"schema": recordtest.Hostile})
	h := open(t, dir)
	for _, target := range []string{
		"/", "/trends", "/rules", of("/run", "hostile"), of("/run", `"><img src=x onerror=alert(1)>`),
		of("/run", "schema"), "/?deployment=" + url.QueryEscape(recordtest.Hostile), "/compare?a=good&b=hostile",
		"/compare?a=deep%2Fer%2Fbad&b=hostile", of("/run", recordtest.Hostile), "/compare?a=schema&b=good",
		"/compare?a=load-1&b=" + url.QueryEscape(`"><img src=x onerror=alert(1)>`),
	} {
		w := get(h, target)
		body := w.Body.String()
		for _, forbidden := range []string{"<script>alert", "<img", "javascript:alert", "\x1b", "\u202e", "\x00"} {
			if strings.Contains(body, forbidden) &&
				!(forbidden == "javascript:alert" && strings.Contains(body, "x](javascript")) {
				t.Errorf("%.80q holds %q", target, forbidden)
			}
		}
		policy := w.Header().Get("Content-Security-Policy")
		own := strings.HasPrefix(policy, "default-src 'none'; style-src 'self'") &&
			!strings.Contains(policy, "script") && !strings.Contains(body, "<script")
		if apart := strings.HasPrefix(policy, "sandbox"); !own &&
			!(apart && w.Code == http.StatusOK && strings.HasPrefix(target, "/compare")) {
			t.Errorf("%s: policy %q", target, policy)
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: sniffing", target)
		}
	}
}

func TestTrends(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		run := recordtest.Clean()
		run.Run.StartedAt = run.Run.StartedAt.AddDate(0, 0, i)
		put(t, filepath.Join(dir, fmt.Sprint("c", i), "run.json"), run)
	}
	put(t, filepath.Join(dir, "l", "run.json"), loaded("l", 250))
	other := loaded("o", 1e300)
	other.Run.Deployment = "canary"
	put(t, filepath.Join(dir, "o", "run.json"), other)
	negative := loaded("n", -5)
	negative.Run.Deployment = "negative"
	put(t, filepath.Join(dir, "n", "run.json"), negative)
	body := get(open(t, dir), "/trends").Body.String()
	counts := recordtest.Clean().Counts
	holds(t, body,
		"<h2>staging <", "<h2>canary <", "Rules passed of 3 runs", `href="/run?run=c2"`, "response p99 250 ms",
		`class="line c1"`, "must rules open", fmt.Sprintf("%d of %d rules passed, ", counts.Pass, counts.Pass))
	interrupted := recordtest.Clean()
	interrupted.Run.Partial, interrupted.Run.Deployment = true, "interrupted"
	put(t, filepath.Join(dir, "p", "run.json"), interrupted)
	only := get(open(t, dir), "/trends?deployment=interrupted").Body.String()
	if !strings.Contains(only, "1 run did not reach the end and is not drawn") ||
		strings.Contains(only, "Rules passed") || strings.Contains(only, "<h2>staging <") {
		t.Errorf("of an interrupted run: %s", only)
	}
	if strings.Contains(body, "NaN") || strings.Contains(body, "Inf") {
		t.Error("a coordinate is not a number")
	}
	if empty := get(open(t, t.TempDir()), "/trends"); !strings.Contains(empty.Body.String(), "nothing to show") {
		t.Error("an empty folder shows trends")
	}
}

func TestTheFolderMayBeARunItself(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "run.json"), recordtest.Clean())
	h := open(t, dir)
	if w := get(h, of("/run", ".")); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "conformant") {
		t.Error(w.Code)
	}
	if run := record.Conformant; !strings.Contains(get(h, "/").Body.String(), string(run)) {
		t.Error("it is not listed")
	}
}

func TestMustRulesThatStayOpenAreCounted(t *testing.T) {
	run := recordtest.Run()
	open := 0
	for _, rule := range run.Rules {
		if rule.Level == "must" && (rule.Verdict == record.NotVerified || rule.Verdict == record.Inconclusive) {
			open++
		}
	}
	if others := run.Counts.NotVerified + run.Counts.Inconclusive; open == 0 || open == others {
		t.Fatalf("%d of %d: the sample shows nothing", open, others)
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "run", "run.json"), run)
	h, err := browse.Open(dir, browse.Options{Hosts: []string{host}, Patience: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if want, body := fmt.Sprintf("<dt>Must rules open</dt><dd>%d</dd>", open), get(h,
		of("/run", "run")).Body.String(); !strings.Contains(body, want) {
		t.Errorf("the page lacks %q", want)
	}
}
