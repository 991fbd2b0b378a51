package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gateassay/gateassay/gateway/must"
)

// aTerminal opens a pair of pseudo terminals: what closes the window, and what a command runs on.
func aTerminal(t *testing.T) (window, terminal *os.File) {
	t.Helper()
	fd := must.Get(unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0))(t)
	window = os.NewFile(uintptr(fd), "window")
	must.Succeed(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n := must.Get(unix.IoctlGetInt(fd, unix.TIOCGPTN))(t)
	terminal = must.Get(os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0))(t)
	t.Cleanup(func() { _, _ = window.Close(), terminal.Close() })
	return window, terminal
}

// Whose terminal is closed gets SIGHUP, and nothing can be printed any more: the run is interrupted, not failed.
func TestARunWhoseTerminalIsClosedIsInterrupted(t *testing.T) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // else commands inherit from nohup that it is ignored
	for _, args := range [][]string{
		{"conform", "--rate", "100"},
		{"load", "run", "--rate", "50/s", "--duration", "10s", "--yes"},
		{"load", "capacity", "--from", "20/s", "--step-duration", "10s", "--slo", "p99<9s", "--yes"},
	} {
		window, terminal := aTerminal(t)
		out := filepath.Join(t.TempDir(), "run")
		c := exec.Command("gateassay", append(args, "--out", out)...)
		c.Stdin, c.Stdout, c.Stderr = terminal, terminal, terminal
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		must.Succeed(t, c.Start())
		t.Cleanup(func() { _ = c.Process.Kill() })
		_ = terminal.Close()
		shown := make([]byte, 1) // the first that a run shows is its progress
		_, err := io.ReadFull(window, shown)
		must.Succeed(t, err)
		go func() { _, _ = io.Copy(io.Discard, window) }()
		time.Sleep(time.Second)
		_ = window.Close()
		if got := code(t, c.Wait()); got != exitStopped {
			t.Errorf("%v: exit code %d", args, got)
		}
		if args[1] != "capacity" && !recordedIn(t, out).Run.Partial {
			t.Errorf("%v: the run is not marked partial", args)
		}
	}
}
