package browse_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/browse"
	"github.com/gateassay/gateassay/reports/conformance"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

const host = "127.0.0.1:8090"

func TestTheListShowsEveryRun(t *testing.T) {
	h := open(t, runs(t))
	body := get(h, "/").Body.String()
	holds(t, body, "conformant", "violations", "p99 200 ms at 99.5/s", "210/s", "unreadable",
		"gateassay/conformance/v9", "8 runs", "/run/good/report.html", "/run/deep/er/bad/report.html",
		"/?a=load-1", `href="/?q=violations"`, `id="find"`)
	holds(t, get(h, "/?q=%22%3E%3Cb%3E").Body.String(), `value="&#34;&gt;&lt;b&gt;"`)
	if strings.Contains(body, "probe") || strings.Contains(body, "/run/cut") {
		t.Error("the list holds a probe of a search, or a report that cannot be made")
	}
	holds(t, get(h, "/?a=load-1").Body.String(), "compare with load-1",
		"/compare?a=load-1&amp;b=load-2")
	empty := get(open(t, t.TempDir()), "/")
	testmust.Contain(t, empty.Body.String(), "holds no recorded run yet")
	if _, err := browse.Open(filepath.Join(t.TempDir(), "absent"), browse.Options{}); err == nil {
		t.Error("a folder that is not there was opened")
	}
}

func TestWhatChangesOnDiskIsSeen(t *testing.T) {
	dir := runs(t)
	h := open(t, dir)
	get(h, "/")
	put(t, dir, "cut", loaded("whole", 123))
	testmust.Contain(t, get(h, "/").Body.String(), "p99 123 ms", "the old run.json is still shown")
	testmust.Succeed(t, os.RemoveAll(filepath.Join(dir, "good")))
	testmust.Equal(t, get(h, of("good", report)).Code, http.StatusNotFound)
}

