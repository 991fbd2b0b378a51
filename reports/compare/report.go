package compare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

// Report returns the report of a comparison.
func Report(r Comparison) view.Report {
	v := view.Report{
		Kind: map[recorded.Kind]string{
			recorded.KindConformance: "Two conformance runs of", recorded.KindLoad: "Two load runs of",
			recorded.KindCapacity: "Two searches for the capacity of",
		}[r.Kind],
		About: r.After.Deployment, Headline: verdictStyles[r.Verdict].headline,
		Tone: verdictStyles[r.Verdict].tone,
		Why:  []string{r.Reason}, Rests: r.Notes, Parts: []view.Part{runsPart(r)},
	}
	if r.Verdict == VerdictInconclusive && len(r.Why) > 0 {
		v.Why = r.Why
	}
	switch {
	case r.Conformance != nil:
		counts := map[Verdict]int{VerdictSame: r.Conformance.Compared}
		for _, c := range r.Conformance.Changes {
			counts[c.Judged]++
			if c.Before != "" && c.After != "" { // a rule of both runs
				counts[VerdictSame]--
			}
		}
		v.Tiles, v.Parts = verdictTiles("rules", counts), append(v.Parts, r.Conformance.parts(r)...)
	case r.Load != nil:
		counts := map[Verdict]int{}
		for _, m := range r.Load.Metrics {
			counts[m.Judged]++
		}
		v.Tiles = verdictTiles("figures", counts)
		v.Parts = append(append(v.Parts, r.Load.parts()...), planPart(r.Load.Plan))
	case r.Capacity != nil:
		for i, s := range r.Capacity.Searches {
			v.Tiles = append(v.Tiles, view.Tile{Value: s.Interval(), Text: runNames[i]})
		}
		v.Parts = append(append(v.Parts, r.Capacity.parts()...), planPart(r.Capacity.Plan))
	}
	return v
}

func runsPart(r Comparison) view.Part {
	t := view.Table{Label: "The two runs", Columns: view.Columns("", "*Before", "*After")}
	a, b := r.Before, r.After
	path := func(s ComparedRun) view.Cell {
		return view.Cell{Text: s.Path, Code: true, Link: s.Report}
	}
	verdict := func(s ComparedRun) string {
		if s.Partial {
			s.Verdict += ", interrupted"
		}
		if s.Reason != "" && r.Verdict != VerdictInconclusive { // else r.Why says it, with what to do
			s.Verdict += ": " + s.Reason
		}
		return s.Verdict
	}
	t.Add("run", path(a), path(b))
	t.Add("deployment", a.Deployment, b.Deployment)
	t.Add("address", a.BaseURL, b.BaseURL)
	t.Add("started", view.FormatUTC(a.Started), view.FormatUTC(b.Started))
	t.Add("verdict", verdict(a), verdict(b))
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: &t}}}
}

func planPart(list []exactjson.KeyDifference) view.Part {
	t := view.Table{Label: "Where the plans differ", Columns: view.Columns("Key", "*Before", "*After")}
	for _, d := range list {
		t.Add(view.Code(d.Key), cmp.Or(d.Before, "–"), cmp.Or(d.After, "–"))
	}
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: &t}}}
}

// verdictTiles returns a tile with the count of each verdict.
func verdictTiles(what string, counts map[Verdict]int) (list []view.Tile) {
	for _, v := range slices.Concat(verdictsWorstFirst, []Verdict{""}) {
		if n := counts[v]; n > 0 {
			list = append(list, view.Tile{
				Value: fmt.Sprint(n), Text: what + " " + verdictStyles[v].label, Tone: verdictStyles[v].tone,
			})
		}
	}
	return list
}

func (c *ConformanceComparison) changesJudged(v Verdict) []RuleChange {
	return slices.DeleteFunc(slices.Clone(c.Changes),
		func(one RuleChange) bool { return one.Judged != v })
}

func (c *ConformanceComparison) parts(r Comparison) (parts []view.Part) {
	for _, v := range verdictsWorstFirst {
		var block view.Block
		for _, b := range groupChanges(c.changesJudged(v)) {
			block.Items = append(block.Items, changeItem(b, r))
		}
		parts = append(parts, view.Part{Title: verdictStyles[v].title, Blocks: []view.Block{block}})
	}
	drifted := view.Table{Label: "Observations that changed", Columns: view.Columns("*What", "*Before",
		"*After")}
	for _, b := range digest.GroupBy(c.Observations,
		func(d ObservationChange) string { return d.Reason }) {
		// such as rules that an interrupted run did not reach
		if n := len(b.Items); b.Key != "" && n > 2 {
			drifted.AddGroup(view.Cell{Text: printable.Quantity(n, "observation") + ":", Quiet: b.Key})
			continue
		}
		for _, d := range b.Items {
			drifted.AddGroup(view.Cell{Text: d.ID, Code: true, Quiet: d.Statement})
			for _, p := range d.Changes {
				drifted.Add(cmp.Or(d.Reason, p.What), cmp.Or(p.Before, "–"), cmp.Or(p.After, "–"))
			}
		}
	}
	return append(parts, view.Part{Title: drifted.Label, Blocks: []view.Block{{Table: &drifted}}})
}

