package loadreport

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

// maxProbes limits the probes on the page; a search makes 60 at most.
const maxProbes = 300

// SearchReport returns the report of a search for the capacity.
func SearchReport(found capacity.SearchRun) view.Report {
	headline, tone := verdictText(found.Verdict, found.Run.Partial)
	made := found.Probes
	found.Probes = made[:min(len(made), maxProbes)]
	unreliable := 0
	for _, p := range made {
		if p.Outcome.Word() == capacity.OutcomeNotJudged {
			unreliable++
		}
	}
	r := view.Report{
		Kind: "Capacity of", About: found.Run.Deployment, Address: found.Run.BaseURL,
		Headline: headline, Tone: tone, Why: []string{found.Reason},
		Rests: searchBasis(found, len(made)), Tiles: capacityTiles(found),
	}
	if len(made) == 0 {
		note := view.Block{Note: "No probe was made: there is nothing to draw."}
		r.Parts = []view.Part{{Blocks: []view.Block{note}}, aboutSearch(found)}
		return r
	}
	health := view.Block{
		Badge: "reliable", Tone: view.ToneGood,
		Note: "The figures of every probe describe the deployment, not the load generator.",
	}
	answered := func(p capacity.Probe) bool { return p.Outcome.Answering || p.Outcome.Holds }
	if unreliable > 0 {
		health = view.Block{
			Badge: "not always reliable", Tone: view.ToneBad,
			Note: fmt.Sprintf("%d of %d probes describe the load generator, not the deployment; "+
				"they do not count as held.", unreliable, len(made)),
		}
	} else if !slices.ContainsFunc(made, answered) {
		health = view.Block{
			Badge: capacity.OutcomeNotJudged, Tone: view.ToneUnsure, Note: "No probe was answered.",
		}
	}
	charts := SearchCharts(found)
	r.Parts = []view.Part{
		{Title: "Latency over throughput", Blocks: []view.Block{
			{Charts: []plot.Figure{charts["curve"]}, Wide: true},
			{Charts: []plot.Figure{charts["achieved"], charts["errors"]}},
			{Table: curveTable(found)},
		}},
		{Title: "Probes", Mark: alertMark(unreliable > 0), Blocks: []view.Block{
			health,
			{Table: probeTable(found, len(made)), In: view.FormPage},
		}},
		aboutSearch(found),
	}
	return r
}

func capacityTiles(found capacity.SearchRun) []view.Tile {
	c := found.Capacity
	tiles := []view.Tile{{Value: "none found", Text: "capacity"}}
	if c.Rate > 0 {
		held, missed := found.Confidence.Held, found.Confidence.Missed
		tiles[0].Value = formatRate(c.Rate)
		tiles = append(tiles,
			view.Tile{Value: fmt.Sprintf("%d of %d", held, held+missed), Text: "probes held"})
	}
	switch {
	case c.Rate > 0 && c.High == 0:
		tiles[0].Value = "≥ " + formatRate(c.Rate)
	case c.Rate == 0 && c.High > 0:
		tiles[0].Value = "< " + formatRate(c.High)
	case c.Rate > 0:
		tiles = append(tiles,
			view.Tile{Value: formatRate(c.Low) + " – " + formatRate(c.High), Text: "interval"})
	}
	if n := found.Violations; n > 0 {
		tiles = append(tiles,
			view.Tile{Value: printable.Number(n), Text: "rule violations", Tone: view.ToneBad})
	}
	return tiles
}

func curveTable(found capacity.SearchRun) *view.Table {
	c := found.Capacity
	t := view.Table{
		Label: "The curve",
		Columns: view.Columns("#Rate", "#Achieved", "#Accepted", "#p50", "#p99", "#Errors",
			"Probes", "*"),
	}
	for _, p := range c.Curve {
		note := view.Cell{Quiet: p.FailureReason()}
		if p.Rate == cmp.Or(c.Sent, c.Rate) {
			note.Text = "capacity"
		}
		runs := view.Badge(view.ToneGood, p.ProbeSummary())
		if p.MissedCount() > p.Held {
			runs.Tone = view.ToneBad
		} else if p.MissedCount() > 0 || p.Held == 0 {
			runs.Tone = view.ToneUnsure
		}
		t.Add(formatRate(p.Rate), formatRate(p.Achieved), formatRate(p.Accepted), formatMS(p.P50MS),
			formatMS(p.P99MS), view.FormatShare(p.Errors), runs, note)
	}
	return &t
}

func probeTable(found capacity.SearchRun, made int) *view.Table {
	t := view.Table{
		Label: "Probes", More: made - len(found.Probes),
		Columns: view.Columns("Probe", "Verdict", "#Rate", "#Achieved", "#p50", "#p99", "#Errors",
			"*Why"),
	}
	for _, p := range found.Probes {
		o := p.Outcome
		name := view.Cell{
			Text: fmt.Sprintf("probe %d", p.Number),
			Link: filepath.ToSlash(capacity.ProbeFolderName(p.Number)) + "/report.html",
		}
		e := outcomeStyles[outcomeStyleOf(p)]
		t.Add(name, view.Badge(e.tone, e.word), formatRate(p.Rate), formatRate(o.Achieved),
			formatMS(milliseconds(o.P50)), formatMS(milliseconds(o.P99)), view.FormatShare(o.Errors),
			cmp.Or(o.Unreliable, o.Reason))
	}
	return &t
}

func searchBasis(found capacity.SearchRun, probes int) []string {
	c := found.Capacity
	var list []string
	if c.Rate > 0 {
		list = append(list, fmt.Sprintf("%s held in %d of %d probes, %s of it accepted; the capacity is "+
			"%s", formatRate(cmp.Or(c.Sent, c.Rate)), found.Confidence.Held,
			found.Confidence.Held+found.Confidence.Missed, formatRate(c.Rate), c.Interval()))
	} else if probes > 0 {
		list = append(list, "No rate tried held; the capacity is "+c.Interval())
	}
	text := fmt.Sprintf("%s of %s each", printable.Quantity(probes, "probe"),
		plot.FormatElapsed(float64(found.StepMS)/1000))
	if found.To > 0 {
		text += fmt.Sprintf(", between %s and %s", formatRate(found.From), formatRate(found.To))
	}
	if took := view.FormatSpan(found.Run.StartedAt, found.Run.FinishedAt); took != "" {
		text += ", in " + took
	}
	list = append(list, text+"; "+printable.Number(found.Run.Requests)+" requests")
	if len(c.Unstable) > 0 {
		list = append(list, "Probes near the capacity disagree: "+
			strings.Join(c.Unstable[:min(len(c.Unstable), maxRows)], ", "))
	}
	if found.Violations > 0 {
		list = append(list, printable.Number(found.Violations)+" answers broke a documented rule")
	}
	if found.Run.File == "" && probes > 0 {
		list = append(list, embeddedNote)
	}
	return append(list, noteTexts(found.Notes)...)
}

func aboutSearch(found capacity.SearchRun) view.Part {
	part := aboutPart("search", found.Run,
		view.Fact{Name: "Rates allowed", Value: formatRate(found.From) + " to " + formatRate(found.To)},
		view.Fact{Name: "Each rate", Value: "for " + plot.FormatElapsed(float64(found.StepMS)/1000)})
	if text, err := json.MarshalIndent(found.Plan, "", "  "); err == nil && found.Plan != nil {
		part.Blocks = append(part.Blocks, view.Block{
			In: view.FormPage, Fold: "The plan", Copy: view.Command{Label: "The plan", Text: string(text)},
		})
	}
	return part
}
