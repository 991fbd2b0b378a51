// Package peers builds other load generators at pinned versions, and runs them and our own against
// one target, each told to do the same as far as it can. The versions are in the go.mod of each
// tool's folder, so that none of them is a dependency of this module.
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

// What every generator sends, beside identifiers.
const (
	Path          = "/v1/reports/quote-statement/exports"
	ContentType   = "application/json"
	Authorization = "Bearer benchmark-token"
	Body          = `{"date_start":"2024-03-01T00:00:00.000Z","date_end":"2024-04-01T00:00:00.000Z",` +
		`"sort":"settled_date","order":"asc"}`
)

// Job is what a generator is told to do. Our own reads it as JSON.
type Job struct {
	URL      string // origin of the target
	For      time.Duration
	Rate     float64 // requests per second; 0: as many as InFlight can carry
	InFlight int     // at most; 0: no limit, which takes a Rate
	// our own: share of deliberate repeats; a target that accepts all misses every one
	Repeats float64

	Thresholds []string // our own
}

// ToolOutcome is what became of a job.
type ToolOutcome struct {
	CPU     time.Duration // user and system
	PeakMiB float64       // resident, at most; 0 where the system does not say
	Run     results.Run   // of our own generator
	P99     time.Duration // as reported, at a rate
}

// BuildTool makes the binary of a tool: our own, or one of a go.mod in a folder here.
func BuildTool(ctx context.Context, tool, bin string) error {
	folder, pkg := "..", "./bench/cmd/generator"
	if tool == toolVegeta {
		folder, pkg = "peers/vegeta", "github.com/tsenart/vegeta/v12"
	}
	// #nosec G204: of this package's own list
	build := exec.CommandContext(ctx, "go", "build", "-mod=readonly", "-buildvcs=false", "-o", bin,
		pkg)
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s cannot be built in %s: %w\n%s", tool, folder, err, out)
	}
	return nil
}

// RunTool runs a generator to its end, in a folder of its own. It is killed, with an error, after
// 20 minutes.
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

// peakMiB looks at a process until it has ended. What the system says afterwards would not do: it
// counts in what this process itself held when it started the other.
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
