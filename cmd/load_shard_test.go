package cmd

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

// code returns the exit code of a command.
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

// TestTheManifestsAreWhatIsRendered compares the manifest with the output of its command; make
// generate updates it.
func TestTheManifestsAreWhatIsRendered(t *testing.T) {
	root := ".."
	commands := regexp.MustCompile(`(?m)^\t\./\$\(BIN\) (kubernetes .*) > (deploy/kubernetes/\S+)$`).
		FindAllStringSubmatch(string(read(filepath.Join(root, "Makefile"))), -1)
	if len(commands) != 3 {
		t.Fatalf("%d manifests are made", len(commands))
	}
	for _, command := range commands {
		c := exec.Command("gateassay", strings.Fields(command[1])...)
		// the pods have the token, not the machine that prints the job
		c.Dir, c.Env = root, append(os.Environ(), "GATEWAY_TOKEN=")
		said := testmust.Get(c.Output())(t)
		if !bytes.Equal(said, read(filepath.Join(root, command[2]))) {
			t.Errorf("%s is stale: make generate", command[2])
		}
	}
}

// read returns the current contents of a file; nil: it cannot be read.
func read(path string) []byte {
	data, _ := os.ReadFile(path)
	return data
}
