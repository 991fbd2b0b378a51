// Package testmust fails tests when a call that must succeed returns an error.
package testmust

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// TB is the part of testing.TB that this package needs.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Get returns the value of a call, and fails the test if there is an error:
// testmust.Get(os.ReadFile(path))(t).
func Get[V any](v V, err error) func(TB) V {
	return func(t TB) V {
		t.Helper()
		Succeed(t, err)
		return v
	}
}

// Succeed fails the test if there is an error.
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
