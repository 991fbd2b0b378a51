package browse_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

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
