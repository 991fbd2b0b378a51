//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/runfolder"
)

// begun starts a run in a process of its own, and waits until its folder is there.
func begun(t *testing.T, out string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	c := exec.Command("gateassay", append(args, "--quiet", "--out", out)...)
	said := &bytes.Buffer{}
	c.Stdout, c.Stderr = said, said
	must.Succeed(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() })
	for range 3000 {
		for _, name := range []string{runfolder.JournalName, runfolder.IntervalsName} {
			if info, err := os.Stat(filepath.Join(out, name)); err == nil && info.Size() > 0 {
				return c, said
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no run began: %s", said)
	return nil, nil
}

// partial finds the words of a report that a run was not carried out to its end.
var partial = regexp.MustCompile(`(?i)partial|interrupted|was killed`)

type recordedRun struct {
	Verdict string `json:"verdict"`
	Run     struct {
		Partial bool `json:"partial"`
	} `json:"run"`
}

func recordedIn(t *testing.T, dir string) recordedRun {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join(dir, runfolder.RunName)))(t)
	var r recordedRun
	must.Succeed(t, json.Unmarshal(data, &r))
	return r
}

// A run that is ended at any moment writes what it found: whole with its verdict, or partial with 130. One that is killed
// can be shown all the same.
func TestARunThatIsEndedIsRecorded(t *testing.T) {
	verbs := map[string][]string{
		"conform": {"conform", "--rate", "300"},
		"load":    {"load", "run", "--rate", "50/s", "--duration", "1s", "--slo", "none", "--yes"},
	}
	for verb, args := range verbs {
		for _, with := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
			after := time.Duration(rand.IntN(1500)) * time.Millisecond
			t.Run(fmt.Sprintf("%s by %s after %s", verb, with, after), func(t *testing.T) {
				t.Parallel()
				out := filepath.Join(t.TempDir(), "run")
				c, said := begun(t, out, args...)
				time.Sleep(after)
				_ = c.Process.Signal(with) // which may have ended by itself
				err := c.Wait()
				exited := c.ProcessState.Exited()
				cut := !exited
				if _, absent := os.Stat(filepath.Join(out, runfolder.RunName)); exited || absent == nil { // killed when all was written
					r := recordedIn(t, out)
					if got := code(t, err); exited && (r.Run.Partial && got != 130 || !r.Run.Partial && got != 0 && got != 3) {
						t.Errorf("partial: %v, and exit code %d: %s", r.Run.Partial, got, said)
					}
					cut = r.Run.Partial
				}
				shown, err := exec.Command("gateassay", "report", "show", out).CombinedOutput()
				if code(t, err) > 3 || cut && !partial.Match(shown) {
					t.Errorf("report show: %v: %s", err, shown)
				}
			})
		}
	}
}

// Whoever read the output has gone: the run is recorded all the same, and the exit code says that nobody saw the
// report.
func TestARunWhosePipeIsClosedIsRecorded(t *testing.T) {
	for _, args := range [][]string{
		{"conform", "--rule", "create.success.*"}, {"load", "run", "--rate", "50/s", "--duration", "1s", "--yes"},
	} {
		out := filepath.Join(t.TempDir(), "run")
		c := exec.Command("gateassay", append(args, "--out", out)...)
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c.Stdout, c.Stderr = write, write
		_ = read.Close()
		err = c.Run()
		_ = write.Close()
		if r := recordedIn(t, out); code(t, err) != exitHarness || r.Run.Partial {
			t.Errorf("%v: %v, partial: %v", args, err, r.Run.Partial)
		}
	}
}

// A run of which a file could not be written ends with 4, whatever its verdict.
func TestARunThatCouldNotBeWrittenIsNoResult(t *testing.T) {
	// More than the limit of a file's size is refused like more than a disk holds.
	out := filepath.Join(t.TempDir(), "run")
	c := exec.Command("sh", "-c", "ulimit -f 400; exec gateassay conform --quiet --rule 'create.*' --out "+out)
	stderr := &strings.Builder{}
	c.Stdout, c.Stderr = io.Discard, stderr
	if got := code(t, c.Run()); got != exitHarness || !strings.Contains(stderr.String(), out+string(filepath.Separator)) ||
		!strings.Contains(stderr.String(), "file too large") {
		t.Errorf("exit code %d: %s", got, stderr.String())
	}
}

func TestARunGetsAlongWithFewDescriptors(t *testing.T) {
	out := filepath.Join(t.TempDir(), "run")
	c := exec.Command("sh", "-c", "ulimit -n 32; exec gateassay conform --quiet --rule 'create.success.*' --out "+out)
	if said, err := c.CombinedOutput(); code(t, err) != 0 {
		t.Errorf("%v: %s", err, said)
	}
	recordedIn(t, out)
}
