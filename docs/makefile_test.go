package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWhatMakeCheckSkipsIsThere fails for a test that was renamed since the Makefile lists it: make check would run it.
func TestWhatMakeCheckSkipsIsThere(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(makefile), "\nWAITS := ")
	list, _, _ = strings.Cut(list, "\nempty :=")
	names := strings.Fields(strings.ReplaceAll(list, "\\", ""))
	if len(names) < 5 {
		t.Fatalf("Makefile: expected the tests that wait in WAITS, found %q", names)
	}
	var there []string
	for _, p := range packages(t) {
		for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			source, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(source),
				-1) {
				there = append(there, found[1])
			}
		}
	}
	for _, name := range names {
		if !slices.Contains(there, name) {
			t.Errorf("Makefile: WAITS lists %s, which is no test: give its new name, or take it out", name)
		}
	}
}
