package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gateassay": func() { os.Exit(run()) }})
}

// TestScripts runs the command the way scripts and people do.
func TestScripts(t *testing.T) {
	schema := must(filepath.Abs(filepath.Join("..", "..", "docs", "deployment.schema.json")))(t)
	setup := func(e *testscript.Env) error {
		e.Setenv("SCHEMA", schema)
		return nil
	}
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireUniqueNames: true, Setup: setup})
}

// must gives what a call returned, and ends the test where that failed.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		noError(t, err)
		return v
	}
}

// noError ends the test where a call failed.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
