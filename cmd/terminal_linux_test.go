package cmd

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/testmust"
)

// A command whose terminal is closed gets SIGHUP and can no longer print: the run is interrupted,
// not failed.
func TestLoadWhoseTerminalIsClosedIsInterrupted(t *testing.T) {
	// otherwise commands started under nohup ignore SIGHUP
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	window, terminal := testmust.Terminal(t)
	out := filepath.Join(t.TempDir(), "run")
	c := exec.Command("gateassay", "load", "run", "--rate", "50/s", "--duration", "1m", "--out", out)
	c.Stdin, c.Stdout, c.Stderr = terminal, terminal, terminal
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	testmust.Succeed(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() })
	_ = terminal.Close()
	go func() { _, _ = io.Copy(io.Discard, window) }()
	intervals, until := filepath.Join(out, runfolder.IntervalsName), time.Now().Add(time.Minute)
	for !bytes.Contains(read(intervals), []byte(`"interval"`)) {
		if time.Sleep(20 * time.Millisecond); time.Now().After(until) {
			t.Fatal("no run began")
		}
	}
	_ = window.Close()
	got := code(t, c.Wait())
	var r struct{ Run struct{ Partial bool } }
	err := json.Unmarshal(read(filepath.Join(out, runfolder.RunName)), &r)
	if err != nil || got != exitInterrupted || !r.Run.Partial {
		t.Errorf("exit code %d, partial: %v, %v", got, r.Run.Partial, err)
	}
}
