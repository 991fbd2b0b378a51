package loadreport

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

// mostProbes bounds the probes on the page; a search makes 60 by default.
const mostProbes = 300

// Detail is what the folder of one probe holds beside run.json of the search.
type Detail struct {
	Run  results.Run
	Page bool // it has a report.html
}

// ReadProbes collects what the probes of a search recorded, by their number. Those that cannot be read are left out.
func ReadProbes(dir string, found capacity.File) map[int]Detail {
	details := map[int]Detail{}
	for _, p := range found.Probes[:min(len(found.Probes), mostProbes)] {
		// not what run.json says: it may have been written by anybody
		folder := filepath.Join(dir, capacity.Name(p.Number))
		run, err := results.Load(folder)
		if err != nil {
			continue
		}
		_, without := os.Stat(filepath.Join(folder, "report.html"))
		details[p.Number] = Detail{run, without == nil}
	}
	return details
}

// Search is the report of a search for the capacity.
func Search(found capacity.File, details map[int]Detail) view.Report {
	headline, tone := verdict(found.Verdict, found.Run.Partial)
	c, charts := found.Capacity, newCurves(found, details)
	unreliable := 0
	for _, p := range found.Probes {
		if p.Outcome.Unreliable != "" {
			unreliable++
		}
	}
	r := view.Report{
		Kind: "Capacity of", About: found.Run.Deployment, Address: found.Run.BaseURL, Headline: headline, Tone: tone,
		Why: []string{found.Reason}, Rests: searched(found, unreliable),
		Tiles: []view.Tile{{Value: "none found", Text: "capacity"}},
	}
	if c.Rate > 0 {
		r.Tiles[0].Value = rate(c.Rate)
		r.Tiles = append(r.Tiles, view.Tile{Value: fmt.Sprintf("%d of %d", found.Confidence.Held,
			found.Confidence.Held+found.Confidence.Missed), Text: "runs held"})
	}
	if len(found.Probes) > 0 {
		r.Tiles = append(r.Tiles, view.Tile{Value: c.Between(), Text: "is where it lies"})
	}
	if c.Knee != nil {
		r.Tiles = append(r.Tiles, view.Tile{Value: rate(c.Knee.Rate), Text: "is the knee"})
	}
	if found.Violations > 0 {
		r.Tiles = append(r.Tiles, view.Tile{Value: number(found.Violations), Text: "answers break a rule", Tone: view.Bad})
	}
	health := view.Block{Badge: "reliable", Tone: view.Good, Note: "The figures of every probe describe the deployment."}
	if unreliable > 0 {
		health = view.Block{Badge: "not always reliable", Tone: view.Bad, Note: fmt.Sprintf("The figures of %d of %d probes "+
			"describe the load generator, not the deployment. Such a run does not count as one that held.", unreliable,
			len(found.Probes))}
	}
	curve, tried := curveTable(found), probeTable(found, details)
	r.Parts = []view.Part{
		{Title: "Latency over throughput", Blocks: []view.Block{
			{Charts: []plot.Figure{charts.Latency}, Wide: true},
			{Charts: []plot.Figure{charts.Achieved, charts.Errors}},
			{Table: &curve},
		}},
		holdings(found, details),
		{Title: "Probes", In: view.Page, Blocks: []view.Block{
			{Charts: []plot.Figure{charts.Search}, Wide: true}, {Table: &tried},
		}},
		{Title: "Generator", Mark: alert(unreliable > 0), In: view.Page, Blocks: []view.Block{
			health, {Charts: []plot.Figure{charts.Lag, charts.CPU}},
		}},
		aboutSearch(found),
	}
	if len(found.Probes) == 0 {
		r.Parts = append([]view.Part{{Blocks: []view.Block{{Note: "No probe was made, so there is nothing to draw."}}}},
			aboutSearch(found))
	}
	return r
}

