package archive

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// crafted is an archive that someone made by hand, sealed as it should be.
func crafted(t testing.TB, f Format, m Manifest, entries ...tar.Header) string {
	t.Helper()
	var b bytes.Buffer
	packer, err := f.compress(&b)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(packer)
	add := func(h tar.Header, data []byte) {
		h.Size = int64(len(data))
		if h.Typeflag != 0 && h.Typeflag != tar.TypeReg {
			h.Size, data = 0, nil
		}
		h.Mode = 0o644
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	add(tar.Header{Name: manifestName, Typeflag: tar.TypeReg}, list)
	for _, e := range entries {
		add(e, []byte("x"))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packer.Close(); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b.Bytes())
	b.Write(f.seal(sum[:]))
	name := filepath.Join(t.TempDir(), "crafted"+string(f))
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func x(path string) File {
	sum := sha256.Sum256([]byte("x"))
	return File{Path: path, Size: 1, SHA256: hex.EncodeToString(sum[:])}
}

func TestHostileArchivesAreRefused(t *testing.T) {
	entry := func(name string, kind byte) tar.Header {
		return tar.Header{Name: name, Typeflag: kind, Linkname: "/etc"}
	}
	regular := func(names ...string) (all []tar.Header) {
		for _, name := range names {
			all = append(all, entry(name, tar.TypeReg))
		}
		return all
	}
	odd := func(kind byte) []tar.Header { return []tar.Header{entry("run/a", kind)} }
	manifest := func(files ...File) Manifest { return Manifest{Schema: Schema, Files: files} }
	huge := x("a")
	huge.Size = 1 << 50
	negative := x("a")
	negative.Size = -1
	sums := make([]File, 0, 40)
	for _, c := range "abcdefghij" {
		f := x(string(c))
		f.Size = 1 << 61
		sums = append(sums, f)
	}
	type attack struct {
		name    string
		m       Manifest
		entries []tar.Header
		want    string
	}
	attacks := []attack{
		{"symbolic link", manifest(x("a")), odd(tar.TypeSymlink), "not a regular file"},
		{"hard link", manifest(x("a")), odd(tar.TypeLink), "not a regular file"},
		{"pipe", manifest(x("a")), odd(tar.TypeFifo), "not a regular file"},
		{"folder", manifest(x("a")), odd(tar.TypeDir), "not a regular file"},
		{"unnamed entry", manifest(x("a")), regular("run/a", "run/b"), "does not list"},
		{"missing entry", manifest(x("a"), x("b")), regular("run/a"), "run/b is missing"},
		{"other entry", manifest(x("a")), regular("run/b"), "expected the file run/a"},
		{"entry outside", manifest(x("a")), regular("../a"), "expected the file run/a"},
		{"twice", manifest(x("a"), x("a")), nil, "twice"},
		{"in other case", manifest(x("A"), x("a")), nil, "only in case"},
		{"file below a file", manifest(x("a"), x("a/b")), regular("run/a", "run/a/b"), "inside it"},
		{"petabytes", manifest(huge), regular("run/a"), "unpack to more"},
		{"overflow", manifest(sums...), nil, "unpack to more"},
		{"negative", manifest(negative), nil, "unpack to more"},
		{"no file", manifest(), nil, "no file"},
		{"other schema", Manifest{Schema: "x", Files: []File{x("a")}}, nil, "schema"},
		{"wrong hash", manifest(File{"a", 1, strings.Repeat("0", 64)}), regular("run/a"), "SHA-256"},
		{"wrong size", manifest(File{"a", 2, x("a").SHA256}), regular("run/a"), "1 bytes"},
	}
	for _, name := range []string{
		"", ".", "..", "../a", "a/../../b", "/etc/passwd", "a//b", "./a", "a/", `..\a`,
		`C:\a`, "C:a", "NUL\x00", "a\nb", ".hidden", "a/.ssh", "a.", "a ", strings.Repeat("n",
			300), strings.Repeat("a/", 600) + "a",
	} {
		attacks = append(attacks, attack{"path " + clip(name), manifest(x(name)), nil, "not a file name that a run uses"})
	}
	for _, f := range []Format{Zstd, Gzip} {
		for _, a := range attacks {
			name := crafted(t, f, a.m, a.entries...)
			outer := t.TempDir()
			dir := filepath.Join(outer, "in")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			err := unpack(name, dir, DefaultLimits())
			if err == nil || !strings.Contains(err.Error(), a.want) {
				t.Errorf("%s%s: got %v, want %q", a.name, f, err, a.want)
			}
			if _, err := Verify(name); err == nil {
				t.Errorf("%s%s: verified", a.name, f)
			}
			if found, _ := os.ReadDir(outer); len(found) != 1 {
				t.Errorf("%s%s: wrote outside: %v", a.name, f, found)
			}
		}
	}
}

func TestABombIsNotUnpacked(t *testing.T) {
	zeros := make([]byte, 1<<20)
	for _, f := range []Format{Zstd, Gzip} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "run.json"), zeros, 0o600); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "bomb"+string(f))
		if _, err := Pack(dir, name); err != nil {
			t.Fatal(err)
		}
		l := DefaultLimits()
		l.Bytes = 1 << 16
		if err := unpack(name, t.TempDir(), l); err == nil || !strings.Contains(err.Error(), "unpack to more") {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, format := range []Format{Zstd, Gzip} {
		data, err := os.ReadFile(crafted(f, format, Manifest{Schema: Schema, Files: []File{x("a")}},
			tar.Header{Name: "run/a", Typeflag: tar.TypeReg}))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, format == Gzip)
	}
	f.Fuzz(func(t *testing.T, data []byte, gz bool) {
		format := Zstd
		if gz {
			format = Gzip
		}
		l := Limits{Files: 10, Bytes: 1 << 16, Manifest: 1 << 12, Factor: 10}
		m, err := contents(format, bytes.NewReader(data), l, int64(len(data)), nil)
		if err == nil && m.Size() > l.Bytes {
			t.Fatalf("took %d bytes", m.Size())
		}
	})
}

func TestWhatCouldNotBeOpenedAgainIsNotPacked(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "run.json"), make([]byte, 80<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "run.tar.zst")
	if _, err := Pack(dir, name); err == nil || !strings.Contains(err.Error(), "so repetitive") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("an archive is there")
	}
}
