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
	"regexp"
	"slices"
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
	g, err := traffic.New(traffic.Options{Seed: seed, RunID: id})
	if err != nil {
		panic(err)
	}
	var q traffic.Request
	g.FillFresh(k, &q)
	w.mu.Lock()
	defer w.mu.Unlock()
	if all := w.seen[q.Nonce]; len(all) > 0 {
		return len(all), all[0]
	}
	return 0, time.Time{}
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

// TestFourProcessesSendOneRun runs what docs/distributed.md shows: every request arrives once, at its moment, whichever
// process sent it.
func TestFourProcessesSendOneRun(t *testing.T) {
	t.Parallel()
	w, out := newWitness(t), t.TempDir()
	c := exec.Command("sh", filepath.Join("..", "..", "deploy", "local", "shards.sh"), w.deployment, "4", out, "--stage",
		"{ramp: [20/s, 140/s], for: 2s}", "--stage", "{rate: 140/s, for: 1s}", "--repeats", "0%", "--seed", "5", "--track-files", "0%")
	c.Env = append(os.Environ(), "GATEASSAY="+must.Get(exec.LookPath("gateassay"))(t), "RUN_ID=r1")
	said, err := c.CombinedOutput()
	if got := code(t, err); got != 0 && got != 3 || !bytes.Contains(said, []byte(filepath.Join("r1", "merged"))) { // 3 on a busy machine
		t.Fatalf("exit code %d: %s", got, said)
	}
	run, _ := merged(t, filepath.Join(out, "r1"))
	if run.Requests.Scheduled != 300 || run.Requests.Accepted != 300 || run.Merge.Known != 300 || run.Run.Shards != 4 {
		t.Errorf("%+v, %+v", run.Requests, run.Merge)
	}
	// A ramp is as fast as this one is on the moment: T(k) solves 20 t + 30 t² = k, then 140 a second follow.
	var late []time.Duration
	for k := range int64(300) {
		n, at := w.arrivals(5, "r1", k)
		if n != 1 {
			t.Fatalf("request %d arrived %d times", k, n)
		}
		late = append(late, at.Sub(run.Run.StartedAt)-moment(k))
	}
	slices.Sort(late) // a busy machine holds some of them back
	if first, half := late[0], late[len(late)/2]; first < -100*time.Millisecond || half > time.Second {
		t.Errorf("requests arrived up to %s before their moment, and half of them %s or more after it", -first, half)
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

// TestWhatAKilledShardSentIsUnknown kills one of two processes without warning.
func TestWhatAKilledShardSentIsUnknown(t *testing.T) {
	t.Parallel()
	w, out := newWitness(t), t.TempDir()
	var shards []*exec.Cmd
	for i := range 2 {
		c := exec.Command("gateassay", "load", "run", "-d", w.deployment, "--yes", "-q", "--run-id", "r1", "--shard", fmt.Sprintf("%d/2", i),
			"--ready-timeout", "1m", "--out", out, "--rate", "60/s", "--duration", "5s", "--repeats", "10%", "--track-files", "0%")
		must.Succeed(t, c.Start())
		t.Cleanup(func() { _ = c.Process.Kill() })
		shards = append(shards, c)
	}
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
	if got := code(t, shards[0].Wait()); got != 3 {
		t.Errorf("exit code %d", got)
	}
	run, folder := merged(t, out)
	m := run.Merge
	killed, known := m.Shards[1], m.Known-m.Shards[0].Scheduled
	if run.Verdict != results.Inconclusive || killed.State != results.Killed || m.Shards[0].State != results.Complete ||
		m.Known+m.Unknown != 300 || m.Unknown == 0 || known < 30 {
		t.Errorf("%s: %+v", run.Reason, m)
	}
	if run.Requests.FalseBlocks+run.Requests.MissedBlocks > 0 || len(run.Violations) > 0 {
		t.Errorf("a shard that was killed is not a fault of the deployment: %+v, %v", run.Requests, run.Violations)
	}
	arrived := int64(0)
	for k := int64(1); k < 300; k += 2 {
		if n, _ := w.arrivals(1, "r1", k); n > 0 {
			arrived++
		}
	}
	if known > arrived+30 || arrived == 150 { // repeats came as what they repeat
		t.Errorf("%d requests of the killed shard arrived; the merge claims to know of %d", arrived, known)
	}
	again, err := results.Read(folder)
	if err != nil || again.Requests != run.Requests || again.Reason != run.Reason || again.Merge.Unknown != m.Unknown {
		t.Errorf("rebuilt otherwise: %v, %s", err, again.Reason)
	}
}

// TestTheManifestsAreWhatIsRendered holds the manifest to the command that prints it; make generate renews it.
func TestTheManifestsAreWhatIsRendered(t *testing.T) {
	command := regexp.MustCompile(`(?m)^\t\./\$\(BIN\) (load kubernetes .*) > (deploy/kubernetes/\S+)$`).FindStringSubmatch(
		string(read(filepath.Join("..", "..", "Makefile"))))
	c := exec.Command("gateassay", strings.Fields(command[1])...)
	c.Dir = filepath.Join("..", "..")
	c.Env = append(os.Environ(), "GATEWAY_TOKEN=") // the pods have it, not whoever prints the job
	if said := must.Get(c.Output())(t); !bytes.Equal(said, read(filepath.Join("..", "..", command[2]))) {
		t.Errorf("%s is stale: make generate", command[2])
	}
}

// read gives what a file holds by now.
func read(path string) []byte {
	data, _ := os.ReadFile(path)
	return data
}
