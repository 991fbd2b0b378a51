package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/suites/record"
)

// site is a gateway that answers after some milliseconds, and where a run of it goes.
type site struct {
	binary, deployment, folder string
	as                         []string // a command that runs the command
}

func newSite(t *testing.T, binary string) site {
	t.Helper()
	gateway, err := reference.New(reference.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	late := func(l *wire, a answer) { time.Sleep(20 * time.Millisecond); l.plain(a) }
	server := httptest.NewServer(&proxy{up: gateway, reach: all, spoil: late})
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	dir := t.TempDir()
	s := site{binary: binary, deployment: filepath.Join(dir, "deployment.yaml"), folder: filepath.Join(dir, "run")}
	if err := os.WriteFile(s.deployment, gateway.DeploymentYAML(server.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// conform is the command of a run.
func (s site) conform() []string {
	return append(slices.Clip(s.as), s.binary, "conform", "-d", s.deployment, "--out", s.folder, "--quiet")
}

// start starts a command and returns what it prints, once it has ended.
func start(t *testing.T, command ...string) (running *exec.Cmd, output *bytes.Buffer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	t.Cleanup(cancel)
	running, output = exec.CommandContext(ctx, command[0], command[1:]...), &bytes.Buffer{}
	running.Stdout, running.Stderr = output, output
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	return running, output
}

// end waits for a command and returns its exit code, -1 where a signal ended it.
func end(t *testing.T, running *exec.Cmd) int {
	t.Helper()
	var exit *exec.ExitError
	if err := running.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return running.ProcessState.ExitCode()
}

// shown is the run as report show rebuilds it.
func (s site) shown(t *testing.T) record.Run {
	t.Helper()
	out, err := exec.Command(s.binary, "report", "show", s.folder, "--format", "json").Output()
	var run record.Run
	if err != nil || json.Unmarshal(out, &run) != nil {
		t.Fatalf("report show: %v: %.300s", err, out)
	}
	return run
}

// kept is how many checks and exchanges the journal holds, and whether it was ended.
func (s site) kept(t *testing.T) (checks, exchanges int, ended bool) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.folder, runfolder.JournalName))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var l struct{ Type string }
		if json.Unmarshal(line, &l) != nil {
			continue // the last one may be cut off
		}
		switch l.Type {
		case "check":
			checks++
		case "exchange_note":
			exchanges++
		case "end":
			ended = true
		}
	}
	return checks, exchanges, ended
}

// entries is how many exchanges can be read of exchanges.har, the last of which may be cut off.
func (s site) entries(t *testing.T) (count int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.folder, "exchanges.har"))
	if err != nil {
		return 0
	}
	_, data, _ = bytes.Cut(data, []byte(`"entries":[`))
	for line := range bytes.Lines(data) {
		if json.Valid(bytes.TrimSuffix(bytes.TrimSpace(line), []byte(","))) {
			count++
		}
	}
	return count
}

// checksOf counts those of a run that were made.
func checksOf(run record.Run) (count int) {
	for _, rule := range run.Rules {
		count += len(rule.Checks)
	}
	return count
}

func noPanic(t *testing.T, out string) {
	t.Helper()
	if strings.Contains(out, "panic:") || strings.Contains(out, "fatal error:") || strings.Contains(out, "goroutine ") {
		t.Errorf("the harness failed: %.600s", out)
	}
}

// TestKilled kills runs at random moments. What each had found is shown, and marked as a part.
func TestKilled(t *testing.T) {
	moments := 4
	if os.Getenv("RELIABILITY") != "" {
		moments = 50
	}
	s := newSite(t, build(t))
	began := time.Now()
	whole, out := start(t, s.conform()...)
	if code := end(t, whole); code != 0 {
		t.Fatalf("exit code %d of a run that nothing disturbs: %s", code, out)
	}
	lasts := time.Since(began)
	later := 0
	for range moments {
		s.folder = filepath.Join(t.TempDir(), "run")
		running, out := start(t, s.conform()...)
		at := time.Duration(rand.Int64N(int64(lasts)))
		time.Sleep(at)
		if err := running.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		end(t, running)
		noPanic(t, out.String())
		journal, _ := os.ReadFile(filepath.Join(s.folder, runfolder.JournalName))
		if !bytes.Contains(journal, []byte("\n")) {
			continue // before the first request
		}
		checks, exchanges, ended := s.kept(t)
		if exchanges > 0 {
			later++
		}
		run := s.shown(t)
		if run.Run.Partial == ended {
			t.Errorf("killed after %s: partial %v, ended %v", at, run.Run.Partial, ended)
		}
		if shown := checksOf(run); shown < checks || run.Run.Requests < exchanges {
			t.Errorf("killed after %s: %d checks and %d requests of %d and %d are shown", at, shown, run.Run.Requests,
				checks, exchanges)
		}
		if entries := s.entries(t); entries < exchanges {
			t.Errorf("killed after %s: exchanges.har holds %d exchanges of %d", at, entries, exchanges)
		}
	}
	if later == 0 {
		t.Errorf("none of %d runs was killed after its first request", moments)
	}
}

