package recordtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Golden compares got with testdata/name, or writes that file when update is set.
func Golden(t testing.TB, update bool, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	want := strings.SplitAfter(string(data), "\n")
	for i, line := range strings.SplitAfter(string(got), "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("%s, line %d: got %q, want %q (go test -update accepts the change)", path, i+1, line,
				want[min(i, len(want)-1)])
		}
	}
}
