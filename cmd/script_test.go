package cmd

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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
