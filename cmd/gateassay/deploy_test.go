package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/record"
)

// TestTheShellExample runs what docs/distributed.md shows.
func TestTheShellExample(t *testing.T) {
	t.Parallel()
	w, out := newWitness(t), t.TempDir()
	binary, err := exec.LookPath("gateassay")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", filepath.Join("..", "..", "deploy", "local", "shards.sh"), w.deployment, "4", out, "--rate", "120/s", "--duration", "2s", "--repeats", "10%")
	c.Env = append(os.Environ(), "GATEASSAY="+binary, "RUN_ID=example")
	said, err := c.CombinedOutput()
	if got := code(t, err); got != 0 && (got != 3 || !bytes.Contains(said, []byte("describe the generator"))) {
		t.Fatalf("exit code %d: %s", got, said)
	}
	run, err := record.Load(filepath.Join(out, "example", "merged"))
	if err != nil || run.Requests.Scheduled != 240 || run.Requests.Accepted+run.Requests.Blocked != 240 || run.Requests.Blocked == 0 || len(run.Merge.Shards) != 4 {
		t.Errorf("%v, %+v: %s", err, run.Requests, said)
	}
	if !bytes.Contains(said, []byte(filepath.Join("example", "merged"))) {
		t.Errorf("the folder is not named: %s", said)
	}
}

// TestTheShellExampleSaysWhy has shards that cannot begin.
func TestTheShellExampleSaysWhy(t *testing.T) {
	t.Parallel()
	binary, err := exec.LookPath("gateassay")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", filepath.Join("..", "..", "deploy", "local", "shards.sh"), "absent.yaml", "2", t.TempDir(), "--rate", "9/s", "--duration", "1s")
	c.Env = append(os.Environ(), "GATEASSAY="+binary)
	said, err := c.CombinedOutput()
	if got := code(t, err); got != 2 || bytes.Count(said, []byte("gateassay: absent.yaml: expected a readable deployment file")) != 2 {
		t.Fatalf("exit code %d: %s", got, said)
	}
}

// TestTheManifestsHoldAPlan reads the plan and the deployment file that the pods are given.
func TestTheManifestsHoldAPlan(t *testing.T) {
	first, _, _ := strings.Cut(string(read(filepath.Join("..", "..", "deploy", "kubernetes", "shards.yaml"))), "\n---\n")
	var files struct {
		Data map[string]string `yaml:"data"`
	}
	if err := yaml.Unmarshal([]byte(first), &files); err != nil {
		t.Fatal(err)
	}
	p, err := plan.Parse("plan.yaml", []byte(files.Data["plan.yaml"]))
	if err != nil {
		t.Fatal(err)
	}
	d, err := deployment.Parse("deployment.yaml", "", []byte(files.Data["deployment.yaml"]), func(string) (string, bool) { return "a-token-of-16-bytes", true })
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Permitted(d); err != nil || p.Shards != 4 {
		t.Errorf("%d shards, %v", p.Shards, err)
	}
}