// during runs a command and does something to its folder once some checks were made.
func (s site) during(t *testing.T, act func() error) (output string, code int) {
	t.Helper()
	running, out := start(t, s.conform()...)
	for until := time.Now().Add(longest); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		data, _ := os.ReadFile(filepath.Join(s.folder, runfolder.JournalName))
		if bytes.Count(data, []byte(`"type":"check"`)) > 20 {
			break
		}
	}
	if err := act(); err != nil {
		t.Fatal(err)
	}
	code = end(t, running)
	noPanic(t, out.String())
	return out.String(), code
}

func TestAFolderThatVanishes(t *testing.T) {
	s := newSite(t, build(t))
	out, code := s.during(t, func() error { return os.Rename(s.folder, s.folder+"-away") })
	if code != 4 || !strings.Contains(out, runfolder.RunName) {
		t.Errorf("exit code %d: %s", code, out)
	}
	s.folder += "-away"
	s.showsWhatWasKept(t)
}

func (s site) showsWhatWasKept(t *testing.T) {
	t.Helper()
	checks, _, _ := s.kept(t)
	if shown := checksOf(s.shown(t)); shown < checks || checks == 0 {
		t.Errorf("%d of %d checks are shown", shown, checks)
	}
}

// To root every folder is writable: the run has only as many rights as nobody.
func TestAFolderThatCannotBeWrittenTo(t *testing.T) {
	s := newSite(t, build(t))
	if os.Geteuid() == 0 {
		s.as = []string{"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"}
		for _, file := range []string{s.binary, s.folder} {
			for dir := filepath.Dir(file); dir != filepath.Clean(os.TempDir()); dir = filepath.Dir(dir) {
				allow(t, dir, 0o755)
			}
		}
		allow(t, s.deployment, 0o644)
	}
	if err := os.Mkdir(s.folder, 0o555); err != nil {
		t.Fatal(err)
	}
	running, out := start(t, s.conform()...)
	if code := end(t, running); code != 2 || !strings.Contains(out.String(), s.folder) ||
		!strings.Contains(out.String(), "--out") {
		t.Errorf("from the beginning: exit code %d: %s", code, out)
	}
	allow(t, s.folder, 0o777)
	text, code := s.during(t, func() error { return os.Chmod(s.folder, 0o555) })
	if code != 4 || !strings.Contains(text, runfolder.RunName) {
		t.Errorf("amid the run: exit code %d: %s", code, text)
	}
	s.showsWhatWasKept(t)
}

func allow(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// TestAFullDisk gives a run a disk of its own, of so many KiB.
func TestAFullDisk(t *testing.T) {
	s := newSite(t, build(t))
	if out, err := exec.Command("unshare", "-rm", "sh", "-c", "mount -t tmpfs none /mnt").CombinedOutput(); err != nil {
		t.Skipf("no file system of a test's own can be mounted here: %v: %s", err, out)
	}
	mounted := t.TempDir()
	s.folder = filepath.Join(mounted, "run")
	for _, disk := range []struct{ kib, shown int }{
		{16, 2}, // not even the list of rules has room: nothing is sent
		{256, 0},
		{1024, 0},
	} {
		t.Run(fmt.Sprintf("%d KiB", disk.kib), func(t *testing.T) {
			script := fmt.Sprintf(`mount -t tmpfs -o size=%dk none "$DISK" || exit 99; "$@"; echo "conform: $?"
				"$1" report show "$DISK/run"; echo "show: $?"; ls -a "$DISK/run"`, disk.kib)
			running, output := start(t,
				append([]string{"env", "DISK=" + mounted, "unshare", "-rm", "sh", "-c", script, "sh"},
					s.conform()...)...)
			end(t, running)
			text := output.String()
			noPanic(t, text)
			for _, want := range []string{"conform: 4\n", "no space left", fmt.Sprintf("show: %d\n", disk.shown)} {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing in: %s", want, text)
				}
			}
			if strings.Contains(text, ".tmp-") {
				t.Errorf("a temporary file is left: %s", text)
			}
		})
	}
}

func TestFewDescriptors(t *testing.T) {
	s := newSite(t, build(t))
	s.as = []string{"sh", "-c", `ulimit -n 32; exec "$@"`, "sh"}
	running, output := start(t, s.conform()...)
	code := end(t, running)
	out := output.String()
	noPanic(t, out)
	run := s.shown(t)
	if run.Verdict == "violations" || code != exits[string(run.Verdict)] {
		t.Errorf("verdict %s, exit code %d: %s", run.Verdict, code, out)
	}
	if run.Verdict != "conformant" && !strings.Contains(out, "too many open files") {
		t.Errorf("the cause is not named: %s", out)
	}
}
