package browse_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// killed puts runs that were cut off into a folder: their records have no end, and there is nothing else.
func killed(t *testing.T, dir string) {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Join(dir, "conform"), 0o755))
	found := recordtest.Found()
	journal := must.Get(record.OpenJournal(filepath.Join(dir, "conform"), found.Info, found.Catalogue, nil))(t)
	for _, check := range recordtest.Clean().Rules[:5] {
		journal.Check(record.Check{Rule: check.ID, Name: "holds", Verdict: record.Pass, Exchanges: []int{1}})
	}
	must.Succeed(t, journal.Close())
	intervals := must.Get(os.ReadFile(filepath.Join("testdata", runfolder.IntervalsName)))(t)
	put(t, filepath.Join(dir, "load", runfolder.IntervalsName), string(intervals))
	for i, name := range []string{"001", "002"} {
		probe := loaded("p", 10)
		probe.Rate.Target = float64(100 * (i + 1))
		if i == 1 {
			probe.Verdict = results.Fail
		}
		put(t, filepath.Join(dir, "capacity", "probes", name, "run.json"), probe)
	}
	put(t, filepath.Join(dir, "capacity", "run.json"), `{"schema":"gateassay/load-capacity/v1","verdict":"inconclusive",
		"run":{"deployment":"staging","started_at":"2026-11-20T09:30:00Z","partial":true},
		"probes":[{"number":1,"rate":100},{"number":2,"rate":200}]}`)
}

func TestKilledRunsShowWhatTheyRecorded(t *testing.T) {
	dir := t.TempDir()
	killed(t, dir)
	long := time.Now().Add(-time.Hour)
	for _, name := range []string{"conform/" + runfolder.JournalName, "load/" + runfolder.IntervalsName} {
		must.Succeed(t, os.Chtimes(filepath.Join(dir, name), long, long))
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

func TestArchivesAreServedAsFoldersAre(t *testing.T) {
	source, dir := runs(t), t.TempDir()
	killed(t, filepath.Join(source, "killed-ones"))
	for from, to := range map[string]string{
		"good": "good.zip", "deep/er/bad": "sub/bad.zip", "load-1": "one.zip",
		"load-2": "two.zip", "killed-ones/conform": "killed.zip",
		"killed-ones/load": "cut.zip", "killed-ones/capacity": "search.zip",
	} {
		must.Succeed(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, to)), 0o755))
		must.Get(archive.Pack(filepath.Join(source, from), filepath.Join(dir, to)))(t)
	}
	whole := must.Get(os.ReadFile(filepath.Join(dir, "good.zip")))(t)
	whole[len(whole)/2] ^= 1
	put(t, filepath.Join(dir, "altered.zip"), string(whole))
	put(t, filepath.Join(dir, "none.zip"), "no archive")
	must.Succeed(t, os.Symlink(filepath.Join(dir, "good.zip"), filepath.Join(dir, "linked.zip")))
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	h := open(t, dir)
	body := get(h, "/").Body.String()
	holds(t, body, "9 runs", "conformant", "2 probes", "violations", "p99 200 ms", "5 passed, ",
		"unreadable", "cannot be trusted", "/run/sub/bad.zip/report.html")
	if strings.Contains(body, dir) || strings.Contains(body, temp) {
		t.Error("the list says where archives lie")
	}
	for target, want := range map[string]string{
		of("sub/bad.zip", report): "export.range.end_exclusive", of("cut.zip", report): "reference",
		of("search.zip/probes/001", report): "staging", of("good.zip", "run.json"): record.Schema,
		"/compare?a=good.zip&b=sub%2Fbad.zip": "end_exclusive", "/trends": "good.zip",
	} {
		if w := get(h, target); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) ||
			strings.Contains(w.Body.String(), temp) {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	for _, target := range []string{of("altered.zip", report), of("linked.zip", report), of("good.zip/run.json", report)} {
		if w := get(h, target); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
