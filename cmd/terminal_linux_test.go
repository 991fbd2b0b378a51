package cmd

import (
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

// A command whose terminal is closed gets SIGHUP and can no longer print: the run is interrupted,
// not failed.
func TestLoadWhoseTerminalIsClosedIsInterrupted(t *testing.T) {
	// otherwise commands started under nohup ignore SIGHUP
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	window, terminal := testmust.Terminal(t)
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