func TestOnlyNamedHostsAndOnlyReading(t *testing.T) {
	h := open(t, runs(t))
	for _, good := range []string{host, "localhost:8090", "LOCALHOST:8090"} {
		testmust.Equal(t, ask(h, http.MethodGet, good, "/").Code, http.StatusOK, good)
	}
	for _, bad := range []string{
		"", "evil.example", "evil.example:8090", "127.0.0.1",
		"127.0.0.1:8091", "localhost:8090.evil.example", "127.0.0.1:8090@evil.example",
	} {
		for _, target := range []string{
			"/", "/run/good/report.html", "/run/good/run.json", "/trends", "/nowhere",
		} {
			if w := ask(h, http.MethodGet, bad, target); w.Code != http.StatusMisdirectedRequest ||
				strings.Contains(w.Body.String(), "staging") {
				t.Errorf("%q %s: %d", bad, target, w.Code)
			}
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"} {
		testmust.Equal(t, ask(h, method, host, "/").Code, http.StatusMethodNotAllowed, method)
	}
	nobody := testmust.Get(browse.Open(t.TempDir(), browse.Options{}))(t)
	defer nobody.Close()
	testmust.Equal(t, get(nobody, "/").Code, http.StatusMisdirectedRequest, "without hosts")
}

func TestNothingOutsideOfTheFolderIsServed(t *testing.T) {
	dir := runs(t)
	outside := t.TempDir()
	testmust.WriteFile(t, filepath.Join(outside, "run.json"), loaded("outside", 777))
	for link, target := range map[string]string{
		filepath.Join(dir, "linked"):                outside,
		filepath.Join(dir, "load-1", "series.csv"):  "/etc/hostname",
		filepath.Join(dir, "good", "exchanges.har"): filepath.Join(outside, "run.json"),
	} {
		testmust.Succeed(t, os.Symlink(target, link))
	}
	h := open(t, dir)
	if body := get(h, "/").Body.String(); strings.Contains(body, "777") ||
		strings.Contains(body, "run=linked") {
		t.Error("a link out of the folder was followed")
	}
	for _, target := range []string{
		of("..", report), of("../"+filepath.Base(outside), report),
		"/run/..%2f" + filepath.Base(outside) + "/run.json", "/run" + outside + "/run.json",
		of("linked", report), "/run//report.html", of("notes", report), of("load-1", report),
		of("good", report),
		of("deep/er/bad", "readme.txt"), of("capacity/probes/1/..", report),
		of("capacity/probes/-1", report),
		of("capacity/probes/9", report), of("deep/er/bad/probes/1", report),
		of("deep/er/bad", "exchanges.har"),
		"/compare?a=load-2&b=..%2F" + filepath.Base(outside), "/compare?a=linked&b=load-2",
		"/good/run.json",
	} {
		if w := get(h, target); w.Code == http.StatusOK || strings.Contains(w.Body.String(), "outside") {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
}

// A run's folder may come from anywhere: the page is made from the record, whatever report.html is
// there.
func TestAForgedReportIsNotHandedOut(t *testing.T) {
	dir := runs(t)
	genuine := testmust.Get(conformance.Page(t.TempDir(), recordtest.CleanRun()))(t)
	forged := strings.Replace(string(genuine), "<body>",
		`<body><meta http-equiv="refresh" content="0;url=https://evil.example/">`, 1)
	testmust.WriteFile(t, filepath.Join(dir, "good", "report.html"), forged)
	h := open(t, dir)
	w := get(h, of("good", report))
	policy := w.Header().Get("Content-Security-Policy")
	if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "evil.example") {
		t.Errorf("%d: what lies in the folder is shown", w.Code)
	}
	if !strings.Contains(policy, "; sandbox allow-scripts") ||
		!strings.Contains(policy, "script-src 'sha256-") ||
		!strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	holds(t, w.Body.String(), `<a href="/">All runs</a>`, `<a href="junit.xml">`, "CONFORMANT")
	for file, want := range map[string]string{
		"run.json": record.Schema, "junit.xml": "<testsuites", "summary.md": "Conformance of staging",
	} {
		w := get(h, of("good", file))
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) ||
			!strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") ||
			!strings.Contains(w.Header().Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s: %d %v", file, w.Code, w.Header())
		}
	}
}

func TestNothingOfARunActsAsMarkup(t *testing.T) {
	dir := runs(t)
	const name = `"><img src=x onerror=alert(1)>`
	bad := loaded(recordtest.HostileText, 1)
	bad.Run.Deployment, bad.Reason = recordtest.HostileText, recordtest.HostileText
	put(t, dir, name, bad)
	put(t, dir, "schema", map[string]string{"schema": recordtest.HostileText})
	h := open(t, dir)
	for _, target := range []string{
		"/", "/?a=" + url.QueryEscape(name), "/trends", of(name, report), of("schema", report),
		of(recordtest.HostileText, report), "/compare?a=schema&b=good",
		"/compare?a=load-1&b=" + url.QueryEscape(name),
	} {
		w := get(h, target)
		for _, forbidden := range []string{"<script>alert", "<img", "\x1b", "\u202e", "\x00"} {
			if strings.Contains(w.Body.String(), forbidden) {
				t.Errorf("%.80q holds %q", target, forbidden)
			}
		}
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") ||
			strings.Contains(policy, "http") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", target, w.Header())
		}
	}
}

func TestTrends(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		run := recordtest.CleanRun()
		run.Run.StartedAt = run.Run.StartedAt.AddDate(0, 0, i)
		put(t, dir, fmt.Sprint("c", i), run)
	}
	put(t, dir, "l", loaded("l", 250))
	other := loaded("o", 1e300)
	other.Run.Deployment = "canary"
	put(t, dir, "o", other)
	negative := loaded("n", -5)
	negative.Run.Deployment = "negative"
	put(t, dir, "n", negative)
	body := get(open(t, dir), "/trends").Body.String()
	holds(t, body, ">staging</h2>", ">canary</h2>", "<h3>Rules passed</h3>",
		"<h3>Rules that block</h3>",
		"<h3>p99 of load runs</h3>", "response: 250 ms throughout", `href="/run/c2/report.html"`,
		fmt.Sprintf("passed: %d throughout", recordtest.CleanRun().Counts.Pass))
	interrupted := recordtest.CleanRun()
	interrupted.Run.Partial, interrupted.Run.Deployment = true, "interrupted"
	put(t, dir, "p", interrupted)
	holds(t, get(open(t, dir), "/trends").Body.String(),
		"Not drawn: 1 run that did not reach the end, selected only some rules, or had another depth.")
	empty := get(open(t, t.TempDir()), "/trends")
	testmust.Contain(t, empty.Body.String(), "nothing to show", "an empty folder shows trends")
}

