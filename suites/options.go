package suites

import (
	"context"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/doctor"
	"github.com/gateassay/gateassay/suites/record"
)

// Options say what to run and how.
type Options struct {
	Deployment     *deployment.File // nil: an embedded reference gateway is started and tested
	DeploymentPath string           // for the commands that reports show; may be empty
	// ProvideDeployment gives the deployment when the run begins, in place of Deployment: one that was
	// started for it, say.
	ProvideDeployment func(context.Context) (*deployment.File, error)
	// folder of the run; empty: reports/runs/<UTC time>-conform; of Test: GATEASSAY_OUT, else none
	Out string

	Select       Selection
	DeclareRules func(*RuleDeclarer) // declares rules of one's own beside the catalogue's; nil: none
	Depth        string              // see deployment.Depths; empty: the deployment file's limit
	Seed         int64               // chooses rows and boundaries; 0: the clock's
	InFlight     int                 // 0: the deployment file's limit
	Rate         float64             // requests per second; 0: the deployment file's limit
	Timeout      time.Duration       // of one request; 0: the deployment file's limit
	Strict       bool                // warnings fail the run

	MaxViolations int // the run ends when so many rules are violated; 0: it goes on

	Version string // recorded in the run
	Command string // recorded in the run: what repeats it

	// OnBegin is told what the run is about to do, before anything is sent; nil: nobody is.
	OnBegin func(RunOutlook)
	// Watch is given what tells where the run stands, and returns what ends the watching; nil: nobody
	// watches.
	Watch func(state func() RunState) (stop func())
	// makes the files that follow from the record (reports.Write); nil: none
	Render func(folder string) error
}

// RunState is where a run stands.
type RunState struct {
	client.Stats
	Cases       int    // that will be judged
	Done        int    // of them
	Failures    int    // cases that failed
	LastFailure string // ID of the rule of the last of these
}

// RunResult is a finished run.
type RunResult struct {
	Run    record.Run
	Folder string
	// defects of the harness that were met; the verdicts they touch are inconclusive
	HarnessErrors []string
	Errors        []error // what could not be written; the run itself is whole

	Obstacle *doctor.Obstacle // why the run ended before its tests began; nil: it did not
}

// ExitCode is the process exit code for the result: 0 without a violation, 1 violations, 3 no
// verdict, 4 the harness failed, 130 interrupted. With complete, a must rule that stayed unverified
// gives 3 as well. A verdict of which a file could not be written is no result that others can
// read: 4.
func (r RunResult) ExitCode(complete bool) int {
	code := record.ExitCode(r.Run, complete)
	if len(r.Errors) > 0 || len(r.HarnessErrors) > 0 && code != 1 && code != 130 {
		return 4
	}
	return code
}
