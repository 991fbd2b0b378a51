package archive_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/gateway/must"
)

var formats = []archive.Format{archive.Zstd, archive.Gzip}

// folder makes a run that looks like a recorded one.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if files == nil {
		files = map[string]string{
			"run.json":           `{"schema":"gateassay/conformance/v1"}`,
			"journal.ndjson":     strings.Repeat("{\"type\":\"check\"}\n", 40),
			"steps/1/series.csv": "seconds,rate\n1,2\n", "empty.txt": "", "ação ü.txt": "é",
			"steps/" + strings.Repeat("long-", 30) + "/" + strings.Repeat("n", 150): "x",
		}
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
		write(t, path, []byte(content))
	}
	return dir
}

func pack(t testing.TB, dir string, f archive.Format) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "run"+string(f))
	if _, err := archive.Pack(dir, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func write(t testing.TB, path string, data []byte) string {
	t.Helper()
	must.Succeed(t, os.WriteFile(path, data, 0o600))
	return path
}

func content(t testing.TB, path string) []byte {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	return data
}

func TestTheSameRunGivesTheSameBytes(t *testing.T) {
	for _, f := range formats {
		dir := folder(t, nil)
		path := pack(t, dir, f)
		// it holds exchanges, which only their owner can read
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: others can read it: %v, %v", f, info.Mode(), err)
		}
		first := content(t, path)
		copied := t.TempDir()
		must.Succeed(t, os.CopyFS(copied, os.DirFS(dir)))
		for _, name := range []string{"run.json", "empty.txt"} {
			when := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
			must.Succeed(t, os.Chtimes(filepath.Join(copied, name), when, when))
		}
		write(t, filepath.Join(copied, ".run.json.tmp-77"), []byte("half"))
		if again := content(t, pack(t, copied, f)); !bytes.Equal(first, again) {
			t.Errorf("%s: two archives of one run differ", f)
		}
	}
}

func TestAnyRunComesBackWhole(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		files := map[string]string{"run.json": rapid.String().Draw(r, "run")}
		for name, text := range rapid.MapOfN(rapid.StringMatching(`[a-z]{1,8}(/[a-z]{9,12})?`), rapid.String(), 0,
			6).Draw(r, "files") {
			files[name+".x"] = text
		}
		dir := folder(t, files)
		name := pack(t, dir, rapid.SampledFrom(formats).Draw(r, "format"))
		opened, done, err := archive.Open(name)
		if err != nil {
			r.Fatal(err)
		}
		defer done()
		for name, text := range files {
			if got := string(content(t, filepath.Join(opened, filepath.FromSlash(name)))); got != text {
				r.Fatalf("%s: got %q, want %q", name, got, text)
			}
		}
		done()
		if _, err := os.Stat(opened); !errors.Is(err, os.ErrNotExist) {
			r.Fatalf("the unpacked folder is left: %v", err)
		}
	})
}

func TestEveryFlippedByteIsCaught(t *testing.T) {
	for _, f := range formats {
		good := content(t, pack(t, folder(t, nil), f))
		bad := filepath.Join(t.TempDir(), "bad"+string(f))
		judge := func(what string, at int, data []byte) {
			write(t, bad, data)
			var damage *archive.Damage
			if _, err := archive.Verify(bad); !errors.As(err, &damage) {
				t.Fatalf("%s: %s %d passed: %v", f, what, at, err)
			}
			if _, done, err := archive.Open(bad); !errors.As(err, &damage) {
				done()
				t.Fatalf("%s: %s %d was opened: %v", f, what, at, err)
			}
		}
		random := rand.New(rand.NewPCG(1, 2))
		for i := range good {
			data := bytes.Clone(good)
			data[i] ^= byte(1 + random.IntN(255))
			judge("flipped byte", i, data)
		}
		for i := 0; i < len(good); i += 7 {
			judge("cut at", i, good[:i])
		}
		judge("appended", 0, append(bytes.Clone(good), 0))
		judge("twice", 0, append(bytes.Clone(good), good...))
	}
}

func TestVerifyTellsWhatItHolds(t *testing.T) {
	m := must.Get(archive.Verify(pack(t, folder(t, nil), archive.Zstd)))(t)
	if len(m.Files) != 6 || m.Files[0].Path != "ação ü.txt" && m.Files[5].Path != "ação ü.txt" {
		t.Errorf("manifest: %+v", m)
	}
}

func TestOtherToolsUnpackIt(t *testing.T) {
	if _, err := exec.LookPath("tar"); err != nil {
		t.Fatal("tar is needed:", err)
	}
	dir := folder(t, nil)
	to := t.TempDir()
	if out, err := exec.Command("tar", "-xzf", pack(t, dir, archive.Gzip), "-C", to).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v %s", err, out)
	}
	got, want := content(t, filepath.Join(to, "run", "run.json")), content(t, filepath.Join(dir, "run.json"))
	if !bytes.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestWhatIsNoRunIsNotPacked(t *testing.T) {
	linked := folder(t, nil)
	must.Succeed(t, os.Symlink("/etc/passwd", filepath.Join(linked, "link")))
	taken := filepath.Join(t.TempDir(), "taken.tar.zst")
	write(t, taken, []byte("mine"))
	fresh := filepath.Join(t.TempDir(), "new.tar.zst")
	for _, c := range []struct{ dir, out, want string }{
		{folder(t, map[string]string{"notes.txt": "x"}), fresh, "holds no recorded run"},
		{linked, fresh, "link is not a regular file"},
		{folder(t, map[string]string{"run.json": "{}", `a\b`: "x"}), fresh, "not a file name that a run uses"},
		{folder(t, nil), taken, "not overwritten"},
		{folder(t, nil), "x.zip", ".tar.zst"},
		{"/nowhere", fresh, "no recorded run"},
	} {
		if _, err := archive.Pack(c.dir, c.out); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if string(content(t, taken)) != "mine" {
		t.Error("a file was replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(fresh), "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAFolderThatCouldNotBeOpenedAgainIsRefusedAtOnce(t *testing.T) {
	dir := folder(t, nil)
	huge := filepath.Join(dir, "huge.bin")
	write(t, huge, nil)
	if err := os.Truncate(huge, archive.DefaultLimits().Bytes); err != nil { // it takes no room
		t.Skip(err)
	}
	out := filepath.Join(t.TempDir(), "run.tar.zst")
	began := time.Now()
	_, err := archive.Pack(dir, out)
	if err == nil || !strings.Contains(err.Error(), "huge.bin is where it becomes too much") {
		t.Error(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it was read for %v first", took)
	}
	if _, err := os.Lstat(out); err == nil {
		t.Error("an archive was left behind")
	}
}

func TestAnArchiveDoesNotGoIntoTheRunThatItHolds(t *testing.T) {
	dir := folder(t, nil)
	t.Chdir(dir)
	for _, c := range [][2]string{
		{".", "run.tar.zst"},
		{dir, filepath.Join(dir, "steps", "run.tar.gz")},
		{".", filepath.Join(dir, "x.tar.gz")},
	} {
		if _, err := archive.Pack(c[0], c[1]); err == nil || !strings.Contains(err.Error(), "choose a place outside") {
			t.Errorf("%q: %v", c, err)
		}
	}
	if _, err := archive.Pack(".", filepath.Join("..", "beside.tar.zst")); err != nil {
		t.Error(err)
	}
}
