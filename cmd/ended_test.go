//go:build unix

package cmd

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
)

// loadFor returns the command that sends 50 requests per second to the embedded gateway.
// suites/hostile tests interruptions of conform.
func loadFor(duration, out string) *exec.Cmd {
	return exec.Command("gateassay", "load", "run", "--rate", "50/s", "--duration", duration, "--slo",
		"none", "--out", out)
}

// awaitIntervals waits until the run has recorded its first interval.
func awaitIntervals(t *testing.T, out string) {
	t.Helper()
	for until := time.Now().Add(time.Minute); !bytes.Contains(read(filepath.Join(out,
		runfolder.IntervalsName)),
		[]byte(`"interval"`)); {
		if time.Sleep(20 * time.Millisecond); time.Now().After(until) {
			t.Fatal("no run began")
		}
	}
}

// isPartial reports whether the record marks the run as partial.
func isPartial(t *testing.T, dir string) bool {
	t.Helper()
	var r struct{ Run struct{ Partial bool } }
	testmust.Succeed(t, json.Unmarshal(read(filepath.Join(dir, runfolder.RunName)), &r))
	return r.Run.Partial
}

// partial matches the words in a report that say that a run is incomplete.
var partial = regexp.MustCompile(`(?i)partial|interrupted|was killed`)

// An interrupted load run writes its measurements; a killed one can still be shown.
func TestLoadThatIsEndedIsRecorded(t *testing.T) {
	for _, with := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		t.Run(with.String(), func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "run")
			c := loadFor("1m", out)
			said := &bytes.Buffer{}
			c.Stdout, c.Stderr = said, said
			testmust.Succeed(t, c.Start())
			t.Cleanup(func() { _ = c.Process.Kill() })
			awaitIntervals(t, out)
			testmust.Succeed(t, c.Process.Signal(with))
			if got := code(t, c.Wait()); c.ProcessState.Exited() &&
				(got != exitInterrupted || !isPartial(t, out)) {
				t.Errorf("exit code %d: %s", got, said)
			}
			shown, err := exec.Command("gateassay", "report", "show", out).CombinedOutput()
			if code(t, err) != exitOK || !partial.Match(shown) {
				t.Errorf("report show: %v: %s", err, shown)
			}
		})
	}
}

// If the reader of the output is gone, the run is still recorded, and the exit code says that the
// report was not printed.
func TestLoadWhosePipeIsClosedIsRecorded(t *testing.T) {
	out := filepath.Join(t.TempDir(), "run")
	c := loadFor("1s", out)
	read, write, err := os.Pipe()
	testmust.Succeed(t, err)
	c.Stdout, c.Stderr = write, write
	_ = read.Close()
	err = c.Run()
	_ = write.Close()
	if partial := isPartial(t, out); code(t, err) != exitHarnessFailed || partial {
		t.Errorf("%v, partial: %v", err, partial)
	}
}

// Files of a run can be written although its connections used up all descriptors.
func TestLoadThatRunsOutOfDescriptorsIsRecorded(t *testing.T) {
	t.Parallel()
	id := strings.NewReplacer("ID", "7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b01")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(300 * time.Millisecond)
		_, _ = id.WriteString(w,
			`{"file_id": "ID", "file_state": {}, "created_at": "2026-01-01T00:00:00Z"}`)
	}))
	defer server.Close()
	dir := t.TempDir()
	testmust.Succeed(t,
		os.WriteFile(filepath.Join(dir, "d.yaml"), []byte("name: a\nbase_url: "+server.URL+
			"\ncredentials: {api_key: abcdefgh12345678}\nload: {allow: true, max_rate: 1000}\n"), 0o600))
	for _, engine := range []string{"vegeta", "direct"} {
		c := exec.Command("sh", "-c",
			"ulimit -n 40; exec gateassay load run -d d.yaml --rate 200/s --duration 1s --slo none --yes "+
				"--repeats 0 --out "+engine+" --engine "+engine)
		c.Dir = dir
		said, err := c.CombinedOutput()
		if code(t, err) != exitNoVerdict || !bytes.Contains(said, []byte("out of")) {
			t.Errorf("%s: %v: %s", engine, err, said)
		}
		for _, name := range []string{
			"exchanges.ndjson", "histograms.hlog", "series.csv", "report.html",
		} {
			if len(read(filepath.Join(dir, engine, name))) == 0 {
				t.Errorf("%s left no %s", engine, name)
			}
		}
	}
}
