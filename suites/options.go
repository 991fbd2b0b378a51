package suites

import (
	"context"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/doctor"
	"github.com/gateassay/gateassay/suites/record"
)

// Options configure a run.
type Options struct {
	Deployment     *deployment.File // nil: an embedded reference gateway is started and tested
	DeploymentPath string           // path shown in the commands of reports; may be empty
	// ProvideDeployment returns the deployment when the run begins, in place of Deployment. It may
	// start one.
	ProvideDeployment func(context.Context) (*deployment.File, error)
	// folder of the run; empty: reports/runs/<UTC time>-conform; Test uses GATEASSAY_OUT, or none
	Out string

	Select Selection
	// declares an importer's own rules, after the catalogue's; nil: none. It is called several times.
	DeclareRules func(*RuleDeclarer)
	Depth        string        // see deployment.Depths; empty: the deployment file's limit
	Seed         int64         // chooses rows and boundaries; 0: taken from the clock
	InFlight     int           // 0: the deployment file's limit
	Rate         float64       // requests per second; 0: the deployment file's limit
	Timeout      time.Duration // of one request; 0: the deployment file's limit
	Strict       bool          // warnings fail the run

	MaxViolations int // the run ends when this many rules are violated; 0: no limit

	Version string // recorded in the run
	Command string // recorded in the run: the command that repeats it

	// OnBegin is called with the outlook before anything is sent; nil: not called.
	OnBegin func(RunOutlook)
	// Watch is called when the run begins. state returns the progress of the run; stop is called at
	// its end. nil: not called.
	Watch func(state func() RunState) (stop func())
	// writes the reports of the run folder, as reports.Write does; nil: none
	Render func(folder string) error
}

// RunState is the progress of a run.
type RunState struct {
	client.Stats
	Cases       int    // cases of the run
	Done        int    // cases judged so far
	Failures    int    // failed cases
	LastFailure string // rule ID of the last failed case
}

// RunResult is a finished run.
type RunResult struct {
	Run    record.Run
	Folder string
	// defects of the harness; the verdicts that they affect are inconclusive
	HarnessErrors []string
	Errors        []error // files that could not be written; Run is complete

	Obstacle *doctor.Obstacle // why the run ended before its tests began; nil: it did not
}

// ExitCode returns the exit code of the process: 0 no violation, 1 violations, 3 no verdict, 4 a
// file could not be written or the harness failed and found no violation, 130 interrupted. If
// complete is set, an unverified must rule gives 3 as well.
func (r RunResult) ExitCode(complete bool) int {
	code := record.ExitCode(r.Run, complete)
	if len(r.Errors) > 0 || len(r.HarnessErrors) > 0 && code != 1 && code != 130 {
		return 4
	}
	return code
}
