package record_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/reports/record/recordtest"
)

func TestTwoRunsInOneSecondGetTwoFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	now := time.Date(2026, 11, 20, 9, 30, 5, 0, time.FixedZone("", -3*3600))
	var got []string
	for range 3 {
		dir, err := record.CreateFolder("", "conform", now)
		if err != nil {
			t.Fatal(err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
			t.Fatalf("%s: %v, %v", dir, entries, err)
		}
		got = append(got, filepath.ToSlash(dir))
	}
	base := "reports/runs/20261120T123005Z-conform"
	if strings.Join(got, " ") != base+" "+base+"-2 "+base+"-3" {
		t.Fatalf("folders %q", got)
	}
}

func TestAFolderThatHoldsARunIsRefused(t *testing.T) {
	for _, name := range []string{record.RunName, record.JournalName} {
		dir := filepath.Join(t.TempDir(), "deep", "down")
		if got, err := record.CreateFolder(dir, "conform", time.Now()); err != nil || got != dir {
			t.Fatalf("a new folder: %q, %v", got, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := record.CreateFolder(dir, "conform", time.Now()); err == nil || !strings.Contains(err.Error(), "--out") {
			t.Fatalf("with %s: %v", name, err)
		}
		if data, _ := os.ReadFile(filepath.Join(dir, name)); string(data) != "old" {
			t.Fatalf("%s was touched", name)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := record.CreateFolder(file, "conform", time.Now()); err == nil {
		t.Fatal("a file was taken for a folder")
	}
}

func TestAFailedWriteLeavesTheOldFileAndNothingBesideIt(t *testing.T) {
	dir := t.TempDir()
	for _, content := range []string{"first", "second, longer"} {
		if err := record.WriteAtomic(dir, "run.json", []byte(content)); err != nil {
			t.Fatal(err)
		}
		if data, _ := os.ReadFile(filepath.Join(dir, "run.json")); string(data) != content {
			t.Fatalf("holds %q", data)
		}
	}
	if err := record.Replace(dir, "run.json", 0o600, func(io.Writer) error { return io.ErrUnexpectedEOF }); err == nil {
		t.Error("what could not be written replaced a file")
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "run.json")); string(data) != "second, longer" {
		t.Errorf("after a failure it holds %q", data)
	}
	if err := record.Replace(dir, "run.json", 0o600, func(w io.Writer) error { _, err := io.WriteString(w, "private"); return err }); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "run.json")); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can read it: %v, %v", info.Mode(), err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "taken", "by a folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := record.WriteAtomic(dir, "taken", []byte("new")); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Fatalf("over a folder: %v", err)
	}
	if err := record.WriteAtomic(filepath.Join(dir, "missing"), "run.json", nil); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), ".tmp-") {
		t.Fatalf("into a missing folder: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Fatalf("left behind: %v, %v", entries, err)
	}
}

func TestLoad(t *testing.T) {
	run := recordtest.Run()
	data, err := run.JSON()
	if err != nil {
		t.Fatal(err)
	}
	write := func(dir, name, content string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	whole := write(t.TempDir(), record.RunName, string(data))
	for _, path := range []string{whole, filepath.Join(whole, record.RunName)} {
		got, err := record.Load(path)
		if err != nil || got.Counts != run.Counts || len(got.Rules) != len(run.Rules) || got.Verdict != run.Verdict {
			t.Fatalf("%s: %v, %+v", path, err, got.Counts)
		}
	}

	torn := t.TempDir()
	j, err := record.OpenJournal(torn, recordtest.Info(), recordtest.Catalogue(), recordtest.Waivers())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range recordtest.Checks() {
		j.Check(c)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := record.OpenJournal(torn, recordtest.Info(), nil, nil); err == nil {
		t.Fatal("a second journal in the same folder")
	}
	for _, broken := range []string{"", "{\"schema\": \"gateassay/confor"} {
		if broken != "" {
			write(torn, record.RunName, broken)
		}
		got, err := record.Load(torn)
		if err != nil || got.Counts != run.Counts || !got.Run.Partial {
			t.Fatalf("from the journal: %v, %+v", err, got.Counts)
		}
	}

	for name, dir := range map[string]string{
		"neither":            t.TempDir(),
		"gateassay/load/v1":  write(t.TempDir(), record.RunName, `{"schema":"gateassay/load/v1"}`),
		"not a recorded run": write(t.TempDir(), record.RunName, "[]"),
		"no recorded run":    filepath.Join(whole, "nowhere"),
	} {
		if _, err := record.Load(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
