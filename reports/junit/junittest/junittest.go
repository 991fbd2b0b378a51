// Package junittest checks JUnit XML by a schema and reads it back, for the tests of whatever writes some.
package junittest

import (
	"bytes"
	_ "embed" // the schema
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

//go:embed junit.xsd
var schema []byte

// Suites is a file as CI reads it.
type Suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Time     float64  `xml:"time,attr"`
	Suites   []Suite  `xml:"testsuite"`
}

// Suite is a test suite.
type Suite struct {
	Name       string     `xml:"name,attr"`
	Host       string     `xml:"hostname,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       float64    `xml:"time,attr"`
	Properties []Property `xml:"properties>property"`
	Cases      []Case     `xml:"testcase"`
}

// Property is a fact about a suite.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// Case is a test case; at most one of its results is there, or its output where it passed.
type Case struct {
	Class   string  `xml:"classname,attr"`
	Name    string  `xml:"name,attr"`
	Time    float64 `xml:"time,attr"`
	Failure *Result `xml:"failure"`
	Error   *Result `xml:"error"`
	Skipped *Result `xml:"skipped"`
	Output  string  `xml:"system-out"`
}

// Result is why a test case did not pass.
type Result struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Read fails the test unless a file keeps to the schema and its counts are those of its cases, and gives what it holds.
func Read(t testing.TB, data []byte) Suites {
	t.Helper()
	if err := validate(t.TempDir(), data); err != nil {
		t.Fatal(err)
	}
	var all Suites
	if err := xml.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	var tests, failures, errs int
	for _, s := range all.Suites {
		var have Suite
		for _, c := range s.Cases {
			have.Tests++
			switch {
			case c.Failure != nil:
				have.Failures++
			case c.Error != nil:
				have.Errors++
			case c.Skipped != nil:
				have.Skipped++
			}
		}
		if s.Tests != have.Tests || s.Failures != have.Failures || s.Errors != have.Errors ||
			s.Skipped != have.Skipped {
			t.Errorf("the suite %s counts other cases than it holds: %+v", s.Name, have)
		}
		tests, failures, errs = tests+s.Tests, failures+s.Failures, errs+s.Errors
	}
	if all.Tests != tests || all.Failures != failures || all.Errors != errs {
		t.Errorf("the file counts %d tests, %d failures, %d errors, its suites %d, %d, %d",
			all.Tests, all.Failures, all.Errors, tests, failures, errs)
	}
	return all
}

// validate asks xmllint, whose parser and validator are those of libxml2.
func validate(dir string, data []byte) error {
	if _, err := exec.LookPath("xmllint"); err != nil {
		return errors.New("no xmllint is installed: install the package libxml2-utils, or run make browser")
	}
	if err := os.WriteFile(filepath.Join(dir, "junit.xsd"), schema, 0o600); err != nil {
		return err
	}
	check := exec.Command("xmllint", "--noout", "--nonet", "--schema", "junit.xsd", "-")
	check.Dir, check.Stdin = dir, bytes.NewReader(data)
	if said, err := check.CombinedOutput(); err != nil {
		return fmt.Errorf("not valid: %w\n%.4000s", err, said)
	}
	return nil
}
