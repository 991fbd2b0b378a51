package cmd

import (
	"os"
	"path/filepath"
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
	testscript.Run(t,
		testscript.Params{Dir: "testdata/script", RequireUniqueNames: true, Setup: setup})
}
