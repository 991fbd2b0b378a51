package loadreport

import (
	"fmt"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

// generatorPart returns whether the figures describe the deployment, and why.
func generatorPart(run results.Run, data RunData, charts map[string]plot.Figure) view.Part {
	g := run.Generator
	said := view.Block{
		Badge: "reliable", Tone: view.ToneGood, Note: "The figures of this run describe the deployment.",
	}
	if !g.Reliable {
		said = view.Block{
			Badge: "not reliable", Tone: view.ToneBad, Note: unreliableText(run) + ": " + g.Reason,
		}
		if g.Next != "" {
			said.Note += "; " + g.Next
		}
	}
	t := view.Table{
		Label: "Health of the generator", Columns: view.Columns("What", "*Measured", "Limit", "State"),
	}
	check := func(name, seen, limit string, ok bool) {
		state := view.Badge(view.ToneGood, "ok")
		if !ok {
			state = view.Badge(view.ToneBad, "exceeded")
		}
		t.Add(name, seen, limit, state)
	}
	check("Send lag p99", formatShortMS(g.LagP99MS), formatMS(g.LagLimit), g.LagP99MS <= g.LagLimit)
	cpuLimit := view.FormatShare(results.SaturatedCPUShare) + ", except a tenth of the time"
	check("CPU", fmt.Sprintf("%s of %d CPUs on average, %s in the busiest second",
		view.FormatShare(g.CPU), g.CPUs, view.FormatShare(g.CPUPeak)), cpuLimit,
		g.Reliable || g.CPUPeak <= results.SaturatedCPUShare)
	if g.RunQueue > 0 { // reported by the system
		check("CPU, all processes", fmt.Sprintf("%s on average, processes waited %s of the time, run "+
			"queue up to %d", view.FormatShare(g.Load.CPU), view.FormatShare(g.Wait), g.RunQueue),
			cpuLimit, g.Saturated*10 <= g.Intervals)
	}
	for _, f := range []struct {
		kind judge.Failure
		name string
	}{{judge.FailureNoDescriptors, "File descriptors"}, {judge.FailureNoPorts, "Local ports"}} {
		if n := run.Failures[f.kind.String()]; n > 0 {
			check(f.name, printable.Number(n)+" requests not sent for lack of them", "none", false)
		}
	}
	part := view.Part{
		Title: "Generator", Mark: alertMark(!g.Reliable), In: view.FormPage,
		Blocks: []view.Block{said, {Table: &t}},
	}
	if len(data.Points) > 0 {
		part.Blocks = append(part.Blocks,
			view.Block{Charts: []plot.Figure{charts["lag"], charts["cpu"], charts["flight"]}})
	}
	return part
}

// unreliableText returns a warning about the figures of a generator that was late or saturated.
func unreliableText(run results.Run) string {
	if run.Verdict == results.VerdictInconclusive {
		return "The figures describe the load generator, not the deployment"
	}
	return "Times may be longer than the deployment's" // thresholds that held are still valid
}

func alertMark(on bool) string {
	if on {
		return "!"
	}
	return ""
}
