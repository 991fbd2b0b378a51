package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/load/results"
)

// TestTheShellExample runs what docs/distributed.md shows.
func TestTheShellExample(t *testing.T) {
	t.Parallel()
	w, out := newWitness(t), t.TempDir()
	binary := must.Get(exec.LookPath("gateassay"))(t)
	c := exec.Command("sh", filepath.Join("..", "..", "deploy", "local", "shards.sh"), w.deployment, "4", out, "--rate",
		"120/s", "--duration", "2s", "--repeats", "10%")
	c.Env = append(os.Environ(), "GATEASSAY="+binary, "RUN_ID=example")
	said, err := c.CombinedOutput()
	if got := code(t, err); got != 0 && (got != 3 || !bytes.Contains(said, []byte("describe the generator"))) {
		t.Fatalf("exit code %d: %s", got, said)
	}
	run, err := results.Read(filepath.Join(out, "example", "merged"))
	if err != nil || run.Requests.Scheduled != 240 || run.Requests.Accepted+run.Requests.Blocked != 240 ||
		run.Requests.Blocked == 0 || len(run.Merge.Shards) != 4 {
		t.Errorf("%v, %+v: %s", err, run.Requests, said)
	}
	if !bytes.Contains(said, []byte(filepath.Join("example", "merged"))) {
		t.Errorf("the folder is not named: %s", said)
	}
}

// TestTheShellExampleSaysWhy has shards that cannot begin.
func TestTheShellExampleSaysWhy(t *testing.T) {
	t.Parallel()
	binary := must.Get(exec.LookPath("gateassay"))(t)
	c := exec.Command("sh", filepath.Join("..", "..", "deploy", "local", "shards.sh"), "absent.yaml", "2", t.TempDir(),
		"--rate", "9/s", "--duration", "1s")
	c.Env = append(os.Environ(), "GATEASSAY="+binary)
	said, err := c.CombinedOutput()
	if got := code(t, err); got != 2 ||
		bytes.Count(said, []byte("gateassay: absent.yaml: the deployment file cannot be read")) != 2 {
		t.Fatalf("exit code %d: %s", got, said)
	}
}

// TestTheManifestsAreWhatIsRendered holds each manifest to the command that prints it; make generate renews them.
func TestTheManifestsAreWhatIsRendered(t *testing.T) {
	makefile := string(read(filepath.Join("..", "..", "Makefile")))
	commands := regexp.MustCompile(
		`(?m)^\t\./\$\(BIN\) (load kubernetes .*) > deploy/kubernetes/(\S+)$`).FindAllStringSubmatch(makefile, -1)
	if len(commands) != 1 {
		t.Fatalf("%d commands in the Makefile", len(commands))
	}
	for _, command := range commands {
		c := exec.Command("gateassay", strings.Fields(command[1])...)
		c.Dir = filepath.Join("..", "..")
		c.Env = append(os.Environ(), "GATEWAY_TOKEN=") // the pods have it, not whoever prints the job
		said := must.Get(c.Output())(t)
		if !bytes.Equal(said, read(filepath.Join("..", "..", "deploy", "kubernetes", command[2]))) {
			t.Errorf("deploy/kubernetes/%s is stale: make generate", command[2])
		}
	}
}
