//go:build unix

package runfolder

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestOnlyRegularFilesOfABoundedSizeAreRead(t *testing.T) {
	dir := t.TempDir()
	pipe, circle := filepath.Join(dir, "pipe"), filepath.Join(dir, "circle")
	long, odd := filepath.Join(dir, "long"), filepath.Join(dir, "odd\x1b[31m")
	testmust.Succeed(t, syscall.Mkfifo(pipe, 0o600))
	testmust.Succeed(t, os.Symlink(circle, circle))
	testmust.Succeed(t, os.WriteFile(long, make([]byte, 3<<20), 0o600))
	for path, want := range map[string]string{
		pipe: "a pipe", dir: "a folder", "/dev/zero": "a device", circle: "symbolic links",
		long: "at most 2 MiB, found 3",
		odd:  `\x1b[31m`, filepath.Join(dir, "a\x00b"): "invalid",
	} {
		_, err := ReadBounded(path, 2<<20)
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.ContainsAny(err.Error(), "\x1b\x00") {
			t.Errorf("%q: %v", path, err)
		}
	}
	if data, err := ReadBounded(long, 4<<20); err != nil || len(data) != 3<<20 {
		t.Errorf("%d bytes: %v", len(data), err)
	}
}

func TestARecordOfVeryManyPartsIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	for text, want := range map[string]string{
		`[` + strings.Repeat(`{},`, 39_000) + `{}]`:  "",
		`[` + strings.Repeat(`{},`, 41_000) + `{}]`:  "at most 40000 objects and lists, found 41002",
		`[` + strings.Repeat(`1,`, 1_000_001) + `1]`: "at most 1000000 values, found 1000001",
		strings.Repeat(" ", 33<<20):                  "at most 32 MiB, found 33",
	} {
		testmust.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
		data, err := ReadRecord(path)
		if want == "" && (err != nil || len(data) != len(text)) || want != "" && (err == nil ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%.20s…: %d bytes, %v", text, len(data), err)
		}
	}
}
