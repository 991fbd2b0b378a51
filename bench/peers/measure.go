package peers

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Used is what a generator's process took.
type Used struct {
	Printed []byte
	CPU     time.Duration // user and system
	PeakMiB float64       // resident, at most; 0 where the system does not say
}

// Run runs a generator to its end. It is killed, with an error, when that takes longer than patience.
func Run(ctx context.Context, bin string, t Tool, j Job, patience time.Duration) (Used, error) {
	args, err := t.Args(j)
	if err != nil {
		return Used{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...) // #nosec G204: built by Build
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &trouble, j.Dir
	if err := cmd.Start(); err != nil {
		return Used{}, fmt.Errorf("%s: %w", t.Name, err)
	}
	peak, ended := make(chan float64, 1), make(chan struct{})
	go func() { peak <- peakMiB(cmd.Process.Pid, ended) }()
	err = cmd.Wait()
	close(ended)
	u := Used{Printed: out.Bytes(), CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), PeakMiB: <-peak}
	if err != nil {
		return u, fmt.Errorf("%s: %w\n%s", t.Name, err, tail(trouble.Bytes()))
	}
	return u, nil
}

// peakMiB looks at a process until it has ended. What the system says afterwards would not do: it counts in what this
// process itself held when it started the other.
func peakMiB(pid int, ended <-chan struct{}) float64 {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var peak float64
	for {
		if data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			var kib float64
			if _, line, ok := strings.Cut(string(data), "VmHWM:"); ok {
				_, _ = fmt.Sscan(line, &kib) // 0 when it is not a number
			}
			peak = max(peak, kib/1024)
		}
		select {
		case <-ended:
			return peak
		case <-tick.C:
		}
	}
}

func tail(b []byte) []byte { return b[max(0, len(b)-2000):] }
