package cmd

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gateassay": func() { os.Exit(Run(Extensions{})) }})
}

// TestScripts runs the command as scripts and people do.
func TestScripts(t *testing.T) {
	t.Parallel()
	root := testmust.Get(filepath.Abs(".."))(t)
	setup := func(e *testscript.Env) error {
		e.Setenv("SCHEMA", filepath.Join(root, "internal", "settings", "schema.json"))
		e.Setenv("SHARDS", filepath.Join(root, "deploy", "local", "shards.sh"))
		e.Setenv("COLUMNS", "1000")
		return nil
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireUniqueNames: true, Setup: setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits CODES COMMAND...: runs a command, which must end with one of the codes, such as 0,3.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		ended, is := errors.AsType[*exec.ExitError](err)
		if !is {
			ts.Fatalf("%v", err)
		}
		got = ended.ExitCode()
	}
	if !slices.Contains(strings.Split(args[0], ","), strconv.Itoa(got)) {
		ts.Fatalf("exit code %d, expected %s", got, args[0])
	}
}

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
