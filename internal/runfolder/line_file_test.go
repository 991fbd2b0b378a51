package runfolder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestAfterAnErrorTheLinesEnd(t *testing.T) {
	dir := t.TempDir()
	lines := NewLineFile(dir, "lines")
	if _, err := os.Stat(lines.path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("it was made before the first line", err)
	}
	testmust.Succeed(t, lines.Write("a"))
	testmust.Succeed(t, lines.file.Close())
	if lines.Write("b") == nil {
		t.Fatal("what could not be written was no error")
	}
	// the file becomes writable again
	lines.file = testmust.Get(os.OpenFile(lines.path, os.O_WRONLY|os.O_APPEND, 0))(t)
	if err := lines.Write("c"); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if err := lines.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	testmust.Equal(t, string(testmust.Get(os.ReadFile(lines.path))(t)), "\"a\"\n", "it holds")
	if info := testmust.Get(os.Stat(lines.path))(t); info.Mode().Perm()&0o077 != 0 {
		t.Error("others can read it", info.Mode())
	}
	if err := NewLineFile(dir, filepath.Base(lines.path)).Write("d"); !errors.Is(err, fs.ErrExist) {
		t.Error("it was replaced", err)
	}
}