// No request shows anything outside the runs, and pages load nothing from elsewhere.
func FuzzRequest(f *testing.F) {
	dir := filepath.Join(runs(f), "good")
	outside := filepath.Join(filepath.Dir(dir), "notes") // contains the word private
	testmust.Succeed(f, os.Symlink(outside, filepath.Join(dir, "link")))
	testmust.Succeed(f,
		os.Symlink(filepath.Join(outside, "readme.txt"), filepath.Join(dir, "junit.xml")))
	h := open(f, dir)
	for _, s := range []string{
		"/", "/run/report.html", "/run/junit.xml", "/run/../notes/readme.txt", "/trends?deployment=x",
		"/compare?a=.&b=x",
		"/../notes/readme.txt", "/run/probes/1/report.html", "/run/%2e%2e%2fnotes/readme.txt",
		"/run/..\\x00/run.json",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, target string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || u.Host != "" || !strings.HasPrefix(target, "/") {
			return
		}
		w := answer(h, &http.Request{Method: http.MethodGet, Host: host, URL: u, Header: http.Header{}})
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code >= 500 || !strings.Contains(policy, "default-src 'none'") ||
			strings.Contains(policy, "http") {
			t.Errorf("%q: %d, %q", target, w.Code, policy)
		}
		if strings.Contains(w.Body.String(), "private") {
			t.Errorf("%q shows what is outside", target)
		}
	})
}

// killed writes killed runs into a folder: their records have no end, and there are no other
// files.
func killed(t *testing.T, dir string) {
	t.Helper()
	testmust.Succeed(t, os.MkdirAll(filepath.Join(dir, "conform"), 0o755))
	found := recordtest.SampleCollected()
	journal := testmust.Get(record.OpenJournal(filepath.Join(dir, "conform"), found.Info,
		found.Catalogue, nil))(t)
	for _, check := range recordtest.CleanRun().Rules[:5] {
		journal.WriteCheck(record.CheckResult{
			Rule: check.ID, Name: "holds", Verdict: record.VerdictPass, Exchanges: []int{1},
		})
	}
	testmust.Succeed(t, journal.Close())
	intervals := testmust.Get(os.ReadFile(filepath.Join("testdata", runfolder.IntervalsName)))(t)
	testmust.WriteFile(t, filepath.Join(dir, "load", runfolder.IntervalsName), string(intervals))
	for i, name := range []string{"001", "002"} {
		probe := loaded("p", 10)
		probe.Rate.Target = float64(100 * (i + 1))
		if i == 1 {
			probe.Verdict = results.VerdictFail
		}
		put(t, dir, "capacity/probes/"+name, probe)
	}
	put(t, dir, "capacity", `{"schema":"gateassay/load-capacity/v1","verdict":"inconclusive",
		"run":{"deployment":"staging","started_at":"2026-11-20T09:30:00Z","partial":true},
		"probes":[{"number":1,"rate":100},{"number":2,"rate":200}]}`)
}

func TestKilledRunsShowWhatTheyRecorded(t *testing.T) {
	dir := t.TempDir()
	killed(t, dir)
	long := time.Now().Add(-time.Hour)
	for _, name := range []string{"conform/" +
		runfolder.JournalName, "load/" + runfolder.IntervalsName} {
		testmust.Succeed(t, os.Chtimes(filepath.Join(dir, name), long, long))
	}
	h := open(t, dir)
	body := get(h, "/").Body.String()
	holds(t, body, "5 passed, ", " not verified", "conformance", "inconclusive", "2 probes so far",
		"/run/conform/report.html", "/run/load/report.html")
	for _, run := range []string{"conform", "load", "capacity"} {
		if w := get(h, of(run, report)); w.Code != http.StatusOK ||
			!strings.Contains(w.Header().Get("Content-Security-Policy"), "script-src 'sha256-") {
			t.Errorf("%s: %d", run, w.Code)
		}
		if w := get(h, of(run, "summary.md")); w.Code != http.StatusOK || w.Body.Len() < 100 {
			t.Errorf("%s: %d", run, w.Code)
		}
	}
	holds(t, get(h, of("capacity/probes/001", report)).Body.String(), "staging")
	if left, err := os.ReadDir(filepath.Join(dir, "conform")); err != nil || len(left) != 1 {
		t.Errorf("reading left %v, %v", left, err)
	}
}
