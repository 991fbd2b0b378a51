// Package junittest validates JUnit XML and reads it back, for tests.
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

// Read validates a file by the schema with xmllint and returns its contents; it fails the test
// otherwise.
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
