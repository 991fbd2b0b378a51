package browse_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

// killed puts runs that were cut off into a folder: their records have no end, and there is nothing else.
func killed(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "conform"), 0o755); err != nil {
		t.Fatal(err)
	}
	journal, err := record.OpenJournal(filepath.Join(dir, "conform"), recordtest.Info(), recordtest.Catalogue(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range recordtest.Clean().Rules[:5] {
		journal.Check(record.Check{Rule: check.ID, Name: "holds", Verdict: record.Pass, Exchanges: []int{1}})
	}
	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
	intervals, err := os.ReadFile(filepath.Join("testdata", runfolder.IntervalsName))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "load", runfolder.IntervalsName), string(intervals))
	for i, name := range []string{"001", "002"} {
		probe := loaded("p", 10)
		probe.Rate.Target = float64(100 * (i + 1))
		if i == 1 {
			probe.Verdict = results.Fail
		}
		put(t, filepath.Join(dir, "capacity", "probes", name, "run.json"), probe)
	}
	put(t, filepath.Join(dir, "capacity", "probes", "003", runfolder.IntervalsName), "{")
}

func TestKilledRunsShowWhatTheyRecorded(t *testing.T) {
	dir := t.TempDir()
	killed(t, dir)
	long := time.Now().Add(-time.Hour)
	for _, name := range []string{"conform/" + runfolder.JournalName, "load/" + runfolder.IntervalsName} {
		if err := os.Chtimes(filepath.Join(dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	h := open(t, dir)
	body := get(h, "/").Body.String()
	holds(t, body, "5 passed, ", " not verified", "conformance", "inconclusive", "2 probes so far", "under way",
		"/report?run=conform", "/report?run=load")
	for run, want := range map[string]string{
		"conform": "recorded until then", "load": "recorded until then", "capacity": "the search was cut off",
	} {
		if w := get(h, of("/run", run)); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d\n%s", run, w.Code, w.Body)
		}
	}
	for _, run := range []string{"conform", "load", "capacity"} {
		if w := get(h, of("/report", run)); w.Code != http.StatusOK ||
			!strings.Contains(w.Header().Get("Content-Security-Policy"), "script-src 'sha256-") {
			t.Errorf("%s: %d", run, w.Code)
		}
		if w := get(h, of("/file", run, "name", "summary.md")); w.Code != http.StatusOK || w.Body.Len() < 100 {
			t.Errorf("%s: %d", run, w.Code)
		}
	}
	for target, want := range map[string]int{
		of("/report", "capacity", "probe", "1"): http.StatusOK, of("/report", "capacity",
			"probe", "9"): http.StatusNotFound, of("/report", "capacity", "probe", "-1"): http.StatusNotFound,
		of("/report", "capacity", "probe", "../1"): http.StatusNotFound,
		of("/report", "load", "probe", "1"):        http.StatusNotFound,
	} {
		if w := get(h, target); w.Code != want {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, "conform")); err != nil || len(left) != 1 {
		t.Errorf("reading left %v, %v", left, err)
	}
}

func TestADamagedRunIsReadFromItsJournal(t *testing.T) {
	dir := t.TempDir()
	killed(t, dir)
	put(t, filepath.Join(dir, "conform", "run.json"), `{"schema": "gateassay/conf`)
	put(t, filepath.Join(dir, "capacity", "run.json"), `{"schema": "gateassay/load-cap`) // whose probes are its journal
	if body := get(open(t, dir), "/").Body.String(); !strings.Contains(body, "5 passed, ") ||
		strings.Contains(body, "unreadable") {
		t.Error(body)
	}
}

func TestArchivesAreServedAsFoldersAre(t *testing.T) {
	source, dir := runs(t), t.TempDir()
	killed(t, filepath.Join(source, "killed-ones"))
	for from, to := range map[string]string{
		"good": "good.tar.zst", "deep/er/bad": "sub/bad.tar.gz", "load-1": "one.tar.zst",
		"load-2": "two.tar.gz", "killed-ones/conform": "killed.tar.zst",
		"killed-ones/load": "cut.tar.gz", "killed-ones/capacity": "search.tar.zst",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, to)), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Pack(filepath.Join(source, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(filepath.Join(dir, "good.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 1
	put(t, filepath.Join(dir, "altered.tar.zst"), string(whole))
	put(t, filepath.Join(dir, "none.tar.gz"), "no archive")
	if err := os.Symlink(filepath.Join(dir, "good.tar.zst"), filepath.Join(dir, "linked.tar.zst")); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	h := open(t, dir)
	body := get(h, "/").Body.String()
	holds(t, body, "1 to 9 of 9", "conformant", "cut off after 2 probes", "violations", "p99 200 ms", "5 passed, ",
		"unreadable", "cannot be trusted", "/report?run=sub%2fbad.tar.gz")
	if strings.Contains(body, "under way") { // whatever was written just now
		t.Error("an archive is said to be under way")
	}
	if strings.Contains(body, dir) || strings.Contains(body, temp) {
		t.Error("the list says where archives lie")
	}
	for target, want := range map[string]string{
		of("/run", "good.tar.zst"): "Files", of("/report", "good.tar.zst"): "staging",
		of("/report", "sub/bad.tar.gz"): "export.range.end_exclusive",
		of("/report", "killed.tar.zst"): "staging", of("/report", "cut.tar.gz"): "reference",
		of("/report", "search.tar.zst"): "staging", of("/report", "search.tar.zst", "probe", "1"): "staging",
		of("/file", "good.tar.zst", "name", "run.json"):    record.Schema,
		of("/file", "sub/bad.tar.gz", "name", "junit.xml"): "<testsuite",
		"/compare?a=good.tar.zst&b=sub%2Fbad.tar.gz":       "end_exclusive",
		"/compare?a=one.tar.zst&b=two.tar.gz":              "p99",
		"/trends":                                          "good.tar.zst",
	} {
		if w := get(h, target); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) ||
			strings.Contains(w.Body.String(), temp) {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	for _, target := range []string{of("/report", "altered.tar.zst"), of("/report", "none.tar.gz"), of("/run",
		"linked.tar.zst"), of("/file", "good.tar.zst", "name", "../x"), of("/run", "good.tar.zst/run.json")} {
		if w := get(h, target); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	entries, err := os.ReadDir(temp)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	if info, err := entries[0].Info(); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others can read what was unpacked: %v %v", info.Mode(), err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestOneArchiveCanBeServed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"good.tar.zst", "other.tar.zst"} {
		if _, err := archive.Pack(filepath.Join(runs(t), "good"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	h := open(t, filepath.Join(dir, "good.tar.zst"))
	if body := get(h, "/").Body.String(); !strings.Contains(body, "1 to 1 of 1") || strings.Contains(body, "other") {
		t.Error(body)
	}
	if w := get(h, of("/run", "other.tar.zst")); w.Code != http.StatusNotFound {
		t.Error(w.Code)
	}
}
