// Package testmust fails tests when a call or a value is not what it must be.
package testmust

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// TB is the part of testing.TB that this package needs.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
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

// Equal tells of a value that is not the wanted one. The test goes on, here and below; about says
// what the value is of.
func Equal[V comparable](t TB, got, want V, about ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%sgot %s, want %s", label(about), shown(got), shown(want))
	}
}

// Contain tells of a text without the wanted part.
func Contain(t TB, text, part string, about ...any) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s%q is missing in\n%.3000s", label(about), part, text)
	}
}

// FailWith tells of a call that did not fail, or whose error does not contain the wanted part.
func FailWith(t TB, err error, part string, about ...any) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("%sgot the error %v, want %q", label(about), err, part)
	}
}

func label(about []any) string {
	if len(about) == 0 {
		return ""
	}
	return strings.TrimSuffix(fmt.Sprintln(about...), "\n") + ": "
}

func shown(v any) string {
	if reflect.ValueOf(v).Kind() == reflect.String {
		return fmt.Sprintf("%.2000q", v)
	}
	return fmt.Sprintf("%+v", v)
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
