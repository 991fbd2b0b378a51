package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/reports/junit/junittest"
	"github.com/gateassay/gateassay/suites"
)

func TestGateOpensForAConformantDeployment(t *testing.T) {
	var said strings.Builder
	out := filepath.Join(t.TempDir(), "run")
	code, err := gate(t.Context(), &said, "",
		suites.Selection{Suites: []string{"auth"}, Levels: []string{"must"}}, out)
	if err != nil || code != 0 {
		t.Fatalf("exit code %d, error %v, said:\n%s", code, err, said.String())
	}
	if !strings.HasPrefix(said.String(), "passed: ") {
		t.Errorf("said:\n%s", said.String())
	}

	// The folder of the run holds the files for CI, like that of the command.
	found := junittest.Read(t, read(t, out, "junit.xml"))
	if len(found.Suites) != 1 || found.Suites[0].Name != "auth" || found.Tests == 0 ||
		found.Failures+found.Errors > 0 {
		t.Errorf("%+v", found)
	}
}

func TestGateRefusesAFileThatCannotBeUsed(t *testing.T) {
	code, err := gate(t.Context(), &strings.Builder{}, filepath.Join(t.TempDir(), "absent.yaml"),
		suites.Selection{}, "")
	if code != 2 || err == nil {
		t.Fatalf("exit code %d, error %v", code, err)
	}
}

// A gate inherits no dependency that only the tests of gateassay need.
func TestAGateInheritsNoTestLibrary(t *testing.T) {
	command := exec.CommandContext(t.Context(), "go", "mod", "graph")
	command.Stderr = os.Stderr
	graph, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	required := 0
	for line := range strings.Lines(string(graph)) {
		by, module, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(by, "github.com/gateassay/gateassay@") && by != "example.com/release-gate" {
			continue // Go ignores the test dependencies of other modules
		}
		required++
		for _, unwanted := range []string{
			"chromedp/", "yuin/goldmark@", "johannesboyne/gofakes3@", "gateassay/gateassay/",
		} {
			if strings.HasPrefix(module, "github.com/"+unwanted) {
				t.Errorf("%s requires %s, which only tests need", by, module)
			}
		}
	}
	if required < 20 {
		t.Errorf("go mod graph lists %d requirements only:\n%s", required, graph)
	}
}
