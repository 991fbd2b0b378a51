package suites

import (
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/record"
)

// Options say what to run and how.
type Options struct {
	Deployment     *deployment.File // nil: an embedded reference gateway is started and tested
	DeploymentPath string           // for the commands that reports show; may be empty
	Out            string           // folder of the run; empty: reports/runs/<UTC time>-conform

	Select   Selection
	Seed     int64         // chooses rows, boundaries and the order of Random; 0: the clock's
	InFlight int           // 0: the deployment file's limit
	Rate     float64       // requests per second; 0: the deployment file's limit
	Timeout  time.Duration // of one request; 0: the deployment file's limit
	OneByOne bool          // every observation only when its check awaits it
	Random   bool          // checks in random order
	Strict   bool          // warnings fail the run

	Version string // recorded in the run
	Command string // recorded in the run: what repeats it

	Watch Watcher // nil: nothing is shown while the run goes
}

// Watcher is told how a run goes; console.Progress is one.
type Watcher interface {
	Start(checks int)
	Update(console.State)
	Failure(record.Rule, record.Check)
	Stop()
}

// Result is a finished run.
type Result struct {
	Run    record.Run
	Folder string
	Faults []string // defects of the harness that were met; the verdicts they touch are inconclusive
	Errors []error  // what could not be written; the run itself is whole

	LongestChain time.Duration // requests that had to follow one another: no run of these checks can be shorter
}

// ExitCode is the process exit code for the result: 0 conformant, 1 violations, 3 no verdict, 4 the harness failed, 130
// interrupted. With complete, a must rule that stayed unverified gives 3 as well.
func (r Result) ExitCode(complete bool) int {
	code := record.ExitCode(r.Run, complete)
	if len(r.Faults)+len(r.Errors) > 0 && code != 1 && code != 130 {
		return 4
	}
	return code
}
