package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
)

func runDeployment(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	command := deploymentCommand()
	command.SetArgs(args)
	command.SetOut(&out)
	command.SetErr(&out)
	command.SilenceUsage, command.SilenceErrors = true, true
	err := command.Execute()
	return out.String(), err
}

func TestDeploymentInitWritesAPrivateFileOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "staging.yaml")
	if _, err := runDeployment(t, "init", "--out", path); err != nil {
		t.Fatal(err)
	}
	info := must(os.Stat(path))(t)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode is %v, want 0600: tokens may be written into it", info.Mode().Perm())
	}
	noError(t, os.WriteFile(path, []byte("mine"), 0o600))
	_, err := runDeployment(t, "init", "--out", path)
	var usage usageError
	if !errors.As(err, &usage) {
		t.Errorf("a second init gave %v, want a usage error", err)
	}
	if data, _ := os.ReadFile(path); string(data) != "mine" {
		t.Errorf("a second init changed the file to %q", data)
	}
}

func TestDeploymentInitAndSchemaPrint(t *testing.T) {
	out, err := runDeployment(t, "init")
	if err != nil || out != string(deployment.Template(deployment.Beginning())) {
		t.Errorf("init printed %d bytes, %v; want the template", len(out), err)
	}
	schema, err := deployment.Schema()
	if err != nil {
		t.Fatal(err)
	}
	out, err = runDeployment(t, "schema")
	if err != nil || out != string(schema) {
		t.Errorf("schema printed %d bytes, %v; want the JSON Schema", len(out), err)
	}
}

func TestDeploymentRefusesUnknownSubcommands(t *testing.T) {
	if _, err := runDeployment(t, "intit"); err == nil {
		t.Error("deployment intit succeeded")
	}
}
