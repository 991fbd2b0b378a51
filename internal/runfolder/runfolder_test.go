package runfolder_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestTwoRunsInOneSecondGetTwoFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	now := time.Date(2026, 11, 20, 9, 30, 5, 0, time.FixedZone("", -3*3600))
	var got []string
	for range 3 {
		dir := testmust.Get(runfolder.Create("", "conform", now))(t)
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			t.Fatalf("%s: %v, %v", dir, entries, err)
		}
		got = append(got, filepath.ToSlash(dir))
	}
	base := "reports/runs/20261120T123005Z-conform"
	testmust.Equal(t, strings.Join(got, " "), base+" "+base+"-2 "+base+"-3")
}

func TestAFolderThatHoldsARunIsRefused(t *testing.T) {
	for _, name := range runfolder.RecordNames() {
		dir := filepath.Join(t.TempDir(), "deep", "down")
		if got, err := runfolder.Create(dir, "conform", time.Now()); err != nil || got != dir {
			t.Fatalf("a new folder: %q, %v", got, err)
		}
		testmust.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o600))
		_, err := runfolder.Create(dir, "conform", time.Now())
		testmust.FailWith(t, err, "--out", "with", name)
		if data, _ := os.ReadFile(filepath.Join(dir, name)); string(data) != "old" {
			t.Fatalf("%s was touched", name)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	testmust.Succeed(t, os.WriteFile(file, nil, 0o600))
	if _, err := runfolder.Create(file, "conform", time.Now()); err == nil {
		t.Fatal("a file was taken for a folder")
	}
}

func TestAFailedWriteLeavesTheOldFileAndNothingBesideIt(t *testing.T) {
	dir := t.TempDir()
	for _, content := range []string{"first", "second, longer"} {
		testmust.Succeed(t, runfolder.WriteAtomic(dir, "run.json", []byte(content)))
		if data, _ := os.ReadFile(filepath.Join(dir, "run.json")); string(data) != content {
			t.Fatalf("holds %q", data)
		}
	}
	if err := runfolder.ReplaceFile(dir, "run.json", 0o600,
		func(io.Writer) error { return io.ErrUnexpectedEOF }); err == nil {
		t.Error("what could not be written replaced a file")
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "run.json")); string(data) != "second, longer" {
		t.Errorf("after a failure it holds %q", data)
	}
	testmust.Succeed(t, runfolder.ReplaceFile(dir, "run.json", 0o600,
		func(w io.Writer) error { _, err := io.WriteString(w, "private"); return err }))
	if info, err := os.Stat(filepath.Join(dir, "run.json")); err != nil ||
		info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can read it: %v, %v", info.Mode(), err)
	}
	testmust.Succeed(t, os.MkdirAll(filepath.Join(dir, "taken", "by a folder"), 0o755))
	err := runfolder.WriteAtomic(dir, "taken", []byte("new"))
	testmust.FailWith(t, err, "taken", "over a folder")
	if err := runfolder.WriteAtomic(filepath.Join(dir, "missing"), "run.json", nil); !errors.Is(err,
		fs.ErrNotExist) || strings.Contains(err.Error(), ".tmp-") {
		t.Fatalf("into a missing folder: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Fatalf("left behind: %v, %v", entries, err)
	}
}
