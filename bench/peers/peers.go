// Package peers builds other load generators at pinned versions and runs them and our own
// against one target, with settings as equal as possible. The versions are in the go.mod of each
// tool's folder, so no tool is a dependency of this module.
package peers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gateassay/gateassay/load/results"
)

// Every generator sends this, plus identifiers.
const (
	Path          = "/v1/reports/quote-statement/exports"
	ContentType   = "application/json"
	Authorization = "Bearer benchmark-token"
	Body          = `{"date_start":"2024-03-01T00:00:00.000Z","date_end":"2024-04-01T00:00:00.000Z",` +
		`"sort":"settled_date","order":"asc"}`
)

// A Job describes a run of a generator. Our own generator reads it as JSON.
type Job struct {
	URL      string // origin of the target
	For      time.Duration
	Rate     float64 // requests per second; 0: as fast as InFlight allows
	InFlight int     // limit; 0: none, which needs a Rate
	// for our own generator: share of deliberate repeats
	Repeats float64

	Thresholds []string // for our own generator
}

// A ToolOutcome is the outcome of a job.
type ToolOutcome struct {
	CPU     time.Duration // user and system
	PeakMiB float64       // peak resident memory; 0: unknown
	Run     results.Run   // only of our own generator
	P99     time.Duration // as reported, if Rate is set
}

// BuildTool builds our own generator, or a tool with a go.mod in a folder of this package.
func BuildTool(ctx context.Context, tool, bin string) error {
	folder, pkg := "..", "./bench/cmd/generator"
	if tool == toolVegeta {
		folder, pkg = "peers/vegeta", "github.com/tsenart/vegeta/v12"
	}
	// #nosec G204: from the list of this package
	build := exec.CommandContext(ctx, "go", "build", "-mod=readonly", "-buildvcs=false", "-o", bin,
		pkg)
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s cannot be built in %s: %w\n%s", tool, folder, err, out)
	}
	return nil
}

// RunTool runs a generator in the folder dir until it ends. After 20 minutes it kills the
// generator and returns an error.
func RunTool(ctx context.Context, bin, dir string, t Tool, j Job) (ToolOutcome, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Minute)
	defer cancel()
	for name, text := range t.files(j) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return ToolOutcome{}, err
		}
	}
	cmd := exec.CommandContext(ctx, bin, t.args(j)...) // #nosec G204: built by BuildTool
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &trouble, dir
	if err := cmd.Start(); err != nil {
		return ToolOutcome{}, fmt.Errorf("%s: %w", t.Name, err)
	}
	peak, ended := make(chan float64, 1), make(chan struct{})
	go func() { peak <- peakMiB(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	close(ended)
	o := ToolOutcome{CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), PeakMiB: <-peak}
	switch {
	case err != nil:
	case t.IsOurs():
		err = json.Unmarshal(out.Bytes(), &o.Run)
		o.P99 = time.Duration(o.Run.Latency.Response.P99 * float64(time.Millisecond))
	case t.Build == toolVegeta && j.Rate > 0:
		o.P99, err = vegetaP99(ctx, bin, dir)
	}
	if err != nil {
		return o, fmt.Errorf("%s: %w\n%s", t.Name, err, trouble.Bytes())
	}
	return o, nil
}

// peakMiB watches a process until it ends and returns its peak memory. The system's figure after
// the end would include the memory of this process when it started the other.
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
