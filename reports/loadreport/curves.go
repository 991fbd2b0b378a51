package loadreport

import (
	"fmt"
	"math"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

// curves are the plots of a search for the capacity.
type curves struct {
	Latency, Achieved, Errors, Search, Lag, CPU plot.Figure
}

// rates are the plots whose cursors and zoom go together.
const rates = "rates"

func newCurves(found capacity.File, details map[int]Detail) curves {
	over := plot.Figure{X: plot.Rates, Group: rates, Empty: "No probe was made."}
	points := found.Capacity.Curve[:min(len(found.Capacity.Curve), mostProbes)]
	var p50, p99, achieved, errors, meant plot.Values
	for _, p := range points {
		over.At = append(over.At, p.Rate)
		p50, p99 = append(p50, measured(p.P50MS)), append(p99, measured(p.P99MS))
		achieved, errors, meant = append(achieved, p.Achieved), append(errors, 100*p.Errors), append(meant, p.Rate)
	}
	figure := func(id, title, note string, unit plot.Unit, series ...plot.Series) plot.Figure {
		f := over
		f.ID, f.Title, f.Note, f.Unit, f.Series = id, title, note, unit, series
		return f
	}
	var c curves
	c.Latency = figure("curve", "Latency over throughput", "response time at each rate, the median of its runs; each "+
		"run's p99 as a mark; shaded, where the capacity lies", plot.Milliseconds,
		append([]plot.Series{
			{Label: "p99", Colour: plot.Orange, Values: p99},
			{Label: "p50", Colour: plot.Blue, Dash: plot.Dashed, Values: p50},
		}, marked(found)...)...)
	c.Latency.Tall, c.Latency.Marks, c.Latency.Limits = 340, capacityMarks(found), plot.ResponseLimits(found.SLO)
	c.Achieved = figure("achieved", "Rate achieved", "requests per second: target and achieved", plot.PerSecond,
		plot.Series{Label: "achieved", Colour: plot.Blue, Marker: plot.Dot, Values: achieved},
		plot.Series{Label: "target", Colour: plot.Grey, Dash: plot.Dashed, Values: meant})
	c.Achieved.Scale = plot.Linear
	c.Errors = figure("errors", "Errors", "share of the requests that were neither accepted nor rightly blocked",
		plot.Percent,
		plot.Series{Label: "errors", Colour: plot.Red, Marker: plot.Dot, Values: errors})
	c.Errors.Scale = plot.Linear
	c.Search = searchFigure(found)
	c.Lag, c.CPU = generators(found, details, figure)
	return c
}

func measured(ms float64) float64 {
	if ms <= 0 {
		return math.NaN()
	}
	return ms
}

// apart keeps runs of one rate from standing for one another on the x axis.
func apart(list []capacity.Trial, i int) float64 {
	same := 0
	for j := i - 1; j >= 0 && list[j].Rate == list[i].Rate; j-- {
		same++
	}
	return list[i].Rate * (1 + 1e-5*float64(same))
}

// ending is how a probe went, as the table names it and the plots draw it.
type ending struct {
	Tone   view.Tone // of the badge
	Word   string
	colour plot.Colour
	marker plot.Marker
}

// endings are drawn in this order.
var endings = []ending{
	{view.Good, "held", plot.Green, plot.Dot},
	{view.Bad, "missed", plot.Red, plot.Cross},
	{view.Unsure, "unreliable", plot.Amber, plot.Diamond},
}

// endingOf returns the place of a probe's ending in endings.
func endingOf(p capacity.Trial) int {
	switch {
	case p.Outcome.Unreliable != "":
		return 2
	case !p.Outcome.Holds:
		return 1
	}
	return 0
}

// endingSeries are points without a line, a series for each ending.
func endingSeries(labels ...string) []plot.Series {
	list := make([]plot.Series, len(endings))
	for i, e := range endings {
		list[i] = plot.Series{Label: labels[i], Colour: e.colour, Dash: plot.NoLine, Marker: e.marker}
	}
	return list
}

// marked are the runs of the search, by how they went.
func marked(found capacity.File) []plot.Series {
	series := endingSeries("a run that held", "a run that missed", "an unreliable run")
	list := byRate(found)
	for i, p := range list {
		to := &series[endingOf(p)]
		to.At, to.Values = append(to.At, apart(list, i)), append(to.Values, measured(milliseconds(p.Outcome.P99)))
	}
	return series
}

// capacityMarks are the capacity, the interval that it lies in, and the knee.
func capacityMarks(found capacity.File) []plot.Mark {
	var marks []plot.Mark
	mark := func(from, to float64, kind plot.Kind, label string, args ...any) {
		marks = append(marks, plot.Mark{From: from, To: to, Label: fmt.Sprintf(label, args...), Kind: kind})
	}
	c := found.Capacity
	switch {
	case c.Low == 0 && c.High > 0:
		mark(0, c.High, plot.Region, "it lies below")
	case c.High > c.Low:
		mark(c.Low, c.High, plot.Region, "it lies within")
	case c.Low > 0: // how far it goes is not known
		mark(c.Low, 1000*c.Low, plot.Region, "it lies here or higher")
	}
	if c.Rate > 0 {
		mark(c.Rate, 0, plot.Point, "capacity %.5g/s", c.Rate)
	}
	if c.Knee != nil {
		mark(c.Knee.Rate, 0, plot.Point, "knee %.5g/s", c.Knee.Rate)
	}
	return marks
}

// searchFigure are the rates in the order they were tried.
func searchFigure(found capacity.File) plot.Figure {
	f := plot.Figure{
		ID: "search", Title: "The search", Note: "the rate of each probe, in the order they were made",
		X: plot.Numbers, XLabel: "probe",
		Unit: plot.PerSecond, Empty: "No probe was made.",
	}
	tried := plot.Series{Label: "rate", Colour: plot.Grey, Dash: plot.Dotted}
	series := endingSeries("held", "missed", "unreliable")
	for _, p := range found.Probes[:min(len(found.Probes), mostProbes)] {
		f.At, tried.Values = append(f.At, float64(p.Number)), append(tried.Values, p.Rate)
		for i := range series {
			rate := math.NaN()
			if i == endingOf(p) {
				rate = p.Rate
			}
			series[i].Values = append(series[i].Values, rate)
		}
	}
	f.Series = append([]plot.Series{tried}, series...)
	if r := found.Capacity.Rate; r > 0 {
		f.Limits = []plot.Limit{{Value: r, Label: fmt.Sprintf("capacity %.5g/s", r), Colour: plot.Blue}}
	}
	return f
}

// generators are send lag and CPU of the generator at each rate.
func generators(found capacity.File, details map[int]Detail,
	figure func(id, title, note string, unit plot.Unit, series ...plot.Series) plot.Figure,
) (lag, cpu plot.Figure) {
	late := plot.Series{Label: "p99 of send lag", Colour: plot.Teal, Marker: plot.Square}
	busy := plot.Series{Label: "CPU", Colour: plot.Violet, Marker: plot.Square}
	limit := 0.0
	list := byRate(found)
	for i, p := range list {
		d, known := details[p.Number]
		if !known || d.Run.Requests.Sent == 0 {
			continue
		}
		at := apart(list, i)
		late.At, late.Values = append(late.At, at), append(late.Values, d.Run.Generator.LagP99MS)
		busy.At, busy.Values = append(busy.At, at), append(busy.Values, 100*d.Run.Generator.CPUPeak)
		limit = d.Run.Generator.LagLimit
	}
	lag = figure("lag", "Send lag", "how late requests were sent in each run", plot.Milliseconds, late)
	cpu = figure("cpu", "CPU", "share of this machine's CPUs that the generator used in the busiest second of each run",
		plot.Percent, busy)
	if limit > 0 {
		lag.Limits = []plot.Limit{{Value: limit, Label: "limit", Colour: plot.Amber}}
	}
	cpu.Scale = plot.Linear
	cpu.Limits = []plot.Limit{saturated}
	lag.Empty, cpu.Empty = "The records of the probes are not there.", "The records of the probes are not there."
	return lag, cpu
}
