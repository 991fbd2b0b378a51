package archive

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
)

type entry struct {
	name, text string
	mode       fs.FileMode
	claims     uint64 // in the list of files: bytes when unpacked; 0: as many as there are
}

// crafted is an archive that someone made by hand, with the hashes as they should be.
func crafted(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b, sums bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(e entry) {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.text == "" {
			h.Method = zip.Store // which is faster
		}
		h.SetMode(e.mode)
		if e.claims > 0 {
			h.UncompressedSize64 = e.claims
			must.Get(w.CreateRaw(h))(t)
			return
		}
		_, _ = must.Get(w.CreateHeader(h))(t).Write([]byte(e.text)) // a folder takes no text
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256([]byte(e.text)), e.name)
	}
	for _, e := range entries {
		add(e)
	}
	add(entry{sumsName, sums.String(), 0o644, 0})
	must.Succeed(t, w.Close())
	return b.Bytes()
}

func TestHostileArchivesAreRefused(t *testing.T) {
	plain := func(names ...string) (all []entry) {
		for _, name := range names {
			all = append(all, entry{name, "x", 0o644, 0})
		}
		return all
	}
	attacks := map[string]struct {
		data []byte
		want string
	}{
		"symbolic link":     {crafted(t, entry{"a", "/etc", fs.ModeSymlink | 0o777, 0}), "not a regular file"},
		"pipe":              {crafted(t, entry{"a", "", fs.ModeNamedPipe | 0o600, 0}), "not a regular file"},
		"twice":             {crafted(t, plain("a", "a")...), "duplicate entries"},
		"hashes twice":      {crafted(t, plain("SHA256SUMS")...), "not a file name"},
		"file below a file": {crafted(t, plain("a", "a/b")...), ""},
		"bomb":              {crafted(t, entry{"a", "", 0o644, 3 << 30}), "more than 2048 MiB"},
		"many files":        {crafted(t, many(mostFiles+1, 10)...), "more than 20000 files"},
		"long list":         {crafted(t, many(9_000, 1000)...), "larger than 8 MiB"},
		"nothing":           {nil, "is no zip file"},
		"text":              {[]byte(strings.Repeat("some text, ", 50)), "is no zip file"},
		"hashes of others":  {bytes.ReplaceAll(crafted(t, plain("a", "b")...), []byte("b"), []byte("c")), ""},
	}
	for _, name := range []string{
		"", ".", "..", "../a", "a/../../b", "/etc/passwd", "a//b", "./a", "a/", `..\a`, `C:\a`, "C:a", "NUL\x00", "a\nb",
		".hidden", "a/.ssh", strings.Repeat("a/", 600) + "a",
	} {
		attacks["path "+name] = struct {
			data []byte
			want string
		}{crafted(t, plain(name)...), "not a file name that a run uses"}
	}
	var by bytes.Buffer
	w := zip.NewWriter(&by)
	must.Get(w.Create("run.json"))(t)
	must.Succeed(t, w.Close())
	attacks["by another tool"] = struct {
		data []byte
		want string
	}{by.Bytes(), "not made by report pack"}

	for name, a := range attacks {
		outer := t.TempDir()
		t.Setenv("TMPDIR", outer)
		path := filepath.Join(outer, "crafted.zip")
		must.Succeed(t, os.WriteFile(path, a.data, 0o600))
		_, done, err := Open(path)
		done()
		if err == nil || !strings.Contains(err.Error(), a.want) {
			t.Errorf("%s: got %v, want %q", name, err, a.want)
		}
		if left := must.Get(os.ReadDir(outer))(t); len(left) != 1 {
			t.Errorf("%s: wrote something: %v", name, left)
		}
	}
}

func many(n, length int) []entry {
	all := make([]entry, n)
	for i := range all {
		all[i] = entry{fmt.Sprintf("%0*d", length, i), "", 0o644, 0}
	}
	return all
}

func FuzzCheck(f *testing.F) {
	f.Add(crafted(f, entry{"a", "x", 0o644, 0}, entry{"b/c", strings.Repeat("y", 100), 0o644, 0}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, c, err := check(bytes.NewReader(data), int64(len(data))); err == nil && (c.Files > mostFiles || c.Bytes > mostBytes) {
			t.Fatalf("took %d files, %d bytes", c.Files, c.Bytes)
		}
	})
}
