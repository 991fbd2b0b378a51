package record

import (
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/printable"
)

// Found is everything a run collects before it is judged.
type Found struct {
	Info      Info
	Catalogue []rules.Rule // the selected rules
	Waivers   []deployment.Waiver
	Checks    []Check // each with its Rule
	Notes     []string
}

// Assemble judges what was found and concludes. Waivers are held against the moment the run started, so that a run
// judged again later, from its journal, comes out the same.
func Assemble(f Found) Run {
	run := Run{Schema: Schema, Run: f.Info, Observations: observations(f.Checks, f.Catalogue), Notes: f.Notes}
	now := f.Info.StartedAt
	if now.IsZero() {
		now = time.Now()
	}
	run.Rules, run.Waivers, run.Counts = Judge(f.Catalogue, f.Checks, f.Waivers, now.UTC())
	run.Defects = Defects(run.Rules)
	run.Verdict, run.Reason = Conclude(run.Rules, f.Info)
	return run
}

// JSON is run.json: indented, with a newline at its end.
func (r Run) JSON() ([]byte, error) { return printable.JSON(r) }
