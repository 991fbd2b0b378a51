package cmd

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gateassay/gateassay/internal/testmust"
)

// aTerminal opens a pseudo terminal: window is its controlling end, terminal the one for a
// command.
func aTerminal(t *testing.T) (window, terminal *os.File) {
	t.Helper()
	fd := testmust.Get(unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC,
		0))(t)
	window = os.NewFile(uintptr(fd), "window")
	testmust.Succeed(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n := testmust.Get(unix.IoctlGetInt(fd, unix.TIOCGPTN))(t)
	terminal = testmust.Get(os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0))(t)
	t.Cleanup(func() { _, _ = window.Close(), terminal.Close() })
	return window, terminal
}

// A command whose terminal is closed gets SIGHUP and can no longer print: the run is interrupted,
// not failed.
func TestLoadWhoseTerminalIsClosedIsInterrupted(t *testing.T) {
	// otherwise commands started under nohup ignore SIGHUP
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	window, terminal := aTerminal(t)
	out := filepath.Join(t.TempDir(), "run")
	c := loadFor("1m", out)
	c.Stdin, c.Stdout, c.Stderr = terminal, terminal, terminal
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	testmust.Succeed(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() })
	_ = terminal.Close()
	go func() { _, _ = io.Copy(io.Discard, window) }()
	awaitIntervals(t, out)
	_ = window.Close()
	if got := code(t, c.Wait()); got != exitInterrupted || !isPartial(t, out) {
		t.Errorf("exit code %d, partial: %v", got, isPartial(t, out))
	}
}
