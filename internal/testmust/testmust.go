// Package testmust ends tests at a call that failed and had to succeed.
package testmust

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// TB is what it needs of a test.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Get returns what a call gave, and ends the test where it failed:
// testmust.Get(os.ReadFile(path))(t).
func Get[V any](v V, err error) func(TB) V {
	return func(t TB) V {
		t.Helper()
		Succeed(t, err)
		return v
	}
}

// Succeed ends the test where a call failed.
func Succeed(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// WriteFile writes a file, and the folders that it lies in: a text as it is, all else as JSON.
func WriteFile(t TB, path string, content any) {
	t.Helper()
	text, is := content.(string)
	if !is {
		text = string(Get(json.Marshal(content))(t))
	}
	Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
	Succeed(t, os.WriteFile(path, []byte(text), 0o600))
}
