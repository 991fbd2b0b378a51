package record

import (
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
)

// UnjudgedRun is what a run collects before it is judged.
type UnjudgedRun struct {
	Info      RunInfo
	Catalogue []rules.Rule // the selected rules
	Waivers   []deployment.Waiver
	Checks    []CheckResult // each with its Rule set, in the order in which they ended
	Notes     []string
}

// Assemble judges the rules and the run. Waivers are checked against the start of the run, so a
// run rebuilt later from its journal has the same verdicts.
func Assemble(f UnjudgedRun) Run {
	checks := lastCheckPerCase(f.Checks)
	run := Run{
		Schema:       Schema,
		Run:          f.Info,
		Observations: joinObservations(checks, f.Catalogue),
		Notes:        f.Notes,
	}
	now := f.Info.StartedAt
	if now.IsZero() {
		now = time.Now()
	}
	run.Rules, run.Waivers, run.Counts = judge(f.Catalogue, checks, f.Waivers, now.UTC())
	run.Defects = Defects(run.Rules)
	run.Verdict, run.Reason = decideRunVerdict(run.Rules, f.Info)
	return run
}

// JSON returns the contents of run.json: indented, with a newline at the end.
func (r Run) JSON() ([]byte, error) { return printable.JSON(r) }
