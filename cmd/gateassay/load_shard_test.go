package main

import (
	"bytes"
	"encoding/json"
	"errors"
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

func newWitness(t *testing.T) *witness {
	t.Helper()
	g := must.Get(reference.New(reference.Options{Seed: 1}))(t)
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

// TestFourProcessesSendOneRun runs what docs/distributed.md shows: every request arrives once, at its moment, whichever
// process sent it.
func TestFourProcessesSendOneRun(t *testing.T) {
	w, out := newWitness(t), t.TempDir()
	c := exec.Command("sh", filepath.Join("..", "..", "deploy", "local", "shards.sh"), w.deployment, "4", out, "--rate", "100/s", "--duration", "3s",
		"--repeats", "0%", "--seed", "5", "--track-files", "0%")
	c.Env = append(os.Environ(), "GATEASSAY="+must.Get(exec.LookPath("gateassay"))(t), "RUN_ID=r1")
	said, err := c.CombinedOutput()
	if got := code(t, err); got != 0 && got != 3 || !bytes.Contains(said, []byte(filepath.Join("r1", "merged"))) { // 3 on a busy machine
		t.Fatalf("exit code %d: %s", got, said)
	}
	var run results.Run
	must.Succeed(t, json.Unmarshal(read(filepath.Join(out, "r1", "merged", runfolder.RunName)), &run))
	if run.Requests.Scheduled != 300 || run.Requests.Accepted != 300 || run.Merge.Known != 300 || run.Run.Shards != 4 {
		t.Errorf("%+v, %+v", run.Requests, run.Merge)
	}
	var late []time.Duration
	for k := range int64(300) {
		n, at := w.arrivals(5, "r1", k)
		if n != 1 {
			t.Fatalf("request %d arrived %d times", k, n)
		}
		late = append(late, at.Sub(run.Run.StartedAt)-time.Duration(k)*10*time.Millisecond)
	}
	slices.Sort(late) // a busy machine holds some of them back
	if first, half := late[0], late[len(late)/2]; first < -100*time.Millisecond || half > time.Second {
		t.Errorf("requests arrived up to %s before their moment, and half of them %s or more after it", -first, half)
	}
}

// TestTheManifestsAreWhatIsRendered holds the manifest to the command that prints it; make generate renews it.
func TestTheManifestsAreWhatIsRendered(t *testing.T) {
	root := filepath.Join("..", "..")
	commands := regexp.MustCompile(`(?m)^\t\./\$\(BIN\) (kubernetes .*) > (deploy/kubernetes/\S+)$`).FindAllStringSubmatch(
		string(read(filepath.Join(root, "Makefile"))), -1)
	if len(commands) != 3 {
		t.Fatalf("%d manifests are made", len(commands))
	}
	for _, command := range commands {
		c := exec.Command("gateassay", strings.Fields(command[1])...)
		c.Dir, c.Env = root, append(os.Environ(), "GATEWAY_TOKEN=") // the pods have it, not whoever prints the job
		if said := must.Get(c.Output())(t); !bytes.Equal(said, read(filepath.Join(root, command[2]))) {
			t.Errorf("%s is stale: make generate", command[2])
		}
	}
}

// read gives what a file holds by now.
func read(path string) []byte {
	data, _ := os.ReadFile(path)
	return data
}
