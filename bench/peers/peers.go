// Package peers builds other load generators at pinned versions, and runs them and our own against one target, each
// told to do the same as far as it can. The versions are in the go.mod of each tool's folder, so that none of them is a
// dependency of this module.
package peers

import (
	"context"
	"fmt"
	"os/exec"
	"time"
)

// What every generator sends, beside identifiers.
const (
	Path          = "/v1/reports/quote-statement/exports"
	ContentType   = "application/json"
	Authorization = "Bearer benchmark-token"
	Body          = `{"date_start":"2024-03-01T00:00:00.000Z","date_end":"2024-04-01T00:00:00.000Z",` +
		`"sort":"settled_date","order":"asc"}`
)

// Task is what our own generator does; it reads it as JSON.
type Task struct {
	URL       string // origin of the target
	Engine    string // vegeta, also where it is empty, or direct
	RunID     string // what makes the identifiers of this run its own
	For       time.Duration
	Rate      float64 // requests per second; 0: as many as Workers can send
	Workers   int     // without Rate: connections
	Requests  int64   // without Rate: ends after so many; 0: no bound
	Repeats   float64 // share of deliberate repeats; a target that accepts all misses every one
	Milestone int64   // the resident memory after so many requests is reported; 0: only that at the end
	NoRecord  bool    // do not record the run, in a folder that is removed at the end

	MaxInFlight int // with Rate; 0: no limit
}

// Report is what our own generator prints.
type Report struct {
	StartNS   int64 `json:"start_ns"` // T(0), Unix time in nanoseconds
	Sent      int64 `json:"sent"`
	Bad       int64 `json:"bad"` // neither accepted nor a repeat that the target let pass
	ElapsedNS int64 `json:"elapsed_ns"`

	ResponseP99MS float64 `json:"response_p99_ms"`
	ServiceP99MS  float64 `json:"service_p99_ms"`
	LagP99MS      float64 `json:"lag_p99_ms"`

	EarlyMiB float64 `json:"early_mib"` // resident after Milestone requests; 0: there were fewer
	FinalMiB float64 `json:"final_mib"`
}

// sources say where Build finds the code of a tool: the folder of a go.mod, from that of the benchmarks, and a package.
var sources = map[string]struct{ folder, pkg string }{
	"generator": {"..", "./bench/cmd/generator"},
	"vegeta":    {"peers/vegeta", "github.com/tsenart/vegeta/v12"},
}

// Build makes the binary of a tool.
func Build(ctx context.Context, tool, bin string) error {
	// #nosec G204: of this package's own list
	build := exec.CommandContext(ctx, "go", "build", "-mod=readonly", "-buildvcs=false", "-o", bin, sources[tool].pkg)
	build.Dir = sources[tool].folder
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s cannot be built in %s: %w\n%s", tool, build.Dir, err, out)
	}
	return nil
}
