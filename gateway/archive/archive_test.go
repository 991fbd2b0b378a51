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

// folder makes a run that looks like a recorded one.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return dir
}

func sample() map[string]string {
	return map[string]string{
		"run.json": `{"schema":"gateassay/conformance/v1"}`, "journal.ndjson": strings.Repeat("{\"type\":\"check\"}\n", 40),
		"steps/1/series.csv": "seconds,rate\n1,2\n", "empty.txt": "", "ação ü.txt": "é",
		"steps/" + strings.Repeat("long-", 30) + "/" + strings.Repeat("n", 150): "x",
	}
}

func pack(t testing.TB, dir string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "run.zip")
	must.Get(archive.Pack(dir, out))(t)
	return out
}

func TestAnyRunComesBackWhole(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		files := map[string]string{"run.json": rapid.String().Draw(r, "run")}
		for name, text := range rapid.MapOfN(rapid.StringMatching(`[a-z]{1,8}(/[a-z]{9,12})?`), rapid.String(), 0,
			6).Draw(r, "files") {
			files[name+".x"] = text
		}
		name := pack(t, folder(t, files))
		if held := must.Get(archive.Verify(name))(t); held.Files != len(files) {
			r.Fatalf("it holds %d files, want %d", held.Files, len(files))
		}
		opened, done, err := archive.Open(name)
		if err != nil {
			r.Fatal(err)
		}
		for name, text := range files {
			if got := string(must.Get(os.ReadFile(filepath.Join(opened, filepath.FromSlash(name))))(t)); got != text {
				r.Fatalf("%s: got %q, want %q", name, got, text)
			}
		}
		done()
		if _, err := os.Stat(opened); !errors.Is(err, os.ErrNotExist) {
			r.Fatalf("the unpacked folder is left: %v", err)
		}
	})
}

// What is altered without a change of any file's content, such as a time in a header, is no damage.
func TestDamageNeverPassesForAnotherContent(t *testing.T) {
	dir := folder(t, sample())
	good := must.Get(os.ReadFile(pack(t, dir)))(t)
	bad := filepath.Join(t.TempDir(), "bad.zip")
	refused := 0
	judge := func(what string, at int, data []byte, never bool) {
		must.Succeed(t, os.WriteFile(bad, data, 0o600))
		opened, done, err := archive.Open(bad)
		defer done()
		_, verified := archive.Verify(bad)
		if (err == nil) != (verified == nil) {
			t.Fatalf("%s %d: opened %v, verified %v", what, at, err, verified)
		}
		if err != nil {
			refused++
			return
		}
		if never {
			t.Fatalf("%s %d was opened", what, at)
		}
		for name, text := range sample() {
			if got := string(must.Get(os.ReadFile(filepath.Join(opened, name)))(t)); got != text {
				t.Fatalf("%s %d: %s became %q", what, at, name, got)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := random.IntN(30); i < len(good); i += 30 {
		data := bytes.Clone(good)
		data[i] ^= byte(1 + random.IntN(255))
		judge("flipped byte", i, data, false)
	}
	if refused < len(good)/60 {
		t.Errorf("only %d flipped bytes were refused", refused)
	}
	for i := 0; i < len(good); i += 200 {
		judge("cut at", i, good[:i], true)
	}
}

func TestOtherToolsOpenIt(t *testing.T) {
	to := t.TempDir()
	for _, c := range []*exec.Cmd{
		exec.Command("unzip", "-q", pack(t, folder(t, sample())), "-d", to), exec.Command("sha256sum", "-c", "SHA256SUMS"),
	} {
		c.Dir = to
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", c.Args, err, out)
		}
	}
}

func TestWhatNoRunHoldsIsNotPacked(t *testing.T) {
	linked, huge := folder(t, sample()), folder(t, sample())
	must.Succeed(t, os.Symlink("/etc/passwd", filepath.Join(linked, "link")))
	must.Succeed(t, os.WriteFile(filepath.Join(huge, "huge.bin"), nil, 0o600))
	must.Succeed(t, os.Truncate(filepath.Join(huge, "huge.bin"), 8<<30)) // it takes no room
	taken := filepath.Join(folder(t, map[string]string{"taken.zip": "mine"}), "taken.zip")
	fresh := filepath.Join(t.TempDir(), "new.zip")
	began := time.Now()
	for _, c := range []struct{ dir, out, want string }{
		{linked, fresh, `"link" is not a regular file`},
		{folder(t, map[string]string{"run.json": "{}", `a\b`: "x"}), fresh, "not a file name that a run uses"},
		{huge, fresh, `with "huge.bin" it holds more than`},
		{folder(t, sample()), taken, "not overwritten"},
		{"/nowhere", fresh, "no such file"},
	} {
		if _, err := archive.Pack(c.dir, c.out); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if string(must.Get(os.ReadFile(taken))(t)) != "mine" {
		t.Error("a file was replaced")
	}
	if left := must.Get(os.ReadDir(filepath.Dir(fresh)))(t); len(left) > 0 || time.Since(began) > 5*time.Second {
		t.Errorf("left behind: %v, after %v", left, time.Since(began))
	}
}