func curveTable(found capacity.File) view.Table {
	c := found.Capacity
	t := view.Table{Label: "The curve", Columns: view.Columns("#Rate", "#Achieved", "#p50", "#p99", "#Errors", "Runs", "*")}
	for _, p := range c.Curve {
		note := view.Cell{Quiet: p.Why()}
		if p.Rate == c.Rate {
			note.Text = "the capacity"
		} else if c.Knee != nil && p.Rate == c.Knee.Rate {
			note.Text = "the knee"
		}
		runs := view.Cell{Text: p.Ran(), Tone: view.Good, Badge: true}
		if p.Missed() > p.Held {
			runs.Tone = view.Bad
		} else if p.Missed() > 0 {
			runs.Tone = view.Unsure
		}
		t.Rows = append(t.Rows, view.Row{Cells: append(view.Cells(rate(p.Rate), rate(p.Achieved), ms(p.P50MS), ms(p.P99MS),
			share(p.Errors)), runs, note)})
	}
	return t
}

func probeTable(found capacity.File, details map[int]Detail) view.Table {
	t := view.Table{
		Label: "Probes", More: max(0, len(found.Probes)-mostProbes), Where: "run.json", Columns: view.Columns("Probe", "Verdict",
			"#Rate", "#Achieved", "#p50", "#p99", "#Errors", "#Lag p99", "#CPU", "*Why"),
	}
	for _, p := range found.Probes[:min(len(found.Probes), mostProbes)] {
		d, ending := details[p.Number], endings[endingOf(p)]
		why := cmp.Or(p.Outcome.Unreliable, p.Outcome.Reason)
		var missed []string
		for _, t := range d.Run.Thresholds {
			if !t.OK && d.Run.Requests.Sent > 0 && ending.Tone == view.Bad {
				missed = append(missed, strings.TrimSuffix(t.Expr+": observed "+t.Observed+", "+t.Margin(), ", "))
			}
		}
		if len(missed) > 0 {
			why = strings.Join(missed, "; ")
		}
		name := view.Cell{Text: fmt.Sprintf("probe %d", p.Number)}
		if d.Page {
			name.Link = filepath.ToSlash(capacity.Name(p.Number)) + "/report.html"
		}
		lag, cpu := "", ""
		if d.Run.Requests.Sent > 0 {
			lag, cpu = short(d.Run.Generator.LagP99MS), share(d.Run.Generator.CPUPeak)
		}
		t.Rows = append(t.Rows, view.Row{Cells: append([]view.Cell{name, badge(ending.Tone, ending.Word)}, view.Cells(
			rate(p.Rate), rate(p.Outcome.Achieved), ms(milliseconds(p.Outcome.P50)), ms(milliseconds(p.Outcome.P99)),
			share(p.Outcome.Errors), lag, cpu, why)...)})
	}
	return t
}

// holdings says of each threshold how often it was missed, and what was observed at the capacity: of several runs there
// the one with the least margin.
func holdings(found capacity.File, details map[int]Detail) view.Part {
	t := view.Table{Label: "Thresholds", Columns: view.Columns("Threshold", "Missed", "#Lowest rate that missed it",
		"#At the capacity", "*Margin there")}
	for _, expr := range found.SLO[:min(len(found.SLO), mostRows)] {
		runs, missed, lowest := 0, 0, 0.0
		var at threshold.Result
		for _, p := range found.Probes {
			for _, r := range details[p.Number].Run.Thresholds {
				if r.Expr != expr {
					continue
				}
				runs++
				if !r.OK {
					if missed++; lowest == 0 || p.Rate < lowest {
						lowest = p.Rate
					}
				}
				if p.Rate == found.Capacity.Rate && (at.Expr == "" || !r.OK || closer(r, at)) {
					at = r
				}
			}
		}
		cells := []view.Cell{{Text: expr, Code: true}, {Text: "not judged"}, {}, {Text: at.Observed}, {}}
		switch {
		case runs == 0:
		case missed == 0:
			cells[1] = badge(view.Good, fmt.Sprintf("in none of %d runs", runs))
		default:
			cells[1] = badge(view.Bad, fmt.Sprintf("in %d of %d runs", missed, runs))
			cells[2].Text = rate(lowest)
		}
		if at.Expr != "" {
			cells[4] = view.Cell{Text: at.Margin(), Gauge: gaugeOf(at)}
		}
		t.Rows = append(t.Rows, view.Row{Cells: cells})
	}
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: &t}}}
}

