// Package junittest checks JUnit XML by its schema and reads it back, for tests.
package junittest

import (
	"bytes"
	_ "embed" // the schema
	"encoding/xml"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/junit"
)

//go:embed junit.xsd
var schema string

// Read fails the test unless a file keeps to the schema, by xmllint, and gives what it holds.
func Read(t testing.TB, data []byte) junit.Document {
	t.Helper()
	dir := t.TempDir()
	testmust.WriteFile(t, filepath.Join(dir, "junit.xsd"), schema)
	check := exec.Command("xmllint", "--noout", "--nonet", "--schema", "junit.xsd", "-")
	check.Dir, check.Stdin = dir, bytes.NewReader(data)
	if said, err := check.CombinedOutput(); err != nil {
		t.Fatalf("not valid (xmllint is of the package libxml2-utils; make browser installs it): "+
			"%v\n%.4000s", err, said)
	}
	var all junit.Document
	testmust.Succeed(t, xml.Unmarshal(data, &all))
	return all
}