// changeItem shows what is wrong and the rules that show it; for a single rule also its statement.
func changeItem(b changeGroup, r Comparison) view.Item {
	first, n := b.Items[0], len(b.Items)
	level := digest.FormatLevel(first.Level, first.Security)
	item := view.Item{
		Tone: verdictStyles[first.Judged].tone, Title: cmp.Or(b.Key.Message, first.Statement),
	}
	if b.Key.Message == "" && n > 1 {
		item.Title = printable.Quantity(n, "rule") + " of level " + level
	}
	link := r.After.Report
	if first.After == "" {
		link = r.Before.Report
	}
	names := view.Cell{}
	for _, c := range b.Items {
		ref := view.Ref{Text: c.ID}
		if link != "" {
			ref.Link = link + "#rule-" + digest.RuleAnchor(c.ID)
		}
		names.Refs = append(names.Refs, ref)
	}
	item.Lines = [][]view.Cell{view.Cells(digest.VerdictChange(first.Before, first.After), names,
		view.Cell{Quiet: "(" + level + ")"})}
	if n > 1 {
		return item
	}
	if item.Title != first.Statement {
		item.Lines = append(item.Lines, []view.Cell{{Quiet: first.Statement}})
	}
	return item
}

func (l *LoadComparison) parts() []view.Part {
	var worse []view.Item
	for _, text := range l.Worse {
		worse = append(worse, view.Item{Tone: view.ToneBad, Title: text})
	}
	judged := slices.ContainsFunc(l.Metrics, func(m FigureChange) bool { return m.P != nil })
	figures := view.Table{Label: "Figures", Columns: view.Columns("", "#Before", "#After", "#Change")}
	if judged {
		figures.Columns = append(figures.Columns, view.Columns("#p", "", "*Why")...)
	}
	for _, m := range l.Metrics {
		verdict, why := verdictBadge(m.Judged), m.Reason
		if m.Reason == withinNoiseText {
			verdict.Text, why = "noise", ""
		}
		if verdict.Tone != view.ToneBad && m.Judged != VerdictImprovement {
			verdict.Tone = view.TonePlain
		}
		figures.Rows = append(figures.Rows, view.Row{
			Tone: verdict.Tone, Cells: view.Cells(m.Name, m.formatValue(m.Before), m.formatValue(m.After),
				m.formatChange(), m.formatP(), verdict, why)[:len(figures.Columns)],
		})
	}
	note := fmt.Sprintf("p is the probability that two equal runs differ this much (%s over %d "+
		"stretches of each run); from %g on, a difference is noise. A change counts if it is not noise "+
		"and exceeds the tolerance of %.4g%%; for bad answers, a tenth of it in percentage points.",
		significanceTest, windowsPerRun, significanceLevel, 100*l.Tolerance)
	if !judged {
		note = "These runs could not be compared, so no figure is judged."
	}
	return []view.Part{
		{Title: "Worse regardless of noise", Blocks: []view.Block{{Items: worse}}},
		{
			Title:  figures.Label,
			Blocks: []view.Block{{Table: &figures}, {Note: note, In: view.FormPage | view.FormMarkdown}},
		},
		{
			Title: "Over time",
			Blocks: []view.Block{
				{Note: overlayNote, In: view.FormPage},
				{Charts: overlayCharts(l.charts[0], l.charts[1], overlay{"response", []string{"p99", "p50"}},
					overlay{"service", []string{"p99", "p50"}},
					overlay{"distribution", []string{"response", "service"}},
					overlay{"rate", []string{"target", "achieved"}}, overlay{"bad", []string{"bad answers"}})},
			},
		},
	}
}

const overlayNote = "Dashed lines are before, solid lines after."

// overlay selects the lines of a chart to draw.
type overlay struct {
	chart string
	lines []string
}

// overlayCharts draws both runs into each chart.
func overlayCharts(before, after map[string]plot.Figure,
	chosen ...overlay,
) (figures []plot.Figure) {
	colours := [2][]plot.Colour{{plot.Violet, plot.Teal}, {plot.Orange, plot.Blue}}
	for _, o := range chosen {
		f := after[o.chart]
		if f.ID == "" {
			f = before[o.chart]
		}
		f.Series, f.Marks = nil, nil
		for i, run := range []plot.Figure{before[o.chart], after[o.chart]} {
			for _, s := range run.Series {
				n := slices.Index(o.lines, s.Label)
				if n < 0 {
					continue
				}
				if s.At == nil {
					s.At = run.At
				}
				s.Label, s.Colour, s.Fill = s.Label+" "+runNames[i], colours[i][n], false
				s.Dash = []plot.Dash{plot.Dashed, plot.Solid}[i]
				f.Series = append(f.Series, s)
			}
			for _, m := range run.Marks {
				if m.Kind != plot.MarkStage {
					m.Label += " " + runNames[i]
				} else if i == 0 { // both runs have the same one
					continue
				}
				f.Marks = append(f.Marks, m)
			}
		}
		if len(f.Series) > 0 {
			figures = append(figures, f)
		}
	}
	return figures
}

var verdictStyles = map[Verdict]struct {
	label, headline, title string
	tone                   view.Tone
}{
	VerdictRegression:   {"worse", "Regression", "Worse", view.ToneBad},
	VerdictInconclusive: {"inconclusive", "No verdict", "Inconclusive", view.ToneUnsure},
	VerdictChanged: {
		"changed", "Changed, nothing worse", "Changed, neither better nor worse", view.ToneUnsure,
	},
	VerdictImprovement: {"better", "Better", "Better", view.ToneGood},
	VerdictSame:        {"same", "No difference", "The same", view.ToneGood},
	"":                 {label: "not judged"},
}

func verdictBadge(v Verdict) view.Cell {
	return view.Badge(verdictStyles[v].tone, verdictStyles[v].label)
}