// closer reports whether a result is nearer to the limit than another.
func closer(a, b threshold.Result) bool {
	x, known := a.Off()
	y, other := b.Off()
	return known && other && math.Abs(x) < math.Abs(y)
}

func searched(found capacity.File, unreliable int) []string {
	c := found.Capacity
	var list []string
	if c.Rate > 0 {
		list = append(list, fmt.Sprintf("%s held in %d of %d runs at that rate; the capacity is %s", rate(c.Rate),
			found.Confidence.Held, found.Confidence.Held+found.Confidence.Missed, c.Between()))
	} else if len(found.Probes) > 0 {
		list = append(list, "No rate that was tried held; the capacity is "+c.Between())
	}
	text := fmt.Sprintf("%s of %s each", digest.Quantity(len(found.Probes), "probe"), plot.Clock(float64(found.StepMS)/1000))
	if found.To > 0 {
		text += fmt.Sprintf(", between %s and %s", rate(found.From), rate(found.To))
	}
	if took := spoken(found.Run.StartedAt, found.Run.FinishedAt); took != "" {
		text += ", in " + took
	}
	list = append(list, text+"; "+number(found.Run.Requests)+" requests")
	if c.Knee != nil {
		list = append(list, fmt.Sprintf("Latency bends upwards at %s, with a p99 of %s", rate(c.Knee.Rate), ms(c.Knee.P99MS)))
	}
	if len(c.Unstable) > 0 {
		list = append(list, "Near the capacity runs disagree: "+strings.Join(c.Unstable[:min(len(c.Unstable), mostRows)], ", "))
	}
	switch {
	case len(found.Probes) == 0:
	case unreliable == 0:
		list = append(list, "The figures of every probe describe the deployment, not the load generator")
	default:
		list = append(list, fmt.Sprintf("The figures of %d of %d probes describe the load generator, not the deployment",
			unreliable, len(found.Probes)))
	}
	if found.Violations > 0 {
		list = append(list, number(found.Violations)+" answers broke a documented rule")
	}
	if found.Run.File == "" && len(found.Probes) > 0 {
		list = append(list, "The embedded gateway answered; it shares the CPUs with the generator")
	}
	return list
}

func aboutSearch(found capacity.File) view.Part {
	i := found.Run
	blocks := append([]view.Block{{List: found.Notes}}, facts("Repeat the search", i.Command, []view.Fact{
		{Name: "Run", Value: i.ID},
		{Name: "Started", Value: i.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC")},
		{Name: "Took", Value: spoken(i.StartedAt, i.FinishedAt)},
		{Name: "Rates allowed", Value: rate(found.From) + " to " + rate(found.To)},
		{Name: "Each rate", Value: "for " + plot.Clock(float64(found.StepMS)/1000)},
		{Name: "Seed", Value: fmt.Sprint(i.Seed)},
		{Name: "Engine", Value: i.Engine},
		{Name: "Deployment file", Value: i.File},
		{Name: "gateassay", Value: i.Version},
	})...)
	if text, err := json.MarshalIndent(found.Plan, "", "  "); err == nil && found.Plan != nil {
		blocks = append(blocks, view.Block{Fold: "The plan", Code: []string{string(text)}})
	}
	return view.Part{Title: "The search", Blocks: blocks}
}

// byRate are the probes by their rate, and those of one rate in the order they were made.
func byRate(found capacity.File) []capacity.Trial {
	list := slices.Clone(found.Probes)
	slices.SortStableFunc(list, func(a, b capacity.Trial) int { return cmp.Compare(a.Rate, b.Rate) })
	return list[:min(len(list), mostProbes)]
}
