package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/reports/junit/junittest"
	"github.com/gateassay/gateassay/suites"
)

func TestGateOpensForAConformantDeployment(t *testing.T) {
	var said strings.Builder
	out := filepath.Join(t.TempDir(), "run")
	code, err := gate(t.Context(), &said, "", suites.Selection{Suites: []string{"auth"}, Levels: []string{"must"}}, out)
	if err != nil || code != 0 {
		t.Fatalf("exit code %d, error %v, said:\n%s", code, err, said.String())
	}
	if !strings.HasPrefix(said.String(), "conformant: ") {
		t.Errorf("said:\n%s", said.String())
	}

	// The folder of the run holds what CI reads, as that of the command does.
	data, err := os.ReadFile(filepath.Join(out, "junit.xml"))
	if err != nil {
		t.Fatal(err)
	}
	found := junittest.Read(t, data)
	if len(found.Suites) != 1 || found.Suites[0].Name != "auth" || found.Tests == 0 || found.Failures+found.Errors > 0 {
		t.Errorf("%+v", found)
	}
}

func TestGateRefusesAFileThatCannotBeUsed(t *testing.T) {
	code, err := gate(t.Context(), &strings.Builder{}, filepath.Join(t.TempDir(), "absent.yaml"), suites.Selection{}, "")
	if code != 2 || err == nil {
		t.Fatalf("exit code %d, error %v", code, err)
	}
}
