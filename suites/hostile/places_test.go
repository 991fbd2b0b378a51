package hostile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

// Places that runs print and write to.

func onClosedPipe(t *testing.T, c *exec.Cmd) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = read.Close()
	t.Cleanup(func() { _ = write.Close() })
	c.Stdout, c.Stderr = write, write
}

func onFull(t *testing.T, c *exec.Cmd) {
	t.Helper()
	full := testmust.Get(os.OpenFile("/dev/full", os.O_WRONLY, 0))(t)
	t.Cleanup(func() { _ = full.Close() })
	c.Stdout, c.Stderr = full, full
}

// windows holds the terminal windows of running commands.
var windows sync.Map

// onTerminal connects a command to a new pseudo terminal.
func onTerminal(t *testing.T, c *exec.Cmd) {
	t.Helper()
	window, terminal := testmust.Terminal(t)
	go func() { _, _ = io.Copy(io.Discard, window) }()
	c.Stdin, c.Stdout, c.Stderr = terminal, terminal, terminal
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	windows.Store(c, window)
}

// hangUp closes the terminal window of a command.
func hangUp(t *testing.T, _ site, p *process) {
	t.Helper()
	_ = p.Stdin.(*os.File).Close() // ours
	window, _ := windows.LoadAndDelete(p.Cmd)
	testmust.Succeed(t, window.(*os.File).Close())
}

// disk writes the run to a separate disk of some size. Its files are copied to where the test can
// read them.
func disk(size string) func(*testing.T, *site) {
	return func(t *testing.T, s *site) {
		t.Helper()
		if out, err := exec.Command("unshare",
			"-rm", "sh", "-c", "mount -t tmpfs none /mnt").CombinedOutput(); err != nil {
			t.Skipf("no file system of a test's own can be mounted here: %v: %s", err, out)
		}
		disk := filepath.Dir(s.folder)
		script := fmt.Sprintf(`mkdir "$0-left" && mount -t tmpfs -o size=%s none "$0" || exit 99
			"$@"; code=$?; cp -r "$0/run" "$0-left/"; exit $code`, size)
		s.as = []string{"unshare", "-rm", "sh", "-c", script, disk}
		s.left = filepath.Join(disk+"-left", "run")
		t.Cleanup(func() { _ = os.RemoveAll(disk + "-left") })
	}
}

// unprivileged runs as nobody, because root can write to every folder.
func unprivileged(t *testing.T, s *site) {
	t.Helper()
	if os.Geteuid() == 0 {
		s.as = []string{"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"}
		for _, file := range []string{s.binary, s.folder, s.deployment} {
			for dir := filepath.Dir(file); dir != filepath.Clean(os.TempDir()); dir = filepath.Dir(dir) {
				allow(t, dir, 0o755)
			}
		}
		allow(t, s.deployment, 0o644)
	}
	testmust.Succeed(t, os.Mkdir(s.folder, 0o555))
	allow(t, s.folder, 0o777)
}

func forbidden(t *testing.T, s *site) {
	t.Helper()
	unprivileged(t, s)
	allow(t, s.folder, 0o555)
}

func allow(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	testmust.Succeed(t, os.Chmod(path, mode))
}
