package main

import (
	"path/filepath"
	"strings"
	"testing"

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
}

func TestGateRefusesAFileThatCannotBeUsed(t *testing.T) {
	code, err := gate(t.Context(), &strings.Builder{}, filepath.Join(t.TempDir(), "absent.yaml"), suites.Selection{}, "")
	if code != 2 || err == nil {
		t.Fatalf("exit code %d, error %v", code, err)
	}
}
