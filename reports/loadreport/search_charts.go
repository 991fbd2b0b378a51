package loadreport

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

// outcomeStyle is the style of a probe's outcome in tables and plots.
type outcomeStyle struct {
	tone   view.Tone
	word   string
	series plot.Series
}

var outcomeStyles = []outcomeStyle{
	{view.ToneGood, capacity.OutcomeHeld, plot.Series{
		Label: "held", Colour: plot.Green, Dash: plot.NoLine, Marker: plot.Dot,
	}},
	{view.ToneBad, capacity.OutcomeMissed, plot.Series{
		Label: "missed", Colour: plot.Red, Dash: plot.NoLine, Marker: plot.Cross,
	}},
	{view.ToneUnsure, capacity.OutcomeNotJudged, plot.Series{
		Label: "not judged", Colour: plot.Amber, Dash: plot.NoLine, Marker: plot.Diamond,
	}},
}

func outcomeStyleOf(p capacity.Probe) int {
	return max(0, slices.IndexFunc(outcomeStyles,
		func(s outcomeStyle) bool { return s.word == p.Outcome.Word() }))
}

// SearchCharts returns the plots of a search by their ID.
func SearchCharts(found capacity.SearchRun) map[string]plot.Figure {
	charts := map[string]plot.Figure{}
	curve := found.Capacity.Curve[:min(len(found.Capacity.Curve), maxProbes)]
	values := func(of func(capacity.CurvePoint) float64) plot.Values { return valuesOf(curve, of) }
	at := values(func(p capacity.CurvePoint) float64 { return p.Rate })
	add := func(id, title, note string, unit plot.Unit, series ...plot.Series) {
		charts[id] = plot.Figure{
			ID: id, Title: title, Note: note, Unit: unit, Scale: plot.ScaleLinear, X: plot.AxisRates, At: at,
			Group: "rates", Series: series, Empty: "No probe was made.",
		}
	}
	add("curve", "Latency over throughput",
		"response time at each rate, the median of its probes; a mark for the p99 of each probe; "+
			"shaded: the interval of the capacity", plot.UnitMilliseconds, append([]plot.Series{
			{
				Label: "p99", Colour: plot.Orange,
				Values: values(func(p capacity.CurvePoint) float64 { return plot.PositiveOrNaN(p.P99MS) }),
			},
			{
				Label: "p50", Colour: plot.Blue, Dash: plot.Dashed,
				Values: values(func(p capacity.CurvePoint) float64 { return plot.PositiveOrNaN(p.P50MS) }),
			},
		}, probeSeries(found)...)...)
	latency := charts["curve"]
	latency.Scale, latency.Tall = plot.ScaleAutomatic, 340
	latency.Marks = capacityMarks(found.Capacity)
	for _, expr := range found.SLO {
		if of, _, l := thresholdLimit(expr, nil); of == threshold.TimeResponse &&
			len(latency.Limits) < maxLimitLines {
			latency.Limits = append(latency.Limits, l)
		}
	}
	charts["curve"] = latency
	add("achieved", "Rate achieved", "requests per second: target and achieved", plot.UnitPerSecond,
		plot.Series{
			Label: "achieved", Colour: plot.Blue, Marker: plot.Dot,
			Values: values(func(p capacity.CurvePoint) float64 { return p.Achieved }),
		}, plot.Series{Label: "target", Colour: plot.Grey, Dash: plot.Dashed, Values: at})
	add("errors", "Errors", "share of the requests that were neither accepted nor rightly blocked",
		plot.UnitPercent, plot.Series{
			Label: "errors", Colour: plot.Red, Marker: plot.Dot,
			Values: values(func(p capacity.CurvePoint) float64 { return 100 * p.Errors }),
		})
	return charts
}

// probeSeries returns a point for each probe, by outcome. Probes of one rate are side by side.
func probeSeries(found capacity.SearchRun) []plot.Series {
	series := make([]plot.Series, len(outcomeStyles))
	for i, e := range outcomeStyles {
		series[i] = e.series
	}
	list := slices.Clone(found.Probes)
	slices.SortStableFunc(list, func(a, b capacity.Probe) int { return cmp.Compare(a.Rate, b.Rate) })
	same := 0
	for i, p := range list {
		if same++; i == 0 || list[i-1].Rate != p.Rate {
			same = 0
		}
		to := &series[outcomeStyleOf(p)]
		to.At = append(to.At, p.Rate*(1+1e-5*float64(same)))
		to.Values = append(to.Values, plot.PositiveOrNaN(milliseconds(p.Outcome.P99)))
	}
	return series
}

// capacityMarks marks the capacity and its interval.
func capacityMarks(c capacity.Estimate) (marks []plot.Mark) {
	mark := func(from, to float64, kind plot.MarkKind, label string, args ...any) {
		marks = append(marks,
			plot.Mark{From: from, To: to, Label: fmt.Sprintf(label, args...), Kind: kind})
	}
	switch {
	case c.Low == 0 && c.High > 0:
		mark(0, c.High, plot.MarkRegion, "capacity below")
	case c.High > c.Low:
		mark(c.Low, c.High, plot.MarkRegion, "capacity within")
	case c.Low > 0: // the upper end is unknown
		mark(c.Low, 1000*c.Low, plot.MarkRegion, "capacity here or above")
	}
	if c.Rate > 0 {
		mark(cmp.Or(c.Sent, c.Rate), 0, plot.MarkPoint, "capacity %.5g/s", c.Rate)
	}
	return marks
}
