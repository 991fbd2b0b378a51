package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/traffic"
)

// witness is a gateway that writes down when each export arrived.
type witness struct {
	deployment string // path of its file

	mu   sync.Mutex
	seen map[string][]time.Time // by nonce
}

func newWitness(t *testing.T, faults ...string) *witness {
	t.Helper()
	g := must.Get(reference.New(reference.Options{Seed: 1, Faults: faults}))(t)
	w := &witness{seen: map[string][]time.Time{}, deployment: filepath.Join(t.TempDir(), "d.yaml")}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/exports") {
			w.mu.Lock()
			w.seen[r.Header.Get("nonce")] = append(w.seen[r.Header.Get("nonce")], time.Now())
			w.mu.Unlock()
		}
		g.ServeHTTP(out, r)
	}))
	t.Cleanup(server.Close)
	must.Succeed(t, os.WriteFile(w.deployment, g.DeploymentYAML(server.URL), 0o600))
	return w
}

// arrivals counts how often request k of a run came, and when it first did.
func (w *witness) arrivals(seed int64, id string, k int64) (int, time.Time) {
	nonce, _ := traffic.Identifiers(seed, id, k)
	w.mu.Lock()
	defer w.mu.Unlock()
	if all := w.seen[nonce]; len(all) > 0 {
		return len(all), all[0]
	}
	return 0, time.Time{}
}

// startAll begins the first shards of a run, each in a process of its own.
func (w *witness) startAll(t *testing.T, out string, first, shards int, flags ...string) []*exec.Cmd {
	t.Helper()
	var all []*exec.Cmd
	for i := range first {
		c := exec.Command("gateassay", append([]string{
			"load", "run", "-d", w.deployment, "--yes", "-q", "--run-id", "r1", "--shard",
			fmt.Sprintf("%d/%d", i, shards), "--ready-timeout", "1m", "--out", out,
		}, flags...)...)
		var said bytes.Buffer
		c.Stdout, c.Stderr = &said, &said
		must.Succeed(t, c.Start())
		t.Cleanup(func() {
			_ = c.Process.Kill()
			if t.Failed() {
				t.Logf("shard %d: %s", i, said.String())
			}
		})
		all = append(all, c)
	}
	return all
}

// ended waits for shards; exit codes are 0, or 3 on a busy machine.
func ended(t *testing.T, shards []*exec.Cmd) {
	t.Helper()
	for _, c := range shards {
		if got := code(t, c.Wait()); got != 0 && got != 3 {
			t.Errorf("%q: exit code %d", c.Args, got)
		}
	}
}

// code is the exit code of a command.
func code(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		return exit.ExitCode()
	}
	return 0
}

// merged reads what shard 0 merged below a folder.
func merged(t *testing.T, out string) (run results.Run, folder string) {
	t.Helper()
	folder = filepath.Join(out, "merged")
	must.Succeed(t, json.Unmarshal(must.Get(os.ReadFile(filepath.Join(folder, runfolder.RunName)))(t), &run))
	return run, folder
}

// TestFourProcessesSendOneRun has every request arrive once, at its moment, whichever process sent it.
func TestFourProcessesSendOneRun(t *testing.T) {
	t.Parallel()
	w, out := newWitness(t), t.TempDir()
	ended(t, w.startAll(t, out, 4, 4, "--stage", "{ramp: [20/s, 140/s], for: 2s}", "--stage",
		"{rate: 140/s, for: 2s}", "--repeats", "0%", "--seed", "5", "--track-files", "0%"))
	run, _ := merged(t, out)
	if run.Requests.Scheduled != 440 || run.Requests.Accepted != 440 || run.Merge.Known != 440 || run.Run.Shards != 4 {
		t.Errorf("%+v, %+v", run.Requests, run.Merge)
	}
	// A ramp is as fast as this one is on the moment: T(k) solves 20 t + 30 t² = k, then 140 a second follow.
	first, last := time.Duration(0), time.Duration(0)
	for k := range int64(440) {
		n, at := w.arrivals(5, "r1", k)
		if n != 1 {
			t.Fatalf("request %d arrived %d times", k, n)
		}
		off := at.Sub(run.Run.StartedAt) - moment(k)
		first, last = min(first, off), max(last, off)
	}
	if first < -100*time.Millisecond || last > 3*time.Second {
		t.Errorf("requests arrived up to %s before and %s after their moment", -first, last)
	}
}

// moment is T(k) of the schedule above, found by halving.
func moment(k int64) time.Duration {
	low, high := 0.0, 10.0
	for range 60 {
		t := (low + high) / 2
		sent := 160 + 140*(t-2)
		if t < 2 {
			sent = 20*t + 30*t*t
		}
		if sent < float64(k) {
			low = t
		} else {
			high = t
		}
	}
	return time.Duration(high * float64(time.Second))
}

// TestWhatAKilledShardSentIsUnknown kills one of three processes without warning.
func TestWhatAKilledShardSentIsUnknown(t *testing.T) {
	t.Parallel()
	w, out := newWitness(t), t.TempDir()
	shards := w.startAll(t, out, 3, 3, "--rate", "90/s", "--duration", "6s", "--repeats", "10%", "--track-files", "0%")
	path := filepath.Join(out, "1", runfolder.IntervalsName)
	deadline := time.Now().Add(2 * time.Minute)
	for bytes.Count(read(path), []byte(`{"type":"interval"`)) < 2 {
		if time.Now().After(deadline) {
			t.Fatal("the shard recorded no interval")
		}
		time.Sleep(20 * time.Millisecond)
	}
	must.Succeed(t, shards[1].Process.Kill())
	_ = shards[1].Wait()
	ended(t, []*exec.Cmd{shards[0], shards[2]})
	run, folder := merged(t, out)
	m := run.Merge
	killed, known := m.Shards[1], m.Known-m.Shards[0].Scheduled-m.Shards[2].Scheduled
	if run.Verdict != results.Inconclusive || killed.State != results.Killed || m.Shards[0].State != results.Complete ||
		m.Known+m.Unknown != 540 || m.Unknown == 0 || known < 30 {
		t.Errorf("%s: %+v", run.Reason, m)
	}
	if run.Requests.FalseBlocks+run.Requests.MissedBlocks > 0 || len(run.Violations) > 0 {
		t.Errorf("a shard that was killed is not a fault of the deployment: %+v, %v", run.Requests, run.Violations)
	}
	arrived := int64(0)
	for k := int64(1); k < 540; k += 3 {
		if n, _ := w.arrivals(1, "r1", k); n > 0 {
			arrived++
		}
	}
	if known > arrived+54 || arrived == 180 { // repeats came as what they repeat
		t.Errorf("%d requests of the killed shard arrived; the merge claims to know of %d", arrived, known)
	}
	for _, command := range [][]string{
		{"report", "show", folder},
		{"report", "compare", folder, filepath.Join(out, "0")},
	} {
		if said, err := exec.Command("gateassay", command...).CombinedOutput(); code(t, err) == 4 || code(t, err) == 2 {
			t.Errorf("%v: %s", command, said)
		}
	}
	again, err := results.Read(folder)
	if err != nil || again.Requests != run.Requests || again.Reason != run.Reason || again.Merge.Unknown != m.Unknown {
		t.Errorf("rebuilt otherwise: %v, %s", err, again.Reason)
	}
}

// read gives what a file holds by now.
func read(path string) []byte {
	data, _ := os.ReadFile(path)
	return data
}
